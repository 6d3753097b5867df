//! Detects a number that was edited in place: "up to 10 users" became "up to 20 users".
//!
//! Invariant: **the words show that a number changed, not why.** So a change is never more than a proposal for the user
//! to review. Numbers that label something (steps, questions, chapters), dates, and a new notation for the same number
//! are not changes of an amount.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use memora_nlp::lexicon::MONTHS;

use crate::lists::NUMBER_LABELS;

/// The number that differs between two statements, as written.
#[derive(Clone, PartialEq, Eq)]
pub struct NumberChange {
    /// Before.
    pub from: String,
    /// After.
    pub to: String,
}

/// Maximum number of letters behind a number that may be a unit; anything longer makes it an id.
const UNIT_LETTERS_MAX: usize = 4;

/// Maximum number of digits in a number; anything longer is an id.
const DIGITS_MAX: usize = 12;

/// Replaces every number with a placeholder: statements that differ only in numbers have equal masks. `None` for
/// text without a number, or without any other word.
#[must_use]
pub fn mask_numbers(words: &str) -> Option<String> {
    let numbers = find_numbers(words);
    if numbers.is_empty() {
        return None;
    }
    let mut mask = String::with_capacity(words.len());
    let mut from = 0;
    for at in &numbers {
        mask.push_str(words.get(from..at.start)?);
        mask.push('\0');
        from = at.end;
    }
    mask.push_str(words.get(from..)?);
    mask.chars().any(char::is_alphabetic).then_some(mask)
}

/// Pairs removed with added statements (as indices) in which one number was edited. Ambiguous matches, with several
/// candidates on either side, are not paired.
///
/// Statements that differ by more than their words (heading, parent) must be kept apart by the caller.
#[must_use]
pub fn pair_number_changes(gone: &[impl AsRef<str>], come: &[impl AsRef<str>]) -> Vec<(usize, usize)> {
    let mut by_mask: HashMap<String, (Vec<usize>, Vec<usize>)> = HashMap::new();
    for (at, words) in gone.iter().enumerate() {
        if let Some(mask) = mask_numbers(words.as_ref()) {
            by_mask.entry(mask).or_default().0.push(at);
        }
    }
    for (at, words) in come.iter().enumerate() {
        if let Some(found) = mask_numbers(words.as_ref()).and_then(|mask| by_mask.get_mut(&mask)) {
            found.1.push(at);
        }
    }
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (gone_at, come_at) in by_mask.into_values() {
        if let ([old], [new]) = (gone_at.as_slice(), come_at.as_slice())
            && find_number_change(gone[*old].as_ref(), come[*new].as_ref()).is_some()
        {
            pairs.push((*old, *new));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Returns the one number in which two statements differ, if it may be a change of what they say.
///
/// 1. The rest of the words is identical: the same unit, and the same words around it.
/// 2. It counts or measures, or is a version: it is not a label, and not part of a date, name, path or code.
/// 3. Its value differs: not another notation, a more precise value, or a corrected decimal point.
/// 4. The statements assert something: a number in a question is not asserted.
///
/// # Examples
/// ```
/// use memora_claim::number_change::find_number_change;
///
/// let edit = find_number_change("A vault holds up to 10 GB.", "A vault holds up to 50 GB.").expect("an edit");
/// assert_eq!((edit.from.as_str(), edit.to.as_str()), ("10", "50"));
/// assert!(find_number_change("1. Open it.", "2. Open it.").is_none());
/// ```
#[must_use]
pub fn find_number_change(old: &str, new: &str) -> Option<NumberChange> {
    let (was, is) = (find_numbers(old), find_numbers(new));
    if was.len() != is.len() || mask_numbers(old)? != mask_numbers(new)? || old.trim_end().ends_with(['?', '？']) {
        return None;
    }
    let mut differing = was.iter().zip(&is).filter(|(a, b)| old.get((*a).clone()) != new.get((*b).clone()));
    let (Some((a, b)), None) = (differing.next(), differing.next()) else { return None };
    let (from, to) = (old.get(a.clone())?, new.get(b.clone())?);
    let is_amount = is_amount(old, a) && is_amount(new, b);
    (is_amount && is_value_change(from, to)).then(|| NumberChange { from: from.to_owned(), to: to.to_owned() })
}

/// Finds runs of digits, with the separators between them: `1.12.4`, `1,000`, `09:30`, `2025-11-03`.
fn find_numbers(words: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut joined = false;
    for (at, c) in words.char_indices() {
        if c.is_ascii_digit() {
            match found.last_mut() {
                Some(last) if last.end == at || joined => last.end = at + 1,
                _ => found.push(at..at + 1),
            }
            joined = false;
        } else {
            let between = matches!(c, '.' | ',' | ':' | '-' | '/' | '\'' | '’' | '_');
            joined = between && found.last().is_some_and(|last| last.end == at);
        }
    }
    found
}

/// Whether a number counts or measures, or is a version.
fn is_amount(words: &str, at: &Range<usize>) -> bool {
    let (Some(before), Some(number), Some(behind)) =
        (words.get(..at.start), words.get(at.clone()), words.get(at.end..))
    else {
        return false;
    };
    let glued_before = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let glued_behind = behind.split(char::is_whitespace).next().unwrap_or_default();
    number.chars().filter(char::is_ascii_digit).count() <= DIGITS_MAX
        && !is_date(number, before, behind)
        && !number.contains(['_', '/'])
        && !is_range(number)
        && is_amount_prefix(glued_before)
        && is_amount_suffix(glued_behind)
        && !(before.trim_matches(|c: char| !c.is_alphanumeric()).is_empty()
            && glued_behind.starts_with(['.', ')', ':']))
        && !NUMBER_LABELS.contains(last_word(before).to_lowercase().as_str())
}

/// Returns the last word before a number, without punctuation.
fn last_word(before: &str) -> &str {
    let word = before.split_whitespace().next_back().unwrap_or_default();
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Whether a letter may adjoin a number without a space: Chinese and Japanese do not separate words.
fn has_no_word_spacing(c: char) -> bool {
    c >= '\u{2e80}' && c.is_alphabetic() && c != '第'
}

/// Whether text that adjoins a number in front leaves it an amount: signs, a currency, the `v` of a version.
fn is_amount_prefix(glued: &str) -> bool {
    let letters = glued.trim_start_matches(|c: char| !c.is_alphanumeric());
    let sign = |c: char| {
        has_no_word_spacing(c) || !c.is_alphanumeric() && !matches!(c, '#' | '/' | '\\' | '_' | '@' | '=' | '&' | '[')
    };
    glued.chars().all(sign) || matches!(letters, "v" | "V") && glued.chars().filter(|c| !c.is_alphanumeric()).all(sign)
}

/// Whether text that adjoins a number behind leaves it an amount: a unit, and signs after it.
fn is_amount_suffix(glued: &str) -> bool {
    let unit: String = glued.chars().take_while(|c| c.is_alphabetic() && !has_no_word_spacing(*c)).collect();
    let rest = glued.get(unit.len()..).unwrap_or_default();
    unit.chars().count() <= UNIT_LETTERS_MAX
        && !rest.chars().any(|c| c.is_alphanumeric() && !has_no_word_spacing(c) || matches!(c, '/' | '\\' | '_' | '@' | '='))
        // "3-column", and what a hyphen makes a name.
        && !rest.starts_with(['-', '–'])
}

/// Whether a number is a date, or part of one: `2025-11-03`, `3 May`, `May 2025`, a year.
fn is_date(number: &str, before: &str, behind: &str) -> bool {
    let parts: Vec<&str> = number.split(['-', '/', '.']).collect();
    let is_year = |part: &str| part.len() == 4 && matches!(part.get(..2), Some("18" | "19" | "20" | "21"));
    let dated = parts.len() == 3 && parts.iter().any(|part| is_year(part)) && parts.iter().all(|p| p.len() <= 4);
    // "May", and "Sept", and no "may".
    let month = |word: &str| word.starts_with(char::is_uppercase) && MONTHS.contains(&word.to_lowercase());
    let next = behind.trim_start_matches(|c: char| !c.is_alphanumeric());
    let next: String = next.chars().take_while(|c| c.is_alphabetic()).collect();
    let ordinal = matches!(next.as_str(), "st" | "nd" | "rd" | "th");
    dated || is_year(parts[0]) && parts.len() <= 2 || month(last_word(before)) || month(&next) || ordinal
}

/// Whether it is a range of two numbers.
fn is_range(number: &str) -> bool {
    number.contains('-')
}

/// Whether the value changed from one number to the other.
fn is_value_change(from: &str, to: &str) -> bool {
    let digits = |number: &str| number.chars().filter(char::is_ascii_digit).collect::<String>();
    let bare = |number: &str| digits(number).trim_start_matches('0').to_owned();
    let value = |number: &str| number.replace(['\'', '’'], "").parse::<f64>().ok();
    let refines =
        |coarse: &str, fine: &str| fine.strip_prefix(coarse).is_some_and(|rest| rest.starts_with(['.', ',', ':']));
    let is_same = value(from).zip(value(to)).is_some_and(|(a, b)| a == b);
    bare(from) != bare(to)
        && !is_same
        && !refines(from, to)
        && !refines(to, from)
        && time_separator(from) == time_separator(to)
}

/// Returns the `:` of a clock time, if any: a version does not become a time.
fn time_separator(number: &str) -> Option<char> {
    number.chars().find(|c| *c == ':')
}

/// The numbers are vault text.
impl fmt::Debug for NumberChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NumberEdit({} bytes, {} bytes)", self.from.len(), self.to.len())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn edited(old: &str, new: &str, from: &str, to: &str) {
        let found = find_number_change(old, new).map(|edit| (edit.from, edit.to));
        assert_eq!(found, Some((from.to_owned(), to.to_owned())), "{old:?} to {new:?}");
    }

    #[track_caller]
    fn no_edit(old: &str, new: &str) {
        assert!(find_number_change(old, new).is_none(), "{old:?} to {new:?}");
    }

    #[test]
    fn an_amount_a_version_or_a_time_that_changed_is_an_edit() {
        edited("Up to 10 people share it.", "Up to 20 people share it.", "10", "20");
        edited("It needs drift 1.12.4+ to run.", "It needs drift 1.12.7+ to run.", "1.12.4", "1.12.7");
        edited("As of `1.9.4` it works.", "As of `1.9.3` it works.", "1.9.4", "1.9.3");
        edited("drift is at v2 now.", "drift is at v3 now.", "2", "3");
        edited("The rent is €840.", "The rent is €910.", "840", "910");
        edited("Files have 5MB at most.", "Files have 200MB at most.", "5", "200");
        edited("The handover is at 09:30.", "The handover is at 10:00.", "09:30", "10:00");
        edited("price: 1,200", "price: 1,350", "1,200", "1,350");
        edited("It is 80% done, 3 of 4 say.", "It is 90% done, 3 of 4 say.", "80", "90");
        edited("最大10GBです。", "最大50GBです。", "10", "50");
        edited("10 users at most.", "100 users at most.", "10", "100");
    }

    #[test]
    fn what_numbers_something_is_no_amount() {
        no_edit("1. Open it.", "2. Open it.");
        no_edit("Q5: Are there discounts for teams.", "Q6: Are there discounts for teams.");
        no_edit("Go to step 3.", "Go to step 4.");
        no_edit("See page 12 of it.", "See page 14 of it.");
        no_edit("It is issue #12.", "It is issue #13.");
        no_edit("(see Figure 2)", "(see Figure 3)");
        no_edit("The 3-column layout.", "The 2-column layout.");
        no_edit("第3章です。", "第4章です。");
        no_edit("The 3rd try worked.", "The 4th try worked.");
    }

    #[test]
    fn a_date_is_no_amount() {
        no_edit("Updated on 2025-11-03.", "Updated on 2025-11-04.");
        no_edit("It began in 2024.", "It began in 2025.");
        no_edit("It began on 3 May.", "It began on 4 May.");
        no_edit("It began on May 3.", "It began on May 4.");
        no_edit("Due 03/11/2025 at last.", "Due 04/11/2025 at last.");
    }

    #[test]
    fn part_of_a_name_a_path_or_code_is_no_amount() {
        no_edit("It is in src/v2/main.", "It is in src/v3/main.");
        no_edit("Call f(x=2) first.", "Call f(x=3) first.");
        no_edit("Commit 3f2a9 broke it.", "Commit 4f2a9 broke it.");
        no_edit("It is a CR2032 cell.", "It is a CR2025 cell.");
        no_edit("Call 4915112345678 soon.", "Call 4915112345679 soon.");
        no_edit("`[1,2,3].reverse()` it is.", "`[1,2,4].reverse()` it is.");
        no_edit("See https://a.org/12 for it.", "See https://a.org/13 for it.");
    }

    #[test]
    fn the_same_number_in_another_form_is_no_change() {
        no_edit("It has 1000 users.", "It has 1,000 users.");
        no_edit("drift 13 is new.", "drift 0.13 is new.");
        no_edit("It weighs 1.0 kg.", "It weighs 1 kg.");
        no_edit("It weighs 15 kg.", "It weighs 1.5 kg.");
        no_edit("drift 1.12 is new.", "drift 1.12.4 is new.");
        no_edit("It has 3 users.", "It has three users.");
        no_edit("It starts at 9.", "It starts at 9:00.");
        no_edit("It has 05 users.", "It has 5 users.");
    }

    #[test]
    fn other_words_several_numbers_and_questions_are_no_edit_of_a_number() {
        no_edit("Up to 10 people.", "Up to 20 users.");
        no_edit("Switch to option 2 or 3.", "Switch to option 1 or 2.");
        no_edit("From 3 to 5 days.", "From 4 to 6 days.");
        no_edit("5 MB at most.", "5 GB at most.");
        no_edit("Is it 5 days?", "Is it 6 days?");
        no_edit("It is late.", "It is late.");
        no_edit("12", "13");
        no_edit("It has 3-5 users.", "It has 3-6 users.");
    }

    proptest! {
        #[test]
        fn any_two_texts_are_compared(old in "\\PC{0,40}", new in "\\PC{0,40}") {
            let found = find_number_change(&old, &new);
            prop_assert!(found.is_none() || old != new);
        }

        #[test]
        fn an_edit_back_is_an_edit(a in 1_u32..99_999, b in 1_u32..99_999) {
            let say = |n: u32| format!("It has {n} users.");
            let there = find_number_change(&say(a), &say(b)).map(|edit| (edit.from, edit.to));
            let back = find_number_change(&say(b), &say(a)).map(|edit| (edit.to, edit.from));
            prop_assert_eq!(there, back);
        }

        #[test]
        fn those_that_differ_in_one_number_have_one_mask(
            parts in proptest::collection::vec(proptest::sample::select(vec!["up to", "1", "2", "1.2", " ", "é", ",", "-", "GB"]), 0..9),
        ) {
            let words = parts.concat();
            prop_assert_eq!(mask_numbers(&words).is_some(), words.contains(|c: char| c.is_ascii_digit()) && words.contains(char::is_alphabetic));
        }
    }
}
