//! Parses Obsidian-flavoured markdown into headings, segments, links and zones.

mod assemble;
mod blocks;
mod body;
mod inline;
mod masking;
mod walker;

use std::ops::Range;

use crate::plain_text::PlainText;
use crate::problem::ProblemCollector;

pub use body::{Heading, LinkKind, NoteCitation, NoteLink, Segment, SegmentKind, TaskState, Zone};

pub(crate) use body::NoteBody;
pub(crate) use masking::{find_code, mask_comments};

impl NoteBody {
    /// Finds tags in comments and struck-out text. They are not labels of the note, but Obsidian finds it by them, so
    /// they may guard it. With their bytes.
    pub(crate) fn find_hidden_tags(&self, text: &str) -> Vec<(String, Range<usize>)> {
        let unread = self.zones.iter().filter(|(_, zone)| matches!(zone, Zone::Comment | Zone::Struck));
        let mut found = Vec::new();
        for (range, _) in unread {
            let mut plain = PlainText::default();
            plain.push_verbatim(text.get(range.clone()).unwrap_or_default(), range.start);
            // Verbatim text has a source everywhere; were it to have none, the tag counts all the same.
            let place = |at: Range<usize>| plain.source_range(at).unwrap_or_else(|| range.clone());
            found.extend(inline::find_tags(&plain).into_iter().map(|(tag, at)| (tag, place(at))));
        }
        found
    }
}

/// Parses everything after the front matter.
pub(crate) fn parse_body(text: &str, body_start: usize, problems: &mut ProblemCollector<'_>) -> NoteBody {
    blocks::parse_blocks(text, body_start, problems)
}

#[cfg(test)]
mod tests {
    use crate::{Note, NotePath, PathContext, Zone};

    fn words(text: &str) -> Vec<String> {
        let path = NotePath::new("a.md").expect("a good path");
        let (note, _) = Note::parse(path, text.to_owned(), PathContext::default());
        note.segments().iter().map(|segment| segment.plain.text().to_owned()).collect()
    }

    #[test]
    fn blocks_between_tags_that_strike_out_are_struck_out() {
        assert_eq!(words("<del>\n\nold words\n\n- old item\n\n</del>\n\nnew words"), ["new words"]);
        assert_eq!(words("<s>\n\nold words</s> new words"), ["new words"]);
        assert_eq!(words("<div><del>x</del></div>\n\nnew words"), ["new words"]);
        assert_eq!(words("`<del>`\n\nnew words"), ["new words"]);
        let path = NotePath::new("a.md").expect("a good path");
        let (note, _) = Note::parse(path, "<del>\n\nold words\n\n</del>\n".to_owned(), PathContext::default());
        assert_eq!(note.zone_at(8), Zone::Struck);
    }

    #[test]
    fn code_is_read_and_drawings_are_not() {
        assert_eq!(words("Run it:\n\n```sh\ngit fetch\n\ngit merge\n```\n"), ["Run it:", "git fetch\n\ngit merge"]);
        assert_eq!(words("    an indented line\n    another\n"), ["an indented line\nanother"]);
        for info in ["mermaid", "{mermaid}", "dataview", "Tasks", "compressed-json"] {
            assert_eq!(words(&format!("```{info}\ngraph TD\n```\n")), Vec::<String>::new(), "{info}");
        }
        let path = NotePath::new("a.md").expect("a good path");
        let text = "> Said:\n>\n> ```\n> git push\n> ```\n\nx[^1]\n\n[^1]: note\n\n    ```\n    git pull\n    ```\n";
        let (note, _) = Note::parse(path, text.to_owned(), PathContext::default());
        let zones: Vec<_> = note.segments().iter().map(|segment| (segment.plain.text(), segment.zone)).collect();
        assert!(
            zones.contains(&("git push", Zone::Quote)) && zones.contains(&("git pull", Zone::Footnote)),
            "{zones:?}"
        );
    }

    #[test]
    fn two_percent_signs_in_the_address_of_a_link_hide_nothing() {
        let text = "See [it](../25%%203%20Notes/a.md) now.\n\nThe rest is %%not%% there.";
        assert_eq!(words(text), ["See it now.", "The rest is  there."]);
        assert_eq!(words("See (so%%x) now.\n\nhidden %% shown"), ["See (so", "shown"]);
    }

    #[test]
    fn an_unclosed_tag_strikes_out_the_rest_of_its_cell() {
        assert_eq!(words("| a | b |\n|---|---|\n| <s>x | y |\n| z | w |"), ["y", "z | w"]);
    }
}
