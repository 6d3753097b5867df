//! Ids, slugs and file names.

use std::fmt;

use memora_vault::compose_name;

use crate::clean::strip_between;

pub(crate) const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The longest gist in a file name, in characters.
const GIST_CHARS_MAX: usize = 60;

/// The random id of a memory: `mem-` and twelve letters. It is no hash, so nothing can be confirmed with it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemoryId(String);

impl MemoryId {
    /// Makes an id of 60 random bits.
    #[must_use]
    pub fn from_random(random: u64) -> Self {
        let letter =
            |at: u32| LETTERS.get((random >> (at * 5)) as usize & 31).map_or('0', |letter| char::from(*letter));
        Self(format!("mem-{}", (0..12).map(letter).collect::<String>()))
    }

    /// Reads an id.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let letters = text.strip_prefix("mem-")?;
        let known = letters.len() == 12 && letters.bytes().all(|b| LETTERS.contains(&b));
        known.then(|| Self(text.to_owned()))
    }

    /// Returns it as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns its first four letters, which end the name of a file that is named by words.
    #[must_use]
    pub fn short(&self) -> &str {
        self.0.get(4..8).unwrap_or_default()
    }
}

impl fmt::Display for MemoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a memory concerns: relevance, not secrecy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// All projects and agents.
    Shared,
    /// One agent, by its slug.
    Agent(String),
    /// One project, by its slug.
    Project(String),
}

impl Scope {
    /// Returns the scope of a project, or the shared one without one.
    #[must_use]
    pub fn of_project(slug: Option<&str>) -> Self {
        slug.map_or(Self::Shared, |slug| Self::Project(slug.to_owned()))
    }

    /// Returns its folder, below the memory folder.
    #[must_use]
    pub fn folder(&self) -> String {
        match self {
            Self::Shared => "shared".to_owned(),
            Self::Agent(agent) => format!("agents/{agent}"),
            Self::Project(slug) => format!("projects/{slug}"),
        }
    }

    /// Reads the scope that a file belongs to, by its path below the memory folder.
    #[must_use]
    pub fn of_file(inside: &str) -> Option<Self> {
        let mut parts = inside.split('/');
        let name = |parts: &mut std::str::Split<'_, char>| parts.next().map(str::to_owned);
        match parts.next()? {
            "shared" => Some(Self::Shared),
            "agents" => name(&mut parts).map(Self::Agent),
            "projects" => name(&mut parts).map(Self::Project),
            _ => None,
        }
    }
}

/// Makes a slug of an agent's name: letters, digits, `-` and `_`, 32 at most.
#[must_use]
pub fn slug_agent(name: &str) -> String {
    let slug = slugify(name, 32);
    if slug.is_empty() { "agent".to_owned() } else { slug }
}

/// Makes the slug of a project: the end of its key, and eight letters of the key's hash. A slug is left as it is.
#[must_use]
pub fn project_slug(key: &str) -> String {
    let key = &*compose_name(key);
    let is_slug = |(name, hash): (&str, &str)| {
        !name.is_empty() && slugify(name, 40) == name && hash.len() == 8 && hash.bytes().all(|b| b.is_ascii_hexdigit())
    };
    if key.rsplit_once('-').is_some_and(is_slug) {
        return key.to_owned();
    }
    let base = key.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default();
    let base = slugify(base, 40);
    let hash = blake3::hash(key.as_bytes()).to_hex();
    let base = if base.is_empty() { "project" } else { &base };
    format!("{base}-{}", hash.as_str().get(..8).unwrap_or_default())
}

/// Reduces the address of a remote to host and path: no scheme, user, port or `.git`, in lower case.
#[must_use]
pub fn project_key_of_remote(url: &str) -> String {
    let url = url.trim().to_lowercase();
    let (schemed, rest) = url.split_once("://").map_or((false, url.as_str()), |(_, rest)| (true, rest));
    let rest = match rest.split_once('@') {
        Some((user, rest)) if !user.contains('/') => rest,
        _ => rest,
    };
    // `host:path` without a scheme, `host:port/path` with one.
    let rest = match rest.split_once(':') {
        Some((host, path)) if !host.contains('/') => {
            let path = if schemed { path.trim_start_matches(|c: char| c.is_ascii_digit()) } else { path };
            format!("{host}/{}", path.trim_start_matches('/'))
        }
        _ => rest.to_owned(),
    };
    rest.trim_end_matches('/').trim_end_matches(".git").trim_end_matches('/').to_owned()
}

fn slugify(text: &str, longest: usize) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '-' };
    let slug: String = text.chars().map(kept).take(longest).collect();
    slug.trim_matches('-').to_owned()
}

/// Returns the beginning of a text, on one line, for a list or a file name.
#[must_use]
pub fn gist(text: &str, chars: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= chars {
        return line;
    }
    let cut: String = line.chars().take(chars).collect();
    cut.rsplit_once(' ').map_or(cut.as_str(), |(head, _)| head).to_owned()
}

/// Returns the name of an item's file, without `.md`: the words of [`name_words`], and four letters of its id.
#[must_use]
pub fn item_name(text: &str, id: &MemoryId) -> String {
    let words = name_words(text);
    format!("{} {}", if words.is_empty() { "memory" } else { &words }, id.short())
}

/// Returns the first words of a text in letters that every file system takes; none where it has no letters.
#[must_use]
pub fn name_words(text: &str) -> String {
    let no_citations = strip_between(text, "[claim:", "]");
    let plain: String = no_citations
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '\'' | ',' | '+') { c } else { ' ' })
        .collect();
    let gist = gist(&plain, GIST_CHARS_MAX);
    // Bytes count too: 60 characters are 240 bytes at most.
    let gist: String = gist.trim_matches(|c: char| !c.is_alphanumeric()).chars().take(GIST_CHARS_MAX).collect();
    gist.get(..gist.floor_char_boundary(160)).unwrap_or_default().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_remote_has_one_key() {
        for url in [
            "git@GitHub.com:acme/Drift.git",
            "https://github.com/acme/drift",
            "ssh://git@github.com:22/acme/drift.git",
            "https://user:token@github.com/acme/drift.git/",
        ] {
            assert_eq!(project_key_of_remote(url), "github.com/acme/drift", "{url}");
        }
    }

    #[test]
    fn no_name_leads_anywhere() {
        assert_eq!(slug_agent("../../etc"), "etc");
        assert_eq!(slug_agent("Claude Code"), "Claude-Code");
        assert_eq!(slug_agent(".."), "agent");
        for key in ["..", "/", "", "a/../..", "C:\\x"] {
            let slug = project_slug(key);
            assert!(slug.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'), "{slug}");
        }
        let slug = project_slug("github.com/acme/drift");
        assert!(slug.starts_with("drift-") && slug.len() == 14);
        assert_eq!(project_slug(&slug), slug);
    }

    #[test]
    fn a_file_is_named_by_its_gist() {
        let id = MemoryId::from_random(0x0123_4567_89ab_cdef);
        assert_eq!(MemoryId::parse(id.as_str()), Some(id.clone()));
        let name = item_name("drift uses pino for structured logging [claim:c8myksbktdbv]; see a/b: c.", &id);
        assert_eq!(name, format!("drift uses pino for structured logging see a b c {}", id.short()));
        assert!(item_name(&"é".repeat(500), &id).len() < 200);
        assert_eq!(item_name("../..", &id), format!("memory {}", id.short()));
        // The words of a name give that name again.
        for text in ["drift uses pino [claim:c8myksbktdbv].", "é".repeat(500).as_str(), "../.."] {
            assert_eq!(item_name(&name_words(text), &id), item_name(text, &id), "{text}");
        }
    }
}
