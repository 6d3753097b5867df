//! Notes that a slow reader would never finish: one construct, repeated as often as wanted.
//!
//! Each was found by a tester or suspected from the code. They are the input of the tests of linearity
//! (`hard::growth`), of what a release takes on them (`docs/security.md`), and seeds of the fuzz targets.

/// A construct whose repetition makes a hostile note.
#[derive(Clone, Copy)]
pub struct HostileConstruct {
    /// A short name, such as `nested-brackets`.
    pub name: &'static str,
    /// How often a tester repeated it, to make a note of 0.6 to 10 MB.
    pub giant: usize,
    build: fn(usize) -> String,
}

impl HostileConstruct {
    /// Builds the note with `count` repetitions. Its length grows in proportion to them.
    #[must_use]
    pub fn note(&self, count: usize) -> String {
        (self.build)(count)
    }
}

/// Prints its name.
impl std::fmt::Debug for HostileConstruct {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Repeats what depends on the number of the repetition.
fn each(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// Builds a construct of the list.
const fn construct(name: &'static str, giant: usize, build: fn(usize) -> String) -> HostileConstruct {
    HostileConstruct { name, giant, build }
}

/// Every construct, each by the name of what is repeated.
pub const HOSTILE_CONSTRUCTS: &[HostileConstruct] = &[
    construct("open-brackets", 1_000_000, |n| "[".repeat(n)),
    construct("nested-brackets", 500_000, |n| "[".repeat(n) + "x" + &"]".repeat(n)),
    construct("open-wikilinks", 500_000, |n| "[[".repeat(n)),
    construct("open-wikilinks-with-words", 300_000, |n| "[[a ".repeat(n)),
    construct("nested-wikilinks", 250_000, |n| "[[".repeat(n) + "x" + &"]]".repeat(n)),
    construct("open-embeds", 500_000, |n| "![[".repeat(n)),
    construct("open-images", 300_000, |n| "![a".repeat(n)),
    construct("links-without-address", 300_000, |n| "[a](".repeat(n)),
    construct("links-in-angles", 300_000, |n| "[a](<b".repeat(n)),
    construct("link-labels", 300_000, |n| "[a][".repeat(n)),
    construct("underscores", 1_000_000, |n| "_".repeat(n)),
    construct("underscores-and-words", 500_000, |n| "_a ".repeat(n)),
    construct("asterisks", 1_000_000, |n| "*".repeat(n)),
    construct("asterisks-and-words", 500_000, |n| "*a ".repeat(n)),
    construct("emphasis-mixed", 250_000, |n| "*a_ ".repeat(n)),
    construct("emphasis-nested", 150_000, |n| "*a **a ".repeat(n) + &"b** c*".repeat(n)),
    construct("tildes", 500_000, |n| "~~a ".repeat(n)),
    construct("highlights", 250_000, |n| "==a== *b* ".repeat(n)),
    construct("backticks-growing", 1_000, |n| each(n, |i| "`".repeat(i % 1_000 + 1) + " ")),
    construct("backticks-unclosed", 1_000_000, |n| "`a``b".repeat(n)),
    construct("comments-unclosed", 300_000, |n| "<!--".repeat(n)),
    construct("comments-in-words", 300_000, |n| "a <!-- ".repeat(n)),
    construct("comment-pairs", 300_000, |n| "a %%b%% ".repeat(n)),
    construct("cdata-unclosed", 150_000, |n| "a <![CDATA[".repeat(n)),
    construct("processing-unclosed", 300_000, |n| "a <?".repeat(n)),
    construct("declarations-unclosed", 300_000, |n| "a <!A ".repeat(n)),
    construct("less-than", 1_000_000, |n| "<".repeat(n)),
    construct("tags-unclosed", 300_000, |n| "<a ".repeat(n)),
    construct("tag-attributes", 300_000, |n| "<a b='".repeat(n)),
    construct("braces", 1_000_000, |n| "{".repeat(n)),
    construct("parentheses", 1_000_000, |n| "(".repeat(n)),
    construct("dollars", 500_000, |n| "$a ".repeat(n)),
    construct("dollars-and-braces", 300_000, |n| "${a$$".repeat(n)),
    construct("quote-marks", 500_000, |n| ">".repeat(n)),
    construct("quote-marks-on-lines", 3_000, |n| each(n, |i| ">".repeat(i % 200 + 1) + "a\n")),
    construct("lists-nested-on-a-line", 300_000, |n| "- ".repeat(n) + "a"),
    construct("privacy-open", 100_000, |n| "<!--privacy:secret".repeat(n)),
    construct("privacy-nested", 50_000, |n| "<!--privacy:secret-->a ".repeat(n)),
    construct("private-key-unclosed", 100_000, |n| {
        "-----BEGIN PRIVATE KEY-----\n".to_owned() + &"Some words here. ".repeat(n)
    }),
    construct("private-key-headers", 100_000, |n| "-----BEGIN A".repeat(n)),
    construct("cjk", 3_400_000, |n| "語".repeat(n)),
    construct("cjk-sentences", 700_000, |n| "先生は東京。".repeat(n)),
    construct("right-to-left", 300_000, |n| "שלום עולם. ".repeat(n)),
    construct("one-word", 3_000_000, |n| "a".repeat(n)),
    construct("words-without-end", 500_000, |n| "word ".repeat(n)),
    construct("sentences-on-a-line", 60_000, |n| each(n, |i| format!("Anna owns boat {i}. "))),
    construct("claim-markers", 100_000, |n| "[claim:".repeat(n)),
    construct("block-ids", 30_000, |n| each(n, |i| format!("Anna owns boat {i}. ^b{i}\n\n"))),
    construct("block-ids-without-blocks", 30_000, |n| each(n, |i| format!("^b{i}\n\n"))),
    construct("fields", 30_000, |n| each(n, |i| format!("boat{i}:: red {i}\n"))),
    construct("inline-fields", 30_000, |n| each(n, |i| format!("Anna [boat{i}:: red {i}] "))),
    construct("properties", 30_000, |n| "---\n".to_owned() + &each(n, |i| format!("k{i}: v{i}\n")) + "---\nAnna.\n"),
    construct("tasks", 30_000, |n| each(n, |i| format!("- [ ] paint boat {i}\n"))),
    construct("items", 30_000, |n| each(n, |i| format!("- Anna owns boat {i}\n"))),
    construct("footnotes", 30_000, |n| each(n, |i| format!("Anna[^{i}]\n\n[^{i}]: owns boat {i}\n\n"))),
    construct("footnotes-inline", 30_000, |n| "Anna^[owns a boat] ".repeat(n)),
    construct("footnotes-open", 300_000, |n| "^[a ".repeat(n)),
    construct("footnote-labels", 300_000, |n| "[^a".repeat(n)),
    construct("table-rows", 30_000, |n| {
        "| who | boat |\n|---|---|\n".to_owned() + &each(n, |i| format!("| Anna | {i} |\n"))
    }),
    construct("table-wide", 3_000, |n| {
        let wide = n.min(300);
        format!("|{}\n|{}\n{}", "a|".repeat(wide), "-|".repeat(wide), "|b\n".repeat(n))
    }),
    construct("tables", 10_000, |n| "| a |\n|---|\n| b |\n\n".repeat(n)),
    construct("headings", 30_000, |n| each(n, |i| format!("# Boat {i}\n\nAnna owns it.\n\n"))),
    construct("headings-growing", 30_000, |n| each(n, |i| format!("{} Boat {i}\n\nred\n\n", "#".repeat(i % 6 + 1)))),
    construct("fences", 30_000, |n| each(n, |i| format!("```\nlet boat = {i};\n```\n\n"))),
    construct("fences-unclosed", 100_000, |n| "```a\n~~~\n".repeat(n)),
    construct("reference-definitions", 30_000, |n| {
        each(n, |i| format!("[r{i}]: b{i}.md\n")) + &each(n, |i| format!("[r{i}] "))
    }),
    construct("links", 30_000, |n| each(n, |i| format!("[[Boat {i}]] "))),
    construct("tags", 100_000, |n| each(n, |i| format!("#boat{i} "))),
    construct("dates", 60_000, |n| each(n, |i| format!("On 2025-03-{:02} at {}:30. ", i % 28 + 1, i % 24))),
    construct("numbers", 300_000, |n| "1234 ".repeat(n)),
    construct("digits", 1_000_000, |n| "1".repeat(n)),
    construct("passwords", 100_000, |n| "password: ".repeat(n)),
    construct("quotations", 300_000, |n| "\"a ".repeat(n)),
    construct("percent-signs", 1_000_000, |n| "%".repeat(n)),
    construct("entities", 300_000, |n| "&a".repeat(n)),
    construct("backslashes", 1_000_000, |n| "\\".repeat(n)),
    construct("spaces", 1_000_000, |n| " a".to_owned() + &" ".repeat(n) + "b"),
    construct("blank-lines", 1_000_000, |n| "a".to_owned() + &"\n".repeat(n) + "b"),
    construct("struck-out", 100_000, |n| "<del>a</del> b ".repeat(n)),
    construct("callouts", 30_000, |n| "> [!note] Boat\n> Anna owns it.\n\n".repeat(n)),
];
