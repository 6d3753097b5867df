//! Text of others that becomes a part of a note: what it opens it closes, so that nothing of it reaches what stands below.

use crate::displaced::escape_heads;
use crate::markdown::mask_comments;
use crate::privacy_markers::{find_all_markers, find_privacy_markers};
use crate::problem::ProblemCollector;
use crate::{Band, ProblemKind};

/// Returns a text whose privacy markers and comments all end within it. What is open is closed at its end, a marker whose
/// word names no band says `secret`, as it is read, and what closes or opens nothing is escaped, as is what reads like a head.
#[must_use]
pub fn enclose_markers(text: &str) -> String {
    let text = &*escape_heads(text);
    let mut out = String::with_capacity(text.len());
    // Whether each that is open is an odd one, which alone an odd one ends.
    let (mut open, mut from) = (Vec::new(), 0);
    for marker in find_all_markers(text) {
        out.push_str(text.get(from..marker.range.start.max(from)).unwrap_or_default());
        let written = text.get(marker.range.start.max(from)..marker.range.end).unwrap_or_default();
        from = from.max(marker.range.end);
        match marker.opens {
            Some(band) => {
                match band {
                    Ok(_) if !marker.is_odd => out.push_str(written),
                    band => out.push_str(&format!("<!--privacy:{}-->", band.unwrap_or(Band::Secret).as_str())),
                }
                open.push(marker.is_odd);
            }
            None if open.pop_if(|is_odd| *is_odd || !marker.is_odd).is_some() => out.push_str("<!--/privacy-->"),
            // Without its signs it is a word.
            None if marker.is_odd => out.push_str("/privacy"),
            None => out.push_str(&escape_comment(written)),
        }
    }
    let depth = open.len();
    out.push_str(text.get(from..).unwrap_or_default());
    if has_open_comment(&out) {
        out = escape_comments(&out);
    }
    if depth > 0 && out.contains('\n') {
        // Behind a fence it would be a part of that line.
        out.push('\n');
    }
    (0..depth).for_each(|_| out.push_str("<!--/privacy-->"));
    out
}

fn has_open_comment(text: &str) -> bool {
    let mut problems = ProblemCollector { line_starts: &[0], found: Vec::new() };
    mask_comments(text, 0, &mut problems);
    problems.found.iter().any(|problem| problem.kind == ProblemKind::UnclosedComment)
}

/// Escapes every comment that is no privacy marker.
fn escape_comments(text: &str) -> String {
    let markers = find_privacy_markers(text);
    let mut out = String::with_capacity(text.len() + 8);
    let mut from = 0;
    for range in markers.iter().map(|marker| marker.range.clone()).chain(std::iter::once(text.len()..text.len())) {
        out.push_str(&escape_comment(text.get(from..range.start).unwrap_or_default()));
        out.push_str(text.get(range.clone()).unwrap_or_default());
        from = range.end;
    }
    out
}

fn escape_comment(text: &str) -> String {
    // Of three signs, two would still stand together.
    text.replace("%%", "%\\%").replace("%%", "%\\%").replace("<!--", "<\\!--")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Note, NotePath, PathContext};

    #[test]
    fn nothing_of_a_text_reaches_below_it() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a <!--privacy:secret-->b<!--/privacy--> c", "a <!--privacy:secret-->b<!--/privacy--> c"),
            ("a %%b%% <!-- c -->", "a %%b%% <!-- c -->"),
            ("a<!--/privacy-->b", "a<\\!--/privacy-->b"),
            ("<!--privacy:secret-->a", "<!--privacy:secret-->a<!--/privacy-->"),
            ("<!--privacy:private-->a\nb", "<!--privacy:private-->a\nb\n<!--/privacy-->"),
            ("<!--privacy:secrte-->a<!--/privacy-->", "<!--privacy:secret-->a<!--/privacy-->"),
            ("<!-- privacy: a", "<!--privacy:secret-->: a<!--/privacy-->"),
            ("a <!—privacy:secret—>b<!—/privacy—>c", "a <!--privacy:secret-->b<!--/privacy-->c"),
            ("a %%privacy:private%%b", "a <!--privacy:private-->b<!--/privacy-->"),
            ("a <!—/privacy—> b", "a /privacy b"),
            ("100 %% of it", "100 %\\% of it"),
            ("%%% a", "%\\%\\% a"),
            ("begin <!-- a", "begin <\\!-- a"),
        ] {
            let enclosed = enclose_markers(text);
            assert_eq!(enclosed, expected, "{text:?}");
            assert_eq!(enclose_markers(&enclosed), enclosed, "{text:?}");
            let path = NotePath::new("a.md").expect("a path");
            let place = PathContext { band: Band::Public, date: None, read_bytes_max: PathContext::READ_BYTES_MAX };
            let (note, problems) = Note::parse(path, format!("{enclosed}\n\nBelow.\n"), place);
            assert_eq!(problems, [], "{text:?}");
            let below = note.segments().last().expect("it is there");
            assert_eq!(below.plain.text(), "Below.", "{text:?}");
            assert_eq!(note.band_of_range(below.range.clone()), Band::Public, "{text:?}");
        }
    }
}
