//! Every rule of `data/rules.txt` by its example and its counter-example.

use memora_entail::{Premise, judge};

#[test]
fn every_rule_takes_its_example_and_not_its_counter_example() {
    let text = include_str!("../../data/rules.txt");
    let mut faults = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let parts: Vec<&str> = line.split("; ").collect();
        let &[id, words, context, sentence, verdict, counter, other] = parts.as_slice() else {
            faults.push(format!("{line}: {} parts", parts.len()));
            continue;
        };
        let context: Vec<&str> = context.split(" / ").filter(|part| *part != "-").collect();
        let premise = Premise::new(words).with_context(&context);
        for (sentence, expected) in [(sentence, verdict), (counter, other)] {
            let judged = judge(sentence, &[&premise]);
            if judged.verdict().as_str() != expected {
                faults.push(format!(
                    "{id}: {sentence:?} is {}, not {expected}: {}",
                    judged.verdict(),
                    judged.explanation()
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_number_that_is_only_reckoned_is_not_close() {
    let bench = Premise::new("MessagePack reached 412,000 messages per second and JSON 158,000.");
    let share = Premise::new("The company pays 75% of the premium and the employee pays the other 25%.");
    for (sentence, premise) in
        [("MessagePack reached 570,000 messages per second", &bench), ("The company pays 50% of the premium", &share)]
    {
        let judged = judge(sentence, &[premise]);
        assert!(!judged.is_covered(), "{sentence}: {}", judged.verdict());
    }
}

/// Each clause of a condition by itself says more than the note; what names both, or leaves it open, does not.
#[test]
fn a_condition_that_is_dropped_is_told() {
    let quay = Premise::new("If the landlord rebuilds the quay, the office will have to move in the summer.");
    let mac = Premise::new("If you are on a Mac, install the tool with brew.");
    let desks = Premise::new("The office has nine desks.");
    let [memory, client, samples, bus] = [
        "If memory serves, the ferry leaves at nine.",
        "If Tidewell was the first client, Northgate was the largest one.",
        "If the two samples differ by more than 5 percent, discard both, since the scale drifts.",
        "If it rains on Monday, she will take the bus, which stops at the mill.",
    ]
    .map(Premise::new);
    let certain = Premise::new(
        "The office will have to move in the summer. If the landlord rebuilds the quay, the office will have to move.",
    );
    for (sentence, premises) in [
        ("The office has to move in the summer.", vec![&quay, &desks]),
        ("The landlord rebuilds the quay in the summer.", vec![&desks, &quay]),
    ] {
        assert_eq!(judge(sentence, &premises).verdict().as_str(), "contradicted", "{sentence}");
    }
    for (sentence, premise, expected) in [
        ("The ferry leaves at nine.", &memory, "paraphrased"),
        ("Northgate was the largest client.", &client, "paraphrased"),
        ("Samples differing by more than 5 percent are discarded.", &samples, "paraphrased"),
        ("The bus stops at the mill.", &bus, "paraphrased"),
        ("The office will have to move in the summer.", &quay, "contradicted"),
        ("The landlord rebuilds the quay in the summer.", &quay, "contradicted"),
        ("The office would have to move in the summer.", &quay, "paraphrased"),
        ("The office will have to move when the quay is rebuilt.", &quay, "paraphrased"),
        ("Install the tool with brew.", &mac, "paraphrased"),
        ("The office will have to move in the summer.", &certain, "quoted"),
    ] {
        assert_eq!(judge(sentence, &[premise]).verdict().as_str(), expected, "{sentence}");
    }
}

/// Sums, differences and complements of a note's numbers are others: `5 + 10` passed for the upper end of `between 5 and 10`.
#[test]
fn a_number_that_only_follows_from_others_is_no_proof() {
    let meal = "A typical meal usually costs between 5 and 10 dollars.";
    for (words, sentence) in [
        (meal, "A typical meal usually costs between 5 and 15 dollars."),
        ("Chip makers in Taiwan produce 37 percent of it.", "Chip makers in Taiwan produce 63 percent of it."),
        ("The process uses about 1 % of the world's energy.", "The process uses about 99 % of the world's energy."),
        ("It accounted for 60 to 75 percent of the cost.", "It accounted for 15 to 75 percent of the cost."),
    ] {
        assert_eq!(judge(sentence, &[&Premise::new(words)]).verdict().as_str(), "contradicted", "{sentence}");
    }
    let taiwan = Premise::new("Chip makers in Taiwan produce 37 percent of it.");
    let rest = judge("The remaining 63 percent are not produced in Taiwan.", &[&taiwan]);
    assert_eq!(rest.verdict().as_str(), "paraphrased", "{}", rest.explanation());
}
