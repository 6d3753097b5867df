//! Attaches the claims that a statement cites (`[claim:…]` in the user's own text).
//!
//! Invariant: **a citation belongs to the sentence that contains or precedes it**, within its paragraph, item or cell.
//! It is not part of the sentence's words, so a sentence keeps its id when its citation changes.

use memora_vault::Note;

use crate::{ClaimId, Statement, StatementKind};

/// Adds to each statement the claims that it cites; the statements must be in file order.
pub(crate) fn attach_citations(note: &Note, statements: &mut [Statement]) {
    for cited in note.citations() {
        let at = cited.range.start;
        let holds = |s: &Statement| s.span.range().contains(&at);
        // A sentence lies in its paragraph, and a cell in its row.
        let together =
            |s: &Statement| cited.block.contains(&s.span.start()) || s.span.range().contains(&cited.block.start);
        let near = |s: &&mut Statement| s.span.start() < at && (holds(s) || together(s));
        // A field within a sentence takes only citations inside it; others go to the last statement that starts before.
        let rank = |s: &&mut Statement| (s.kind != StatementKind::Field || holds(s), s.span.start());
        let Some(statement) = statements.iter_mut().filter(near).max_by_key(rank) else { continue };
        // A sentence must not reveal a citation that is stricter than itself.
        if note.band_of_range(cited.range.clone()) > statement.band {
            continue;
        }
        for id in parse_claim_ids(note.text().get(cited.range.clone()).unwrap_or_default()) {
            if id.statement() != statement.id && !statement.cites.contains(&id) {
                statement.cites.push(id);
            }
        }
    }
}

/// Parses the ids in `[claim:a, claim:b; c]`. Invalid ids are skipped here; `verify` reports them.
fn parse_claim_ids(citation: &str) -> impl Iterator<Item = ClaimId> {
    let inside = citation.trim_start_matches('[').trim_end_matches(']');
    let names = inside.split([',', ';']).map(str::trim);
    names.filter_map(|name| ClaimId::parse(name.strip_prefix("claim:").unwrap_or(name).trim()).ok())
}

#[cfg(test)]
mod tests {
    use memora_vault::{NotePath, PathContext};

    use crate::split_statements;

    fn cites(text: &str) -> Vec<(String, Vec<String>)> {
        let path = NotePath::new("a.md").expect("a path");
        let note = memora_vault::Note::parse(path, text.to_owned(), PathContext::default()).0;
        let citing = split_statements(&note).into_iter().filter(|s| !s.cites.is_empty());
        citing.map(|s| (s.words, s.cites.iter().map(ToString::to_string).collect())).collect()
    }

    fn one(words: &str, ids: &[&str]) -> (String, Vec<String>) {
        (words.to_owned(), ids.iter().map(|id| (*id).to_owned()).collect())
    }

    const A: &str = "7h3kq0v9x2ma";
    const B: &str = "8ja75j3qa6r6.09";

    #[test]
    fn a_citation_belongs_to_the_sentence_it_stands_in_or_behind() {
        for text in [
            format!("It rains [claim:{A}]. It pours."),
            format!("It rains. [claim:{A}] It pours."),
            format!("It pours.\n\n- It rains [claim:{A}]\n- Sun\n"),
            format!("It rains [claim:{A}, claim:nothing][claim:{A}]"),
            format!("**It rains** [claim:{A}]\n"),
        ] {
            let found = cites(&text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(found[0].0.starts_with("It rains"), "{text}: {found:?}");
            assert_eq!(found[0].1, [A], "{text}");
        }
        let both = format!("It rains [claim:{A}; {}]. It pours [claim:{B}].", B.to_uppercase());
        assert_eq!(cites(&both), [one("It rains.", &[A, B]), one("It pours.", &[B])]);
    }

    #[test]
    fn a_row_a_title_and_a_task_cite_and_keep_their_words() {
        let words = |text: &str| cites(text).into_iter().map(|(words, _)| words).collect::<Vec<_>>();
        assert_eq!(words(&format!("| a | b |\n|---|---|\n| drift | 7 days [claim:{A}] |\n")), ["drift | 7 days"]);
        assert_eq!(words(&format!("> [!note] It rains [claim:{A}]\n> It pours.\n")), ["It rains"]);
        assert_eq!(words(&format!("- [ ] Buy milk (due:: 2025-01-01) [claim:{A}]\n")), ["Buy milk"]);
        let heading = format!("# Rain [claim:{A}]\n\n- pours\n");
        let path = NotePath::new("a.md").expect("a path");
        let note = memora_vault::Note::parse(path, heading, PathContext::default()).0;
        assert_eq!(note.headings()[0].text, "Rain");
    }

    #[test]
    fn what_is_no_text_of_the_note_cites_nothing() {
        for text in [
            format!("It rains `[claim:{A}]`."),
            format!("It rains.\n\n```\n[claim:{A}]\n```\n"),
            format!("It rains ~~[claim:{A}]~~ %%[claim:{A}]%%."),
            format!("[claim:{A}] alone"),
            format!("# It rains [claim:{A}]\n\nIt pours.\n"),
        ] {
            assert_eq!(cites(&text), [], "{text}");
        }
    }

    #[test]
    fn a_citation_more_secret_than_its_sentence_does_not_count() {
        let text = format!("It rains now. <!--privacy:secret-->[claim:{A}]<!--/privacy-->");
        assert_eq!(cites(&text), []);
        let whole = format!("<!--privacy:secret-->It rains [claim:{A}]<!--/privacy-->");
        assert_eq!(cites(&whole), [one("It rains", &[A])]);
    }
}
