//! What the verbs of a German clause tell of when: auxiliaries, read with their participles.

use super::phrase::Said;
use super::verbs::{Reading, Tense, goes_with_sein};
use super::words::{auxiliary, is_in};

/// Reads auxiliaries with their participles: *hat verkauft* is past, *wurde verkauft* a passive. What helps only so goes.
pub(super) fn tell_tense(said: &mut Vec<Said>, speaks: bool, has_subject: bool) {
    let is_form = |s: &Said, stem: &str, tenses: &[Tense]| {
        // `er habe verkauft`: somebody says so.
        if has_subject && !speaks && is_in("habe werde", &s.token.lower) {
            return false;
        }
        auxiliary(&s.token.lower).is_some_and(|(of, tense)| of == stem && tenses.contains(&tense))
    };
    let told = [Tense::Present, Tense::Past];
    let is_participle = |s: &Said| s.has(Tense::Participle) && auxiliary(&s.token.lower).is_none() && s.is_verb();
    let has = |stem: &str, tenses: &[Tense], said: &[Said]| said.iter().any(|s| is_form(s, stem, tenses));
    let participles = said.iter().any(is_participle);
    let turn = |said: &mut Vec<Said>, tense: Tense, is: &dyn Fn(&Said) -> bool| {
        for word in said.iter_mut().filter(|s| is(s)) {
            word.readings.retain(|r| r.tense == Tense::Participle);
            word.readings.iter_mut().for_each(|r| r.tense = tense);
        }
    };
    // `war gewesen`, `ist geworden`, `hat gehabt`
    for (form, helper) in [("gewesen", "sein"), ("geworden", "sein"), ("gehabt", "haben")] {
        if said.iter().any(|s| s.token.lower == form) && has(helper, &told, said) {
            said.retain(|s| !is_form(s, helper, &told));
            said.iter_mut()
                .filter(|s| s.token.lower == form)
                .flat_map(|s| &mut s.readings)
                .for_each(|r| r.tense = Tense::Past);
            return;
        }
    }
    // `hat liegen lassen` is `liess liegen`.
    let lets =
        said.last().is_some_and(|s| s.token.lower == "lassen") && said.iter().filter(|s| is_infinitive(s)).count() > 1;
    if lets && has("haben", &told, said) {
        said.retain(|s| !is_form(s, "haben", &told));
        said.iter_mut().filter(|s| s.token.lower == "lassen").for_each(|s| {
            s.readings = vec![Reading { stem: "lass".to_owned(), tense: Tense::Past }];
        });
        return;
    }
    if has("worden", &[Tense::Participle], said) && has("sein", &told, said) && participles {
        said.retain(|s| !is_form(s, "worden", &[Tense::Participle]) && !is_form(s, "sein", &told));
        turn(said, Tense::PassivePast, &is_participle);
    } else if has("werden", &told, said) && said.iter().any(|s| is_participle(s) && !is_infinitive(s)) {
        let past = has("werden", &[Tense::Past], said);
        said.retain(|s| !is_form(s, "werden", &told));
        let is = |s: &Said| is_participle(s) && !is_infinitive(s);
        turn(said, if past { Tense::PassivePast } else { Tense::PassivePresent }, &is);
    } else if has("haben", &told, said) && participles {
        said.retain(|s| !is_form(s, "haben", &told));
        turn(said, Tense::Past, &is_participle);
    } else if has("sein", &told, said) && participles {
        let moves = |s: &Said| {
            is_participle(s) && s.readings.iter().any(|r| r.tense == Tense::Participle && goes_with_sein(&r.stem))
        };
        if said.iter().any(moves) {
            said.retain(|s| !is_form(s, "sein", &told));
            turn(said, Tense::Past, &moves);
        } else {
            // `ist geschlossen` tells how it is.
            for word in said.iter_mut().filter(|s| is_participle(s)) {
                word.readings.retain(|r| r.tense == Tense::Plain);
            }
        }
    } else if said.iter().filter(|s| s.is_verb()).count() == 1
        && said.last().is_some_and(|s| is_participle(s) && s.token.lower.contains("ge"))
    {
        // `Regal verkauft`: of whom, is not said.
        let extra = |s: &Said| -> Vec<Reading> {
            let of = s.readings.iter().filter(|r| r.tense == Tense::Participle);
            of.map(|r| Reading { stem: r.stem.clone(), tense: Tense::PassivePast }).collect()
        };
        if let Some(word) = said.last_mut() {
            word.readings.extend(extra(word));
        }
    }
    for word in said.iter_mut() {
        let told_of = is_in("habe werde", &word.token.lower) && !speaks && has_subject;
        word.readings.iter_mut().filter(|_| told_of).for_each(|r| r.tense = Tense::Subjunctive);
        let is_e = |r: &Reading| word.token.lower.strip_suffix('e') == Some(r.stem.as_str());
        if !speaks && auxiliary(&word.token.lower).is_none() {
            let turned: Vec<_> = word.readings.iter().map(|r| r.tense == Tense::Present && is_e(r)).collect();
            let pairs = word.readings.iter_mut().zip(turned);
            pairs.filter(|(_, turned)| *turned).for_each(|(r, _)| r.tense = Tense::Subjunctive);
        }
        // Of a verb that is told, the tense has to be the same: as it is written it stands for itself only if it is none.
        if word.readings.iter().any(|r| !matches!(r.tense, Tense::Plain | Tense::Participle)) && word.is_verb() {
            let all = word.readings.clone();
            word.readings.retain(|r| !matches!(r.tense, Tense::Plain | Tense::Participle));
            if word.readings.is_empty() {
                word.readings = all;
            }
        }
    }
}

/// Of what whoever writes did, a participle tells alone: `Decken abgeholt`.
pub(super) fn tell_done(said: &mut [Said]) {
    for word in said.iter_mut().filter(|s| s.is_verb()) {
        let forms = super::verbs::readings(&word.token.lower);
        let done = forms.into_iter().filter(|r| r.tense == Tense::Participle);
        word.readings.retain(|r| r.tense == Tense::PassivePast);
        word.readings.extend(done.map(|r| Reading { tense: Tense::Past, ..r }));
    }
}

/// Whether a word is an infinitive rather than a participle: `verkaufen`, not `verschoben` or `abgelesen`.
fn is_infinitive(said: &Said) -> bool {
    let of = |tense: Tense| said.readings.iter().filter(move |r| r.tense == tense);
    let is_one = |p: &Reading| of(Tense::Infinitive).any(|i| p.stem == i.stem);
    said.token.lower.ends_with("en") && of(Tense::Infinitive).next().is_some() && of(Tense::Participle).all(is_one)
}
