//! What a passage supports and what it doesn't.

use memora_vault::Band;

use crate::evidence::Passage;

use super::*;

/// Each sentence is judged so by its passage: `passage << context / context`, sentence, verdict.
pub(super) fn judged(rows: &[(&str, &str, &str)]) {
    let found = rows.iter().map(|(passage, sentence, expect)| (passage, sentence, expect, verdict(passage, sentence)));
    let wrong: Vec<_> = found.filter(|(.., expect, found)| found != *expect).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

pub(super) fn verdict(passage: &str, sentence: &str) -> String {
    let (words, context) = passage.split_once(" << ").unwrap_or((passage, ""));
    let context: Vec<&str> = context.split(" / ").filter(|part| !part.is_empty()).collect();
    let passage = Passage::for_test("notes/drift.md", words, &context, Band::Public);
    let judged = judge(sentence, &[passage.ground()]);
    match judged.support {
        Support::Quoted => "quoted".to_owned(),
        Support::Supported => "supported".to_owned(),
        Support::Unsupported => {
            let mut kinds: Vec<&str> = judged.reasons.iter().map(|r| r.kind.as_str()).collect();
            kinds.dedup();
            kinds.join(" ")
        }
    }
}

#[test]
fn what_is_said_is_supported() {
    let mut wrong = Vec::new();
    for (passage, sentence) in [
        ("Drift was postponed to March because Mia left.", "Drift was postponed to March."),
        ("Drift was postponed to March because Mia left.", "In March, because Mia left: Drift was postponed."),
        ("Anna moved drift because Bruno left.", "Because Bruno left, drift was moved by Anna."),
        ("The release of Apollo 2.1 was delayed by Carla until 3 June.", "Carla delayed the release of Apollo 2.1."),
        ("Here costs and prices rose by 15 %.", "Costs rose by 15 percent."),
        ("Mia Keller leads the drift team.", "The drift team is led by Mia Keller."),
        ("The drift team is led by Mia Keller.", "Mia Keller leads the drift team."),
        ("leads the search team << Tom Reed", "Tom Reed is leading the search team."),
        ("Owner: Mia Keller << Drift", "The owner of Drift is Mia Keller."),
        ("A query takes 1,200 ms on twelve nodes.", "A query takes 1200 milliseconds on 12 nodes."),
        ("Release on 2024-03-12.", "The release is on 12 March 2024."),
        ("Drift doesn't support Windows.", "Drift does not support Windows."),
        ("Drift is written in Rust and uses SQLite.", "Drift uses SQLite."),
        ("Mia leads drift and Tom leads search.", "Tom leads search."),
        ("Drift takes 40 ms and search takes 90 ms.", "Search takes 90 ms."),
        ("We moved from Postgres to SQLite in May 2024.", "In May 2024 we moved from Postgres to SQLite."),
        ("Mia said \"ship it on Friday\".", "Mia has said “ship it on Friday”."),
        ("Price: 65 euros per month << hosting / Plan B", "The price of Plan B is 65 euros per month."),
        ("Oste pays 1,150 euros a month.", "Oste pays 1150 euros per month."),
        ("If tests pass, drift ships in May.", "Drift ships in May if tests pass."),
        ("Drift must run first to fill the cache.", "Drift has to run first to fill the cache."),
        ("Drift uses Rust.", "According to your notes, Drift makes use of Rust."),
        ("Since May 2025 Anna works at Tidewell.", "Anna works at Tidewell."),
        ("Since Monday Mia leads drift.", "Mia leads drift."),
        (
            "A reached 40 ms on the old laptop, B reached 15 ms.",
            "A reached 40 ms on the old laptop, and B reached 15 ms.",
        ),
        (
            "Pay: 180 euros per week and a free morning. << On-call",
            "The pay for on-call is 180 euros per week and a free morning.",
        ),
        ("Drift keeps its notes in Markdown.", "As noted, Drift keeps its notes in Markdown."),
        ("Mia purchased a lathe in May.", "In May Mia bought a lathe."),
        ("We relocated the office to Kiel.", "The office was relocated to Kiel."),
    ] {
        let found = verdict(passage, sentence);
        if found != "supported" {
            wrong.push(format!("{passage} -> {sentence}: {found}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_reason_says_what_the_notes_have_instead() {
    let instead = |passage: &str, sentence: &str| {
        let passage = Passage::for_test("notes/drift.md", passage, &[], Band::Public);
        let judged = judge(sentence, &[passage.ground()]);
        judged.reasons.iter().map(|r| format!("{}: {} -> {}", r.kind.as_str(), r.words, r.instead)).collect::<Vec<_>>()
    };
    assert_eq!(instead("A query takes 14 ms.", "A query takes 40 ms."), ["number: 40 ms -> 14 ms"]);
    assert_eq!(instead("Drift ships in May 2024.", "Drift ships in June 2024."), ["date: in June 2024 -> in May 2024"]);
    assert!(instead("So far, Mia leads drift.", "So far, Tom leads drift.").contains(&"name: Tom -> Mia".to_owned()));
    // A name, a number, a date that stands elsewhere in the notes is not there instead.
    let moved = "In spring, Anna moved drift from March to May because Bruno left.";
    let first = |passage: &str, sentence: &str| instead(passage, sentence).first().cloned().unwrap_or_default();
    assert_eq!(first(moved, "In spring, Carla moved drift from March to May."), "name: Carla -> Anna");
    assert_eq!(first(moved, "In spring, Anna moved drift from March to June."), "date: to June -> to May");
    assert!(instead("Mia leads drift with Ben.", "Mia met Tom.").contains(&"name: Tom -> ".to_owned()));
    assert_eq!(instead("It takes 14 ms on two nodes.", "It takes 40 ms on two nodes."), ["number: 40 ms -> 14 ms"]);
    // What is counted is named with its number.
    assert_eq!(
        instead("Three nodes and two people were there.", "Two nodes and three people were there."),
        ["number: Two nodes -> Three nodes", "number: three people -> two people"]
    );
    assert!(instead("The bike is red.", "The bike is blue.").contains(&"content: blue -> red".to_owned()));
}

#[test]
fn the_score_ranks_what_is_nearer() {
    let score = |sentence: &str| {
        let passage = Passage::for_test("notes/drift.md", "Mia moved drift to SQLite in May.", &[], Band::Public);
        judge(sentence, &[passage.ground()]).score
    };
    let ranked = [
        "Mia moved drift to SQLite in May.",
        "In May, Mia switched drift to SQLite.",
        "Mia moved drift to a database in May.",
        "Mia sold the lathe to Tom in June.",
    ];
    for pair in ranked.windows(2) {
        assert!(score(pair[0]) > score(pair[1]), "{pair:?}");
    }
}

#[test]
fn the_sources_own_words_are_quoted_in_any_language() {
    for (passage, sentence) in [
        ("Drift was postponed. It uses Rust.", "drift was **postponed**".trim_matches('*')),
        ("Das Projekt wurde nicht verschoben.", "Das Projekt wurde nicht verschoben."),
        ("会議は三月に延期された。", "会議は三月に延期された"),
        ("Le café coûte 3 €.", "Le café coûte 3 €"),
    ] {
        let sentence = sentence.replace("**", "");
        assert_eq!(verdict(passage, &sentence), "quoted", "{passage} -> {sentence}");
    }
}

#[test]
fn what_is_not_said_is_unsupported() {
    let mut wrong = Vec::new();
    for (passage, sentence, expect) in [
        ("A query takes 40 ms.", "A query takes 40 s.", "number"),
        ("A query takes 40 ms.", "A query takes 400 ms.", "number"),
        ("It costs 4.2 million euros.", "It costs 4.2 million dollars.", "number"),
        ("Drift ships in March 2024.", "Drift ships in April 2024.", "date"),
        ("Drift ships in March 2024.", "Drift ships in March 2025.", "date"),
        ("The call is on Monday.", "The call is on Tuesday.", "date"),
        ("Mia leads drift.", "So Tom leads drift.", "name"),
        ("Drift uses Rust.", "Drift doesn't use Rust.", "negation"),
        ("Drift doesn't use Rust.", "Drift uses Rust.", "negation"),
        ("Drift never ships on Friday.", "Drift ships on Friday.", "negation"),
        ("Nobody in the team likes Rust.", "The team likes Rust.", "negation"),
        ("It is false that drift was cancelled.", "Drift was cancelled.", "negation"),
        ("Drift no longer uses Rust.", "Drift uses Rust.", "negation"),
        ("Drift does not use Rust, Go or C.", "Drift uses Go.", "negation"),
        ("Drift was postponed.", "Drift was cancelled.", "content opposite"),
        ("Prices increased in May.", "Prices decreased in May.", "content opposite"),
        ("Drift may be cancelled.", "Drift is cancelled.", "modality"),
        ("On mobile, drift hides the bar.", "Drift hides the bar.", "modality"),
        ("The brother of Bruno leads drift.", "Bruno leads drift.", "roles"),
        ("Bruno says Anna stole the money.", "Anna stole the money.", "roles"),
        ("Anna sold the car keys.", "Anna sold the car.", "roles"),
        ("Anna fired Bruno.", "Anna was fired.", "roles"),
        ("Anna wants Bruno to lead drift.", "Bruno leads drift.", "modality"),
        ("Anna forgot to lock the door.", "Anna locked the door.", "modality"),
        ("A query takes less than 40 ms.", "A query takes 40 ms.", "modality"),
        ("Return the borrowed drill to Ben.", "The drill was returned to Ben.", "modality"),
        ("Anna bought tea instead of coffee.", "Anna bought coffee.", "negation"),
        ("A query language << Roadmap / Not shipped", "The roadmap has a query language.", "negation"),
        ("You don't have to restart the relay.", "You must not restart the relay.", "content"),
        ("Priya manages Tom.", "Tom is Priya's manager.", "content"),
        ("Anna learned Japanese.", "Anna taught Japanese.", "content"),
        ("Drift does not sync without a key.", "Drift does not sync.", "modality"),
        ("Drift does not sync when you are offline.", "Drift does not sync.", "modality"),
        ("The latency of drift is low.", "The latency of drift is the lowest.", "content"),
        ("If tests pass, drift ships in May.", "Drift ships in May.", "modality"),
        ("Will drift ship in May?", "Drift ships in May.", "modality"),
        ("We plan to cancel drift.", "We cancel drift.", "modality"),
        ("Mia reports to Tom.", "Tom reports to Mia.", "roles"),
        ("Mia manages Tom.", "Tom manages Mia.", "roles"),
        ("Mia manages Tom.", "Mia is managed by Tom.", "roles"),
        ("Mia is managed by Tom.", "Mia manages Tom.", "roles"),
        ("Drift is faster than Search.", "Search is faster than Drift.", "roles"),
        ("We moved from Postgres to SQLite.", "We moved from SQLite to Postgres.", "roles"),
        ("Mia is Tom's manager.", "Tom is Mia's manager.", "roles"),
        ("Mia leads drift and Tom leads search.", "Tom leads drift.", "roles"),
        ("Drift takes 40 ms and search takes 90 ms.", "Drift takes 90 ms.", "roles"),
        ("It takes 40 ms on Linux and 90 ms on Macs.", "It takes 90 ms on Linux.", "roles"),
        ("Drift uses Rust. << Apollo", "Apollo uses Rust.", "roles"),
        ("Mia said \"ship it\".", "Mia said \"hold it\".", "content quotation"),
        ("Drift was postponed.", "It was postponed.", "reference"),
        ("Drift << Mia Keller", "Mia Keller leads.", "content"),
        ("Das Projekt wurde nicht verschoben.", "Das Projekt wurde verschoben.", "negation"),
        ("Das Projekt wurde verschoben.", "Das Projekt wurde nicht verschoben.", "negation"),
        ("会議は延期されなかった。", "会議は延期された。", "language"),
        ("Drift ist nicht fertig in 40 ms.", "Drift 40 ms", "negation"),
        ("Anna moved drift because Bruno left.", "Drift was moved by Anna and Bruno.", "roles"),
        ("Anna moved drift because Bruno left.", "Bruno left because Anna moved drift.", "roles"),
        ("Drift was late. Mia left.", "Drift was late because Mia left.", "content"),
        ("Drift used to run on Python.", "Drift runs on Python.", "modality"),
        ("Drift was led by Mia.", "Drift is led by Mia.", "modality"),
        ("Mia owned drift.", "Mia owns drift.", "modality"),
        ("Latency < 40 ms", "Latency > 40 ms", "content"),
        ("Apollo was delayed by Carla, and costs rose by 15 %.", "Here, Carla rose by 15 %.", "roles"),
        ("Rust > Go", "Go > Rust", "roles"),
        ("Drift has two engineers and three nodes.", "Drift has two nodes.", "number"),
        ("A query takes 40 ms on two nodes.", "A query takes two on 40 nodes.", "number"),
        ("Some users like drift.", "Users like drift.", "modality"),
        ("leads the café team << Zoë Müller / Anna", "Drift leads the café team.", "content"),
        ("Drift was postponed.", "Drift was postponed because the CEO is a lizard.", "content name"),
    ] {
        let found = verdict(passage, sentence);
        if !expect.split(' ').all(|kind| found.split(' ').any(|f| f == kind)) {
            wrong.push(format!("{passage} -> {sentence}: {found}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn passages_are_read_together_without_mixing_them() {
    let passage = |words: &str, title: &str| Passage::for_test("a.md", words, &[title], Band::Public);
    let (anna, bruno) = (passage("Anna leads drift.", "Teams"), passage("Bruno leads search.", "Teams"));
    let zoe = passage("leads the café team", "Zoë Müller");
    let holds =
        |sentence: &str| judge(sentence, &[anna.ground(), bruno.ground(), zoe.ground()]).support == Support::Supported;
    assert!(holds("Anna leads drift and Bruno leads search."));
    assert!(holds("Here, Bruno leads search."));
    assert_ne!(judge("Here, Anna leads the café team.", &[anna.ground(), zoe.ground()]).support, Support::Supported);
    for swapped in [
        "Here, Anna leads search.",
        "Anna leads search and Bruno leads drift.",
        "Anna leads search and drift.",
        "Here, Anna leads the café team.",
    ] {
        assert!(!holds(swapped), "{swapped}");
    }
}

proptest::proptest! {
    #[test]
    fn any_texts_can_be_judged(a in r"(\PC|not |Drift |40 ms|\. |é|日|by ){0,20}", b in r"(\PC|not |Drift |40 |is |, ){1,20}") {
        let passage = Passage::for_test("a.md", &format!("x{b}"), &[&a], Band::Public);
        judge_behind(&a, &[passage.ground()], true);
        let _ = judge(&b, &[passage.ground()]);
    }
}

#[test]
fn on_is_not_off_i_am_not_anna_and_plan_b_is_not_plan_a() {
    for (passage, sentence, expected) in [
        ("Price: 65 euros per month << hosting / Plan B", "The price of Plan A is 65 euros per month.", "name"),
        ("Plan B has a price of 65 euros.", "Plan A has a price of 65 euros.", "name"),
        ("Plan A has a price of 65 euros.", "The price of Plan A is 65 euros.", "supported"),
        ("Compaction is off by default.", "Compaction is on by default.", "opposite"),
        ("The gauge went down in May.", "In May the gauge went up.", "opposite"),
        ("On Monday compaction was switched off.", "Compaction was switched off on Monday.", "supported"),
        ("Anna owns the storage layer.", "I own the storage layer.", "reference"),
        ("Anna owns the storage layer.", "You own the storage layer.", "reference"),
        ("We own the storage layer together.", "I own the storage layer.", "reference"),
        ("I own the storage layer together with Anna.", "I own the storage layer.", "supported"),
        ("I own the storage layer together with Anna.", "You own the storage layer.", "supported"),
    ] {
        let found = verdict(passage, sentence);
        assert!(found.split(' ').any(|kind| kind == expected), "{passage} -> {sentence}: {found}");
    }
}

#[test]
fn phrases_that_say_the_same_stand_for_one_another() {
    let mut wrong = Vec::new();
    for (passage, sentence) in [
        ("Anna leads the rota.", "Anna is in charge of the rota."),
        ("Anna is in charge of the rota.", "Anna leads the rota."),
        ("Bram turned off the pump in May.", "In May Bram switched the pump off."),
        ("Mia deleted the file by accident.", "Mia accidentally deleted the file."),
        ("Mia sprinted to the tram.", "Mia ran to the tram."),
        ("The door got locked at night.", "The door was locked at night."),
        ("Noël tunes the organ.", "Noel tunes the organ."),
        ("The pass took 2 hours.", "The pass took 120 minutes."),
        ("The bakery opens at 15:00.", "The bakery opens at 3 p.m."),
        ("The disk holds 2,937,600 readings.", "The disk holds about 2.9 million readings."),
        ("The choir has 134 members.", "The choir has one hundred and thirty-four members."),
        ("If the tests pass, drift ships.", "When the tests pass, drift ships."),
        ("Bought a lathe for 90 euros.", "I bought a lathe for 90 euros."),
        ("Drift, which Anna leads, uses Rust.", "Drift uses Rust."),
    ] {
        let found = verdict(passage, sentence);
        if found != "supported" {
            wrong.push(format!("{passage} -> {sentence}: {found}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_phrase_turns_nothing_round() {
    let mut wrong = Vec::new();
    for (passage, sentence) in [
        ("Anna was in charge of the rota.", "Anna leads the rota."),
        ("Anna does not lead the rota.", "Anna is in charge of the rota."),
        ("Mia ran to the tram.", "Mia sprinted to the tram."),
        ("Mia did not sprint to the tram.", "Mia did not run to the tram."),
        ("All sprinters ran home.", "All runners ran home."),
        ("You don't have to restart the relay.", "You must not restart the relay."),
        ("The bakery opens at 15:00.", "The bakery opens at 3 a.m."),
        ("The pass took 2 hours.", "The pass took 2 minutes."),
        ("The disk holds 2,937,600 readings.", "The disk holds about 2 million readings."),
        ("The disk holds 2,937,600 readings.", "The disk holds 2.9 million readings."),
        ("Zoë tunes the organ.", "Zoé tunes the organ."),
        ("Bram says that Anna stole the pump.", "Anna stole the pump."),
        ("They came from Kiel until 2024.", "They come from Kiel."),
        ("If the key is there, the door opens when you push.", "The door opens when you push."),
    ] {
        let found = verdict(passage, sentence);
        if found == "supported" || found == "quoted" {
            wrong.push(format!("{passage} -> {sentence}: {found}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn nobody_takes_the_place_of_whom_another_word_leads_to() {
    let mut wrong = Vec::new();
    for (passage, sentence, said) in [
        ("Anna lives in Bonn with her brother Karl and a cat called Minka.", "Anna lives in Karl.", false),
        ("Anna lives in Bonn with her brother Karl and a cat called Minka.", "Anna has a cat called Bonn.", false),
        ("Anna lives in Bonn with her brother Karl and a cat called Minka.", "Anna lives in Bonn.", true),
        ("Lena works at Tidewell in Kiel with Otto.", "Lena works at Otto.", false),
        ("Lena works at Tidewell in Kiel with Otto.", "Lena works in Kiel.", true),
        ("Paul introduced Nina to Otto.", "Paul introduced Otto to Nina.", false),
        ("Mia sold the red bike to Paul for 80 euros.", "Mia sold Paul for 80 euros.", false),
        ("Mia gave the keys to Tom.", "Mia gave Tom the keys.", true),
        ("The song was recorded by the singer Katy Perry.", "The song was recorded by Katy Perry.", true),
        ("Paul told Nina to lock the gate.", "Nina locked the gate.", false),
        ("Karl to send the contract", "Karl sent the contract.", false),
        ("Karl: mow the lawn", "Karl mowed the lawn.", false),
        ("Karl managed to send the contract.", "Karl sent the contract.", true),
    ] {
        let found = verdict(passage, sentence);
        if (found == "supported" || found == "quoted") != said {
            wrong.push(format!("{passage} -> {sentence}: {found}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_task_says_what_is_done_and_what_is_to_be_done() {
    use memora_vault::TaskState;
    let judged = |state: TaskState, sentence: &str| {
        let ground = Ground::read("Return the drill", &[], &[]).as_task(state);
        judge(sentence, &[&ground]).support
    };
    for (state, sentence, said) in [
        (TaskState::Open, "You still have to return the drill.", true),
        (TaskState::Open, "I plan to return the drill.", true),
        (TaskState::Open, "You returned the drill.", false),
        (TaskState::Open, "Mia still has to return the drill.", false),
        (TaskState::Done, "You returned the drill.", true),
        (TaskState::Done, "You still have to return the drill.", false),
        (TaskState::Deferred, "You returned the drill.", false),
    ] {
        assert_eq!(judged(state, sentence) != Support::Unsupported, said, "{state:?} {sentence}");
    }
    let mias = |state: TaskState, words: &str, sentence: &str| {
        judge(sentence, &[&Ground::read(words, &[], &[]).as_task(state)]).support != Support::Unsupported
    };
    for words in ["Mia: write the report", "@Mia write the report", "Mia writes the report", "Mia to write the report"]
    {
        assert!(!mias(TaskState::Open, words, "Mia wrote the report."), "{words}");
        assert!(!mias(TaskState::InProgress, words, "Mia has written the report."), "{words}");
    }
    for sentence in ["Mia still has to write the report.", "Mia should write the report.", "Mia will write the report."]
    {
        assert!(mias(TaskState::Open, "Mia: write the report", sentence), "{sentence}");
    }
}

#[test]
fn a_pronoun_of_the_notes_stands_for_the_subject_before_it() {
    let before = |words: &str, before: &[&str]| antecedent(words, before.iter().copied());
    for (words, sentences, expected) in [
        ("She moved to Kiel.", &["Anna Brandt visited us in May."][..], Some("Anna Brandt")),
        ("She moved on.", &["He waved.", "Anna visited Bruno."], Some("Anna")),
        ("It took an hour.", &["The web shop was moved to Postgres."], Some("The web shop")),
        ("He is late.", &["Phone: Jonas called."], Some("Jonas")),
        ("Anna moved to Kiel.", &["Bruno left."], None),
        ("She left.", &[], None),
        ("", &["Bruno left."], None),
    ] {
        assert_eq!(before(words, sentences).as_deref(), expected, "{words}");
    }
}

const SURVEY: &str = "The roofer, a quiet man from Tarnów recommended by our neighbour Ewa, found that only the north side needs \
                      new tiles; the chimney, which the surveyor had called dangerous, is sound.";
const LOAN: &str = "Jonas, whose van broke down outside Ghent, borrowed 600 euros from me on Saturday and promised to pay back \
                    half by Easter.";

#[test]
fn a_fact_may_be_cut_out_of_a_long_sentence() {
    let mut wrong = Vec::new();
    for (passage, sentence) in [
        (SURVEY, "The roofer is a quiet man from Tarnów."),
        (LOAN, "Jonas borrowed 600 euros on Saturday."),
        ("Anna Brandt, our treasurer since 2023, keeps the books.", "Anna Brandt keeps the books."),
        ("Soul Food is a film produced by Ken, Tracey and Robert.", "Tracey produced Soul Food."),
        ("Kurt was a singer, songwriter, and musician.", "Kurt was a musician and singer."),
        ("Drift (our database; since 2024 in Rust) is a small tool.", "Drift is a small tool."),
        ("Tom was given the keys by Mia.", "Mia gave the keys to Tom."),
        ("Father was examined at noon, woke at four and asked for the newspaper.", "Father asked for the newspaper."),
        ("Dr. Meyer, whom Hannah knows, wants an X-ray.", "Dr. Meyer wants an X-ray."),
        ("The tax, introduced by the bishop in 1387, ruined the towns.", "The bishop introduced the tax in 1387."),
        ("The Mod Squad is an American film released in 1973.", "The Mod Squad is an American film."),
    ] {
        if verdict(passage, sentence) != "supported" {
            wrong.push((sentence, verdict(passage, sentence)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nothing_is_put_together_that_stands_apart() {
    let mut wrong = Vec::new();
    for (passage, sentence) in [
        (SURVEY, "The surveyor is a quiet man from Tarnów."),
        (SURVEY, "The roofer had called the chimney dangerous."),
        ("Anna prefers tea to coffee.", "Anna prefers coffee to tea."),
        ("We chose Postgres over MySQL.", "We chose MySQL."),
        ("The guests arrive on 9 April and leave on 22 April.", "The guests arrive on 22 April."),
        ("Graz lost to Team Red.", "Team Red lost to Graz."),
        ("Gisela, the electrician who trains us, replaced the lamp dropped by Timo.", "Timo is an electrician."),
        ("Ulm is a city in Alb County.", "Ulm is a county."),
        ("From Évora we took the bus to Beja, a hot white town.", "Évora is a hot white town."),
        ("Anna is Bruno's sister.", "Anna is Bruno."),
        (
            "Format converter converts Markdown from other applications to Obsidian format.",
            "Format converter converts Markdown from Obsidian format to other applications.",
        ),
    ] {
        if verdict(passage, sentence) != "roles" {
            wrong.push((sentence, verdict(passage, sentence)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_hedge_holds_for_its_own_clause() {
    judged(&[
        ("Anna runs a shop that may close.", "Anna runs a shop.", "supported"),
        ("Anna may run a shop that sells tea.", "Anna runs a shop.", "modality"),
        ("Lost is a series that originally ran on Fox.", "Lost is a series.", "supported"),
        ("Mia is a former nurse.", "Mia is a nurse.", "modality"),
        ("If it rains, Anna stays and Bruno cooks.", "Bruno cooks.", "modality"),
        ("Rasmus, who used to play handball, lets me cycle.", "Rasmus lets me cycle.", "supported"),
        ("Rasmus used to play handball.", "Rasmus plays handball.", "modality"),
        ("The food is eaten by Tiger.", "Tiger eats the food.", "supported"),
        ("Tiger ate the food.", "Tiger eats the food.", "modality"),
        ("The quinces carried nothing this autumn.", "This autumn the quinces carried nothing.", "supported"),
        // What another sentence of them says, too, is drawn from there.
        ("Hasn't told Anneke. Ruben told me over lunch.", "Ruben told you over lunch.", "supported"),
        ("Judith, translator of Czech. Her ex was a cellist.", "Judith is a translator of Czech.", "supported"),
        ("Ben laughed, his brother did not.", "Ben's brother laughed.", "negation"),
        ("Ben laughed, his brother did not.", "Ben laughed.", "supported"),
    ]);
}

#[test]
fn what_is_taken_back_is_not_left_out() {
    judged(&[
        ("The release ships on Friday (cancelled).", "The release ships on Friday.", "modality"),
        ("Clara has diabetes (ruled out on 3 May).", "Clara has diabetes.", "modality"),
        ("Sebastian lives in Graz (2012-2016).", "Sebastian lives in Graz.", "modality"),
        ("Rita is the (deputy) mayor.", "Rita is the mayor.", "modality"),
        ("Mia (our baker) leads drift.", "Mia leads drift.", "supported"),
        ("Mia leads drift (since 2023).", "Mia leads drift.", "supported"),
        ("Udo moves to Graz, says Lea.", "Udo moves to Graz.", "modality"),
        ("The alarm is on, I think.", "The alarm is on.", "modality"),
        ("Plan: the choir buys folders.", "The choir buys folders.", "modality"),
        ("According to the breeder, the dog is deaf.", "The dog is deaf.", "modality"),
        ("The supplier delivers in June or July.", "The supplier delivers in June.", "modality"),
        ("Yusuf is the vice captain.", "Yusuf is the captain.", "modality"),
        ("Bikes are allowed on the train only at weekends.", "Bikes are allowed on the train.", "modality"),
        ("Emma went to town to buy a tent.", "Emma buys a tent.", "modality"),
        ("The migration is to be finished by May.", "The migration is finished.", "modality"),
        ("Lea plays the violin and Finn the cello.", "Lea plays the cello.", "modality"),
        ("Takes cortisone since May. << Nele's brother", "Nele takes cortisone.", "roles"),
        ("Hugo's father is a baker.", "Hugo is a baker.", "roles"),
        ("Bea is boring.", "Bea is bored.", "roles"),
        ("Ron is fixing the tap.", "The tap is fixed.", "roles"),
        ("Rosa has a blue car and a red bike.", "Rosa has a red car.", "roles"),
        ("Milan orders the flyers, Tessa orders the chairs.", "Milan orders the chairs.", "roles"),
        ("The meeting starts at 9:00 and ends at 11:00.", "The meeting ends at 9:00.", "roles"),
    ]);
}
