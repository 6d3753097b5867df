//! Every statement, written as `text [claim:id]`, is one sentence, and quoted: by identity, before any rule is asked.

use std::fs;
use std::path::{Path, PathBuf};

use memora_claim::{ClaimId, ParsedNote, SourceChange, Statement, anchor_span};
use memora_vault::{Note, NotePath, PathContext};
use memora_verify::{
    CitationFailure, CitationResolution, CitedPassage, Evidence, SentenceVerdict, VerificationReport, check_draft,
};

/// A note as evidence for its own statements.
struct OneNote(ParsedNote);

impl OneNote {
    fn new(path: &str, text: &str) -> Self {
        let path = NotePath::new(path).expect("a path");
        Self(ParsedNote::new(Note::parse(path, text.to_owned(), PathContext::default()).0))
    }

    fn check(&self, text: &str, statement: &Statement) -> VerificationReport {
        check_draft(&format!("{text} [claim:{}]", statement.id), self)
    }

    /// Returns what is judged otherwise, in its words and as it stands in the note.
    fn failures(&self) -> (usize, Vec<String>) {
        let mut failures = Vec::new();
        let statements = self.0.statements();
        for statement in statements {
            let quote = self.0.note().slice(statement.span);
            for text in [statement.words.as_str(), quote] {
                let report = self.check(text, statement);
                let verdicts: Vec<&str> = report.sentences().iter().map(|one| one.verdict().as_str()).collect();
                if verdicts != ["quoted"] {
                    failures.push(format!("{} {:?} {verdicts:?}: {text:?}", self.0.note().path(), statement.kind));
                }
            }
        }
        (statements.len(), failures)
    }
}

impl Evidence for OneNote {
    fn resolve_id(&self, id: &ClaimId) -> CitationResolution {
        let found = self.0.statements().iter().find(|statement| statement.id == id.statement());
        let Some(found) = found else { return CitationResolution::Failed(CitationFailure::UnknownId) };
        match anchor_span(&self.0, found.span).recheck(&self.0) {
            Ok(place) => CitationResolution::Resolved(CitedPassage::from_rechecked(&place)),
            Err(_) => CitationResolution::Failed(CitationFailure::Changed(SourceChange::Gone)),
        }
    }

    fn resolve_handle(&self, _: &str) -> CitationResolution {
        CitationResolution::Failed(CitationFailure::UnknownId)
    }
}

fn collect_notes(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => collect_notes(&path, found),
            false if path.extension().is_some_and(|ending| ending == "md") => found.push(path),
            false => {}
        }
    }
}

#[test]
fn every_statement_of_every_fixture_is_quoted_by_its_own_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in ["vault-example", "tests", "docs"] {
        collect_notes(&root.join(folder), &mut paths);
    }
    let (mut count, mut failures) = (0, Vec::new());
    for path in paths {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let (statements, failed) = OneNote::new(name, &text).failures();
        count += statements;
        failures.extend(failed);
    }
    assert!(count > 4_000, "only {count} statements were looked at");
    let shown: Vec<&String> = failures.iter().take(40).collect();
    assert!(failures.is_empty(), "{} of {count} statements: {shown:#?}", failures.len());
}

#[test]
fn whatever_form_a_statement_has() {
    let text = "---\nstatus: active. Not yet! Or?\ntags: [a]\nplaces:\n  - Lyon\n  - Nimes. By the sea\n---\n# Log\n\n\
        **Dr. No. 5**: it was bought, but it isn't used. \u{2022} Second. Third one?\n\n\
        - **Price**: 40 euros. Per month!\n  - [ ] Call Anna. Then Ben?\n  - [x] Ask \"why. not\"? OK\n- 1984. A year\n\
        - owner:: Sam. Maybe\n\n| Name | Says |\n|---|---|\n| Ben | Go. Now! Or \\| never |\n| Cora | ? |\n\n\
        > He said. \"Stop!\" And left\n> again\n\n```sh\n# build it\nmake all  # now. Then wait\n    ./run *a* _b_ <c>\n```\n\n\
        We met [at. the! mill](x.md) and `a. b` cites [claim:7h3kq0v9x2ma]. Later.\n\n\
        Use `<!--` to open. \\*Not\\* bold, 2 * 3 * 4 and snake_case_name. A [[Note|shown. Here]] too.\n\n\
        1. One. Two\n2) Three\n\n\u{7d42}\u{308f}\u{308a}\u{3002}\u{59cb}\u{307e}\u{308a}\u{3002}\n\n[^1]: A footnote. With two.\n";
    let (count, failures) = OneNote::new("Log.md", text).failures();
    assert!(count > 20, "{count}");
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn statements_one_after_another_are_as_many_sentences() {
    let text = "Anna left. Ben came, but he isn't here! Why?\n\n- **Dr. No. 5**: bought\n\n| a. b | c |\n|---|---|\n| d. e! f | g |\n";
    let note = OneNote::new("Log.md", text);
    let statements = note.0.statements();
    for between in [" ", "\n", "\n\n", "\n- ", ".\n\n1. "] {
        let cited = |statement: &Statement| format!("{} [claim:{}]", statement.words, statement.id);
        let draft = statements.iter().map(cited).collect::<Vec<_>>().join(between);
        let report = check_draft(&draft, &note);
        let said: Vec<(&str, &str)> =
            report.sentences().iter().map(|one| (one.verdict().as_str(), one.text())).collect();
        let expect: Vec<(&str, &str)> =
            statements.iter().map(|statement| ("quoted", statement.words.as_str())).collect();
        assert_eq!(said, expect, "{draft:?}");
    }
}

/// What denies a statement stands in front of it, and is not cut off.
#[test]
fn what_is_said_of_a_statement_stays_with_it() {
    let note = OneNote::new("Log.md", "Anna left Acme in May.\n");
    let [anna] = note.0.statements() else { panic!("one statement") };
    for draft in [
        "It is not true that Anna left Acme in May.",
        "It is not true that\nAnna left Acme in May.",
        "Nobody believes: Anna left Acme in May.",
        "- It is false that\n  Anna left Acme in May.",
        "He denies what Dr. Anna left Acme in May.",
        "Not [x] Anna left Acme in May.",
        "**Wrong** Anna left Acme in May.",
    ] {
        let report = note.check(draft, anna);
        let quoted = report.sentences().iter().filter(|one| one.text() == "Anna left Acme in May.").count();
        assert_eq!(quoted, 0, "{draft:?}: {:?}", report.sentences().iter().map(|one| one.text()).collect::<Vec<_>>());
    }
    // Code holds no citations, whatever stands in it.
    for draft in ["```\nAnna left Acme in May. [claim:ID]\n```", "`Anna left Acme in May. [claim:ID]`"] {
        let report = check_draft(&draft.replace("ID", anna.id.as_str()), &note);
        assert!(report.sentences().iter().all(|one| one.verdict() == SentenceVerdict::Uncited), "{draft:?}");
    }
    let twice = format!("Ben came. Anna left Acme in May. [claim:{}]. Cora sings.", anna.id);
    let verdicts: Vec<&str> = check_draft(&twice, &note).sentences().iter().map(|one| one.verdict().as_str()).collect();
    assert_eq!(verdicts, ["uncited", "quoted", "uncited"]);
}
