//! Every head of a list, displaced in every way of another; and what only looks like one.

use crate::{Band, Note, NotePath, PathContext, ProblemKind};

fn parse(text: &str) -> (Note, Vec<ProblemKind>) {
    let path = NotePath::new("a.md").expect("a good path");
    let (note, problems) = Note::parse(path, text.to_owned(), PathContext::default());
    (note, problems.into_iter().map(|problem| problem.kind).collect())
}

/// What a head says, between its rules, with the band and the machine's word that follow.
const HEADS: &[(&str, Band, Option<&str>)] = &[
    ("privacy: secret", Band::Secret, None),
    ("privacy: private", Band::Private, None),
    ("Privacy: Secret # salaries", Band::Secret, None),
    ("privacy: \"secret\"", Band::Secret, None),
    ("privacy: “secret”", Band::Secret, None),
    ("privacy:secret", Band::Secret, None),
    ("privacy：secret", Band::Secret, None),
    ("privacy = \"secret\"", Band::Secret, None),
    ("privacy:\u{a0}secret", Band::Secret, None),
    ("title: Pay\nprivacy: secret\nrank: 3", Band::Secret, None),
    ("aliases:\n  - pay\n  - rank\n\nprivacy: secret", Band::Secret, None),
    ("privacy: sekret", Band::Secret, None),
    ("privacy: geheim", Band::Secret, None),
    ("title: a: b\nprivacy: secret", Band::Secret, None),
    ("tags: [pay, secret]", Band::Secret, None),
    ("tags:\n  - pay\n  - secret/work", Band::Secret, None),
    ("tags:\n- private", Band::Private, None),
    ("tags: pay, secret", Band::Secret, None),
    ("meta: {privacy: secret}", Band::Secret, None),
    ("? privacy\n: secret", Band::Secret, None),
    ("\u{200b}privacy: secret", Band::Secret, None),
    ("pri\u{ad}vacy: sec\u{200b}ret", Band::Secret, None),
    ("**privacy:** secret<br>", Band::Secret, None),
    ("{\"title\":\"x\",\"privacy\":\"secret\"}", Band::Secret, None),
    ("mem\u{200b}ora: memory", Band::Public, Some("memory")),
    ("memora: memory\nid: mem-1\nkind: knowledge", Band::Public, Some("memory")),
    ("memora: captured\nby: agent", Band::Public, Some("captured")),
    ("memora: review", Band::Public, Some("review")),
    ("id: mem-1\nmemora: \"memory\"", Band::Public, Some("memory")),
    ("memora:memory", Band::Public, Some("memory")),
    ("memora: memory\nprivacy: secret", Band::Secret, Some("memory")),
];

/// The ways in which a head stands elsewhere, or is spelt otherwise. `HEAD` is its lines without rules, `B` its block with them.
const DISPLACEMENTS: &[(&str, &str)] = &[
    ("a second block", "---\npermalink: main/a\n---\n\nB\n\nWORDS\n"),
    ("a second block without a blank line", "---\npermalink: main/a\n---\nB\n\nWORDS\n"),
    ("a third block", "---\na: 1\n---\n---\nb: 2\n---\n\nB\n\nWORDS\n"),
    ("an empty block in front", "---\n---\nB\nWORDS\n"),
    ("an empty block in front, glued", "---\n---\nHEAD\n---\nWORDS\n"),
    ("blank lines", "\n\n \t\nB\n\nWORDS\n"),
    ("marks of bytes", "\u{feff}\u{feff}B\n\nWORDS\n"),
    ("an invisible character", "\u{200b}B\n\nWORDS\n"),
    ("a heading", "# Pay\nB\n\nWORDS\n"),
    ("a heading and a blank line", "# Pay\n\nB\n\nWORDS\n"),
    ("a comment", "<!-- synced -->\nB\n\nWORDS\n"),
    ("a comment of several lines", "<!-- synced\nby a program\n-->\nB\n\nWORDS\n"),
    ("an odd comment", "<!— synced —>\nB\n\nWORDS\n"),
    ("a comment around it", "<!--\nB\n-->\n\nWORDS\n"),
    ("a hidden line", "%% synced %%\nB\n\nWORDS\n"),
    ("a callout", "> [!info] Data\n> HEAD\n\nWORDS\n"),
    ("a picture", "![[banner.png]]\nB\n\nWORDS\n"),
    ("tags", "#pay #work\nB\n\nWORDS\n"),
    ("a merge", "<<<<<<< ours\nB\n\nWORDS\n=======\n>>>>>>> other\n"),
    ("a merge of heads", "<<<<<<< ours\nB\n=======\n---\na: 1\n---\n>>>>>>> other\n\nWORDS\n"),
    ("a line of prose", "Synced by a program.\n\nB\n\nWORDS\n"),
    ("prose right above", "Synced by a program.\nB\nWORDS\n"),
    ("the end", "WORDS\n\nB\n"),
    ("the end, never closed", "WORDS\n\n---\nHEAD\n"),
    ("long dashes", "—\nHEAD\n—\n\nWORDS\n"),
    ("a long dash and a hyphen", "—-\nHEAD\n—-\n\nWORDS\n"),
    ("short dashes", "–-\nHEAD\n–-\n\nWORDS\n"),
    ("a smart opening", "—-\nHEAD\n---\n\nWORDS\n"),
    ("a smart closing", "---\nHEAD\n—-\n\nWORDS\n"),
    ("a smart closing above a rule", "---\nHEAD\n—-\n\nWORDS\n\n---\n\nMore: words.\n"),
    ("four hyphens", "----\nHEAD\n----\n\nWORDS\n"),
    ("two hyphens", "--\nHEAD\n--\n\nWORDS\n"),
    ("spaced hyphens", "- - -\nHEAD\n- - -\n\nWORDS\n"),
    ("character references", "&mdash;-\nHEAD\n&mdash;-\n\nWORDS\n"),
    ("full-width hyphens", "－－－\nHEAD\n－－－\n\nWORDS\n"),
    ("stars", "***\nHEAD\n***\n\nWORDS\n"),
    ("pluses", "+++\nHEAD\n+++\n\nWORDS\n"),
    ("a named document", "---yaml\nHEAD\n---\n\nWORDS\n"),
    ("the end of a document", "---\nHEAD\n...\n\nWORDS\n"),
    ("an escaped rule", "\\---\nHEAD\n\\---\n\nWORDS\n"),
    ("tags of rules", "<hr>\nHEAD\n<hr/>\n\nWORDS\n"),
    ("no opening rule", "HEAD\n---\n\nWORDS\n"),
    ("no closing rule", "---\nHEAD\n\nWORDS\n"),
    ("no rules", "HEAD\n\nWORDS\n"),
    ("no rules under a heading", "# Pay\n\nHEAD\n\nWORDS\n"),
    ("a quotation", "> ---\n> HEAD\n> ---\n\nWORDS\n"),
    ("an indented block", "  ---\n  HEAD\n  ---\n\nWORDS\n"),
    ("far indented", "    ---\n    HEAD\n    ---\n\nWORDS\n"),
    ("code that begins the note", "```yaml\nB\n```\n\nWORDS\n"),
    ("code without rules that begins the note", "```\nHEAD\n```\n\nWORDS\n"),
];

fn displace(form: &str, head: &str) -> String {
    // A form with a mark in front of each line has it in front of each of the head's.
    let of_line = form.lines().find_map(|line| line.strip_suffix("HEAD")).unwrap_or_default();
    let lines = head.lines().collect::<Vec<_>>().join(&format!("\n{of_line}"));
    form.replace('B', &format!("---\n{head}\n---")).replace("HEAD", &lines).replace("WORDS", "Quinn earns much.")
}

#[test]
fn every_head_counts_in_every_displacement() {
    let mut wrong = String::new();
    for (head, band, machine) in HEADS {
        for (name, form) in DISPLACEMENTS {
            for end in ["\n", "\r\n", "\r"] {
                let text = displace(form, head).replace('\n', end);
                let (note, problems) = parse(&text);
                let at = text.find("Quinn").expect("the words");
                let is_told = problems.iter().any(|problem| {
                    use ProblemKind::{BadYaml, DisplacedFrontMatter, UnclosedFrontMatter, UnknownBand};
                    matches!(problem, DisplacedFrontMatter | BadYaml | UnclosedFrontMatter | UnknownBand)
                });
                let found = note.machine_words().iter().map(String::as_str).next();
                if note.band_of_range(at..at + 5) < *band || found != *machine || !is_told {
                    wrong += &format!("{name}: {head:?} {:?} {found:?} {problems:?}\n{text:?}\n", note.band());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_head_where_it_should_be_is_no_problem() {
    for (head, band, machine) in
        HEADS.iter().filter(|(head, ..)| head.starts_with("tags") || head.starts_with("memora: "))
    {
        let (note, problems) = parse(&format!("---\n{head}\n---\n\nQuinn earns much.\n"));
        assert_eq!((note.band(), problems), (*band, vec![]), "{head}");
        assert_eq!(note.machine_words().iter().map(String::as_str).next(), *machine, "{head}");
    }
}

#[test]
fn a_long_head_counts_and_many_lines_take_no_long_time() {
    let aliases = (0..500).map(|number| format!("  - name {number}\n")).collect::<String>();
    let (note, _) =
        parse(&format!("---\na: 1\n---\n\n---\naliases:\n{aliases}privacy: secret\n---\n\nQuinn earns much.\n"));
    assert_eq!(note.band(), Band::Secret);
    // A search from each of them would take minutes.
    let text = "- tags: secret\n".repeat(60_000);
    assert!(super::find_displaced_heads(&text, 0).is_empty());
    let text = "- privacy: secret\n".repeat(60_000);
    assert_eq!(super::find_displaced_heads(&text, 0).len(), 60_000);
}

#[test]
fn a_line_that_says_nothing_else_counts_wherever_it_stands() {
    for text in [
        "Above.\n\n- privacy: secret\n- more\n",
        "---\nSynced by a program,\nprivacy: secret\nand more words.\n---\n",
        "- [ ] privacy:: secret\n",
        "| privacy | secret |\n|---|---|\n",
        "Above.\n\n## privacy: secret\n\nBelow.\n",
        "Above.\n\nprivacy:\n\n  secret\n",
        "A ` tick, then [privacy:: public] and [privacy:: secret].\n",
        "Above.\u{85}privacy: secret\u{85}Below.\n",
        "- a\n\n      ```\n  privacy: secret\n",
        "%%\n```\n%%\n\nprivacy: secret\n\n%%\n```\n%%\n",
        "Above %%privacy:: secret%% below\n",
        "Above <!--pri\u{ad}vacy:sec\u{200b}ret--> below\n",
        "---\nta\u{200b}gs: [se\u{ad}cret]\n---\nBelow.\n",
        "---\ntags: [se\u{ad}cret]\n---\nBelow.\n",
        "Above #sec\u{200b}ret below.\n",
        "Above #ｓecret below.\n",
        "tags:: pay, secret\n\n- Below.\n",
        "---\ntags:: secret\n---\nBelow.\n",
        "---\n“tags”: [“secret”]\n---\nBelow.\n",
        "---\nsync: 1\n---\n\n---\ntags:\n  # topics\n  - secret\n---\nBelow.\n",
        "---\nsync: 1\n---\n\n---\ntags: [pay,\nsecret]\n---\nBelow.\n",
        "<p><strong>privacy:</strong>&nbsp;secret</p>\n\nBelow.\n",
        "<tr>\n<td>privacy</td>\n<td>secret</td>\n</tr>\n\nBelow.\n",
        "privacy\n:   secret\n\nBelow.\n",
    ] {
        let (note, _) = parse(text);
        assert_eq!(note.band_of_range(text.len() - 1..text.len()), Band::Secret, "{text}");
    }
    for text in [
        "Above.\n\n- memora: captured\n",
        "# memora: memory id: mem-1 kind: event\n",
        "Words.\n\nseal: 3v9k5n0qf2xw8t1m6c4hbzr7dy\n---\n",
        "| memora | memory |\n|---|---|\n| id | mem-1 |\n",
        "---\nSynced words\nmemora: memory\nmore words\n---\n",
    ] {
        assert!(!parse(text).0.machine_words().is_empty(), "{text}");
    }
}

#[test]
fn a_field_guards_its_note() {
    for (text, band) in [
        ("Words.\n\nprivacy:: secret\n", Band::Secret),
        ("Words.\n- privacy:: private\n", Band::Private),
        ("Words [privacy:: secret] more.\n", Band::Secret),
        ("Words (privacy::secret) more.\n", Band::Secret),
        ("**privacy**:: secret\n", Band::Secret),
        ("privacy:: sekret\n", Band::Secret),
        ("Words.\n\nprivacy:: public\n", Band::Public),
        ("He wrote privacy:: secret.\n", Band::Public),
        ("`[privacy:: secret]` guards.\n", Band::Public),
        ("Like this:\n\n```\nprivacy:: secret\n```\n", Band::Public),
    ] {
        assert_eq!(parse(text).0.band(), band, "{text}");
    }
    assert_eq!(parse("Words.\n\nmemora:: captured\n").0.machine_words(), ["captured"]);
}

#[test]
fn what_only_speaks_of_a_head_is_none() {
    for text in [
        "How to guard a note:\n\n```yaml\n---\nprivacy: secret\n---\n```\n\nThat is all.\n",
        "# Guarding\n\nWrite this:\n\n~~~\nprivacy: secret\n~~~\n",
        "How to guard a note:\n\n    ---\n    privacy: secret\n    ---\n\nThat is all.\n",
        "---\ntags: [docs]\n---\n```yaml\n---\nprivacy: secret\n---\n```\n",
        "Write privacy: secret at the top of the note.\n",
        "The property `privacy: secret` guards a note.\n",
        "Above.\n\n---\n\nPrivacy is dear to us. A secret: none.\n\n---\n\nBelow.\n",
        "Above.\n\n---\n\nPrivacy: we keep it as private as we can.\n\n---\n\nBelow.\n",
        "On values.\n\nPrivacy: private is not secret.\n\nMore.\n",
        "Above.\n\n***\n\nThe secret: be kind. Tags: many.\n\n***\n",
        "| tags | secret |\n|---|---|\n| privacy | secret ballots |\n",
        "- tags: secret\n",
        "Above.\n\n- [ ] set privacy: secret\n",
        "---\nyoutube:\n  privacy: unlisted\ntags: [not-secret, work/secret]\n---\n\nWords.\n",
        "---\ntitle: Memora\n---\n\n---\nauthor: Anna\n---\n\nWords.\n",
        "# Notes on Memora\n\nMemora: a memory for notes that proves what it says, and guards what is secret.\n",
        "---\ndescription: |\n  privacy: secret\n  memora: memory\n---\n\nWords.\n",
        "Privacy matters.\n---\nTags: none.\n",
        "He asked about her privacy: private, she said.\n",
    ] {
        let (note, problems) = parse(text);
        assert_eq!((note.band(), note.machine_words(), problems), (Band::Public, &[][..], vec![]), "{text}");
    }
}

#[test]
fn what_others_said_is_no_head_once_it_is_escaped() {
    for (text, expected) in [
        ("privacy: secret", "privacy\\: secret"),
        ("privacy:: secret", "privacy\\:: secret"),
        ("a [privacy:: secret] b", "a [privacy\\:: secret] b"),
        ("memora: review\nmore: words", "memora\\: review\nmore: words"),
        ("privacy\n: secret", "privacy\n\\: secret"),
        ("tags:: secret", "tags\\:: secret"),
        ("On privacy: it is dear", "On privacy: it is dear"),
        ("```\nprivacy: secret\n```", "```\nprivacy: secret\n```"),
    ] {
        let in_front = text.starts_with('`');
        let text = if in_front { format!("x\n{text}") } else { text.to_owned() };
        let expected = if in_front { format!("x\n{expected}") } else { expected.to_owned() };
        assert_eq!(super::escape_heads(&text), expected);
    }
    for (head, ..) in HEADS {
        for (name, form) in DISPLACEMENTS.iter().filter(|(name, _)| !name.starts_with("code")) {
            let escaped = super::escape_heads(&displace(form, head)).into_owned();
            assert_eq!(super::escape_heads(&escaped), escaped, "{name}");
            let (note, _) = parse(&format!("---\na: 1\n---\n\n{escaped}"));
            let is_open = note.band() == Band::Public && note.machine_words().is_empty();
            assert!(is_open, "{name}: {head:?}\n{escaped}");
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(2_000))]

    #[test]
    fn no_text_breaks_the_search(
        parts in proptest::collection::vec(proptest::sample::select(vec![
            "---", "\n", "\r", "—", "privacy", ": ", "::", "：", "=", " ", "secret", "memora", "memory", "tags", "[", "]", "{", "}", "```",
            "<!--", "-->", "> ", "    ", "# ", "\u{feff}", "é", "- ", "?", "\"", "“", "&lt;", "%%", "<<<<<<< HEAD", "x",
        ]), 0..40),
    ) {
        let text = parts.concat();
        for head in super::find_displaced_heads(&text, 0) {
            assert!(text.is_char_boundary(head.at));
            assert!(head.words.privacy.iter().all(|said| text.get(said.range.clone()).is_some()));
        }
    }
}
