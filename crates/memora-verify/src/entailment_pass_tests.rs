use memora_entail::{EntailmentError, EntailmentModel, Pair, Probabilities};

use super::*;
use crate::reference::tests::notes;
use crate::{check_text, report::VerificationReport};

/// Finds what it is told to, by the end of the sentence.
struct Scripted(&'static [(&'static str, f32)]);

impl EntailmentModel for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn threshold(&self) -> f32 {
        0.9
    }

    fn read(&self, pairs: &[Pair]) -> Result<Vec<Option<Probabilities>>, EntailmentError> {
        let entailed = |pair: &Pair| {
            assert!(pair.premise.contains(": "), "a passage stands behind its title: {}", pair.premise);
            let (_, entailed) = self.0.iter().find(|(end, _)| pair.hypothesis.contains(end))?;
            Some(Probabilities { entailed: *entailed, neutral: 1.0 - entailed, contradicted: 0.0 })
        };
        Ok(pairs.iter().map(entailed).collect())
    }
}

/// Reads nothing.
struct Broken;

impl EntailmentModel for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn threshold(&self) -> f32 {
        0.0
    }

    fn read(&self, _: &[Pair]) -> Result<Vec<Option<Probabilities>>, EntailmentError> {
        Err(EntailmentError { model: "broken".to_owned(), source: "no library".into() })
    }
}

const TEXT: &str = "Bruno left in June ([[Drift]]). Bruno left in May ([[Drift]]). In June Bruno said farewell ([[Drift]]). \
                    Bruno went away in June ([[Drift]]). Nobody was told.";

fn verdicts(report: &VerificationReport) -> Vec<&'static str> {
    report.sentences().iter().map(|sentence| sentence.verdict().as_str()).collect()
}

#[test]
fn what_is_paraphrased_is_read_and_nothing_else_changes() {
    let mut report = check_text(TEXT, &[], &notes());
    assert_eq!(verdicts(&report), ["quoted", "contradicted", "paraphrased", "paraphrased", "uncited"]);
    let model = Scripted(&[("in May", 1.0), ("farewell", 0.9), ("went away", 0.89), ("told", 1.0)]);
    let reading = report.apply_entailment_model(&model).expect("it reads");
    assert_eq!(reading, EntailmentCounts { read: 2, entailed: 1, too_long: 0 });
    assert_eq!(verdicts(&report), ["quoted", "contradicted", "entailed", "paraphrased", "uncited"]);
    let found: Vec<_> = report.sentences().iter().filter_map(CheckedSentence::model_finding).cloned().collect();
    let (model, probability) = ("scripted".to_owned(), Some(0.9));
    assert_eq!(found, [ModelFinding::Entailed { model, probability, evidence: None }]);
}

#[test]
fn what_is_too_long_or_cannot_be_read_stays_as_it_was() {
    let mut report = check_text(TEXT, &[], &notes());
    let before = verdicts(&report);
    let reading = report.apply_entailment_model(&Scripted(&[])).expect("it reads");
    assert_eq!(reading, EntailmentCounts { read: 0, entailed: 0, too_long: 2 });
    assert!(report.apply_entailment_model(&Broken).is_err());
    assert_eq!(verdicts(&report), before);
    let mut nothing = check_text("Nothing.", &[], &notes());
    assert_eq!(nothing.apply_entailment_model(&Broken).ok(), Some(EntailmentCounts::default()), "it is not asked");
}
