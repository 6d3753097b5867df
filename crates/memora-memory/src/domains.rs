//! Which domain of life a text speaks of, by its words.

use std::collections::BTreeMap;

use memora_nlp::stem::stem;

use crate::Domain;
use crate::lists::DOMAIN_WORDS;

/// Returns the domain of which most of a text's words speak, of equally many the first; `None` if none does.
#[must_use]
pub fn domain_of(text: &str) -> Option<Domain> {
    let mut counts: BTreeMap<Domain, usize> = BTreeMap::new();
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    for domain in words.filter_map(|word| DOMAIN_WORDS.get(&stem(&word.to_lowercase()))) {
        *counts.entry(*domain).or_default() += 1;
    }
    let most = counts.values().max().copied()?;
    counts.into_iter().find(|(_, count)| *count == most).map(|(domain, _)| domain)
}

impl Domain {
    /// Returns what belongs to it, for a question.
    #[must_use]
    pub fn topics(self) -> &'static str {
        match self {
            Self::Identity => "your identity: name, nationality, languages, culture",
            Self::Body => "your body and health: conditions, medication, allergies, sleep, fitness, diet",
            Self::Mind => "your mind: traits, emotions, how you cope",
            Self::Beliefs => "your beliefs: religion, philosophy, politics, ethics",
            Self::Knowledge => "your knowledge: education, certificates, skills, what you are learning",
            Self::Relationships => "your relationships: family, partner, friends, colleagues",
            Self::Work => "your work: role, company, contract, career",
            Self::Finances => "your finances: income, expenses, debts, subscriptions",
            Self::Place => "your places: city, home, workspace, travel",
            Self::Goals => "your goals: aims, where they stand, what blocks them, deadlines",
            Self::Routines => "your routines: schedule, habits, exercise",
            Self::LifeEvents => "events of your life: what happened, when, what it changed",
            Self::Preferences => "your preferences: food, music, style, tools",
            Self::Patterns => "your patterns: mannerisms, blind spots, how others see you",
        }
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator as _;

    use super::*;

    #[test]
    fn a_text_has_the_domain_of_its_words() {
        for (text, domain) in [
            ("The user is allergic to peanuts and takes medication.", Some(Domain::Body)),
            ("Die Miete der Wohnung und das Gehalt", Some(Domain::Finances)),
            ("Her salary pays the rent of the apartment.", Some(Domain::Finances)),
            ("The user's employer promoted a colleague to another job.", Some(Domain::Work)),
            ("drift uses pino for structured logging.", None),
            ("", None),
        ] {
            assert_eq!(domain_of(text), domain, "{text}");
        }
    }

    #[test]
    fn every_domain_has_words_and_topics() {
        for domain in Domain::iter() {
            assert!(DOMAIN_WORDS.values().any(|of| *of == domain), "{domain:?}");
            assert!(domain.topics().contains(": "));
        }
    }
}
