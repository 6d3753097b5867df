//! Account and card numbers, by known formats and check digits.

use std::ops::Range;

/// IBAN lengths by country, from the registry.
const IBAN_LENGTHS: &[(&[u8; 2], usize)] = &[
    (b"AD", 24),
    (b"AE", 23),
    (b"AL", 28),
    (b"AT", 20),
    (b"AZ", 28),
    (b"BA", 20),
    (b"BE", 16),
    (b"BG", 22),
    (b"BH", 22),
    (b"BR", 29),
    (b"BY", 28),
    (b"CH", 21),
    (b"CR", 22),
    (b"CY", 28),
    (b"CZ", 24),
    (b"DE", 22),
    (b"DK", 18),
    (b"DO", 28),
    (b"EE", 20),
    (b"EG", 29),
    (b"ES", 24),
    (b"FI", 18),
    (b"FO", 18),
    (b"FR", 27),
    (b"GB", 22),
    (b"GE", 22),
    (b"GI", 23),
    (b"GL", 18),
    (b"GR", 27),
    (b"GT", 28),
    (b"HR", 21),
    (b"HU", 28),
    (b"IE", 22),
    (b"IL", 23),
    (b"IQ", 23),
    (b"IS", 26),
    (b"IT", 27),
    (b"JO", 30),
    (b"KW", 30),
    (b"KZ", 20),
    (b"LB", 28),
    (b"LC", 32),
    (b"LI", 21),
    (b"LT", 20),
    (b"LU", 20),
    (b"LV", 21),
    (b"LY", 25),
    (b"MC", 27),
    (b"MD", 24),
    (b"ME", 22),
    (b"MK", 19),
    (b"MR", 27),
    (b"MT", 31),
    (b"MU", 30),
    (b"NL", 18),
    (b"NO", 15),
    (b"PK", 24),
    (b"PL", 28),
    (b"PS", 29),
    (b"PT", 25),
    (b"QA", 29),
    (b"RO", 24),
    (b"RS", 22),
    (b"SA", 24),
    (b"SC", 31),
    (b"SE", 24),
    (b"SI", 19),
    (b"SK", 24),
    (b"SM", 27),
    (b"SV", 28),
    (b"TN", 24),
    (b"TR", 26),
    (b"UA", 29),
    (b"VA", 22),
    (b"VG", 24),
    (b"XK", 20),
];

/// The length of the IBAN at the start of `text`, single separators included.
pub(super) fn iban_length(text: &[u8]) -> Option<usize> {
    let country = [text.first()?.to_ascii_uppercase(), text.get(1)?.to_ascii_uppercase()];
    if !text.get(2..4)?.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let (_, wanted) = IBAN_LENGTHS.iter().find(|(code, _)| **code == country)?;
    // The check is over the number with its first four characters put last; they are added when they come round.
    let mut first = [0u8; 4];
    let mut remainder = 0u32;
    let mut count = 0;
    let mut at = 0;
    while count < *wanted {
        let byte = text.get(at)?;
        if byte.is_ascii_alphanumeric() {
            match first.get_mut(count) {
                Some(slot) => *slot = *byte,
                None => remainder = mod_97(remainder, *byte),
            }
            count += 1;
            at += 1;
        } else {
            at += separator_length(text, at).filter(|_| count >= 4)?;
            text.get(at).filter(|byte| byte.is_ascii_alphanumeric())?;
        }
    }
    let valid = first.iter().fold(remainder, |remainder, byte| mod_97(remainder, *byte)) == 1;
    (valid && !text.get(at).is_some_and(u8::is_ascii_alphanumeric)).then_some(at)
}

fn mod_97(remainder: u32, byte: u8) -> u32 {
    let value = char::from(byte).to_digit(36).unwrap_or_default();
    (remainder * if value > 9 { 100 } else { 10 } + value) % 97
}

/// The length of one space, no-break space or hyphen at `at`.
fn separator_length(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let separators: [&[u8]; 4] = [b" ", b"-", "\u{a0}".as_bytes(), "\u{202f}".as_bytes()];
    separators.iter().find(|separator| rest.starts_with(separator)).map(|separator| separator.len())
}

/// An upper bound on the groups of a number written for people.
const GROUPS_MAX: usize = 16;

/// The card number in the digits that begin at `start`, and the offset to continue from.
///
/// The digits may be in groups. No part of a longer run of equal groups is a card number. Thirteen digits, an old form
/// of Visa, are left out: they are no longer issued, and one in ten EANs and phone numbers would match.
pub(super) fn find_card_number(bytes: &[u8], start: usize) -> (Option<Range<usize>>, usize) {
    let digits_at =
        |at: usize| bytes.get(at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
    // Years, counts and most dates end here: no form begins with so few digits, or has four alone.
    let head = digits_at(start);
    let more = || separator_length(bytes, start + head).and_then(|width| bytes.get(start + head + width));
    if head < 4 || (head < 14 && !more().is_some_and(u8::is_ascii_digit)) {
        return (None, start + head);
    }
    let mut groups: [Range<usize>; GROUPS_MAX] = std::array::from_fn(|_| 0..0);
    let mut count = 0;
    let mut at = start;
    while let Some(group) = groups.get_mut(count) {
        let digits = digits_at(at);
        *group = at..at + digits;
        count += 1;
        at += digits;
        match separator_length(bytes, at) {
            Some(width) if bytes.get(at + width).is_some_and(u8::is_ascii_digit) => at += width,
            _ => break,
        }
    }
    let end = at;
    let groups = groups.get(..count).unwrap_or_default();
    let before = start.checked_sub(1).and_then(|at| bytes.get(at));
    // A phone number, a path, a decimal, part of a hyphenated code.
    if before.is_some_and(|byte| b"+/._-".contains(byte)) {
        return (None, end);
    }
    let follows = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let glued = bytes.get(end).is_some_and(follows);
    let decimal = matches!(bytes.get(end..end + 2), Some([b'.' | b',', digit]) if digit.is_ascii_digit());
    let groups = if glued || decimal { groups.split_last().map_or(groups, |(_, rest)| rest) } else { groups };
    (find_card_in_groups(bytes, groups), end)
}

fn find_card_in_groups(bytes: &[u8], groups: &[Range<usize>]) -> Option<Range<usize>> {
    const FORMS: [&[usize]; 5] = [&[4, 4, 4, 4, 3], &[4, 4, 4, 4], &[4, 6, 5], &[4, 6, 4], &[]];
    for first in 0..groups.len() {
        for form in FORMS {
            // The empty form: one group of any length.
            let size = form.len().max(1);
            let Some(window) = groups.get(first..first + size) else { continue };
            if !form.is_empty() && window.iter().zip(form).any(|(group, length)| group.len() != *length) {
                continue;
            }
            let four = |index: Option<usize>| index.and_then(|i| groups.get(i)).is_some_and(|group| group.len() == 4);
            if size > 1 && (four(first.checked_sub(1)) || four(Some(first + size))) {
                continue;
            }
            let range = window.first()?.start..window.last()?.end;
            if is_card_number(bytes.get(range.clone())?, size > 1) {
                return Some(range);
            }
        }
    }
    None
}

fn is_card_number(text: &[u8], grouped: bool) -> bool {
    let mut digits = [0u8; 19];
    let mut count = 0;
    for byte in text.iter().filter(|byte| byte.is_ascii_digit()) {
        let Some(slot) = digits.get_mut(count) else { return false };
        *slot = byte - b'0';
        count += 1;
    }
    let digits = digits.get(..count).unwrap_or_default();
    let head = digits.iter().take(4).fold(0u32, |number, digit| number * 10 + u32::from(*digit));
    let known = match (head, count) {
        // Visa, American Express, Mastercard, Discover, JCB, Diners, UnionPay.
        (4000..=4999, 16) => true,
        (4000..=4999, 19) => grouped,
        (3400..=3499 | 3700..=3799, 15) => true,
        (5100..=5599 | 2221..=2720, 16) => true,
        (6011 | 6440..=6599, 16) => true,
        (3528..=3589, 16) => true,
        (3000..=3059 | 3600..=3699 | 3800..=3899, 14) => true,
        (6200..=6299, 16..=19) => true,
        _ => false,
    };
    known && is_luhn_valid(digits)
}

fn is_luhn_valid(digits: &[u8]) -> bool {
    let value = |(index, digit): (usize, &u8)| {
        let doubled = u32::from(*digit) * if index % 2 == 1 { 2 } else { 1 };
        if doubled > 9 { doubled - 9 } else { doubled }
    };
    digits.iter().rev().enumerate().map(value).sum::<u32>() % 10 == 0
}
