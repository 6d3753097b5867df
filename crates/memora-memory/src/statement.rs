//! What a statement is about, by its words: its writer, the project, or a thing and what went wrong with it.

use memora_nlp::language_detection::is_english;
use memora_nlp::lexicon::ARTICLES;
use memora_nlp::stem::stem;

use crate::instruction::{RootClause, root_clause};
use crate::lists::{
    FAULT_VERBS, FAULT_WORDS, GROUP_WORDS, PLACE_WORDS, PROJECT_DETERMINERS, PROJECT_NOUNS, SELF_WORDS, WORKING_VERBS,
};

/// Verbs by which somebody meets what a program does.
const MEETING_VERBS: [&str; 5] = ["get", "got", "hit", "see", "receive"];

/// What follows a phrase of whole words, in any case.
pub(crate) fn strip_phrase<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    for expected in phrase.chars() {
        let c = rest.next().map(|c| if c == '’' { '\'' } else { c })?;
        if !c.to_lowercase().eq(expected.to_lowercase()) {
            return None;
        }
    }
    let rest = rest.as_str();
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '’' | '/' | '(');
    (!rest.starts_with(goes_on)).then_some(rest)
}

/// Whether a statement is about its writer: "I prefer …", "my shell is …".
pub(crate) fn is_of_user(said: &str) -> bool {
    SELF_WORDS.iter().any(|begin| strip_phrase(said, begin).is_some())
}

/// Returns whether a text says how things are or are done in the project at hand: "we use bun", "in this repo …", "keep the
/// lockfile here". "I prefer …" is about a person, wherever they say it.
#[must_use]
pub fn speaks_of_project(text: &str) -> bool {
    let text = text.to_lowercase().replace('’', "'");
    let words: Vec<&str> =
        text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).collect();
    let names =
        |pair: &[&str]| matches!(pair, [by, noun] if PROJECT_DETERMINERS.contains(by) && PROJECT_NOUNS.contains(noun));
    // "From here on" is a time.
    let is_here = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        words.get(at).is_some_and(|word| PLACE_WORDS.contains(word)) && before != Some(&"from")
    };
    let first = words.iter().find(|word| SELF_WORDS.contains(**word) || GROUP_WORDS.contains(**word));
    words.windows(2).any(names)
        || match first {
            Some(word) => GROUP_WORDS.contains(word),
            None => (0..words.len()).any(is_here),
        }
}

/// Whether a sentence states something of a thing or of another person: it has a subject, and that is not its writer, their group
/// or its reader.
pub(crate) fn states_of_thing(said: &str) -> bool {
    is_english(said) && root_clause(said).is_some_and(|clause| clause.is_of_thing())
}

/// Whether a sentence reports what goes wrong: "the app crashes when I click", "the login doesn't work", "we get an error".
pub(crate) fn reports_fault(said: &str) -> bool {
    let lower = said.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    if !is_english(said) {
        return words.any(|word| FAULT_WORDS.contains(word));
    }
    let Some(clause) = root_clause(said) else { return false };
    let is_fault = |word: &str| FAULT_VERBS.contains(stem(word).as_str()) || FAULT_WORDS.contains(word);
    let meets = MEETING_VERBS.contains(&clause.root.as_str()) && clause.objects.iter().any(|word| is_fault(word));
    let fails = is_fault(&clause.root) || clause.is_negated && WORKING_VERBS.contains(stem(&clause.root).as_str());
    // "The app crashes" may be read as a thing.
    let is_thing = clause.subject.is_none() && lower.split(' ').next().is_some_and(|first| ARTICLES.contains(first));
    clause.subject.is_some() && meets || (clause.is_of_thing() || is_thing) && fails
}

impl RootClause {
    /// Whether its subject is neither its writer, nor their group, nor its reader.
    fn is_of_thing(&self) -> bool {
        let is_person = |word: &str| SELF_WORDS.contains(word) || GROUP_WORDS.contains(word) || word == "you";
        self.subject.as_deref().is_some_and(|subject| !is_person(subject))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_is_spoken_of_by_its_group_its_name_or_its_place() {
        for (text, expected) in [
            ("We use bun from now on", true),
            ("From now on we use bun.", true),
            ("in this repo, always use tabs", true),
            ("From now on, squash commits here.", true),
            ("Our commits are signed.", true),
            ("I want tabs in this project", true),
            ("ab jetzt nutzen wir bun", true),
            ("In diesem Projekt immer Tabs", true),
            ("I prefer tabs", false),
            ("From now on I prefer that we talk in German", false),
            ("From here on, write tests first", false),
            ("From now on, write tests first", false),
            ("I live here in Kiel", false),
            ("The project manager is Ines", false),
            ("Ab jetzt immer Tabs benutzen", false),
            ("Ship it to the US first", false),
        ] {
            assert_eq!(speaks_of_project(text), expected, "{text}");
        }
    }

    #[test]
    fn a_fault_is_reported_and_a_rule_about_faults_is_none() {
        for (text, expected) in [
            ("the app crashes when I click the button", true),
            ("the login page doesn't work", true),
            ("the build is broken", true),
            ("The app crashes", true),
            ("the crash reporter", false),
            ("the tests fail on main", true),
            ("I get an error when I click", true),
            ("die App stürzt ab", true),
            ("fail the build on warnings", false),
            ("if the tests fail, fix them before you commit", false),
            ("the staging API listens on port 8081", false),
            ("I skip failing tests", false),
            ("we don't work on Fridays", false),
            ("write tests first", false),
        ] {
            assert_eq!(reports_fault(text), expected, "{text}");
        }
    }
}
