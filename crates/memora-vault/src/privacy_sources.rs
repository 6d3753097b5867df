//! Finds reasons to guard beyond privacy marks: comments in properties, credentials in properties and in names.
//!
//! Invariant: **a property is guarded as a whole**, its key and every value in it. Claims are made of its single
//! values, and if one value of a list is hidden, the others must not reveal which one.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use crate::band_reasons::BandReason;
use crate::credentials::find_credentials;
use crate::{Band, CredentialKind, NotePath, privacy_markers};

/// A comment in the front matter. It hides only its own property, closed or not.
pub(crate) struct PropertyComment {
    pub(crate) range: Range<usize>,
    pub(crate) closed: bool,
}

/// Finds the comments in the bytes of a property, privacy markers excluded.
pub(crate) fn find_property_comments(text: &str, property: &Range<usize>) -> Vec<PropertyComment> {
    let raw = text.get(property.clone()).unwrap_or_default();
    let mut markers = privacy_markers::find_privacy_markers(raw).into_iter().map(|marker| marker.range).peekable();
    let mut found = Vec::new();
    let mut at = 0;
    for start in memchr::memchr2_iter(b'%', b'<', raw.as_bytes()) {
        let rest = raw.get(start..).unwrap_or_default();
        let close = if rest.starts_with("%%") { "%%" } else { "-->" };
        let opens = if close == "%%" { "%%" } else { "<!--" };
        if start < at || !rest.starts_with(opens) {
            continue;
        }
        while markers.next_if(|marker| marker.end <= start).is_some() {}
        if let Some(marker) = markers.peek().filter(|marker| marker.contains(&start)) {
            at = marker.end;
            continue;
        }
        let length = rest.get(opens.len()..).and_then(|rest| rest.find(close));
        at = length.map_or(raw.len(), |length| start + opens.len() + length + close.len());
        found.push(PropertyComment { range: property.start + start..property.start + at, closed: length.is_some() });
    }
    if found.is_empty() && has_opening_without_markers(raw) {
        found.push(PropertyComment { range: property.clone(), closed: false });
    }
    found
}

/// Whether a comment opens once privacy markers are removed from a text: a reader that drops them would see one.
fn has_opening_without_markers(raw: &str) -> bool {
    let mut left = String::new();
    let mut at = 0;
    for marker in privacy_markers::find_privacy_markers(raw) {
        left.push_str(raw.get(at..marker.range.start).unwrap_or_default());
        at = marker.range.end;
    }
    at > 0 && {
        left.push_str(raw.get(at..).unwrap_or_default());
        left.contains("%%") || left.contains("<!--")
    }
}

/// Finds reasons to guard a text that YAML made of a property. Usually its bytes give the same ones; not where escapes
/// are undone, lines folded, or an alias repeats text from elsewhere.
pub(crate) fn find_reasons_in_value(words: &str) -> impl Iterator<Item = (BandReason, Band)> {
    let comments = find_property_comments(words, &(0..words.len()))
        .into_iter()
        .map(|comment| (comment_reason(&comment), Band::Secret));
    let credentials = find_credentials(words).into_iter().map(|(_, kind)| (BandReason::Credential(kind), Band::Secret));
    let opened = privacy_markers::find_privacy_markers(words).into_iter().filter_map(|marker| marker.opens);
    let markers = opened.map(|band| match band {
        Ok(band) => (BandReason::Marker, band),
        Err(_) => (BandReason::UnknownMarker, Band::Secret),
    });
    comments.chain(credentials).chain(markers)
}

pub(crate) fn comment_reason(comment: &PropertyComment) -> BandReason {
    if comment.closed { BandReason::PropertyComment } else { BandReason::UnclosedPropertyComment }
}

/// Finds a credential in the name of a note or of a folder above it.
///
/// Titles appear in every line of context, so a name is as public as the note. Each name is checked alone, as it is
/// shown, and all of them together, as a password may contain a slash.
pub(crate) fn find_credential_in_name(path: &NotePath) -> Option<CredentialKind> {
    // Some file systems keep accents apart from their letters.
    let folder: String = path.folder().nfc().collect();
    let title: String = path.stem().nfc().collect();
    let whole = format!("{folder}/{title}");
    let names = folder.split('/').chain([title.as_str(), whole.as_str()]);
    names.flat_map(find_credentials).map(|(_, kind)| kind).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Note, PathContext, ProblemKind};

    /// A note with these lines as front matter and a public line below.
    #[track_caller]
    fn parse(front: &str) -> (Note, Vec<ProblemKind>) {
        let path = NotePath::new("a.md").expect("a good path");
        let (note, problems) = Note::parse(path, format!("---\n{front}\n---\nopen\n"), PathContext::default());
        (note, problems.into_iter().map(|problem| problem.kind).collect())
    }

    /// Checks the keys of the properties that are secret; everything else is public.
    #[track_caller]
    fn check(front: &str, secret: &[&str], problems: &[ProblemKind]) {
        let (note, found) = parse(front);
        let mut hidden = Vec::new();
        for property in note.properties() {
            let bytes = property.range.clone().filter(|at| note.text().is_char_boundary(*at));
            let bands: Vec<Band> = bytes.map(|at| note.band_of_range(at..at + 1)).collect();
            assert!(bands.windows(2).all(|two| two[0] == two[1]), "guarded in part: {front:?}");
            assert_eq!(note.unguarded_property(&property.key).is_none(), bands[0] > Band::Public, "{front:?}");
            hidden.extend((bands[0] == Band::Secret).then_some(property.key.as_str()));
        }
        assert_eq!(hidden, secret, "{front:?}");
        assert_eq!(found, problems, "{front:?}");
        let open = note.text().rfind("open").expect("a public line");
        assert_eq!((note.band(), note.band_of_range(open..open + 4)), (Band::Public, Band::Public), "{front:?}");
    }

    #[test]
    fn a_property_with_a_comment_is_secret_and_no_other() {
        check("salary: \"%%5%%\"\ncity: Kiel", &["salary"], &[]);
        check("city: Kiel\nsalary: 5 %%or 6%%\nfood: rye", &["salary"], &[]);
        check("salary: <!-- 5 -->\ncity: Kiel", &["salary"], &[]);
        check("salary: 5 # %%guessed%%\ncity: Kiel", &["salary"], &[]);
        check("\"%%salary%%\": 5\ncity: Kiel", &["%%salary%%"], &[]);
        check("rate: 5 %\ncity: Kiel", &[], &[]);
    }

    #[test]
    fn a_comment_that_opens_around_a_marker_counts() {
        check("a: 5%<!--privacy:private--><!--/privacy-->%\ncity: Kiel", &["a"], &[ProblemKind::UnclosedComment]);
    }

    #[test]
    fn a_list_or_a_nested_value_is_guarded_as_a_whole() {
        check("pay:\n  - 4\n  - \"%%5%%\"\n  - 6\ncity: Kiel", &["pay"], &[]);
        check("pay: [4, \"%%5%%\"]\ncity: Kiel", &["pay"], &[]);
        check("pay:\n  base: 4\n  more:\n    bonus: <!-- 5 -->\ncity: Kiel", &["pay"], &[]);
        check("pay: {base: 4, \"%%bonus%%\": 5}\ncity: Kiel", &["pay"], &[]);
        check("pay: |\n  %%\n  5\n  %%\ncity: Kiel", &["pay"], &[]);
    }

    #[test]
    fn a_comment_that_is_never_closed_hides_its_property_and_not_the_note() {
        let unclosed = [ProblemKind::UnclosedComment];
        check("salary: \"%%5\"\ncity: Kiel", &["salary"], &unclosed);
        check("salary: 5 <!-- or 6\ncity: Kiel", &["salary"], &unclosed);
        check("salary: 5%%\ncity: Kiel", &["salary"], &unclosed);
        check("a: \"%%5\"\nb: Kiel\nc: \"6%%\"", &["a", "c"], &[unclosed[0], unclosed[0]]);
        check("salary: \"%%5%% %%6\"", &["salary"], &unclosed);
    }

    #[test]
    fn a_marker_in_a_property_guards_it_with_its_own_band() {
        let marked = |word: &str| parse(&format!("a: \"<!--privacy:{word}-->5<!--/privacy-->\"\nb: 6")).0;
        for (word, band) in [("secret", Band::Secret), ("private", Band::Private), ("public", Band::Public)] {
            let note = marked(word);
            let band_of = |at: usize| note.band_of_range(note.properties()[at].range.clone());
            assert_eq!((band_of(0), band_of(1)), (band, Band::Public), "{word}");
            assert_eq!(note.unguarded_property("a").is_some(), band == Band::Public, "{word}");
        }
        // In a list it guards the claims of the items beside it too: they are drawn from the same bytes.
        let (note, _) = parse("a:\n  - 4\n  - <!--privacy:secret-->5<!--/privacy-->\nb: 6");
        assert_eq!(note.band_of_range(note.properties()[0].range.clone()), Band::Secret);
    }

    #[test]
    fn what_yaml_makes_of_a_value_guards_it_too() {
        check(r#"a: "\x25\x255\x25%""#, &["a"], &[]);
        check(r#"a: "\x25%5%\x25""#, &["a"], &[]);
        check(r#"a: "\x3c!--5-->""#, &["a"], &[]);
        check(r#"a: ["4", {b: "\x25%5"}]"#, &["a"], &[ProblemKind::UnclosedComment]);
        check("a: &x \"%%5%%\"\nb: *x\nc: 6", &["a", "b"], &[]);
        check(r#"a: "\x3c!--privacy:secret-->5""#, &["a"], &[]);
        check("a: \"pass\\x77ord: hunter2x\"\nc: 6", &["a"], &[ProblemKind::Credential]);
    }

    #[test]
    fn front_matter_that_cannot_be_read_is_looked_through_too() {
        let (note, _) = parse("a: b: c\nsalary: \"%%5%%\"");
        let at = note.text().find("salary").expect("the property");
        assert_eq!(note.band_of_range(at..at + 1), Band::Secret);
    }

    #[test]
    fn labels_and_an_id_of_a_hidden_property_are_not_open() {
        let (note, _) = parse("aliases: [Quokka, \"%%Wombat%%\"]\nid: \"%%five%%\"");
        assert!(note.aliases().iter().all(|alias| alias.band == Band::Secret));
        assert_eq!(note.subject(), "a");
    }

    #[test]
    fn a_credential_in_a_name_makes_the_note_secret() {
        let token = "ghp_bbcdefghijklmnopqrstuvwxyz0123456789";
        let iban = "DE89 3704 0044 0532 0130 00";
        let decomposed: String = "パスワード：hunter2x".nfd().collect();
        let names = [
            format!("Quokka {token}.md"),
            format!("keys/{token}/Quokka.md"),
            format!("{token}/a/b.MD"),
            format!("bank/{iban}.md"),
            "cards/4111 1111 1111 1111.md".to_owned(),
            "home/Password: gullholm.md".to_owned(),
            "Password: gullholm/Router with a light.md".to_owned(),
            format!("home/{decomposed}.md"),
        ];
        for name in names {
            let path = NotePath::new(name.clone()).expect("a good path");
            let (note, problems) = Note::parse(path, "open\n".to_owned(), PathContext::default());
            assert_eq!(note.band(), Band::Secret, "{name}");
            assert_eq!(problems.iter().map(|p| (p.line, p.kind)).collect::<Vec<_>>(), [(1, ProblemKind::Credential)]);
            assert_eq!(note.band_decisions()[0].reason.code(), "credential-in-name");
        }
    }

    #[test]
    fn an_ordinary_name_is_none() {
        for name in [
            "Passwords.md",
            "security/Password: reset.md",
            "security/How tokens work.md",
            "2024/03/2024-03-12.md",
            "zettel/202403121530 Card.md",
            "ghp_ and other prefixes.md",
            "Password manager/Setup.md",
        ] {
            let path = NotePath::new(name).expect("a good path");
            assert_eq!(find_credential_in_name(&path), None, "{name}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(2_000))]

        /// However a property is written: if a reader of its bytes or of its value meets a comment, it is secret.
        #[test]
        fn no_value_with_a_comment_is_open(
            parts in proptest::collection::vec(proptest::sample::select(vec![
                "a: ", "b: ", "\nc: ", "\nd:\n", "  - ", "\n", "%", "%%", "\\x25", "\"", "'", "<!--", "-->", "\\x3c!--",
                "[", "]", "{k: ", "}", ", ", "&x ", "*x", "# ", "word é", "5", "|\n  ", ">-\n  ",
                "<!--privacy:private-->", "<!--/privacy-->",
            ]), 0..20),
        ) {
            let (note, _) = parse(&parts.concat());
            for property in note.properties() {
                let raw = note.text().get(property.range.clone()).expect("on character boundaries");
                let said = [property.value.scalar_strings(), vec![raw.to_owned(), property.key.clone()]].concat().join("\n");
                // What is left is no marker.
                let said = said.replace("<!--privacy:private-->", "").replace("<!--/privacy-->", "");
                if said.contains("%%") || said.contains("<!--") {
                    assert_eq!(note.band_of_range(property.range.clone()), Band::Secret, "{:?}", note.text());
                }
            }
        }
    }
}
