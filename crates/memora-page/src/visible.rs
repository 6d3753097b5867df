//! Makes characters visible that show nothing, or turn around what stands behind them: `U+202E` in a frame instead of the character.
//!
//! Invariant: **no page has such a character outside of a field that is sent back.** It is done once, where a page is whole: what stands
//! between `<` and `>` is then a tag of a template, since these characters of a value are escaped.

use std::fmt::Write as _;

/// How a character is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Showing {
    /// As it is.
    Plain,
    /// As what it is called.
    Named,
    /// As it is between characters beyond ASCII, such as in a name in Persian or in a picture of several; else by its name.
    Joins,
}

fn showing(character: char) -> Showing {
    match character {
        '\u{200c}' | '\u{200d}' => Showing::Joins,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{3164}'
        | '\u{feff}' | '\u{ffa0}' => Showing::Named,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => {
            Showing::Named
        }
        _ => Showing::Plain,
    }
}

/// Where in a page a character stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Text,
    /// What may have no tags in it, as a title.
    Bare,
    /// A tag's attributes.
    Tag,
    /// What is sent back as it is: a field.
    Field,
}

/// Shows what a page hides.
pub(crate) fn show_hidden(html: String) -> String {
    if html.chars().all(|character| showing(character) == Showing::Plain) {
        return html;
    }
    let mut shown = String::with_capacity(html.len() + 64);
    let (mut within, mut before) = (Within::Text, ' ');
    let mut element = "";
    for (at, character) in html.char_indices() {
        let rest = html.get(at..).unwrap_or_default();
        match (within, character) {
            (_, '<') => {
                element = ["title", "textarea", "input", "option", "script"]
                    .into_iter()
                    .find(|name| rest.get(1..).is_some_and(|rest| rest.starts_with(name)))
                    .unwrap_or("");
                within = if element == "input" { Within::Field } else { Within::Tag };
            }
            (Within::Tag | Within::Field, '>') if element != "textarea" || within == Within::Tag => {
                within = match element {
                    "textarea" => Within::Field,
                    "title" | "option" | "script" => Within::Bare,
                    _ => Within::Text,
                };
            }
            _ => {}
        }
        let hidden = match showing(character) {
            Showing::Plain => false,
            Showing::Named => true,
            Showing::Joins => before.is_ascii() || rest.chars().nth(1).is_none_or(|next| next.is_ascii()),
        };
        before = character;
        match within {
            Within::Field => shown.push(character),
            _ if !hidden => shown.push(character),
            Within::Text => {
                let _ = write!(shown, "<span class=\"hidden-character\">U+{:04X}</span>", u32::from(character));
            }
            Within::Bare | Within::Tag => {
                let _ = write!(shown, "[U+{:04X}]", u32::from(character));
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, expect: &str) {
        assert_eq!(show_hidden(html.to_owned()), expect);
    }

    #[test]
    fn what_shows_nothing_is_named_where_it_stands() {
        check("<p>plain – é</p>", "<p>plain – é</p>");
        check("<p>a\u{202e}b</p>", "<p>a<span class=\"hidden-character\">U+202E</span>b</p>");
        check("<a title=\"a\u{200b}b\">c</a>", "<a title=\"a[U+200B]b\">c</a>");
        check(
            "<title>a\u{2066}b</title><p>\u{feff}</p>",
            "<title>a[U+2066]b</title><p><span class=\"hidden-character\">U+FEFF</span></p>",
        );
        check("&lt;input \u{202e}", "&lt;input <span class=\"hidden-character\">U+202E</span>");
    }

    #[test]
    fn what_is_sent_back_stays_as_it_was_typed() {
        check(
            "<textarea rows=\"1\">a\u{202e}b &gt; c\u{202e}</textarea>",
            "<textarea rows=\"1\">a\u{202e}b &gt; c\u{202e}</textarea>",
        );
        check(
            "<input value=\"a\u{202e}\">\u{200b}",
            "<input value=\"a\u{202e}\"><span class=\"hidden-character\">U+200B</span>",
        );
        check("<textarea>x</textarea>\u{200b}", "<textarea>x</textarea><span class=\"hidden-character\">U+200B</span>");
    }

    #[test]
    fn what_joins_letters_or_pictures_stays() {
        let family = "\u{1f469}\u{200d}\u{1f467}";
        check(
            &format!("<p>{family}</p>\u{200b}"),
            &format!("<p>{family}</p><span class=\"hidden-character\">U+200B</span>"),
        );
        check("<p>pass\u{200d}word</p>", "<p>pass<span class=\"hidden-character\">U+200D</span>word</p>");
    }
}
