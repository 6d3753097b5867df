//! Bytes, columns and words where Unicode is at its worst: joined emoji, combining marks, a zero-width space,
//! right-to-left text, letters beyond the first plane, a byte order mark, CRLF, no final newline.

use std::fs;

use super::support::{World, places, repository, text};

const NOTE: &str = "unicode-horrors.md";

fn world() -> (World, String) {
    let world = World::new(&[]);
    let bytes = fs::read(repository().join("tests/exam/corpus").join(NOTE)).expect("the note is there");
    world.write(NOTE, &bytes);
    // The worst of it again under a byte order mark, with other line ends and cut off at the end.
    let plain = String::from_utf8(bytes).expect("UTF-8");
    let plain = plain.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let crlf = format!("\u{feff}{}", plain.trim_end().replace('\n', "\r\n"));
    world.write("crlf.md", &crlf);
    (world, plain)
}

#[test]
fn every_quote_is_the_bytes_at_its_span() {
    let (world, _) = world();
    let mut seen = 0;
    for claim in world.claims() {
        for place in places(&claim) {
            let bytes = fs::read(world.vault().join(text(&place["path"]))).expect("the note");
            let at = |key: &str| usize::try_from(place[key].as_u64().expect("an offset")).expect("small");
            assert_eq!(&bytes[at("start")..at("end")], text(&place["quote"]).as_bytes(), "{place}");
            seen += 1;
        }
    }
    assert!(seen > 20, "only {seen} places were looked at");
    let doctor = world.json(&["doctor", "--check-spans"]);
    assert_eq!(doctor["healthy"], true, "{doctor}");
}

#[test]
fn lines_and_columns_are_those_an_editor_shows() {
    let (world, _) = world();
    for claim in world.claims() {
        for place in places(&claim) {
            let note = world.read(text(&place["path"]));
            let start = usize::try_from(place["start"].as_u64().expect("an offset")).expect("small");
            let before = note.get(..start).expect("a character boundary");
            let before = before.strip_prefix('\u{feff}').unwrap_or(before);
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
            assert_eq!(place["line"], line, "{place}");
            assert_eq!(place["column"], column, "{place}");
        }
    }
}

#[test]
fn its_words_are_found() {
    let (world, plain) = world();
    assert!(plain.contains("Zero\u{200b}width"), "the note is the one this test was written for");
    for (query, expected) in [
        ("family lives upstairs", "👨‍👩‍👧‍👦"),
        ("Jurgen Kasekuchen", "Malm"),
        ("Käsekuchen", "Malm"),
        ("zerowidth hides", "hides in a word"),
        ("الماء", "الماء"),
        ("המים", "המים"),
        ("astral", "🌊"),
        ("水位", "三メートル"),
        ("先生", "元気"),
    ] {
        let found = world.found(query);
        assert!(found.first().is_some_and(|quote| quote.contains(expected)), "{query}: {found:?}");
    }
}

#[test]
fn each_of_its_statements_is_verified_by_its_own_words() {
    let (world, _) = world();
    let mut failed = Vec::new();
    for claim in world.claims() {
        let (id, quote) = (text(&claim["claim"]).to_owned(), text(&claim["sources"][0]["quote"]).to_owned());
        if claim["predicate"] != "states" || quote.contains(['[', '|', '\n', '*', '`']) {
            continue;
        }
        let (said, cited) = world.verdicts(quote.trim(), &id);
        if (said.as_str(), cited.as_str()) != ("quoted", "verified") {
            failed.push(format!("{quote:?}: {said}, {cited}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Complaint 9, seen in basic-memory#1294, claude-mem#3801, openclaw#20730.
#[test]
fn words_of_two_cjk_characters_and_words_with_or_without_accents_are_found() {
    let world = World::new(&[
        ("a.md", "東京に住んでいます。\n\n佐藤先生は金沢の出身です。\n\n我喜欢喝咖啡。\n\n서울에 삽니다.\n"),
        ("b.md", "The Käsekuchen is from Malmö.\n\nDie Straße ist nass.\n\nCafe\u{301} Nord opens late.\n"),
    ]);
    for (query, expected) in [
        ("東京", "東京に住んでいます。"),
        ("金沢", "佐藤先生は金沢の出身です。"),
        ("先生", "佐藤先生は金沢の出身です。"),
        ("咖啡", "我喜欢喝咖啡。"),
        ("서울", "서울에 삽니다."),
        ("Kasekuchen", "The Käsekuchen is from Malmö."),
        ("malmo", "The Käsekuchen is from Malmö."),
        ("MALMÖ", "The Käsekuchen is from Malmö."),
        ("Ka\u{308}sekuchen", "The Käsekuchen is from Malmö."),
        ("strasse", "Die Straße ist nass."),
        ("cafe", "Cafe\u{301} Nord opens late."),
        ("Café", "Cafe\u{301} Nord opens late."),
    ] {
        let found = world.found(query);
        assert_eq!(found.first().map(String::as_str), Some(expected), "{query}: {found:?}");
    }
}

/// Complaint 10, seen in cartog#33: a panic on U+200B.
#[test]
fn a_zero_width_space_breaks_nothing_and_hides_nothing() {
    let world = World::new(&[(
        "a.md",
        "\u{200b}# Zero\u{200b}\n\n\u{200b}The zero\u{200b}width space hides here.\u{200b}\n\n- \u{200b}item\u{200b}: one\n\n| \u{200b} | b |\n|-|-|\n| \u{200b} | c |\n",
    )]);
    assert!(world.found("zerowidth").first().is_some_and(|quote| quote.contains("hides here")));
    assert!(world.found("zero\u{200b}width").first().is_some_and(|quote| quote.contains("hides here")));
    assert_eq!(world.local(&["doctor", "--check-spans"]).code, Some(0));
}
