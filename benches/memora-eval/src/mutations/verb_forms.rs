//! Inflection of English verbs; uncertain forms are `None`.

use crate::lists::{DOUBLED_CONSONANT, HISSING_ENDINGS, HISSING_ENDINGS_OF_THIRD_PERSON, ODD_VERBS};
use memora_nlp::DependencyParser;

/// Base, past tense, past participle.
const IRREGULAR: &[(&str, &str, &str)] = &[
    ("become", "became", "become"),
    ("begin", "began", "begun"),
    ("break", "broke", "broken"),
    ("bring", "brought", "brought"),
    ("build", "built", "built"),
    ("buy", "bought", "bought"),
    ("catch", "caught", "caught"),
    ("choose", "chose", "chosen"),
    ("come", "came", "come"),
    ("do", "did", "done"),
    ("draw", "drew", "drawn"),
    ("drink", "drank", "drunk"),
    ("drive", "drove", "driven"),
    ("eat", "ate", "eaten"),
    ("fall", "fell", "fallen"),
    ("find", "found", "found"),
    ("get", "got", "got"),
    ("give", "gave", "given"),
    ("go", "went", "gone"),
    ("grow", "grew", "grown"),
    ("have", "had", "had"),
    ("hear", "heard", "heard"),
    ("hide", "hid", "hidden"),
    ("hold", "held", "held"),
    ("keep", "kept", "kept"),
    ("know", "knew", "known"),
    ("lead", "led", "led"),
    ("leave", "left", "left"),
    ("lend", "lent", "lent"),
    ("lose", "lost", "lost"),
    ("make", "made", "made"),
    ("mean", "meant", "meant"),
    ("meet", "met", "met"),
    ("overwrite", "overwrote", "overwritten"),
    ("pay", "paid", "paid"),
    ("ride", "rode", "ridden"),
    ("ring", "rang", "rung"),
    ("run", "ran", "run"),
    ("say", "said", "said"),
    ("see", "saw", "seen"),
    ("sell", "sold", "sold"),
    ("send", "sent", "sent"),
    ("show", "showed", "shown"),
    ("sing", "sang", "sung"),
    ("sleep", "slept", "slept"),
    ("speak", "spoke", "spoken"),
    ("spend", "spent", "spent"),
    ("stand", "stood", "stood"),
    ("take", "took", "taken"),
    ("teach", "taught", "taught"),
    ("tell", "told", "told"),
    ("think", "thought", "thought"),
    ("understand", "understood", "understood"),
    ("wear", "wore", "worn"),
    ("win", "won", "won"),
    ("write", "wrote", "written"),
];

/// Returns the base of a third-person form: "uses" gives "use".
pub(crate) fn base_of_third_person(verb: &str) -> Option<String> {
    let base = match verb {
        "has" => "have".to_owned(),
        "does" | "goes" => verb.trim_end_matches("es").to_owned(),
        "caches" => "cache".to_owned(),
        _ => {
            if let Some(stem) = verb.strip_suffix("ies") {
                format!("{stem}y")
            } else if HISSING_ENDINGS_OF_THIRD_PERSON.iter().any(|end| verb.ends_with(end)) {
                verb.strip_suffix("es")?.to_owned()
            } else {
                verb.strip_suffix('s')?.to_owned()
            }
        }
    };
    DependencyParser::embedded().may_be_verb(&base).then_some(base)
}

/// Returns the third-person form: "use" gives "uses".
pub(crate) fn third_person_form(base: &str) -> String {
    let hissing = HISSING_ENDINGS.iter().any(|end| base.ends_with(end));
    match base {
        "have" => "has".to_owned(),
        "be" => "is".to_owned(),
        _ if hissing => format!("{base}es"),
        _ if ends_in_consonant_y(base) => format!("{}ies", base.trim_end_matches('y')),
        _ => format!("{base}s"),
    }
}

/// Returns the base of an irregular past form.
pub(crate) fn base_of_past(past: &str) -> Option<&'static str> {
    IRREGULAR.iter().find(|(_, irregular, _)| *irregular == past).map(|(base, ..)| *base)
}

/// Returns the past participle: "use" gives "used", "keep" gives "kept".
pub(crate) fn past_participle(base: &str) -> Option<String> {
    if let Some((.., participle)) = IRREGULAR.iter().find(|(irregular, ..)| *irregular == base) {
        return Some((*participle).to_owned());
    }
    regular_past(base)
}

/// Returns the past tense: "ask" gives "asked", "keep" gives "kept".
pub(crate) fn past_tense(base: &str) -> Option<String> {
    if let Some((_, past, _)) = IRREGULAR.iter().find(|(irregular, ..)| *irregular == base) {
        return Some((*past).to_owned());
    }
    regular_past(base)
}

fn regular_past(base: &str) -> Option<String> {
    // Verbs with one form for everything, or other irregular forms that are not in the table.
    if ODD_VERBS.contains(base) || !base.chars().all(|c| c.is_ascii_lowercase()) || base.len() < 3 {
        return None;
    }
    if base.ends_with('e') {
        return Some(format!("{base}d"));
    }
    if ends_in_consonant_y(base) {
        return Some(format!("{}ied", base.trim_end_matches('y')));
    }
    let tail: Vec<bool> = base.chars().rev().take(3).map(|c| "aeiou".contains(c)).collect();
    let last = base.chars().next_back().unwrap_or_default();
    let syllables = base.chars().filter(|c| "aeiou".contains(*c)).count();
    let short = tail == [false, true, false] && !"wxy".contains(last);
    Some(if DOUBLED_CONSONANT.contains(base) || (short && syllables == 1) {
        format!("{base}{last}ed")
    } else {
        format!("{base}ed")
    })
}

/// Returns the participle of a past form.
pub(crate) fn participle_of_past(past: &str) -> Option<String> {
    if let Some((.., participle)) = IRREGULAR.iter().find(|(_, irregular, _)| *irregular == past) {
        return Some((*participle).to_owned());
    }
    past.ends_with("ed").then(|| past.to_owned())
}

fn ends_in_consonant_y(base: &str) -> bool {
    let before = base.strip_suffix('y').and_then(|stem| stem.chars().next_back());
    before.is_some_and(|c| !"aeiou".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_those_of_a_grammar() {
        for (base, third_person, past_form, participle_form) in [
            ("use", "uses", "used", "used"),
            ("carry", "carries", "carried", "carried"),
            ("switch", "switches", "switched", "switched"),
            ("stop", "stops", "stopped", "stopped"),
            ("open", "opens", "opened", "opened"),
            ("keep", "keeps", "kept", "kept"),
            ("write", "writes", "wrote", "written"),
            ("enjoy", "enjoys", "enjoyed", "enjoyed"),
        ] {
            assert_eq!(third_person_form(base), third_person);
            assert_eq!(base_of_third_person(third_person).as_deref(), Some(base));
            assert_eq!(past_tense(base).as_deref(), Some(past_form));
            assert_eq!(past_participle(base).as_deref(), Some(participle_form));
        }
        assert_eq!(past_tense("put"), None);
    }
}
