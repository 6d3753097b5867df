//! Numbers that ideographs write: `三月`, `十二人`, `二十五日`.
//!
//! The one rule to know: **ideographs are a number only in front of what they count**; `一` counts only months, as it begins
//! too many words. Deliberately not here: digits, which are read as everywhere.

use std::ops::Range;

/// What is counted: months, days, hours, people, things, money.
const COUNTED: &str = "月日号號年时時点點分秒人名个個件本台円元块塊岁歳週周天回次匹枚冊度家位";

/// A number with what it counts.
pub(crate) struct Counted {
    /// Its bytes, what it counts included.
    pub(crate) range: Range<usize>,
    pub(crate) value: f64,
    pub(crate) what: char,
}

/// Reads the numbers that ideographs write.
pub(crate) fn counted(text: &str) -> Vec<Counted> {
    let mut found = Vec::new();
    let mut run: Option<(usize, Vec<char>)> = None;
    for (at, letter) in text.char_indices() {
        if digit(letter).is_some() || scale(letter).is_some() {
            run.get_or_insert_with(|| (at, Vec::new())).1.push(letter);
            continue;
        }
        let Some((start, letters)) = run.take() else { continue };
        let Some(value) = value(&letters).filter(|_| COUNTED.contains(letter)) else { continue };
        // `十分` is *very*.
        let idiom = (value == 1.0 && letter != '月') || (value == 10.0 && letter == '分');
        if !idiom {
            found.push(Counted { range: start..at + letter.len_utf8(), value, what: letter });
        }
    }
    found
}

fn digit(letter: char) -> Option<f64> {
    let at = "〇一二三四五六七八九".chars().position(|c| c == letter);
    let at = at.or(match letter {
        '零' => Some(0),
        '两' | '兩' => Some(2),
        _ => None,
    })?;
    u32::try_from(at).ok().map(f64::from)
}

fn scale(letter: char) -> Option<f64> {
    match letter {
        '十' => Some(10.0),
        '百' => Some(100.0),
        '千' => Some(1000.0),
        '万' | '萬' => Some(10_000.0),
        _ => None,
    }
}

fn value(letters: &[char]) -> Option<f64> {
    // `二〇二六` is written digit by digit.
    if letters.len() > 1 && letters.iter().all(|c| digit(*c).is_some()) {
        return Some(letters.iter().filter_map(|c| digit(*c)).fold(0.0, |sum, digit| sum * 10.0 + digit));
    }
    let (mut total, mut part, mut last) = (0.0, 0.0, None);
    for letter in letters {
        if let Some(scale) = scale(*letter) {
            if scale >= 10_000.0 {
                total = (total + part + last.unwrap_or(0.0)) * scale;
                part = 0.0;
            } else {
                part += last.unwrap_or(1.0) * scale;
            }
            last = None;
        } else {
            last = digit(*letter);
        }
    }
    Some(total + part + last.unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn ideographs_are_numbers_where_they_count() {
        let values = |text: &str| counted(text).iter().map(|c| c.value).collect::<Vec<f64>>();
        assert_eq!(values("三月二十五日、十二人"), [3.0, 25.0, 12.0]);
        assert_eq!(values("二〇二六年"), [2026.0]);
        assert_eq!(values("三万五千円"), [35_000.0]);
        assert!(values("一緒に、十分だ、一般").is_empty());
    }
}
