//! Assigns links to statements, and statements to the blocks of their note.
//!
//! Deliberately not here: the target of a link. It depends on the whole vault, and is resolved when it is needed.

use std::collections::HashMap;

use memora_claim::{Statement, StatementKind, wikilink_text};
use memora_store::LinkRecord;
use memora_vault::{LinkKind, Note, PropertyValue};

/// The links of a note by the statement they stand in, as the index of the statement.
///
/// 1. A link belongs to the smallest statement that has all its bytes: an inline field before the text around it.
/// 2. The content of an embed belongs to the embedded note, and text in code, in comments or struck out is not said:
///    neither is a link here.
/// 3. Only wikilinks give names: the words of `[text](Note.md)` are written to be read, not to name. A link to
///    a section names the section.
pub(crate) fn links_by_statement(note: &Note, statements: &[Statement]) -> HashMap<usize, Vec<LinkRecord>> {
    let mut found: HashMap<usize, Vec<LinkRecord>> = HashMap::new();
    // In order of start, as both are; a link's statement starts at or before it, and statements overlap but little.
    let longest = statements.iter().map(|s| s.span.end() - s.span.start()).max().unwrap_or(0);
    for link in note.links() {
        let said = link.kind != LinkKind::Embed && note.zone_at(link.range.start).may_hold_claims();
        if !said || link.target.trim().is_empty() {
            continue;
        }
        let behind = statements.partition_point(|s| s.span.start() <= link.range.start);
        let holding = statements
            .iter()
            .enumerate()
            .take(behind)
            .rev()
            .take_while(|(_, s)| link.range.start <= s.span.start() + longest)
            .filter(|(_, s)| s.span.start() <= link.range.start && link.range.end <= s.span.end());
        let smallest = holding.min_by_key(|(_, s)| s.span.end() - s.span.start());
        if let Some((number, _)) = smallest {
            found.entry(number).or_default().push(LinkRecord {
                target: link.target.trim().to_owned(),
                shown: link.text.clone(),
                names: link.kind == LinkKind::Wiki && link.anchor.is_none(),
            });
        }
    }
    for (number, statement) in statements.iter().enumerate() {
        let links = property_links(note, statement);
        if !links.is_empty() {
            found.entry(number).or_default().extend(links);
        }
    }
    found
}

/// The wikilinks that are values of a property.
fn property_links(note: &Note, statement: &Statement) -> Vec<LinkRecord> {
    if statement.kind != StatementKind::Property {
        return Vec::new();
    }
    let values =
        note.properties().get(statement.part).map(|property| &property.value).map(PropertyValue::scalar_strings);
    values.unwrap_or_default().iter().filter_map(|value| parse_wikilink(value)).collect()
}

fn parse_wikilink(value: &str) -> Option<LinkRecord> {
    let inside = value.trim().strip_prefix("[[")?.strip_suffix("]]")?;
    let dest = inside.split('|').next().unwrap_or(inside);
    let (target, section) = dest.split_once('#').map_or((dest, false), |(target, _)| (target, true));
    let target = target.trim();
    (!target.is_empty()).then(|| LinkRecord {
        target: target.to_owned(),
        shown: wikilink_text(value.trim()).to_owned(),
        names: !section,
    })
}

/// The number of a statement's block in the note, and of its parent block; properties are counted first.
pub(crate) fn block_numbers(note: &Note, statement: &Statement) -> (u32, Option<u32>) {
    let number = |part: usize| u32::try_from(part).unwrap_or(u32::MAX);
    if statement.kind == StatementKind::Property {
        return (number(statement.part), None);
    }
    let properties = note.properties().len();
    let within = note.segments().get(statement.part).and_then(|segment| segment.parent);
    (number(properties + statement.part), within.map(|part| number(properties + part)))
}

#[cfg(test)]
mod tests {
    use memora_claim::split_statements;
    use memora_vault::{NotePath, PathContext};

    use super::*;

    /// Checks each statement's links, as `words: target>shown`, a text that is no name in brackets.
    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let path = NotePath::new("Title.md").expect("a good path");
        let (note, _) = Note::parse(path, text.to_owned(), PathContext::default());
        let statements = split_statements(&note);
        let mut links = links_by_statement(&note, &statements);
        let mut found = Vec::new();
        for (number, statement) in statements.iter().enumerate() {
            for link in links.remove(&number).unwrap_or_default() {
                let shown = if link.names { link.shown.clone() } else { format!("({})", link.shown) };
                found.push(format!("{}: {}>{shown}", statement.words, link.target));
            }
        }
        assert_eq!(found, expect);
    }

    #[test]
    fn a_link_belongs_to_the_sentence_it_stands_in() {
        check(
            "See [[Drift|projet Dérive]] now. Not this. And [[B#Part]] or [text](C%20d.md) and [x](https://x.org).\n",
            &[
                "See projet Dérive now.: Drift>projet Dérive",
                "And B > Part or text and x.: B>(B > Part)",
                "And B > Part or text and x.: C%20d.md>(text)",
            ],
        );
    }

    #[test]
    fn a_link_in_a_field_belongs_to_the_field() {
        check("Met at noon [owner:: [[Anna]]] and left.\n", &["owner: Anna: Anna>Anna"]);
    }

    #[test]
    fn values_of_properties_are_links() {
        check(
            "---\nup: \"[[Home|the start]]\"\nrelated:\n  - \"[[a/B#c]]\"\n  - plain\n---\n",
            &["up: the start: Home>the start", "related: a/B#c, plain: a/B>(a/B#c)"],
        );
    }

    #[test]
    fn what_is_not_said_links_nowhere() {
        check("![[Shown]]\n\n`[[Code]]` and ~~[[Gone]]~~ are words, %%[[Hidden]]%% is not. [[#Here]]\n", &[]);
    }

    #[test]
    fn sentences_of_a_paragraph_share_a_block_and_an_item_knows_its_parent() {
        let path = NotePath::new("Title.md").expect("a good path");
        let text = "---\nowner: Sam\n---\nOne is here. Two is there.\n\n- Top item\n  - Below it\n".to_owned();
        let (note, _) = Note::parse(path, text, PathContext::default());
        let blocks: Vec<_> = split_statements(&note).iter().map(|s| block_numbers(&note, s)).collect();
        assert_eq!(blocks, [(0, None), (1, None), (1, None), (2, None), (3, Some(2))]);
    }
}
