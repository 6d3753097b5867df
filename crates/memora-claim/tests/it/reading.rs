//! What holds for any note at all: made-up markdown, half of it broken, read and re-read.

use memora_claim::{ParsedNote, Statement, anchor_span, split_statements};
use memora_vault::{Band, Note, NotePath, PathContext};
use proptest::prelude::*;

/// Pieces that markdown is made of, most of them unfinished; every word stands alone, so that it can be found again.
const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n\n",
    "\n\n",
    "\r\n",
    " ",
    " ",
    "  ",
    "    ",
    "\t",
    "> ",
    "> [!note] ",
    "- ",
    "- [ ] ",
    "1. ",
    "# ",
    "## ",
    "---\n",
    "```\n",
    "~~~",
    "|",
    " | ",
    "\n|---|---|\n",
    "**",
    "*",
    "_",
    "==",
    "~~",
    "`",
    "``",
    "$",
    "$$",
    "[",
    "]",
    "](",
    ")",
    "[[",
    "]]",
    "|",
    "![",
    "^[",
    "[^1]",
    "[^1]: ",
    "[r]: ",
    "[r]",
    "^id",
    " ^id\n",
    "::",
    ":: ",
    "key:: ",
    "[key:: ",
    "(key:: ",
    "%%",
    "<!--",
    "-->",
    "<!--privacy:secret-->",
    "<!--/privacy-->",
    "<!-- privacy: private -->",
    "<del>",
    "</del>",
    "<s>",
    "<div>",
    "<br>",
    "&amp;",
    "\\",
    "#tag ",
    "\u{feff}",
    "\u{200d}",
    "\u{202e}",
    "\0",
    "\u{1a}",
    "é",
    "日本。",
    ". ",
    "! ",
    "Anna ",
    "lives ",
    "in Kiel. ",
    "Bob ",
    "costs ",
    "forty ",
    "euros.\n",
];

fn markdown() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

fn note(path: &str, text: &str) -> Note {
    Note::parse(NotePath::new(path).expect("a good path"), text.to_owned(), PathContext::default()).0
}

/// Runs of letters, the parser's own signs for keys and headings left out.
fn letters(text: &str) -> Vec<String> {
    let folded = text.replace("&amp;", "&");
    folded.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn stand_in_order(words: &str, quote: &str) -> bool {
    let quote = letters(quote).concat();
    let mut rest = quote.as_str();
    letters(words).concat().chars().all(|c| {
        let found = rest.find(c);
        rest = found.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
        found.is_some()
    })
}

/// Everything of a note that a public door sees.
fn public(note: &Note) -> Vec<String> {
    let mut seen = Vec::new();
    for Statement { words, borrowed, headings, parent, span, .. } in
        split_statements(note).iter().filter(|statement| statement.band == Band::Public)
    {
        seen.extend([words.clone(), note.slice(*span).to_owned(), parent.clone().unwrap_or_default()]);
        seen.extend(borrowed.iter().chain(headings).cloned());
    }
    let open = |range: std::ops::Range<usize>| note.band_of_range(range) == Band::Public;
    seen.extend(note.headings().iter().filter(|h| open(h.range.clone())).map(|h| h.text.clone()));
    for link in note.links().iter().filter(|link| open(link.range.clone())) {
        seen.extend([link.target.clone(), link.text.clone(), link.anchor.clone().unwrap_or_default()]);
    }
    seen.extend(
        note.tags().iter().chain(note.aliases()).filter(|l| l.band == Band::Public).map(|label| label.text.clone()),
    );
    let named = note.block_ids().iter().filter(|(_, segment)| open(note.segments()[*segment].range.clone()));
    seen.extend(named.map(|(id, _)| id.clone()));
    seen
}

fn check_hidden(text: &str) {
    let note = note("a.md", text);
    for seen in public(&note) {
        assert!(!seen.contains("canary"), "{seen:?} of {text:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_quote_holds_its_statements_words_in_order(text in markdown()) {
        let note = note("a.md", &text);
        for statement in split_statements(&note) {
            let quote = note.slice(statement.span);
            prop_assert!(!quote.is_empty());
            prop_assert!(stand_in_order(&statement.words, quote), "{:?} in {:?} of {:?}", statement.words, quote, text);
        }
        for segment in note.segments() {
            prop_assert!(note.span(segment.range.clone()).is_some(), "{:?}", text);
        }
        for range in note.headings().iter().map(|h| &h.range).chain(note.links().iter().map(|l| &l.range)) {
            prop_assert!(note.span(range.clone()).is_some(), "{:?}", text);
        }
    }

    #[test]
    fn what_was_just_anchored_stands(text in markdown()) {
        let fresh = ParsedNote::new(note("a.md", &text));
        for statement in fresh.statements() {
            let source = anchor_span(&fresh, statement.span);
            prop_assert_eq!(source.statement, statement.id, "{:?}", text);
            let here = source.recheck(&fresh);
            let Ok(here) = here else { return Err(TestCaseError::fail(format!("{here:?} of {text:?}"))) };
            prop_assert!(!here.has_moved() && here.band() >= statement.band && here.words() == statement.words, "{:?}", text);
        }
    }

    #[test]
    fn marked_text_is_in_nothing_public(before in markdown(), inside in markdown(), behind in markdown(), id in any::<bool>()) {
        let canary = if id { "^canary\n" } else { "canary " };
        let open = if inside.contains("/privacy") { "<!--privacy:secret-->".repeat(40) } else { "<!--privacy:secret-->".into() };
        check_hidden(&format!("{before}{open}{canary}{inside}{canary}<!--/privacy-->{behind}"));
        check_hidden(&format!("{before}\n\n{open}\n# canary\n\n[r]: canary\n\n{inside}\n<!--/privacy-->\n\n{behind}"));
    }

    #[test]
    fn comments_are_in_nothing_public(before in markdown(), behind in markdown()) {
        // Marks that comments do not count in, or are closed by, are another question; so is code, by four spaces.
        let open = |text: &str| {
            let mut text = text.replace(['`', '$', '~', '%', '\t'], "").replace("<!--", "");
            while text.contains("    ") {
                text = text.replace("    ", " ");
            }
            text
        };
        check_hidden(&format!("{}%%canary\n\ncanary%%{}", open(&before), open(&behind)));
        check_hidden(&format!("{}<!--canary\n\ncanary-->{}", open(&before), open(&behind)));
    }

    #[test]
    fn a_secret_note_has_nothing_public(text in markdown(), front in 0_usize..6) {
        let front = [
            "privacy: secret", "Privacy : 'Secret'", "tags: [a, '#Secret/b']", "{a: b, privacy: secret}", "a: [\nprivacy: secret",
            "privacy:secret",
        ][front];
        let note = note("a.md", &format!("---\n{front}\n---\n{text}"));
        prop_assert_eq!(note.band(), Band::Secret);
        prop_assert!(public(&note).is_empty());
    }

    #[test]
    fn ids_do_not_depend_on_folders_or_what_stands_above(text in markdown()) {
        let ids = |path: &str, text: &str| split_statements(&note(path, text)).iter().skip_while(|s| s.words != "Here it begins.")
            .map(|s| s.id).collect::<Vec<_>>();
        let text = format!("Here it begins.\n\n{text}");
        let here = ids("a.md", &text);
        prop_assert!(!here.is_empty());
        prop_assert_eq!(&here, &ids("b/c/a.md", &text));
        prop_assert_eq!(&here, &ids("a.md", &format!("Else.\n\n- x\n- **y**. `z`\n\n| a |\n|---|\n| b |\n\n{text}")));
    }
}

/// Each was looked for in all of its note: 10,000 statements took minutes.
#[test]
fn many_statements_that_moved_are_all_found_again() {
    let read = |text: String| {
        let path = NotePath::new("a.md").expect("a good path");
        ParsedNote::new(Note::parse(path, text, PathContext::default()).0)
    };
    let lines: String = (0..10_000).map(|number| format!("- Anna owns boat {number}\n")).collect();
    let (before, moved) = (read(lines.clone()), read(format!("- Anna is back\n{lines}")));
    let edited = read(lines.replace("boat", "ship"));
    assert_eq!(before.statements().len(), 10_000);
    for statement in before.statements() {
        let source = anchor_span(&before, statement.span);
        let found = source.recheck(&moved).expect("it only moved");
        assert!(found.has_moved() && found.statement() == statement.id);
        assert!(source.recheck(&edited).is_err());
    }
}
