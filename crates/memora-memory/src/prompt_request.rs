//! What a user asks to be remembered, as they typed it.

use crate::Kind;

/// A memory that a prompt asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedMemory {
    /// What it is about: the user, how they want things done, or a fact.
    pub kind: Kind,
    /// Its words.
    pub text: String,
}

/// Openings by which a prompt asks for a memory; the rest of the first sentence is it.
const OPENINGS: &[&str] = &[
    "please remember that",
    "please remember:",
    "remember that",
    "remember this:",
    "remember:",
    "remember to",
    "note that",
    "from now on",
    "for the future",
];

/// Returns what a prompt asks to remember: `remember that I prefer tabs` gives `I prefer tabs`. `None` for any other
/// prompt. An order for later keeps its opening, without which it would read as a fact.
#[must_use]
pub fn requested_memory(prompt: &str) -> Option<RequestedMemory> {
    let text = prompt.trim();
    let line = text.lines().next()?.trim();
    let lower = line.to_lowercase();
    // Lower case may have other lengths: the opening is ASCII, so its bytes are the same in both.
    let opening = OPENINGS.iter().find(|opening| lower.starts_with(**opening))?;
    let keeps = opening.starts_with("from now") || opening.starts_with("for the") || opening.ends_with(" to");
    let said = if keeps { line } else { line.get(opening.len()..)?.trim_start_matches([',', ':', ' ']) };
    let begins = line.get(opening.len()..).and_then(|rest| rest.chars().next());
    let is_word = begins.is_some_and(|c| c.is_alphanumeric());
    let said = said.trim();
    if is_word || said.is_empty() || said.ends_with('?') {
        return None;
    }
    let of_user = ["i ", "i'm ", "i’m ", "my "].iter().any(|begin| said.to_lowercase().starts_with(begin));
    let kind = match (keeps, of_user) {
        (true, _) => Kind::Behavior,
        (false, true) => Kind::Profile,
        (false, false) => Kind::Knowledge,
    };
    Some(RequestedMemory { kind, text: said.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_what_begins_as_one() {
        for (prompt, expected) in [
            ("remember that I prefer tabs", Some((Kind::Profile, "I prefer tabs"))),
            (
                "Remember: the staging API is on port 8080.\nNow fix the bug.",
                Some((Kind::Knowledge, "the staging API is on port 8080.")),
            ),
            ("Note that we deploy on Fridays", Some((Kind::Knowledge, "we deploy on Fridays"))),
            ("From now on, write tests first", Some((Kind::Behavior, "From now on, write tests first"))),
            ("Remember to run the linter", Some((Kind::Behavior, "Remember to run the linter"))),
            ("Do you remember that bug?", None),
            ("remember thatched roofs", None),
            ("Remember that?", None),
            ("remember that", None),
            ("Fix it. Remember that I prefer tabs", None),
            ("", None),
        ] {
            let requested = requested_memory(prompt);
            let requested = requested.as_ref().map(|asked| (asked.kind, asked.text.as_str()));
            assert_eq!(requested, expected, "{prompt}");
        }
    }
}
