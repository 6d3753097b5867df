//! What may be said to another program's memory server: [`BridgeText`] and [`BridgeQuery`].

use std::fmt;

use memora_vault::{Band, find_credentials};

use crate::envelope::sanitize_for_model;
use crate::{ClearPage, CloudDoor};

/// The words of a memory that may leave the machine.
///
/// The only constructor takes a page that was just authorized for a cloud door:
///
/// ```
/// use memora_redact::{BridgeText, ClearPage, CloudDoor};
///
/// fn leave(page: &ClearPage<'_, CloudDoor>) -> Option<BridgeText> {
///     BridgeText::from_page(page)
/// }
/// ```
///
/// ```compile_fail,E0308
/// use memora_redact::{BridgeText, ClearPage, LocalDoor};
///
/// fn leave(page: &ClearPage<'_, LocalDoor>) -> Option<BridgeText> {
///     BridgeText::from_page(page)
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct BridgeText {
    text: String,
    band: Band,
}

impl BridgeText {
    /// Takes the words of a note, without its properties; `None` if part of the note may not leave, if it has what looks like a
    /// credential, or no words.
    #[must_use]
    pub fn from_page(page: &ClearPage<'_, CloudDoor>) -> Option<Self> {
        let text = page.text();
        let body = match text.strip_prefix("---\n") {
            Some(rest) => rest.split_once("\n---\n")?.1,
            None => text,
        };
        let body = body.trim();
        let may_leave = page.is_whole() && !body.is_empty() && find_credentials(body).is_empty();
        may_leave.then(|| Self { text: body.to_owned(), band: page.note().band() })
    }

    /// Returns the words.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns how guarded the note is.
    #[must_use]
    pub fn band(&self) -> Band {
        self.band
    }
}

/// Prints the length, never the words.
impl fmt::Debug for BridgeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BridgeText({} bytes, {})", self.text.len(), self.band)
    }
}

/// Words that a server is searched for.
///
/// Like a [`UserQuestion`](crate::UserQuestion), it is typed and not of the vault; what types it may have seen what is guarded.
/// So each word is asked about.
#[derive(Clone, PartialEq, Eq)]
pub struct BridgeQuery(String);

impl BridgeQuery {
    /// The maximum length of a query, in characters; longer ones are truncated.
    pub const CHARS_MAX: usize = 400;

    /// Creates a query of the typed words that may leave; `None` if none may, or if there is what looks like a credential among
    /// them.
    #[must_use]
    pub fn new(typed: &str, may_leave: impl Fn(&str) -> bool) -> Option<Self> {
        if !find_credentials(typed).is_empty() {
            return None;
        }
        let plain: String = sanitize_for_model(typed).chars().take(Self::CHARS_MAX).collect();
        let words: Vec<&str> = plain.split_whitespace().filter(|word| may_leave(word)).collect();
        let has_words = words.iter().any(|word| word.contains(char::is_alphanumeric));
        has_words.then(|| Self(words.join(" ")))
    }

    /// Creates a query of words that may leave.
    #[must_use]
    pub fn from_text(text: &BridgeText) -> Option<Self> {
        Self::new(text.text(), |_| true)
    }

    /// Returns the words.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Prints the length, never the words.
impl fmt::Debug for BridgeQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BridgeQuery({} bytes)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use memora_claim::ParsedNote;
    use memora_vault::{Note, NotePath, PathContext};

    use super::*;
    use crate::{CloudVisibility, authorize_page};

    fn leaving(text: &str, sees: CloudVisibility) -> Option<(String, Band)> {
        let path = NotePath::new("Memora/drift 7h3k.md").expect("a good path");
        let fresh = ParsedNote::new(Note::parse(path, text.to_owned(), PathContext::default()).0);
        let page = authorize_page(&fresh, &CloudDoor::new(sees))?;
        BridgeText::from_page(&page).map(|text| (text.text().to_owned(), text.band()))
    }

    #[test]
    fn only_whole_notes_leave_and_only_their_words() {
        let item = |more: &str, words: &str| format!("---\nmemora: memory\nid: mem-7h3kq0v9x2ma\n{more}---\n{words}\n");
        let public = item("", "drift uses pino [claim:c8myksbktdbv].");
        let clear = Some(("drift uses pino.".to_owned(), Band::Public));
        assert_eq!(leaving(&public, CloudVisibility::Public), clear);
        let private = item("privacy: private\n", "drift uses pino.");
        assert_eq!(leaving(&private, CloudVisibility::Public), None);
        let seen = Some(("drift uses pino.".to_owned(), Band::Private));
        assert_eq!(leaving(&private, CloudVisibility::Private), seen);
        for sees in [CloudVisibility::Public, CloudVisibility::Private] {
            assert_eq!(leaving(&item("privacy: secret\n", "drift uses pino."), sees), None);
            let partly = item("", "drift uses pino. <!--privacy:secret-->The code is 4711.<!--/privacy-->");
            assert_eq!(leaving(&partly, sees), None);
            assert_eq!(leaving(&item("", ""), sees), None);
        }
    }

    #[test]
    fn of_a_query_the_words_that_may_leave_are_left() {
        let query = |typed: &str, kept: &str| {
            let query = BridgeQuery::new(typed, |word| !word.starts_with("Ann"));
            assert_eq!(query.as_ref().map_or("", BridgeQuery::text), kept, "{typed}");
        };
        query("What does Anna\u{200b} earn  a month?", "What does earn a month?");
        query("Anna ?", "");
        query("", "");
        query("the key is AKIAIOSFODNN7EXAMPLE", "");
        assert_eq!(BridgeQuery::new(&"word ".repeat(500), |_| true).map(|query| query.text().len()), Some(399));
    }
}
