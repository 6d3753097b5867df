//! One sentence that asks to remember something.

use memora_nlp::DependencyParser;
use memora_nlp::language_detection::is_english;
use memora_nlp::lexicon::{ARTICLES, FUNCTION, POSSESSIVES, SUBJECT_PRONOUNS};
use memora_nlp::sentence::split_sentences;

use super::openings::{
    asks_politely, openings_of, points_back, strip_discourse, strip_lead_words, strip_leads, strip_phrase, trim_marks,
};
use super::requested::{Place, RequestedMemory};
use crate::Kind;
use crate::instruction::{has_subject, is_plain_order, reads_as_command};
use crate::lists::{
    COMPLEMENTIZERS, NOT_REMEMBERED, OpeningForm, PASSING_PHRASES, RECALLED_VERBS, REQUEST_OPENINGS, REQUEST_TURNS,
    RequestOpening, SUBORDINATORS,
};
use crate::statement::{is_of_user, reports_fault, states_of_thing};

/// Reads what begins with a sentence; `None` if that asks for nothing.
pub(super) fn read_request(rest: &str, place: Place) -> Option<RequestedMemory> {
    let (body, is_polite) = strip_leads(rest);
    let mut openings = openings_of(body).peekable();
    if openings.peek().is_none() {
        return read_trailed(rest, place).or_else(|| read_postponed(rest, place));
    }
    let sentence = body.get(split_sentences(body).into_iter().next()?)?.trim();
    if sentence.ends_with('?') && !is_polite {
        return None;
    }
    let is_alone = place.is_whole_line && body.trim_end() == sentence;
    openings
        .filter(|opening| is_alone || opening.form != OpeningForm::Alone)
        .find_map(|opening| read_opened(sentence, opening, place))
}

/// Reads a sentence that begins with an opening.
fn read_opened(sentence: &str, opening: &RequestOpening, place: Place) -> Option<RequestedMemory> {
    let opened = sentence.len() - strip_phrase(sentence, opening.phrase)?.len();
    let sentence = cut_turn(sentence, opened);
    let after = sentence.get(opened..)?;
    match opening.form {
        OpeningForm::Keep => keep_sentence(sentence, after, place),
        OpeningForm::Marked => after.starts_with([',', ':']).then(|| keep_sentence(sentence, after, place))?,
        OpeningForm::Label => take_fact(after.strip_prefix([',', ':'])?, place),
        OpeningForm::Colon => take_fact(after.strip_prefix(':')?, place),
        OpeningForm::Clause | OpeningForm::Alone => match after.trim_start().strip_prefix(':') {
            Some(said) => take_fact(said, place),
            None => take_fact(strip_clause(after, opening)?, place),
        },
        OpeningForm::Forget => {
            let (led, _) = strip_lead_words(trim_marks(after));
            let is_clause = COMPLEMENTIZERS.iter().any(|word| strip_phrase(led, word).is_some());
            let said = after.trim_start().strip_prefix(':');
            let said = said.or_else(|| strip_clause(after, opening).filter(|_| is_clause))?;
            Some(RequestedMemory { forgets: true, ..take_fact(said, place)? })
        }
    }
}

/// "I live in Kiel, please remember that.", "Always use tabs, please remember."
fn read_trailed(rest: &str, place: Place) -> Option<RequestedMemory> {
    let sentence = rest.get(split_sentences(rest).into_iter().next()?)?;
    let (said, tail) = sentence.rsplit_once(',')?;
    (points_back(tail) || asks_politely(tail)).then(|| take_pointed(said, place))?
}

/// "Use tabs from now on."
fn read_postponed(rest: &str, place: Place) -> Option<RequestedMemory> {
    let sentence = strip_discourse(rest.get(split_sentences(rest).into_iter().next()?)?.trim());
    let plain = sentence.trim_end_matches(['.', '!']);
    let ends = |opening: &&RequestOpening| {
        let before = plain.len().checked_sub(opening.phrase.len()).and_then(|at| plain.get(..at));
        opening.form == OpeningForm::Keep
            && before.is_some_and(|before| before.ends_with(' '))
            && plain.to_lowercase().ends_with(opening.phrase)
    };
    let opening = REQUEST_OPENINGS.iter().find(ends)?;
    let asks = |word: &str| word != "to" && NOT_REMEMBERED.contains(word.to_lowercase().as_str());
    if sentence.ends_with('?') || sentence.split(|c: char| !c.is_alphanumeric()).any(asks) {
        return None;
    }
    let said = plain.get(..plain.len() - opening.phrase.len()).unwrap_or(plain);
    keep_sentence(sentence, said, place)
}

/// A request for later as a whole; `said` is it without its opening. What goes wrong from now on is reported, not asked for, and
/// "in this conversation" asks for nothing later.
fn keep_sentence(sentence: &str, said: &str, place: Place) -> Option<RequestedMemory> {
    let said = strip_discourse(trim_marks(said));
    let lower = sentence.to_lowercase();
    let passes = PASSING_PHRASES.iter().any(|phrase| lower.contains(phrase));
    if said.is_empty() || passes || reports_fault(said) {
        return None;
    }
    let kind = match () {
        () if is_of_user(said) => Kind::Profile,
        () if states_of_thing(said) => Kind::Knowledge,
        () => Kind::Behavior,
    };
    let must_be_confirmed = !place.begins && reads_as_command(said);
    Some(RequestedMemory { kind, text: sentence.to_owned(), forgets: false, must_be_confirmed })
}

/// What is to be remembered, without what introduces it.
pub(super) fn take_fact(said: &str, place: Place) -> Option<RequestedMemory> {
    let said = strip_discourse(trim_marks(said)).trim_end_matches('?').trim_end();
    let kind = match () {
        () if is_of_user(said) => Kind::Profile,
        () if is_plain_order(said) => Kind::Behavior,
        () => Kind::Knowledge,
    };
    let must_be_confirmed = !place.begins && reads_as_command(said);
    let says = said.chars().any(char::is_alphanumeric);
    says.then(|| RequestedMemory { kind, text: said.to_owned(), forgets: false, must_be_confirmed })
}

/// What a later sentence points back to: "Always use tabs. Remember this." An order that is no rule may be for now, so its user
/// must confirm it.
pub(super) fn take_pointed(sentence: &str, place: Place) -> Option<RequestedMemory> {
    let sentence = sentence.trim();
    if sentence.ends_with('?') {
        return None;
    }
    let fact = take_fact(sentence, place)?;
    let first = fact.text.split(' ').next().unwrap_or_default().to_lowercase();
    let is_rule = matches!(first.as_str(), "always" | "never");
    Some(RequestedMemory {
        must_be_confirmed: fact.must_be_confirmed || fact.kind == Kind::Behavior && !is_rule,
        ..fact
    })
}

/// The statement behind an opening: not an order ("remember to …"), nor a thing ("remember that bug we had"), nor what was
/// once said ("remember we talked about it").
fn strip_clause<'t>(after: &'t str, opening: &RequestOpening) -> Option<&'t str> {
    let (after, _) = strip_lead_words(trim_marks(after));
    let mut complements = COMPLEMENTIZERS.iter().filter_map(|word| strip_phrase(after, word));
    let elided = || after.strip_prefix("qu'").or_else(|| after.strip_prefix("qu’"));
    // "Remember that, it matters" speaks of something else.
    let said = complements.next().or_else(elided).filter(|said| !said.starts_with(','));
    let clause = trim_marks(said.unwrap_or(after));
    let words: Vec<String> =
        clause.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let asks = words.first().is_some_and(|word| NOT_REMEMBERED.contains(word.as_str()));
    let is_pronoun = |word: &String| SUBJECT_PRONOUNS.contains(word.as_str());
    // "that bug we fixed"
    let is_thing = matches!(words.as_slice(), [first, second, ..] if !is_pronoun(first) && is_pronoun(second));
    // "remember passwords does not work"
    let is_named = clause.starts_with(|c: char| !c.is_lowercase())
        || words.first().is_some_and(|word| {
            is_pronoun(word)
                || word == "this"
                || POSSESSIVES.contains(word.as_str())
                || ARTICLES.contains(word.as_str())
        });
    let recalls = matches!(words.as_slice(), [who, verb, ..] if matches!(who.as_str(), "i" | "we")
        && RECALLED_VERBS.contains(verb.as_str()));
    let states = match said {
        Some(_) => !opening.is_english || !is_english(clause) || has_subject(clause) || may_state(&words),
        None => opening.is_english && !recalls && is_named && has_subject(clause),
    };
    (states && !asks && !is_thing).then_some(clause)
}

/// Whether words may be a statement that the parser takes for a thing: "prod runs on Kubernetes in Frankfurt".
fn may_state(words: &[String]) -> bool {
    const WORDS_MIN: usize = 4;
    let may_be_verb = |word: &String| DependencyParser::embedded().may_be_verb(word);
    let is_noun_with_more = words.get(1).is_some_and(|word| FUNCTION.contains(word.as_str()) && !may_be_verb(word));
    words.len() >= WORDS_MIN && !is_noun_with_more && words.iter().skip(1).any(may_be_verb)
}

/// Cuts off a request that follows in the same sentence, behind what its opening asks to remember: "…, and now fix the bug".
fn cut_turn(sentence: &str, opened: usize) -> &str {
    for (at, mark) in sentence.char_indices().filter(|(at, _)| *at >= opened) {
        let said = trim_marks(sentence.get(opened..at).unwrap_or_default());
        // "When you change the schema, please regenerate the docs": what follows is what it asks for.
        let first = said.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        let is_begun = !said.is_empty() && !SUBORDINATORS.contains(first.as_str());
        if !is_begun || !matches!(mark, ',' | ';' | '–' | '—' | ' ') {
            continue;
        }
        let tail = sentence.get(at + mark.len_utf8()..).unwrap_or_default().trim_start();
        let turned = REQUEST_TURNS.iter().filter(|turn| mark != ' ' || turn.starts_with("and "));
        let mut turned = turned.filter_map(|turn| Some((turn, strip_phrase(tail, turn)?)));
        let asks = turned.any(|(turn, rest)| turn.ends_with("you") || is_plain_order(rest.trim_start()));
        if asks || mark == ';' && is_plain_order(tail) {
            return sentence.get(..at).unwrap_or(sentence).trim_end();
        }
    }
    sentence
}
