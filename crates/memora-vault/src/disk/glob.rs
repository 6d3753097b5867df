//! Globs of the privacy rules, compiled to linear-time regexes.
//!
//! Not `globset`: it matches bytes, so `?` misses `ö` and case folding misses `Ü`, and a privacy rule must never
//! silently miss.

use regex::Regex;

use super::nfc;

/// A compiled glob over vault paths. Case and the composition of accents are forgiven.
#[derive(Clone, Debug)]
pub(super) struct Glob {
    source: String,
    regex: Regex,
    meant: Option<MeantGlob>,
}

/// What a glob means that is written as paths are elsewhere: `./journal/**`, `journal\**`.
#[derive(Clone, Debug)]
struct MeantGlob {
    source: String,
    regex: Regex,
    /// Whether it can mean nothing else; a backslash may also be there to take the next sign as it is.
    is_certain: bool,
}

impl Glob {
    /// Compiles `glob`, read as in `.gitignore`:
    ///
    /// 1. with a slash that isn't the last character it is taken from the root, without one at any depth;
    /// 2. what matches a folder matches everything below it;
    /// 3. `*` and `?` stay within a name, `**` crosses folders, `[a-z]`, `[!a]`, `{a,b}` and `\` as usual.
    ///
    /// `None` when it is empty, a bracket or brace stays open, or it ends in a backslash.
    pub(super) fn new(glob: &str) -> Option<Self> {
        let folded = nfc(glob.trim());
        let regex = compile(&folded, false)?;
        let meant = read_as_meant(&folded).and_then(|(source, is_certain)| {
            let regex = compile(&source, true)?;
            Some(MeantGlob { source, regex, is_certain })
        });
        Some(Self { source: glob.to_owned(), regex, meant })
    }

    /// The glob as written.
    pub(super) fn as_str(&self) -> &str {
        &self.source
    }

    /// Whether a path, already in [composed form](nfc), matches the glob as it is written.
    pub(super) fn matches(&self, path: &str) -> bool {
        self.regex.is_match(path)
    }

    /// The glob that this one means, if it is written as paths are elsewhere; whether it can mean nothing else.
    pub(super) fn meant(&self) -> Option<(&str, bool)> {
        self.meant.as_ref().map(|meant| (meant.source.as_str(), meant.is_certain))
    }

    /// Whether a path matches what the glob means.
    pub(super) fn matches_meant(&self, path: &str) -> bool {
        self.meant.as_ref().is_some_and(|meant| meant.regex.is_match(path))
    }
}

fn compile(glob: &str, is_anchored: bool) -> Option<Regex> {
    let anchored = is_anchored || glob.trim_end_matches('/').contains('/');
    let body = glob.trim_matches('/');
    if body.is_empty() {
        return None;
    }
    let start = if anchored { "" } else { "(?:.*/)?" };
    Regex::new(&format!("(?is)^{start}{}(?:/.*)?$", to_regex(body)?)).ok()
}

/// Reads a glob as a path of this folder, or of Windows, whose folders a backslash parts; whether it can mean nothing else. `None` for one
/// that is written as it should be.
fn read_as_meant(glob: &str) -> Option<(String, bool)> {
    let mut meant = String::with_capacity(glob.len());
    let mut chars = glob.chars().peekable();
    while let Some(c) = chars.next() {
        let parts = c == '\\' && chars.peek().is_some_and(|next| !matches!(next, '[' | ']' | '{' | '}' | '?'));
        meant.push(if parts { '/' } else { c });
    }
    let is_certain = meant == glob;
    while meant.contains("//") || meant.contains("/./") {
        meant = meant.replace("//", "/").replace("/./", "/");
    }
    let meant = meant.trim_start_matches("./").to_owned();
    (meant != glob && !meant.is_empty()).then_some((meant, is_certain))
}

fn to_regex(glob: &str) -> Option<String> {
    let mut out = String::new();
    let mut open_braces = 0usize;
    let mut chars = glob.chars().peekable();
    let mut at_name_start = true;
    while let Some(c) = chars.next() {
        let was_name_start = std::mem::replace(&mut at_name_start, c == '/');
        match c {
            '*' if chars.peek() == Some(&'*') => {
                while chars.next_if_eq(&'*').is_some() {}
                if was_name_start && chars.next_if_eq(&'/').is_some() {
                    out.push_str("(?:.*/)?");
                    at_name_start = true;
                } else {
                    out.push_str(".*");
                }
            }
            '*' => out.push_str("[^/]*"),
            '?' => out.push_str("[^/]"),
            '[' => push_class(&mut chars, &mut out)?,
            '{' => {
                open_braces += 1;
                out.push_str("(?:");
            }
            '}' if open_braces > 0 => {
                open_braces -= 1;
                out.push(')');
            }
            ',' if open_braces > 0 => out.push('|'),
            '\\' => push_literal(chars.next()?, &mut out),
            other => push_literal(other, &mut out),
        }
    }
    (open_braces == 0).then_some(out)
}

fn push_literal(c: char, out: &mut String) {
    out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
}

fn push_class(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut String) -> Option<()> {
    out.push('[');
    if chars.next_if(|c| matches!(c, '!' | '^')).is_some() {
        out.push_str("^/");
    }
    let mut first = true;
    loop {
        match chars.next()? {
            ']' if !first => break,
            '-' if !first && chars.peek().is_some_and(|c| *c != ']') => out.push('-'),
            c => {
                if !c.is_alphanumeric() {
                    out.push('\\');
                }
                // Only ASCII punctuation may be escaped; everything else stands for itself.
                if !c.is_alphanumeric() && !c.is_ascii_punctuation() {
                    out.pop();
                }
                out.push(c);
            }
        }
        first = false;
    }
    out.push(']');
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(glob: &str, hit: &[&str], miss: &[&str]) {
        let compiled = Glob::new(glob).expect("a good glob");
        for path in hit {
            assert!(compiled.matches(&nfc(path)), "{glob} should match {path}");
        }
        for path in miss {
            assert!(!compiled.matches(&nfc(path)), "{glob} should not match {path}");
        }
    }

    #[test]
    fn globs_as_people_write_them() {
        check("journal/**", &["journal/a.md", "Journal/2024/b.md"], &["notes/journal/a.md", "journal.md"]);
        check("journal/", &["journal/a.md", "old/journal/a.md"], &["journals/a.md"]);
        check("journal", &["journal/a.md", "old/journal/x/a.md"], &["my journal/a.md"]);
        check("/journal", &["journal/a.md"], &["old/journal/a.md"]);
        check("people/*.md", &["people/Anna.md"], &["people/family/Anna.md"]);
        check("people/*", &["people/Anna.md", "people/family/Anna.md"], &["people"]);
        check("**/money/**", &["money/a.md", "a/b/money/c.md"], &["money.md"]);
        check("a/**/z.md", &["a/z.md", "a/b/c/z.md"], &["az.md"]);
        check("*.secret.md", &["a.secret.md", "x/b.secret.md"], &["secret.md"]);
        check("{work,Büro}/**", &["work/a.md", "bu\u{308}ro/a.md", "BÜRO/a.md"], &["home/a.md"]);
        check("J?hr/**", &["Jahr/a.md", "Jöhr/a.md"], &["Jr/a.md"]);
        check("[0-9]?/x", &["01/x", "9ö/x/y.md"], &["a1/x"]);
        check("[!a]/x", &["b/x"], &["a/x", "/x"]);
        check("\\[private\\]/**", &["[private]/a.md"], &["p/a.md"]);
        check("a.b/(c)+/$", &["a.b/(c)+/$"], &["aXb/(c)+/$"]);
        check("日記/**", &["日記/一.md"], &["日/一.md"]);
    }

    #[test]
    fn a_path_of_elsewhere_means_what_it_says() {
        for (glob, meant, hit) in [
            ("./journal/**", "journal/**", "journal/a.md"),
            ("././journal", "journal", "journal/a.md"),
            ("journal//2024/**", "journal/2024/**", "journal/2024/a.md"),
            ("journal/./*", "journal/*", "journal/a.md"),
            (r"journal\**", "journal/**", "journal/a.md"),
            (r".\journal\2024\*.md", "journal/2024/*.md", "journal/2024/a.md"),
        ] {
            let Some(compiled) = Glob::new(glob) else { panic!("{glob}") };
            assert_eq!(compiled.meant().map(|(meant, _)| meant), Some(meant), "{glob}");
            assert!(compiled.matches_meant(hit) && !compiled.matches_meant("other/journal.md"), "{glob}");
        }
        for glob in ["journal/**", "/journal", r"\[private\]/**", "a.b/c", "*.secret.md"] {
            assert!(Glob::new(glob).expect("a good glob").meant().is_none(), "{glob}");
        }
    }

    #[test]
    fn what_is_no_glob_is_refused() {
        for bad in ["", "  ", "/", "[a", "{a", "a\\", "[z-a]"] {
            assert!(Glob::new(bad).is_none(), "{bad:?}");
        }
    }
}
