//! Authorship of statements that are not the owner's: those in a block quote, and those of a clipped web page.
//!
//! Invariant: **text by another author is reported**, with the author's name if the note has one.
//! Speakers in a conversation or between quotation marks are handled in `quoted_speech.rs`.

use memora_claim::{Statement, StatementKind};
use memora_vault::{Note, PropertyValue, Zone};

use crate::lists::CLIPPING_TAGS;

/// The maximum number of paragraphs between words of a quotation and the line that signs it.
const QUOTE_MAX: usize = 12;

/// The maximum number of words of a name.
const NAME_MAX: usize = 6;

/// An author other than the owner.
pub(crate) struct QuotedAuthor {
    /// The name in the note.
    pub(crate) name: Option<String>,
}

/// Returns the author of a statement, if it is not the owner.
pub(crate) fn find_other_author(note: &Note, statement: &Statement) -> Option<QuotedAuthor> {
    if statement.zone == Zone::Quote {
        return Some(QuotedAuthor { name: find_signature(note, statement) });
    }
    let is_text = matches!(statement.kind, StatementKind::Item | StatementKind::Row | StatementKind::Sentence);
    (is_text && is_clipped(note))
        .then(|| QuotedAuthor { name: note.unguarded_property("author").and_then(author_names) })
}

/// Returns the name that signs a block quote, on a line of its own: `> — Ursula K. Le Guin`.
fn find_signature(note: &Note, statement: &Statement) -> Option<String> {
    let segments = note.segments().get(statement.part..)?;
    let heading = segments.first()?.heading;
    let of_quote = segments
        .iter()
        .take(QUOTE_MAX)
        .take_while(|segment| note.zone_at(segment.range.start) == Zone::Quote && segment.heading == heading);
    for segment in of_quote {
        let text = note.text().get(segment.range.clone()).unwrap_or_default();
        let line = text.trim_end().rsplit('\n').next().unwrap_or_default().trim_start_matches(['>', ' ', '\t']);
        if let Some(name) =
            line.strip_prefix(['—', '–', '~', '―']).or_else(|| line.strip_prefix("-- ")).and_then(parse_name)
        {
            return (note.band_of_range(segment.range.clone()) <= statement.band).then_some(name);
        }
    }
    None
}

/// Whether a note is a page by another author: tagged as a clipping, or with an author and a source address.
fn is_clipped(note: &Note) -> bool {
    let says = |key: &str, is: &dyn Fn(&str) -> bool| {
        note.unguarded_property(key).is_some_and(|value| any_text_matches(value, is))
    };
    let is_tagged = |text: &str| {
        let lower = text.trim_start_matches('#').to_lowercase();
        lower.split(['/', ',', ' ']).any(|part| CLIPPING_TAGS.contains(part))
    };
    let is_address = |text: &str| text.starts_with("http://") || text.starts_with("https://");
    let tagged = ["tags", "tag", "type", "category"].iter().any(|key| says(key, &is_tagged));
    let taken = ["source", "url", "link"].iter().any(|key| says(key, &is_address));
    let has_author = note.unguarded_property("author").and_then(author_names).is_some();
    has_author && taken || tagged && (has_author || taken)
}

fn any_text_matches(value: &PropertyValue, is: &dyn Fn(&str) -> bool) -> bool {
    match value {
        PropertyValue::Text(text) => is(text),
        PropertyValue::List(values) => values.iter().any(|value| any_text_matches(value, is)),
        _ => false,
    }
}

/// Returns the names in a property, joined by commas.
fn author_names(value: &PropertyValue) -> Option<String> {
    match value {
        PropertyValue::Text(text) => parse_name(text),
        PropertyValue::List(values) => {
            let names: Vec<String> = values.iter().filter_map(author_names).collect();
            (!names.is_empty()).then(|| names.join(", "))
        }
        _ => None,
    }
}

/// Parses a name and removes the marks of a link; addresses and sentences are rejected.
fn parse_name(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(|c: char| matches!(c, '[' | ']' | '*' | '_' | '"')).trim();
    // `[[people/ada|Ada]]` shows "Ada"; of `[Ada](https://…)` the first half is left.
    let text = text.split("](").next().unwrap_or(text);
    let text = text.rsplit('|').next().unwrap_or(text).trim_end_matches([']', ',', '.']).trim();
    let words = text.split_whitespace().count();
    let fits = (1..=NAME_MAX).contains(&words) && !text.contains("://") && !text.ends_with(['!', '?', ':']);
    (fits && text.starts_with(char::is_uppercase)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use memora_claim::Modality;
    use memora_vault::{Note, NotePath, PathContext};

    use crate::ClaimExtractor;

    /// The authors of a note's reported claims; "?" for one without a name.
    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let path = NotePath::new("Note.md").expect("a good path");
        let (note, _) = Note::parse(path, text.to_owned(), PathContext::default());
        let statements = memora_claim::split_statements(&note);
        let claims = statements.iter().flat_map(|statement| ClaimExtractor::default().extract_facts(&note, statement));
        let reported = claims.filter(|claim| claim.modality == Modality::Reported);
        let mut found: Vec<String> = reported.map(|claim| claim.attribution.unwrap_or("?".to_owned())).collect();
        found.dedup();
        assert_eq!(found, expect, "{text:?}");
    }

    #[test]
    fn a_quotation_is_of_whoever_signs_it() {
        check("> The river floods the meadow.\n> — Ursula K. Le Guin\n", &["Ursula K. Le Guin"]);
        check("> The river floods the meadow.\n>\n> ~ [[Ada Lovelace]]\n", &["Ada Lovelace"]);
        check("> The river floods the meadow.\n", &["?"]);
        check("> The river floods the meadow — and more than that.\n", &["?"]);
        check("The river floods the meadow.\n", &[]);
    }

    #[test]
    fn a_clipped_page_is_of_its_author() {
        let page = |properties: &str| format!("---\n{properties}---\n\nThe river floods the meadow.\n");
        let clipped = page("title: Rivers\nsource: https://a.example/rivers\nauthor:\n  - \"[[Ada Lovelace]]\"\n");
        check(&clipped, &["Ada Lovelace"]);
        check(&page("source: https://a.example/rivers\ntags: [clippings]\n"), &["?"]);
        check(&page("author: Ada Lovelace\n"), &[]);
        check(&page("tags: [clippings]\n"), &[]);
        check(&page("source: https://a.example/rivers\n"), &[]);
    }
}
