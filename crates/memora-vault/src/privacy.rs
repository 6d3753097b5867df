//! Computes which bytes of a note are guarded.
//!
//! Everything here fails closed: an unclosed marker reaches to the end of the file, an unknown word is secret, front
//! matter that cannot be read and says "secret" anywhere makes its note secret.

use std::ops::Range;

use crate::band_map::BandMap;
use crate::band_reasons::{BandDecisions, BandReason};
use crate::frontmatter::FrontMatter;
use crate::markdown::NoteBody;
use crate::privacy_markers::{PrivacyMarker, band_of_tag, find_all_markers};
use crate::problem::ProblemCollector;
use crate::{Band, NotePath, ProblemKind, credentials, footnotes, privacy_sources};

/// Computes the band of every byte of a note.
pub(crate) fn compute_bands(
    path: &NotePath,
    text: &str,
    place: Band,
    front: &FrontMatter,
    body: &NoteBody,
    tags: &[(String, Range<usize>)],
    problems: &mut ProblemCollector<'_>,
) -> BandMap {
    let mut guards = BandDecisions::default();
    let mut note = place;
    guards.add_for_note(BandReason::Place, place, 0..0);
    if let Some(kind) = privacy_sources::find_credential_in_name(path) {
        problems.report_at(0, ProblemKind::Credential);
        guards.add_for_note(BandReason::NameCredential(kind), Band::Secret, 0..0);
        note = Band::Secret;
    }
    for said in &front.privacy {
        let band = Band::parse(&said.word);
        if band.is_err() {
            problems.report_at(said.range.start, ProblemKind::UnknownBand);
        }
        let reason = match band {
            Err(_) => BandReason::UnknownProperty,
            Ok(_) if said.by_tag => BandReason::Tag,
            Ok(_) => BandReason::Property,
        };
        let band = band.unwrap_or(Band::Secret);
        guards.add_for_note(reason, band, said.range.clone());
        note = note.join(band);
    }
    if front.broken {
        let raw = text.get(front.range.clone()).unwrap_or_default().to_lowercase();
        let says = |word: &str| raw.contains(word);
        let band = if says("secret") || says("confidential") {
            Band::Secret
        } else if says("private") {
            Band::Private
        } else {
            Band::Public
        };
        guards.add_for_note(BandReason::UnreadableFrontMatter, band, front.range.clone());
        note = note.join(band);
    }
    for (tag, range) in tags.iter().chain(&body.find_hidden_tags(text)) {
        let Some(band) = band_of_tag(tag) else { continue };
        // Those of the front matter were told above, with their own bytes.
        if range.start >= front.body_start {
            guards.add_for_note(BandReason::Tag, band, range.clone());
        }
        note = note.join(band);
    }

    let mut ranges: Vec<(Range<usize>, Band)> = Vec::new();
    for range in &body.comments {
        let reason = match is_closed_comment(text, range) {
            true => BandReason::Comment,
            false => BandReason::UnclosedComment,
        };
        guards.add_for_range(reason, Band::Secret, range.clone(), range.clone());
        ranges.push((range.clone(), Band::Secret));
    }
    for property in &front.entries {
        for comment in privacy_sources::find_property_comments(text, property) {
            if !comment.closed {
                problems.report_at(comment.range.start, ProblemKind::UnclosedComment);
            }
            guards.add_for_range(
                privacy_sources::comment_reason(&comment),
                Band::Secret,
                property.clone(),
                comment.range,
            );
            ranges.push((property.clone(), Band::Secret));
        }
    }
    for (range, kind) in credentials::find_credentials(text) {
        problems.report_at(range.start, ProblemKind::Credential);
        guards.add_for_range(BandReason::Credential(kind), Band::Secret, range.clone(), range.clone());
        ranges.push((range, Band::Secret));
    }
    guard_marked(text, front.body_start, &mut ranges, &mut guards, problems);
    let mut bands = BandMap::new(note, ranges);
    bands = guard_property_values(bands, front, &mut guards, problems);
    let under = body.under.iter().map(|(words, block)| (block.clone(), bands.band_of_range(words.clone())));
    let under: Vec<_> = under.collect();
    for ((words, _), (block, band)) in body.under.iter().zip(&under) {
        if *band == note || bands.is_covered(block, *band) {
            continue;
        }
        guards.add_for_range(BandReason::GuardedParent, *band, block.clone(), words.clone());
    }
    bands = bands.with_ranges(under);
    let footnotes = footnotes::bands_of_footnotes(&bands, text, body);
    let guarded = body.footnotes.iter().filter_map(|(label, at)| Some((at.clone(), *footnotes.get(label)?)));
    let guarded: Vec<_> = guarded.collect();
    for (range, band) in guarded.iter().filter(|(range, band)| *band > note && !bands.is_covered(range, *band)) {
        guards.add_for_range(BandReason::Footnote, *band, range.clone(), range.clone());
    }
    bands.with_ranges(guarded).with_decisions(guards.into_sorted())
}

/// Guards all bytes of a property by what YAML made of it, unless the bytes are already guarded.
fn guard_property_values(
    bands: BandMap,
    front: &FrontMatter,
    guards: &mut BandDecisions,
    problems: &mut ProblemCollector<'_>,
) -> BandMap {
    let unsaid = front.guarded.iter().filter(|(property, _, band)| bands.band_of_range(property.clone()) < *band);
    let unsaid: Vec<_> = unsaid.collect();
    for (property, reason, band) in &unsaid {
        match reason {
            BandReason::UnclosedPropertyComment => problems.report_at(property.start, ProblemKind::UnclosedComment),
            BandReason::UnknownMarker => problems.report_at(property.start, ProblemKind::UnknownBand),
            BandReason::Credential(_) => problems.report_at(property.start, ProblemKind::Credential),
            _ => {}
        }
        guards.add_for_range(*reason, *band, property.clone(), property.clone());
    }
    let ranges = unsaid.into_iter().map(|(property, _, band)| (property.clone(), *band)).collect();
    bands.with_ranges(ranges)
}

/// Guards what stands between privacy markers or behind one that is never closed; in a note with the marks of a merge also in front of one
/// that closes nothing: both sides may have had it, and one that opens.
fn guard_marked(
    text: &str,
    body_start: usize,
    ranges: &mut Vec<(Range<usize>, Band)>,
    guards: &mut BandDecisions,
    problems: &mut ProblemCollector<'_>,
) {
    let mut open: Vec<PrivacyMarker> = Vec::new();
    let is_merged = text.lines().any(|line| line.starts_with("<<<<<<<"));
    let mut last_end = body_start;
    for marker in find_all_markers(text) {
        let behind_last = std::mem::replace(&mut last_end, marker.range.end.max(body_start));
        if marker.is_odd {
            problems.report_at(marker.range.start, ProblemKind::OddPrivacyMarker);
        }
        if let Some(band) = marker.opens {
            if band.is_err() {
                problems.report_at(marker.range.start, ProblemKind::UnknownBand);
            }
            open.push(marker);
            continue;
        }
        let ended = open.pop_if(|opened| opened.is_odd || !marker.is_odd);
        let Some((said, band)) = ended.and_then(|opened| Some((opened.range, opened.opens?))) else {
            problems.report_at(marker.range.start, ProblemKind::StrayPrivacyClose);
            if is_merged {
                let guarded = behind_last.min(marker.range.start)..marker.range.end;
                guards.add_for_range(BandReason::UnclosedMarker, Band::Secret, guarded.clone(), marker.range);
                ranges.push((guarded, Band::Secret));
            }
            continue;
        };
        let guarded = said.start..marker.range.end;
        let reason = if band.is_ok() { BandReason::Marker } else { BandReason::UnknownMarker };
        let band = band.unwrap_or(Band::Secret);
        guards.add_for_range(reason, band, guarded.clone(), said);
        ranges.push((guarded, band));
    }
    for (said, band) in open.into_iter().filter_map(|opened| Some((opened.range, opened.opens?))) {
        problems.report_at(said.start, ProblemKind::UnclosedPrivacyMarker);
        let guarded = said.start..text.len();
        if band.is_err() {
            guards.add_for_range(BandReason::UnknownMarker, Band::Secret, guarded.clone(), said.clone());
        }
        let band = band.unwrap_or(Band::Secret);
        guards.add_for_range(BandReason::UnclosedMarker, band, guarded.clone(), said);
        ranges.push((guarded, band));
    }
}

/// Whether a comment ends before the note does.
fn is_closed_comment(text: &str, comment: &Range<usize>) -> bool {
    let inside = |comment: &str, opens: &str, closes: &str| comment.strip_prefix(opens)?.strip_suffix(closes).map(drop);
    let comment = text.get(comment.clone()).unwrap_or_default();
    inside(comment, "%%", "%%").or_else(|| inside(comment, "<!--", "-->")).is_some()
}

#[cfg(test)]
mod tests {
    use crate::{Band, Note, NotePath, PathContext, ProblemKind};

    /// Checks the band of `word` in a note, and the problems found.
    fn check(text: &str, word: &str, band: Band, problems: &[ProblemKind]) {
        let path = NotePath::new("a.md").expect("a good path");
        let (note, found) = Note::parse(path, text.to_owned(), PathContext::default());
        let at = text.find(word).expect("the word stands in the note");
        assert_eq!(note.band_of_range(at..at + word.len()), band, "{text:?}");
        assert_eq!(found.iter().map(|p| p.kind).collect::<Vec<_>>(), problems, "{text:?}");
    }

    #[test]
    fn a_marker_guards_what_is_between() {
        let text = "a <!--privacy:secret-->b<!--/privacy--> c";
        check(text, "b", Band::Secret, &[]);
        check(text, " c", Band::Public, &[]);
        check("a <!-- Privacy: private -->b<!-- /privacy --> c", "b", Band::Private, &[]);
    }

    #[test]
    fn a_third_hyphen_in_a_marker_is_forgiven() {
        let text = "a <!--- privacy:private --->b<!--- /privacy ---> c";
        check(text, "b", Band::Private, &[]);
        check(text, " c", Band::Public, &[]);
        check("<!---->privacy", "privacy", Band::Public, &[]);
    }

    #[test]
    fn nested_is_the_stricter() {
        let text = "<!--privacy:secret-->a<!--privacy:private-->b<!--/privacy-->c<!--/privacy-->d";
        check(text, ">b<", Band::Secret, &[]);
        check(text, ">c<", Band::Secret, &[]);
        let text = "<!--privacy:private-->one<!--privacy:secret-->two<!--/privacy-->x<!--/privacy-->y";
        check(text, "one", Band::Private, &[]);
        check(text, "two", Band::Secret, &[]);
    }

    #[test]
    fn what_is_never_closed_reaches_to_the_end() {
        check(
            "a\n\n<!--privacy:secret-->\nb\n\n# c\n\nlast",
            "last",
            Band::Secret,
            &[ProblemKind::UnclosedPrivacyMarker],
        );
        check("a %%b\n\nlast", "last", Band::Secret, &[ProblemKind::UnclosedComment]);
        let broken = [ProblemKind::UnknownBand, ProblemKind::UnclosedPrivacyMarker];
        check("a <!--privacy:secret\n\nlast", "last", Band::Secret, &broken);
    }

    #[test]
    fn an_unknown_word_is_secret() {
        check("---\nprivacy: confidental\n---\nx", "x", Band::Secret, &[ProblemKind::UnknownBand]);
        check("---\nprivacy:\n---\nx", "x", Band::Secret, &[ProblemKind::UnknownBand]);
        check("<!--privacy:secrte-->x<!--/privacy-->", "x", Band::Secret, &[ProblemKind::UnknownBand]);
    }

    #[test]
    fn the_stricter_of_two_properties_counts_though_the_first_is_the_value() {
        let text = "---\nprivacy: public\nprivacy: secret\n---\nx";
        check(text, "x", Band::Secret, &[ProblemKind::DuplicateProperty]);
    }

    #[test]
    fn front_matter_that_cannot_be_read_still_guards() {
        check("---\na: b: c\nprivacy: secret\n---\nx", "x", Band::Secret, &[ProblemKind::BadYaml]);
        check("---\nprivacy: secret\n\nx", "x", Band::Secret, &[ProblemKind::UnclosedFrontMatter]);
    }

    #[test]
    fn front_matter_guards_however_it_is_written() {
        for front in [
            "{privacy: secret, a: b}",
            "? privacy\n: secret",
            "a: 1\n? privacy\n: secret",
            " privacy: secret\n a: b",
            "privacy:secret\na: 1",
            "privacy:\u{a0}secret\na: 1",
            "<<: {privacy: secret}",
            "meta:\n  - privacy: secret",
            "tags: [a]\ntags: [secret]",
            "tags: [[secret]]",
            "{tags: [a, secret/b]}",
        ] {
            for text in [format!("---\n{front}\n---\nx"), format!("---\n{front}\n---\nx").replace('\n', "\r")] {
                let (note, _) = Note::parse(NotePath::new("a.md").expect("a good path"), text, PathContext::default());
                assert_eq!(note.band(), Band::Secret, "{:?}", note.text());
            }
        }
        let lax = "---\nyoutube:\n  privacy: unlisted\ntags: [not-secret, work/secret]\n---\nx";
        check(lax, "x", Band::Public, &[]);
    }

    #[test]
    fn front_matter_that_is_none_still_guards() {
        check("---\ntags: [secret]\n\nx", "x", Band::Secret, &[ProblemKind::UnclosedFrontMatter]);
        let displaced = [ProblemKind::DisplacedFrontMatter];
        check("\n---\nprivacy: secret\n---\nx", "x", Band::Secret, &displaced);
        check("\u{feff}\u{feff}---\ntags:\n- secret\n---\nx", "x", Band::Secret, &displaced);
        check("\n---\n\nOn privacy: it is dear.\n", "dear", Band::Public, &[]);
    }

    #[test]
    fn tags_guard_the_whole_note() {
        check("---\ntags: [secret/work]\n---\nx", "x", Band::Secret, &[]);
        check("x #Private", "x", Band::Private, &[]);
        check("`#private` x", "x", Band::Public, &[]);
        check("x \u{ff03}secret", "x", Band::Secret, &[]);
    }

    #[test]
    fn tags_in_comments_and_struck_out_guard_too() {
        check("x %%#secret%%", "x", Band::Secret, &[]);
        check("x <!-- #secret -->", "x", Band::Secret, &[]);
        check("x ~~#private~~", "x", Band::Private, &[]);
        check("x <s>a #private</s>", "x", Band::Private, &[]);
        check("x %%#todo `#secretive`%% <s>y", "x", Band::Public, &[]);
    }

    #[test]
    fn a_mark_of_code_in_a_comment_hides_no_later_comment() {
        check("%% it's a ` tick %% shown %%hidden%% and ` end", "hidden", Band::Secret, &[]);
        check("%%\n```\n%%\n\nshown\n\n%%hidden%% x", "hidden", Band::Secret, &[]);
        check("%% a %% `%%` shown `%%` b", "shown", Band::Public, &[]);
    }

    #[test]
    fn what_stands_under_guarded_words_is_guarded() {
        let s = "<!--privacy:secret-->Pay<!--/privacy-->";
        check(&format!("> [!note] {s}\n> ninety\n\nopen"), "ninety", Band::Secret, &[]);
        check(&format!("> [!note] {s}\n> ninety\n\nopen"), "open", Band::Public, &[]);
        check(&format!("- pay:: {s}\n  - ninety\n- open"), "ninety", Band::Secret, &[]);
        check(&format!("- pay:: {s}\n  - ninety\n- open"), "open", Band::Public, &[]);
        check(&format!("- {s}\n\n  | a | b |\n  |---|---|\n  | ninety | x |"), "ninety", Band::Secret, &[]);
        check("- a %%hidden%%\n  - open", "open", Band::Public, &[]);
    }

    #[test]
    fn a_footnote_is_as_guarded_as_what_refers_to_it() {
        check("<!--privacy:secret-->Pay[^1]<!--/privacy-->\n\n[^1]: ninety", "ninety", Band::Secret, &[]);
        check("<!--privacy:secret-->Pay[^1]<!--/privacy-->\n\nopen[^1]\n\n[^1]: x", "x", Band::Public, &[]);
        check("[^1]: alone", "alone", Band::Public, &[]);
    }

    #[test]
    fn guarded_places_name_nothing_outside() {
        let (note, _) = Note::parse(
            NotePath::new("a.md").expect("a good path"),
            "---\nid: one # <!--privacy:secret--><!--/privacy-->\n---\nSee [x][r] and [y](Open.md).\n\n\
             <!--privacy:secret-->\n^pay-ninety\n\n[r]: Pay.md\n<!--/privacy-->\n\nMore. ^more\n"
                .to_owned(),
            PathContext::default(),
        );
        assert_eq!(note.links().iter().map(|link| link.target.as_str()).collect::<Vec<_>>(), ["Open.md"]);
        assert_eq!(note.block_ids().iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["more"]);
        let ids: Vec<_> = note.segments().iter().map(|segment| segment.block_id.as_deref()).collect();
        assert_eq!(ids, [None, Some("more")]);
        assert_eq!(note.subject(), "a");
    }

    #[test]
    fn an_odd_marker_guards_and_ends_only_what_one_began() {
        let (odd, unclosed) = (ProblemKind::OddPrivacyMarker, ProblemKind::UnclosedPrivacyMarker);
        check("a <!—privacy:secret—>\n\nlast", "last", Band::Secret, &[odd, unclosed]);
        check("a %%privacy:secret%% b %%/privacy%%\n\nlast", " b ", Band::Secret, &[odd]);
        check("a %%privacy:private%% b %%/privacy%%\n\nlast", "last", Band::Public, &[odd]);
        let stray = [odd, unclosed, ProblemKind::StrayPrivacyClose];
        check("a <!--privacy:secret--> b <!—/privacy—>\n\nlast", "last", Band::Secret, &stray);
    }

    #[test]
    fn a_guarded_heading_within_a_quotation_guards_what_stands_under_it_there() {
        let pay = "## Pay <!--privacy:secret-->x<!--/privacy-->";
        check(&format!("> {pay}\n> Ninety\n\nOpen"), "Ninety", Band::Secret, &[]);
        check(&format!("> {pay}\n>\n> - a\n>\n>   > Ninety\n\nOpen"), "Ninety", Band::Secret, &[]);
        check(&format!("> {pay}\n> Ninety\n\nOpen"), "Open", Band::Public, &[]);
        check(&format!("> {pay}\n>\n> ### Sum\n>\n> Ninety"), "Ninety", Band::Secret, &[]);
        check(&format!("> {pay}\n>\n> ## Else\n>\n> Open"), "Open", Band::Public, &[]);
        check(&format!("> {pay}\n>\n> # Else\n>\n> Open"), "Open", Band::Public, &[]);
        check(&format!("> Open\n>\n> {pay}\n>\n> Ninety"), "Open", Band::Public, &[]);
        check(&format!("> [!note] Title\n> {pay}\n> Ninety"), "Ninety", Band::Secret, &[]);
        check(&format!("> > {pay}\n> > x\n>\n> Open"), "Open", Band::Public, &[]);
        check(&format!("1. a\n\n   {pay}\n\n   Ninety\n2. Open"), "Ninety", Band::Secret, &[]);
        check("> ## password: hunter22x\n> Ninety", "Ninety", Band::Secret, &[ProblemKind::Credential]);
        check(&format!("{pay}\n\n> # Else\n>\n> a\n\nOpen"), "a\n", Band::Public, &[]);
    }

    #[test]
    fn a_stray_close_is_told() {
        check("a <!--/privacy--> b", "b", Band::Public, &[ProblemKind::StrayPrivacyClose]);
    }

    #[test]
    fn what_either_side_of_a_merge_guards_is_guarded() {
        let stray = [ProblemKind::StrayPrivacyClose];
        let merged = "T.\n\n<!--privacy:secret-->\n<<<<<<< HEAD\nx\n<!--/privacy-->\n=======\nlost\n<!--/privacy-->\n>>>>>>> b\n\nopen";
        check(merged, "lost", Band::Secret, &stray);
        check(merged, "T.", Band::Public, &stray);
        check(merged, "open", Band::Public, &stray);
    }
}
