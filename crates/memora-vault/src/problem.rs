//! Problems found in a note, reported instead of failing.

use std::fmt;

use crate::Hint;

/// Something in a note that may have been read differently than its author meant.
///
/// Carries no text of the note: a problem is shown at doors that may not see the note itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NoteProblem {
    /// Line it starts on, from 1.
    pub line: usize,
    /// What it is.
    pub kind: ProblemKind,
}

/// The ways a note can be odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// The front matter opens and never closes; it was read as text.
    UnclosedFrontMatter,
    /// What reads like front matter, or a field of it, stands elsewhere; what it says of privacy and of machines counts.
    DisplacedFrontMatter,
    /// The front matter is not YAML that can be read; the properties are lost, the note is not.
    BadYaml,
    /// A property stands twice; the first counts.
    DuplicateProperty,
    /// A privacy word that names no band; read as secret.
    UnknownBand,
    /// A privacy marker that is not written as one, such as `<!—privacy:secret—>`; read as one.
    OddPrivacyMarker,
    /// A privacy marker that never closes; secret to the end of the file.
    UnclosedPrivacyMarker,
    /// A closing privacy marker without an opening one; ignored.
    StrayPrivacyClose,
    /// A comment that never closes; secret to the end of the file, or of the property that it stands in.
    UnclosedComment,
    /// A code fence that never closes; code to the end of the file.
    UnclosedFence,
    /// The same block id twice in one note; links go to the first.
    DuplicateBlockId,
    /// What looks like a password or key stands in the text; read as secret.
    Credential,
    /// Nested deeper than is read (64 levels); the rest of that block is text.
    TooDeep,
    /// Its statements would repeat more of the headings, items and column names above them than is kept (32 MiB); those
    /// from this line on are not read.
    TooMuchContext,
    /// Larger than is read (8 MiB, unless the user says otherwise); the rest is not read, and is secret.
    TooLong,
    /// The same words stand in it more often than their places are kept (1,000); the further ones are not.
    TooManyRepeats,
}

impl ProblemKind {
    /// Every kind, for documentation and the store.
    pub const ALL: [Self; 16] = [
        Self::UnclosedFrontMatter,
        Self::DisplacedFrontMatter,
        Self::BadYaml,
        Self::DuplicateProperty,
        Self::UnknownBand,
        Self::OddPrivacyMarker,
        Self::UnclosedPrivacyMarker,
        Self::StrayPrivacyClose,
        Self::UnclosedComment,
        Self::UnclosedFence,
        Self::DuplicateBlockId,
        Self::Credential,
        Self::TooDeep,
        Self::TooMuchContext,
        Self::TooLong,
        Self::TooManyRepeats,
    ];

    /// A stable name for machines, such as `unclosed-fence`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::UnclosedFrontMatter => "unclosed-front-matter",
            Self::DisplacedFrontMatter => "displaced-front-matter",
            Self::BadYaml => "bad-yaml",
            Self::DuplicateProperty => "duplicate-property",
            Self::UnknownBand => "unknown-band",
            Self::OddPrivacyMarker => "odd-privacy-marker",
            Self::UnclosedPrivacyMarker => "unclosed-privacy-marker",
            Self::StrayPrivacyClose => "stray-privacy-close",
            Self::UnclosedComment => "unclosed-comment",
            Self::UnclosedFence => "unclosed-fence",
            Self::DuplicateBlockId => "duplicate-block-id",
            Self::Credential => "credential",
            Self::TooDeep => "too-deep",
            Self::TooMuchContext => "too-much-context",
            Self::TooLong => "too-long",
            Self::TooManyRepeats => "too-many-repeats",
        }
    }

    /// The kind with this [`code`](Self::code).
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

impl Hint for ProblemKind {
    fn hint(&self) -> &'static str {
        match self {
            Self::UnclosedFrontMatter => "close the front matter with a line of three hyphens",
            Self::DisplacedFrontMatter => "put it between lines of three hyphens, at the very top of the note",
            Self::BadYaml => "quote values that hold a colon, a bracket or a wikilink: up: \"[[Note]]\"",
            Self::DuplicateProperty => "keep one of the two",
            Self::UnknownBand => "write public, private or secret",
            Self::OddPrivacyMarker => "write <!--privacy:secret-->, and <!--/privacy--> where it ends",
            Self::UnclosedPrivacyMarker => "close it with <!--/privacy-->",
            Self::StrayPrivacyClose => "remove it, or open with <!--privacy:secret-->",
            Self::UnclosedComment => "close it with %%",
            Self::UnclosedFence => "close it with a line of the same fence",
            Self::DuplicateBlockId => "give one of the two blocks another id",
            Self::Credential => "keep keys and passwords in a password manager",
            Self::TooDeep => "lift the inner lists or quotes out",
            Self::TooMuchContext => "shorten the headings, items or column names that thousands of lines stand under",
            Self::TooLong => "split the note in several, or set read_mib under [notes] in config.toml",
            Self::TooManyRepeats => "say it once; the first 1,000 places are kept",
        }
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnclosedFrontMatter => "front matter is never closed; read as text",
            Self::DisplacedFrontMatter => "front matter is not where it should be; what it guards is guarded",
            Self::BadYaml => "front matter is not valid YAML; its properties are not read",
            Self::DuplicateProperty => "property is given twice; the first counts",
            Self::UnknownBand => "unknown privacy word; read as secret",
            Self::OddPrivacyMarker => "not written as a privacy marker is; read as one",
            Self::UnclosedPrivacyMarker => "privacy marker is never closed; secret to the end of the note",
            Self::StrayPrivacyClose => "closing privacy marker without an opening one; ignored",
            Self::UnclosedComment => "comment is never closed; hidden to the end of the note or property",
            Self::UnclosedFence => "code fence is never closed; code to the end of the note",
            Self::DuplicateBlockId => "block id is used twice; links lead to the first",
            Self::Credential => "looks like a password or key; read as secret",
            Self::TooDeep => "nested too deeply; the rest of the block is read as text",
            Self::TooMuchContext => "repeats too much of what stands above; the rest of the note is not read",
            Self::TooLong => "note is larger than is read; the rest is not read",
            Self::TooManyRepeats => "says the same thousands of times; the first places are kept",
        })
    }
}

/// Collects problems while a note is parsed.
pub(crate) struct ProblemCollector<'a> {
    pub(crate) line_starts: &'a [usize],
    pub(crate) found: Vec<NoteProblem>,
}

impl ProblemCollector<'_> {
    /// Records a problem at a byte offset.
    pub(crate) fn report_at(&mut self, offset: usize, kind: ProblemKind) {
        let line = self.line_starts.partition_point(|&start| start <= offset).max(1);
        self.found.push(NoteProblem { line, kind });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_lead_back() {
        for kind in ProblemKind::ALL {
            assert_eq!(ProblemKind::from_code(kind.code()), Some(kind));
        }
    }
}
