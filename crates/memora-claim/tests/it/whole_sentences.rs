//! A sentence is not cut within code or the text of a link, and the ids that it had while it was cut still lead to it.

use memora_claim::{StatementId, split_statements};
use memora_vault::{Note, NotePath, PathContext};

fn note(text: &str) -> Note {
    Note::parse(NotePath::new("Log.md").expect("a path"), text.to_owned(), PathContext::default()).0
}

#[track_caller]
fn check(text: &str, expect: &[&str]) {
    let note = note(text);
    let found: Vec<&str> = split_statements(&note).iter().map(|statement| note.slice(statement.span)).collect();
    assert_eq!(found, expect, "{text}");
}

#[test]
fn code_and_the_text_of_a_link_are_never_cut() {
    for whole in [
        "Run `cargo test! --all. Then wait` before each release of drift.",
        "The file `v1.2. Final.md` lies in the archive.",
        "Use `<!--` to open a comment.",
        "Run `cargo test!` before each release.",
        "[Dr. Who. The movie](x.md) was shown in 1996.",
        "We read [[Who. Where. When|Who? Where? When]] at noon.",
        "It says [Stop! *Now.* Or later?](x.md) on the door.",
        "The plan `a. b! C` and [one. Two](y.md) hold.",
        "Sie lasen [Wer? Wo? Wann](x.md) am Abend.",
        "彼は `終わり。始まり` と書いた。",
    ] {
        check(whole, &[whole]);
        check(&format!("- {whole}"), &[whole]);
        check(&format!("Anna left. {whole} Ben came."), &["Anna left.", whole, "Ben came."]);
    }
    check("See `alpha.` Then `beta.`", &["See `alpha.`", "Then `beta.`"]);
    check("[Anna left.](x.md) [Ben came.](y.md)", &["[Anna left.](x.md)", "[Ben came.](y.md)"]);
    check("Anna left. *Ben came. Cora stayed.*", &["Anna left.", "*Ben came.", "Cora stayed.*"]);
}

#[test]
fn ids_of_pieces_lead_to_the_whole_and_no_other_id_changes() {
    let text = "Anna wrote [Who is it? Ben knows](x.md) at noon. Cora Lang lives in Nimes.";
    let note = note(text);
    let found = split_statements(&note);
    let words: Vec<&str> = found.iter().map(|statement| statement.words.as_str()).collect();
    assert_eq!(words, ["Anna wrote Who is it? Ben knows at noon.", "Cora Lang lives in Nimes."]);
    let pieces = ["Anna wrote Who is it?", "Ben knows at noon."];
    let title = ["Log"];
    let ids = |words: &str| [StatementId::from_words(words, &[]), StatementId::from_words(words, &title)];
    let [whole, next] = found.as_slice() else { panic!("two statements") };
    assert_eq!(whole.former.len(), 2);
    for (id, piece) in whole.former.iter().zip(pieces) {
        assert!(ids(piece).contains(id), "{piece}");
    }
    assert_eq!(next.former, []);
    assert_eq!(next.id, StatementId::from_words("Cora Lang lives in Nimes.", &[]));
}
