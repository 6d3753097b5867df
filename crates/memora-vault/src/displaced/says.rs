//! What a line says of its note by itself, as it looks: `privacy: secret`, `- [ ] memora:: captured`, `| privacy | secret |`.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::look_alike::{fold_look_alikes, folded};
use crate::{Band, privacy_markers};

/// What a key names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyName {
    Privacy,
    Machine,
    Tags,
}

impl KeyName {
    pub(super) fn of(key: &str) -> Option<Self> {
        match folded(key).as_str() {
            "privacy" => Some(Self::Privacy),
            "memora" => Some(Self::Machine),
            "tags" | "tag" => Some(Self::Tags),
            _ => None,
        }
    }
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Statement {
    /// The word of a band, or one that is meant for one; of a field, whatever it says.
    Privacy(String),
    /// `memory`, `captured` or another word for a note of a machine's.
    Machine(&'static str),
    /// A field of tags, one of which guards.
    Tag(Band),
}

/// What `memora` may call a note of a machine's.
const MACHINE_WORDS: [&str; 6] = ["memory", "captured", "review", "log", "scratchpad", "session"];

/// A text that may name something, folded.
static NAMES: LazyLock<Regex> = LazyLock::new(|| regex(r#"(?i)privacy|memora|tags?["'*_\s]*[:=]|\bseal\s*:"#));

/// A form that a line may have. Compiling its pattern takes longer than reading a note, so a line is asked first for the words without
/// which it cannot have that form.
struct LineForm {
    may_match: fn(&str) -> bool,
    pattern: LazyLock<Regex>,
}

impl LineForm {
    const fn new(may_match: fn(&str) -> bool, pattern: fn() -> Regex) -> Self {
        Self { may_match, pattern: LazyLock::new(pattern) }
    }

    fn is_match(&self, line: &str) -> bool {
        (self.may_match)(line) && self.pattern.is_match(line)
    }

    fn captures_all<'l>(&self, line: &'l str) -> impl Iterator<Item = Captures<'l>> {
        (self.may_match)(line).then(|| self.pattern.captures_iter(line)).into_iter().flatten()
    }

    fn captures<'l>(&self, line: &'l str) -> Option<Captures<'l>> {
        self.captures_all(line).next()
    }

    fn replace_all<'l>(&self, line: &'l str, instead: &str) -> Cow<'l, str> {
        if (self.may_match)(line) { self.pattern.replace_all(line, instead) } else { Cow::Borrowed(line) }
    }
}

/// The key of a note's band or of a machine's note.
fn has_key(line: &str) -> bool {
    line.contains("privacy") || line.contains("memora")
}

/// Nothing but signs, marks of items, tasks, callouts and footnotes, then a key, a sign and the value. A slash closes what was opened, and
/// a backslash makes the sign text.
static LINE: LineForm = LineForm::new(has_key, || {
    let item = r"(?:\[[^\[\]]\]|(?:\d+|\b[a-z])[.),]|\[![\w|-]+\][-+]?|\[\^[^\]\s]+\]:)";
    regex(&format!(
        r#"^(?:\W*{item})*(?:[\W_]*(?:[^\w/]|_|//))?(?P<key>privacy|memora)[^a-z0-9\\:=|>/]*(?P<sign>::|[:=]>?|->|\|)(?P<value>.*)$"#
    ))
});

/// The same behind another entry, where a head was put on one line.
static JOINED: LineForm = LineForm::new(has_key, || {
    regex(r#"^\W*[a-z][\w-]*["'*_]*\s*:.*?\s["'*_]*(?P<key>privacy|memora)["'*_\s]*[:=](?P<value>.*)$"#)
});

/// A tag of HTML, which may stand between a key and its value as a table's line does.
static HTML_TAG: LineForm = LineForm::new(|line| line.contains('<'), || regex(r"</?[a-z][^<>]*>"));

/// A Dataview field in brackets.
static FIELD: LineForm = LineForm::new(
    |line| has_key(line) && line.contains("::"),
    || regex(r#"[\[(]\s*[*_"']*(?P<key>privacy|memora)[*_"'\s]*::(?P<value>[^\[\]()]*)"#),
);

/// A field of tags, as a line or in brackets.
static TAGS: LineForm = LineForm::new(
    |line| line.contains("tag") && line.contains("::"),
    || regex(r"(?:^[\W_]*|[\[(]\s*)tags?[\W_]*?::(?P<value>.*)$"),
);

/// The line of a seal, which Memora's own files of memory have.
static SEAL: LineForm =
    LineForm::new(|line| line.contains("seal:"), || regex(r"^\W*seal: ?[0-9a-hjkmnp-tv-z]{26}\W*$"));

/// A key that names something up to its sign, where no backslash stands between.
static SIGN: LazyLock<Regex> = LazyLock::new(|| regex(r#"\b(?:privacy|memora|tags?)[^\w\\:=|]*(?P<sign>[:=|])"#));

fn regex(pattern: &str) -> Regex {
    #[expect(clippy::expect_used, reason = "the patterns are fixed, and tests read each")]
    Regex::new(pattern).expect("a good pattern")
}

/// Whether a text has a key that names something: cheap, and never wrongly no.
pub(super) fn may_name(text: &str) -> bool {
    NAMES.is_match(text) || !text.is_ascii() && NAMES.is_match(&folded(text))
}

/// What a line says by itself, folded. `next` is the line that follows, which has the value where this has none.
pub(super) fn read_statements(line: &str, next: &str) -> Vec<Statement> {
    let (line, next) = (HTML_TAG.replace_all(line, "|"), HTML_TAG.replace_all(next, "|"));
    // `privacy` and `: secret` on the line below it define a term.
    if let Some(key) = bare_key(&line)
        && next.starts_with(':')
    {
        return read_value(key, &next, false).into_iter().collect();
    }
    let mut found: Vec<Statement> = Vec::new();
    let mut add = |said: Option<Statement>| found.extend(said.filter(|said| !found.contains(said)));
    if let Some(said) = LINE.captures(&line) {
        let value = said.name("value").map_or("", |value| value.as_str());
        let value = if value.contains(|c: char| c.is_alphanumeric()) { value } else { &next };
        let is_field = said.name("sign").is_some_and(|sign| sign.as_str() == "::");
        add(read_value(&said["key"], value, is_field));
    }
    if let Some(said) = JOINED.captures(&line) {
        add(read_value(&said["key"], &said["value"], false));
    }
    for said in FIELD.captures_all(&line) {
        add(read_value(&said["key"], &said["value"], true));
    }
    if let Some(said) = TAGS.captures(&line) {
        let tags = said["value"].split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '/'));
        tags.filter_map(privacy_markers::band_of_tag).for_each(|band| add(Some(Statement::Tag(band))));
    }
    if SEAL.is_match(&line) {
        add(Some(Statement::Machine("memory")));
    }
    found
}

/// What a row of a table says below its header, both folded.
pub(super) fn read_row(header: &str, row: &str) -> Vec<Statement> {
    let cells = |line: &str| -> Vec<String> {
        let line = line.trim();
        line.strip_prefix('|').unwrap_or(line).split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let (keys, values) = (cells(header), cells(row));
    let pairs = keys.iter().zip(&values).filter(|(key, _)| matches!(key.as_str(), "privacy" | "memora"));
    pairs.filter_map(|(key, value)| read_value(key, value, false)).collect()
}

/// The key that a folded line is, with nothing else.
pub(super) fn bare_key(line: &str) -> Option<&str> {
    let key = line.trim_matches(|c: char| !c.is_alphanumeric() && c != '\\');
    matches!(key, "privacy" | "memora").then_some(key)
}

fn read_value(key: &str, value: &str, is_field: bool) -> Option<Statement> {
    if key == "memora" {
        return machine_word(value).map(Statement::Machine);
    }
    // Nobody writes a field but on purpose: what it says and names no band is a slip.
    let word = said_word(value).and_then(meant_band);
    word.or_else(|| is_field.then(|| value.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()))
        .map(Statement::Privacy)
}

/// The word that a folded value is: its first one, if nothing follows but signs, what they begin, or the next entry.
pub(super) fn said_word(value: &str) -> Option<&str> {
    static VALUE: LazyLock<Regex> = LazyLock::new(|| {
        let end = r#"[\W_]*$|\s*[^\w\s'’-]|\s*[-_]+(?:\W|$)|\s+["'*_]*[a-z][\w-]*["'*_]*\s*[:=]"#;
        regex(&format!(r"^[\W_]*(?:top[ -])?(?P<word>[a-z]+)(?:{end})"))
    });
    let word = VALUE.captures(value)?.name("word")?.as_str();
    // Of two, the stricter.
    let stricter = ["secret", "private"].into_iter().filter(|_| word == "public").find(|band| value.contains(band));
    Some(stricter.unwrap_or(word))
}

/// The word by which a folded value calls a note a machine's.
pub(super) fn machine_word(value: &str) -> Option<&'static str> {
    let word = said_word(value)?;
    MACHINE_WORDS.into_iter().find(|known| *known == word)
}

/// The band that a folded word names or is meant for: in another language, or with a slip.
pub(super) fn meant_band(word: &str) -> Option<String> {
    let band = Band::parse(word).ok().or_else(|| privacy_markers::band_of_tag(word));
    band.map(|band| band.as_str().to_owned()).or_else(|| is_slip(word).then(|| word.to_owned()))
}

/// Whether a word is the word of a guarding band but for two letters.
fn is_slip(word: &str) -> bool {
    const LETTERS_MIN: usize = 4;
    let near = |band: &str| word.chars().count() >= LETTERS_MIN && edit_distance(word, band) <= 2;
    near("secret") || near("private") || near("confidential")
}

fn edit_distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, c) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, d) in other.iter().enumerate() {
            let above = row[column + 1];
            row[column + 1] = (diagonal + usize::from(c != *d)).min(above + 1).min(row[column] + 1);
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// Whether a folded line says something by itself, or begins to.
pub(super) fn names_itself(line: &str) -> bool {
    [&LINE, &JOINED, &FIELD, &TAGS, &SEAL].iter().any(|form| form.is_match(line))
}

/// Where the signs of a line are that stand behind a key that names something, and are not escaped.
pub(super) fn find_signs(line: &str) -> Vec<usize> {
    let chars = fold_look_alikes(line);
    let mut text = String::with_capacity(line.len());
    let mut sources = Vec::with_capacity(line.len());
    for folded in &chars {
        text.push(folded.letter);
        sources.resize(text.len(), folded.start);
    }
    let signs = SIGN.captures_iter(&text).filter_map(|found| found.name("sign"));
    signs.filter_map(|sign| sources.get(sign.start()).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<String> {
        let said = read_statements(&folded(line), "");
        let word = |statement| match statement {
            Statement::Privacy(word) => word,
            Statement::Machine(word) => word.to_owned(),
            Statement::Tag(band) => band.as_str().to_owned(),
        };
        said.into_iter().map(word).collect()
    }

    #[test]
    fn a_line_that_says_nothing_else_counts_however_it_is_decorated() {
        for line in [
            "privacy: secret",
            "Privacy : SECRET.",
            "- [ ] privacy:: secret",
            "1. privacy: secret",
            "> [!info] privacy: secret",
            "[^1]: privacy: secret",
            "## privacy: secret",
            "| privacy | secret |",
            "**privacy:** `secret`",
            "\"privacy\": \"secret\",",
            "privacy => secret",
            "#+privacy: secret",
            "// privacy: secret",
            "<li>privacy: secret</li>",
            "privacy: secret (salaries)",
            "privacy: secret, not to be shown",
            "privacy: secret title: Pay",
            "privacy: [secret]",
            "рrіνасу： ｓｅｃｒｅｔ",
            "pri\u{ad}vacy: se\u{fe0f}cret",
            "privacy꞉ secret",
            "privacy: geheim",
            "privacy: __secret__",
            "privacy: top secret",
            "privacy: ~~public~~ secret",
            "--- title: pay privacy: secret rank: 3 ---",
            "<tr><td>privacy</td><td>secret</td></tr>",
            "<b>privacy</b>: secret",
            "a) privacy: secret",
            "1、privacy：secret",
            "- __privacy__:: secret",
            "tags:: pay, secret",
            "- **Tags**:: [[secret]] [[pay]]",
            "more [tags:: secret]",
        ] {
            assert_eq!(read(line), ["secret"], "{line}");
        }
        assert_eq!(read("privacy: sekret"), ["sekret"]);
        assert_eq!(read("a [privacy:: public] and (privacy:: secret)"), ["public", "secret"]);
        assert_eq!(read("[privacy:: nobody else]"), ["nobody else"]);
        assert_eq!(read("# memora: memory id: mem-1 kind: knowledge"), ["memory"]);
        assert_eq!(read("seal: 3v9k5n0qf2xw8t1m6c4hbzr7dy"), ["memory"]);
        assert_eq!(read_statements("privacy", ":   secret"), [Statement::Privacy("secret".to_owned())]);
        assert_eq!(read_statements("privacy", ": the state of not being watched"), []);
        assert_eq!(read_statements("<td>privacy</td>", "<td>secret</td>"), [Statement::Privacy("secret".to_owned())]);
        assert_eq!(read_statements("privacy:", "  secret"), [Statement::Privacy("secret".to_owned())]);
        assert_eq!(read_row("| id | memora |", "| 1 | review |"), [Statement::Machine("review")]);
    }

    #[test]
    fn a_line_that_says_more_is_none() {
        for line in [
            "On privacy: secret ballots",
            "privacy: secret ballots are discussed",
            "Price and privacy: secret",
            "Privacy: private room",
            "Privacy: the right to be let alone.",
            "Privacy — secret or not",
            "</privacy: secret",
            "privacy\\: secret",
            "Memora: memory for the vault",
            "Memora: memory-safe notes",
            "Note: set privacy: secret to guard it",
            "Memora: session with Anna",
            "memora: searches my notes",
            "He said (privacy: secret) was enough",
            "private: the lowest rank",
            "tags:: secretary, work/secret",
        ] {
            assert_eq!(read(line), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn signs_are_found_in_bytes_of_the_line() {
        assert_eq!(find_signs("é privacy：x tags\\: y **memora**:: z"), [10, 34]);
    }
}
