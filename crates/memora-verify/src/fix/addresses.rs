//! Removes addresses from a text: a viewer must not load or link to addresses that were not judged.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Parser, Tag, TagEnd};

use crate::draft::markdown_options;

/// Returns a text without images and HTML with addresses, and with links replaced by their words. Links to notes stay.
#[must_use]
pub fn strip_addresses(text: &str) -> String {
    let mut gone: Vec<Range<usize>> = Vec::new();
    // Open links, each with the range of its content so far.
    let mut open: Vec<(Range<usize>, Option<Range<usize>>)> = Vec::new();
    for (event, range) in Parser::new_ext(text, markdown_options()).into_offset_iter() {
        for (link, inside) in &mut open {
            if *link != range {
                let start = inside.as_ref().map_or(range.start, |inside| inside.start.min(range.start));
                *inside = Some(start..inside.as_ref().map_or(range.end, |inside| inside.end.max(range.end)));
            }
        }
        match event {
            Event::Start(Tag::Image { .. }) => gone.push(range),
            Event::Start(Tag::Link { link_type, .. }) if is_external_link(link_type) => open.push((range, None)),
            Event::End(TagEnd::Link) if open.last().is_some_and(|(link, _)| *link == range) => {
                let (link, inside) = open.pop().unwrap_or_default();
                let inside = inside.unwrap_or(link.start..link.start);
                gone.extend([link.start..inside.start, inside.end..link.end]);
            }
            Event::Html(html) | Event::InlineHtml(html) if has_address(&html) => gone.push(range),
            _ => {}
        }
    }
    gone.sort_by_key(|range| (range.start, range.end));
    let mut left = String::with_capacity(text.len());
    let mut from = 0;
    for range in gone {
        left.push_str(text.get(from..range.start.max(from)).unwrap_or_default());
        from = from.max(range.end);
    }
    left.push_str(text.get(from..).unwrap_or_default());
    left
}

fn is_external_link(link_type: LinkType) -> bool {
    matches!(link_type, LinkType::Inline | LinkType::Reference | LinkType::Collapsed)
}

fn has_address(html: &str) -> bool {
    let html = html.to_ascii_lowercase();
    ["src", "href", "url(", "action", "data=", "poster", "srcset"].iter().any(|name| html.contains(name))
}

#[cfg(test)]
mod tests {
    use super::strip_addresses;

    #[test]
    fn what_would_be_loaded_or_followed_goes() {
        for (text, left) in [
            ("Mia left ![](https://evil.example/x?d=1) [claim:a].", "Mia left  [claim:a]."),
            ("[Mia left](https://evil.example) [claim:a].", "Mia left [claim:a]."),
            ("[**Mia** left](https://evil.example \"Mia\").", "**Mia** left."),
            ("[![](https://evil.example/a)](https://evil.example/b) Mia left.", " Mia left."),
            ("Mia <img src=\"https://evil.example\"> left.", "Mia  left."),
            ("[Mia left][away].\n\n[away]: https://evil.example", "Mia left.\n\n[away]: https://evil.example"),
            ("Mia left [[Mia Keller]] [claim:a].", "Mia left [[Mia Keller]] [claim:a]."),
            ("Mia left [[Mia Keller|her]].", "Mia left [[Mia Keller|her]]."),
            ("", ""),
        ] {
            assert_eq!(strip_addresses(text), left, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_an_end(text in r"(\PC|\[|\]|\(|\)|!|<|>|\n|https://a|é){0,40}") {
            proptest::prop_assert!(strip_addresses(&text).len() <= text.len());
        }
    }
}
