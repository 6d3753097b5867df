//! Passwords that stand alone, below or beside what they are called: in a column or a row of a table, on the next line, as items of a list.

use std::ops::Range;

use super::keywords::{is_plausible_password, is_random_looking};
use super::kind::{CredentialKind, CredentialRanges};
use super::sentences::{Role, is_around, is_joined, is_label, says_name};

/// The most values below one label that is no column.
const VALUES_MAX: usize = 64;

/// Finds the values that lines with names are labels of.
pub(super) fn find_beside_labels(text: &str, lines: &[Range<usize>], found: &mut CredentialRanges) {
    let mut table_end = 0;
    for line in lines {
        let cells = cells_of(text, line);
        if cells.len() < 2 && !text.get(line.clone()).is_some_and(|line| line.contains('|')) {
            find_below(text, line, found);
            continue;
        }
        let labels: Vec<Option<Role>> =
            cells.iter().map(|cell| is_label(text.get(cell.clone()).unwrap_or_default())).collect();
        for (label, value) in labels.iter().zip(cells.iter().skip(1)) {
            found.extend(label.and_then(|role| value_in(text, value.clone(), role, false)));
        }
        let mut rows = lines_behind(text, line.end);
        if line.start < table_end || !rows.next().is_some_and(|row| is_delimiter_row(text, &row)) {
            continue;
        }
        for row in rows.take_while(|row| text.get(row.clone()).is_some_and(|row| row.contains('|'))) {
            for (label, value) in labels.iter().zip(cells_of(text, &row)) {
                found.extend(label.and_then(|role| value_in(text, value, role, true)));
            }
            table_end = row.end;
        }
    }
}

/// Finds the values on the lines below a label, or below a sentence with a name and a colon at its end.
fn find_below(text: &str, line: &Range<usize>, found: &mut CredentialRanges) {
    let (indent, label) = strip_markers(text, line.clone());
    let words = text.get(label).unwrap_or_default();
    let has_colon = words.trim_end_matches(|c: char| is_around(c) || c.is_whitespace()).ends_with([':', '=']);
    let Some(role) = is_label(words).or_else(|| has_colon.then(|| says_name(words))?) else { return };
    let is_between = |line: &Range<usize>| {
        let line = text.get(line.clone()).unwrap_or_default().trim_start_matches(['>', ' ', '\t']).trim_end();
        line.starts_with("```") || line.starts_with("~~~") || line.chars().all(|c| matches!(c, '=' | '-'))
    };
    let below = lines_behind(text, line.end);
    let below = below.enumerate().skip_while(|(number, line)| *number < 3 && is_between(line)).map(|(_, line)| line);
    for line in below.take(VALUES_MAX) {
        let (depth, value) = strip_markers(text, line.clone());
        let is_item = value.start - line.start > depth;
        // The next item of a list is not what the one above it says.
        if is_item && !has_colon && depth <= indent {
            return;
        }
        let Some(value) = value_in(text, value, role, false) else { return };
        found.push(value);
    }
}

/// The lines behind the one that ends at a place.
fn lines_behind(text: &str, end: usize) -> impl Iterator<Item = Range<usize>> {
    let mut at = end + 1;
    text.get(at..).unwrap_or_default().split('\n').map(move |line| {
        let start = at;
        at += line.len() + 1;
        start..start + line.len()
    })
}

/// How far a line is indented, and its text without the marks of quotations, items and headings.
fn strip_markers(text: &str, line: Range<usize>) -> (usize, Range<usize>) {
    let whole = text.get(line.clone()).unwrap_or_default();
    let inner = whole.trim_start_matches(['>', ' ', '\t']);
    let indent = whole.len() - inner.len();
    let is_mark = |word: &str| {
        let number = word.trim_end_matches(['.', ')']);
        matches!(word, "-" | "*" | "+")
            || word.bytes().all(|byte| byte == b'#')
            || number.len() + 1 == word.len() && number.len() < 4 && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut bare = inner;
    while let Some((_, rest)) = bare.split_once([' ', '\t']).filter(|(word, _)| is_mark(word)) {
        bare = rest.trim_start();
    }
    let bare = ["[ ] ", "[x] "].iter().find_map(|task| bare.strip_prefix(task)).unwrap_or(bare);
    (indent, line.end - bare.len()..line.end)
}

/// Whether a line is the one below the header of a table.
fn is_delimiter_row(text: &str, row: &Range<usize>) -> bool {
    let row = text.get(row.clone()).unwrap_or_default();
    row.contains('-') && row.chars().all(|c| matches!(c, '|' | '-' | ':' | '>') || c.is_whitespace())
}

/// The cells of a row of a table, with or without bars around it.
fn cells_of(text: &str, row: &Range<usize>) -> Vec<Range<usize>> {
    let whole = text.get(row.clone()).unwrap_or_default();
    let inner = match strip_markers(text, row.clone()) {
        // A table may begin an item of a list.
        (_, bare) if text.get(bare.clone()).is_some_and(|bare| bare.starts_with('|')) => {
            text.get(bare).unwrap_or(whole)
        }
        _ => whole.trim_start_matches(['>', ' ', '\t']),
    };
    let inner = inner.strip_prefix('|').unwrap_or(inner);
    let mut at = row.end - inner.len();
    let inner = inner.trim_end();
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let mut cells: Vec<Range<usize>> = Vec::new();
    for part in inner.split('|') {
        match cells.last_mut().filter(|cell| text.get((*cell).clone()).is_some_and(|cell| cell.ends_with('\\'))) {
            Some(cell) => cell.end = at + part.len(),
            None => cells.push(at..at + part.len()),
        }
        at += part.len() + 1;
    }
    cells
}

/// The password that stands alone in a place. Where it stands in a column, a plain word is one.
fn value_in(text: &str, place: Range<usize>, role: Role, is_column: bool) -> Option<(Range<usize>, CredentialKind)> {
    const PLAIN_CHARS_MIN: usize = 5;
    let written = text.get(place.clone())?;
    let written =
        ["<!--", "%%", "<br"].iter().fold(written, |written, sign| written.split(sign).next().unwrap_or(written));
    let inner = written.trim_start_matches(|c: char| c.is_whitespace() || is_around(c));
    let start = place.start + written.len() - inner.len();
    let is_quoted = text.get(place.start..start)?.contains(['`', '"', '“', '„', '«', '「']);
    let inner = inner.trim_end_matches(|c: char| c.is_whitespace() || is_around(c));
    let first = inner.split_whitespace().next()?;
    let rest = inner.get(first.len()..)?.trim_start();
    let is_alone = rest.is_empty() || rest.starts_with(['(', '#', '^', '–', '—', '<']);
    let value = if is_quoted { inner } else { first };
    // Another label, or what names a place.
    if !(is_alone || is_quoted) || value.ends_with(':') || value.contains("://") {
        return None;
    }
    let is_number = |most: usize| (4..=most).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit());
    let fits = match role {
        Role::Pin => is_number(8),
        Role::Token => is_random_looking(value, 8),
        _ if is_random_looking(value, 6) || is_joined(value) || is_number(16) => true,
        _ => (is_column || is_quoted) && value.chars().count() >= PLAIN_CHARS_MIN && is_plausible_password(value),
    };
    fits.then(|| (start..start + value.len(), CredentialKind::Password))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, found, none};
    use super::*;

    #[test]
    fn passwords_that_stand_alone_below_or_beside_their_label() {
        for (text, value) in [
            ("Password:\nhunter2x!", "hunter2x!"),
            ("Password:\n\nhunter2x!\nThen go on.", "hunter2x!"),
            ("**Password**\nhunter2x!", "hunter2x!"),
            ("## Wifi password\n\nhunter2x!", "hunter2x!"),
            ("Password\n========\n\n`hunter2x`", "hunter2x"),
            ("- Password\n  - hunter2x!", "hunter2x!"),
            ("> - Passwort für den Router\n>   - Tern58gull (neu)", "Tern58gull"),
            ("1. Contraseña:\n   1. hunter2x", "hunter2x"),
            ("The new password for the router is:\n```\nhunter2x!\n```", "hunter2x!"),
            ("PIN:\n4711", "4711"),
            ("| User | Password |\n|---|:-:|\n| anna | hunter |", "hunter"),
            ("> | Passwort | Nutzer |\n> |---|---|\n> | `blaue Eule tanzt` | anna |", "blaue Eule tanzt"),
            ("User | Password (wifi)\n--- | ---\nanna | 83920174", "83920174"),
            ("| Card | PIN |\n|---|---|\n| Visa | 4711 |\n\n| a | 1234 |", "4711"),
            ("| Password | hunter2x! |", "hunter2x!"),
            ("| **PIN** | 4711 | x |", "4711"),
            ("| Mot de passe | hunter2x |", "hunter2x"),
            ("| 网站 | 登录密码 |\n|---|---|\n| 银行 | hunter |", "hunter"),
            ("**密码**\nhunter2x", "hunter2x"),
            ("- 密码：\n  - hunter2x", "hunter2x"),
            ("- | Service | Password |\n  |---|---|\n  | Bank | hunter |", "hunter"),
        ] {
            check(text, value, CredentialKind::Password);
        }
        let words = |text| found(text).into_iter().map(|(word, _)| word).collect::<Vec<_>>();
        assert_eq!(words("Passwords:\n- hunter2x\n- gull7holm\n- and more"), ["hunter2x", "gull7holm"]);
        assert_eq!(
            words("| A | Password | PIN |\n|--|--|--|\n| x | hunter | 4711 |\n| y | b\\|c2d3e | 0815 |"),
            ["hunter", "4711", "b\\|c2d3e", "0815"]
        );
    }

    #[test]
    fn what_stands_below_or_beside_a_label_and_is_no_password() {
        for text in [
            "| User | Password policy |\n|---|---|\n| anna | rotate yearly |\n| ben | quarterly |",
            "| Method | Password |\n|---|---|\n| a | yes |\n| b | not needed |\n| c | required |",
            "| User | Password |\n\n| anna | hunter |",
            "| Password | twelve characters |",
            "密码管理\nserver01",
            "| Passwords | Button |",
            "Password:\n\nIt is in the safe.",
            "Password:\nSee https://example.org/2fa",
            "Password:\nhttps://example.org/2fa",
            "- Password\n- web01x",
            "- Password\n  - [[1Password]]",
            "Passwort vergessen\nserver01",
            "password:\n  description:",
            "Password policy:\nrotate yearly",
            "## Password\n\nRotate it.",
            "The password must be 12 characters long",
            "The password must be changed by 2024-03-12",
            "The password should be longer than 8 signs",
            "Das Passwort wird morgen geändert",
            "Das Passwort soll 12 Zeichen haben",
            "The pass is at 2300 m",
            "Mountain pass: Furka, pass: 12 of 14",
            "The passwords are hashed with argon2",
            "Passwords are kept in KeePass",
            "密码生成器",
        ] {
            none(text);
        }
    }
}
