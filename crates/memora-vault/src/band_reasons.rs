//! Explains why text is guarded: each decision about a band, and what caused it.
//!
//! Invariant: **nothing here decides.** `privacy` computes the bands, and this module records its reasons, so that they
//! can be explained. A test compares the two, byte by byte.

use std::ops::Range;

use crate::{Band, CredentialKind};

/// A decision to treat something as private or secret.
///
/// Holds positions, no text; the text shown for it is cut out of the note, and is as guarded as the note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BandDecision {
    /// Why.
    pub reason: BandReason,
    /// The band that it asks for. The strictest of several counts.
    pub band: Band,
    /// The bytes that it guards; `None` for the whole note.
    pub range: Option<Range<usize>>,
    /// The bytes that cause it: a property's line, a tag, an opening marker. Empty where the note does not contain it.
    pub said: Range<usize>,
}

/// Why text is guarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BandReason {
    /// The place of the note; [`Vault::place_reasons`](crate::Vault::place_reasons) says which rule it is.
    Place,
    /// A `privacy` property, on a line of its own or nested.
    Property,
    /// A `privacy` property with a word that names no band.
    UnknownProperty,
    /// A tag, wherever it stands.
    Tag,
    /// Front matter that can't be read, and has the band's word somewhere.
    UnreadableFrontMatter,
    /// A pair of markers.
    Marker,
    /// An opening marker with a word that names no band.
    UnknownMarker,
    /// An opening marker that is never closed.
    UnclosedMarker,
    /// A comment.
    Comment,
    /// A comment that is never closed.
    UnclosedComment,
    /// A comment in a property, for all of the property.
    PropertyComment,
    /// A comment in a property that is not closed there, likewise.
    UnclosedPropertyComment,
    /// What looks like a password, a key or an account number.
    Credential(CredentialKind),
    /// The same in the name of the note or of a folder above it, for the whole note.
    NameCredential(CredentialKind),
    /// The siblings and children of guarded text in a list item or a callout.
    GuardedParent,
    /// A footnote that only guarded text refers to.
    Footnote,
}

impl BandReason {
    /// A stable name for machines, such as `unclosed-marker`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Place => "place",
            Self::Property => "property",
            Self::UnknownProperty => "unknown-property",
            Self::Tag => "tag",
            Self::UnreadableFrontMatter => "unreadable-front-matter",
            Self::Marker => "marker",
            Self::UnknownMarker => "unknown-marker",
            Self::UnclosedMarker => "unclosed-marker",
            Self::Comment => "comment",
            Self::UnclosedComment => "unclosed-comment",
            Self::PropertyComment => "property-comment",
            Self::UnclosedPropertyComment => "property-comment-unclosed",
            Self::Credential(_) => "credential",
            Self::NameCredential(_) => "credential-in-name",
            Self::GuardedParent => "under",
            Self::Footnote => "footnote",
        }
    }
}

/// Collects decisions while a note's bands are computed.
#[derive(Default)]
pub(crate) struct BandDecisions(Vec<BandDecision>);

impl BandDecisions {
    /// Records a decision about the whole note.
    pub(crate) fn add_for_note(&mut self, reason: BandReason, band: Band, said: Range<usize>) {
        self.add_if_guarded(BandDecision { reason, band, range: None, said });
    }

    /// Records a decision about a part of it.
    pub(crate) fn add_for_range(&mut self, reason: BandReason, band: Band, range: Range<usize>, said: Range<usize>) {
        self.add_if_guarded(BandDecision { reason, band, range: Some(range), said });
    }

    fn add_if_guarded(&mut self, guard: BandDecision) {
        if guard.band > Band::Public {
            self.0.push(guard);
        }
    }

    /// Sorts and deduplicates: decisions about the whole note first, then by position.
    pub(crate) fn into_sorted(mut self) -> Vec<BandDecision> {
        let place = |guard: &BandDecision| (guard.range.is_some(), guard.said.start, guard.said.end, guard.band);
        self.0.sort_by_key(place);
        self.0.dedup();
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Note, NotePath, PathContext};

    fn parse(text: &str, band: Band) -> Note {
        named("a.md", text, band)
    }

    fn named(name: &str, text: &str, band: Band) -> Note {
        let path = NotePath::new(name).expect("a good path");
        Note::parse(path, text.to_owned(), PathContext { band, ..PathContext::default() }).0
    }

    /// Checks the decisions of a note: code, band, first line, and the words that say it.
    #[track_caller]
    fn check(text: &str, expect: &[(&str, Band, usize, &str)]) {
        let note = parse(text, Band::Public);
        let line = |guard: &BandDecision| note.line_column(guard.said.start).line;
        let said =
            |guard: &BandDecision| note.text().get(guard.said.clone()).expect("on character boundaries").to_owned();
        let found: Vec<_> = note
            .band_decisions()
            .iter()
            .map(|guard| (guard.reason.code(), guard.band, line(guard), said(guard)))
            .collect();
        let found: Vec<_> = found.iter().map(|(code, band, line, said)| (*code, *band, *line, said.as_str())).collect();
        assert_eq!(found, expect, "{text:?}");
    }

    #[test]
    fn a_public_note_has_none() {
        check("---\nprivacy: public\ntags: [work]\n---\nAnna. <!--privacy:public-->Kiel.<!--/privacy-->\n", &[]);
    }

    #[test]
    fn properties_and_tags_are_told_with_their_lines() {
        let (secret, private) = (Band::Secret, Band::Private);
        check("---\na: 1\nprivacy: secret\n---\nx", &[("property", secret, 3, "privacy: secret")]);
        check("---\nprivacy: sekret # x\n---\nx", &[("unknown-property", secret, 2, "privacy: sekret # x")]);
        check("---\nmeta:\n  - privacy: private\n---\nx", &[("property", private, 3, "- privacy: private")]);
        check("---\ntags:\n  - a\n  - secret/work\n---\nx", &[("tag", secret, 4, "secret/work")]);
        check("---\r\ntags: [a, private]\r\n---\r\nx", &[("tag", private, 2, "private")]);
        check("x\n\ny #secret/a z\n", &[("tag", secret, 3, "#secret/a")]);
        check("x\n\n~~old #private~~\n", &[("tag", private, 3, "#private")]);
        check(
            "---\nprivacy: private\n---\nx #secret",
            &[("property", private, 2, "privacy: private"), ("tag", secret, 4, "#secret")],
        );
    }

    #[test]
    fn front_matter_that_cannot_be_read_is_told() {
        let front = "---\na: b: c\nx: secret\n---\n";
        check(&format!("{front}x"), &[("unreadable-front-matter", Band::Secret, 1, front)]);
        check("---\nprivacy: secret\n\nx", &[("property", Band::Secret, 2, "privacy: secret")]);
        check("\n---\nprivacy: secret\n---\nx", &[("property", Band::Secret, 3, "privacy: secret")]);
    }

    #[test]
    fn markers_and_comments_are_told_with_what_they_guard() {
        let secret = Band::Secret;
        let opens = "<!--privacy:secret-->";
        check(&format!("a\n{opens}b\nc<!--/privacy--> d"), &[("marker", secret, 2, opens)]);
        check(&format!("a\n\n{opens}\nb"), &[("unclosed-marker", secret, 3, opens)]);
        let unknown = "<!--privacy:sekret-->";
        check(&format!("{unknown}b<!--/privacy-->"), &[("unknown-marker", secret, 1, unknown)]);
        check("a %%b%% c", &[("comment", secret, 1, "%%b%%")]);
        check("a\n\n%%b\n\nc", &[("unclosed-comment", secret, 3, "%%b\n\nc")]);
        check("a <!-- b --> c", &[("comment", secret, 1, "<!-- b -->")]);
        let note = parse(&format!("a\n{opens}b\nc<!--/privacy--> d"), Band::Public);
        assert_eq!(note.band_decisions()[0].range, Some(2..note.text().len() - 2));
    }

    #[test]
    fn credentials_items_and_footnotes_are_told() {
        let iban = "DE89 3704 0044 0532 0130 00";
        let note = parse(&format!("a\n\nIBAN: {iban}\n"), Band::Public);
        let guard = &note.band_decisions()[0];
        assert_eq!(guard.reason, BandReason::Credential(CredentialKind::Iban));
        assert_eq!(note.text().get(guard.said.clone()), Some(iban));
        let s = "<!--privacy:secret-->Pay[^1]<!--/privacy-->";
        let note = parse(&format!("- {s}\n  - ninety\n\n[^1]: x\n"), Band::Public);
        let codes: Vec<_> = note.band_decisions().iter().map(|guard| guard.reason.code()).collect();
        assert_eq!(codes, ["marker", "under", "footnote"]);
    }

    #[test]
    fn the_place_comes_first() {
        let note = parse("x #secret", Band::Private);
        let codes: Vec<_> = note.band_decisions().iter().map(|guard| (guard.reason.code(), guard.band)).collect();
        assert_eq!(codes, [("place", Band::Private), ("tag", Band::Secret)]);
    }

    #[test]
    fn a_hidden_property_is_told_with_its_comment_and_a_name_without_a_word() {
        let text = "---\na: 1\npay:\n  - 4\n  - \"%%5%%\"\n---\nx";
        check(text, &[("property-comment", Band::Secret, 5, "%%5%%")]);
        let guarded = parse(text, Band::Public).band_decisions()[0].range.clone().and_then(|range| text.get(range));
        assert_eq!(guarded, Some("pay:\n  - 4\n  - \"%%5%%\""));
        check("---\npay: <!-- 5\n---\nx", &[("property-comment-unclosed", Band::Secret, 2, "<!-- 5")]);
        let escaped = r#"pay: "\x25%5""#;
        check(&format!("---\n{escaped}\n---\nx"), &[("property-comment-unclosed", Band::Secret, 2, escaped)]);
        let note = named("Quokka ghp_bbcdefghijklmnopqrstuvwxyz0123456789.md", "open", Band::Private);
        let told: Vec<_> =
            note.band_decisions().iter().map(|guard| (guard.reason.code(), guard.said.clone())).collect();
        assert_eq!(told, [("place", 0..0), ("credential-in-name", 0..0)]);
    }

    /// What is told accounts for the band of the note and of every byte of it, and for nothing more.
    #[track_caller]
    fn account(name: &str, text: &str, place: Band) {
        let note = named(name, text, place);
        let of_note = note.band_decisions().iter().filter(|guard| guard.range.is_none());
        let of_note = of_note.fold(Band::Public, |band, guard| band.join(guard.band));
        assert_eq!(of_note, note.band(), "{text:?}");
        for (at, c) in text.char_indices() {
            let here = at..at + c.len_utf8();
            let touching = |guard: &&BandDecision| guard.range.as_ref().is_some_and(|range| range.contains(&at));
            let told = note.band_decisions().iter().filter(touching).fold(of_note, |band, guard| band.join(guard.band));
            assert_eq!(told, note.band_of_range(here), "byte {at} of {text:?}");
        }
        for guard in note.band_decisions() {
            assert!(text.get(guard.said.clone()).is_some(), "{guard:?} of {text:?}");
        }
    }

    proptest::proptest! {
        // With fewer, footnotes that only guarded text refers to are hardly ever met.
        #![proptest_config(proptest::test_runner::Config::with_cases(8_000))]

        #[test]
        fn every_band_is_accounted_for(
            // Front matter that can be read is hardly ever met by chance.
            front in proptest::collection::vec(proptest::sample::select(vec![
                "a: 1\n", "b: \"%%5%%\"\n", "c:\n  - 4\n  - 5 %%\n", "d: <!-- 5 -->\n", "e: \"\\x25%5\"\n",
                "f: <!--privacy:private-->5<!--/privacy-->\n", "g: &x \"password:\n  hunter22x\"\n", "h: *x\n",
                "privacy: private\n", "i: \"\\x3c!--privacy:private-->5\"\n", "# %%\n", "j: x <!--\n",
            ]), 0..6),
            parts in proptest::collection::vec(proptest::sample::select(vec![
                "---\n", "\n", "\n\n", "privacy: secret\n", "privacy: nobody\n", "tags: [a, private]\n", "tags:\n- secret\n",
                "meta: {privacy: private}\n", "a: b: c\n", " ", "word é ", "#secret ", "#private/x ", "%%", "<!--", "-->",
                "<!--privacy:secret-->", "<!--privacy:private-->", "<!--privacy:x-->", "<!--privacy:", "<!--/privacy-->",
                "`", "```\n", "- ", "  - ", "> [!note] ", "[^1]", "[^1]: ", "# ", "| a | b |\n|---|---|\n", "~~",
                "password: hunter22x\n", "DE89 3704 0044 0532 0130 00 ",
            ]), 0..24),
            name in proptest::sample::select(vec!["a.md", "b/a.md", "DE89 3704 0044 0532 0130 00/a.md"]),
            place in proptest::sample::select(vec![Band::Public, Band::Private, Band::Secret]),
        ) {
            let front = if front.is_empty() { String::new() } else { format!("---\n{}---\n", front.concat()) };
            account(name, &(front + &parts.concat()), place);
        }
    }
}
