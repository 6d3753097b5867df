//! Text of others that becomes a part of a note: what it opens it closes, so that nothing of it reaches what stands below.

use crate::ProblemKind;
use crate::markdown::mask_comments;
use crate::privacy_markers::find_privacy_markers;
use crate::problem::ProblemCollector;

/// Returns a text whose privacy markers and comments all end within it. What is open is closed at its end, a marker whose
/// word names no band says `secret`, as it is read, and what closes or opens nothing is escaped.
#[must_use]
pub fn enclose_markers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut depth, mut from) = (0_usize, 0);
    for marker in find_privacy_markers(text) {
        out.push_str(text.get(from..marker.range.start).unwrap_or_default());
        let written = text.get(marker.range.clone()).unwrap_or_default();
        match marker.opens {
            Some(Ok(_)) => out.push_str(written),
            Some(Err(_)) => out.push_str("<!--privacy:secret-->"),
            None if depth > 0 => out.push_str("<!--/privacy-->"),
            None => out.push_str(&escape_comment(written)),
        }
        depth = if marker.opens.is_some() { depth + 1 } else { depth.saturating_sub(1) };
        from = marker.range.end;
    }
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
    use crate::{Band, Note, NotePath, PathContext};

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
