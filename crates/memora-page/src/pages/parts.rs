//! What several pages show: a claim with its receipt, a verdict, a passage.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use memora_engine::report::{
    Band, ClaimStatus, Modality, NoteSource, Passage, PassageLine, Phase, SentenceReport, SentenceVerdict, WireClaim,
};
use memora_engine::{ClaimId, Door, NotePath, Session};

use crate::audience::{PageDoor, Reading};
use crate::error::PageError;
use crate::excerpt::{MarkedLine, around};
use crate::links;

/// A claim as it is shown to `D`: its words among the lines around them, and the receipt.
pub(crate) struct Evidence<D> {
    pub(crate) claim: WireClaim<D>,
    /// The number by which sentences name it, where they do.
    pub(crate) number: usize,
    /// The lines around it; empty where this door may not see the note whole.
    pub(crate) lines: Vec<MarkedLine>,
    /// When it was re-read, by the clock of this machine.
    pub(crate) at: String,
    /// The day on which the user said that it no longer holds.
    pub(crate) ended: Option<String>,
}

/// Reads claims with the lines around them: each note once for all of its places, and none that nobody waits for.
pub(crate) struct EvidenceReader<'r, D> {
    reading: &'r Reading<'r>,
    session: &'r Session<'r, D>,
    sources: HashMap<String, Option<NoteSource<D>>>,
}

impl<'r, D: Door> EvidenceReader<'r, D> {
    pub(crate) fn new(reading: &'r Reading<'r>, session: &'r Session<'r, D>) -> Self {
        Self { reading, session, sources: HashMap::new() }
    }

    /// A claim with the lines around it, re-read in this session.
    pub(crate) fn read(&mut self, claim: WireClaim<D>, number: usize) -> Result<Evidence<D>, PageError> {
        self.reading.check_awaited()?;
        let lines = match claim.place() {
            Some(place) => self.source(&place.path)?.and_then(|source| lines_around(source, &claim)),
            None => None,
        };
        let ended = match (claim.status(), ClaimId::parse(claim.id())) {
            (Some(ClaimStatus::Superseded), Ok(id)) => self.session.lifecycle_reports().ended_at(id),
            _ => None,
        };
        let ended = ended.and_then(|at| at.get(..10).map(str::to_owned));
        let at = jiff::Zoned::now().strftime("%H:%M:%S").to_string();
        Ok(Evidence { claim, number, lines: lines.unwrap_or_default(), at, ended })
    }

    fn source(&mut self, path: &str) -> Result<Option<&NoteSource<D>>, PageError> {
        let source = match self.sources.entry(path.to_owned()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(empty) => {
                let path = NotePath::new(path).ok();
                let read = path.map(|path| self.session.catalog().read_source(&path)).transpose()?.flatten();
                empty.insert(read)
            }
        };
        Ok(source.as_ref())
    }
}

impl<D: Door> Evidence<D> {
    /// What it is to be read under.
    pub(crate) fn headings(&self) -> String {
        self.claim.context().join(" › ")
    }

    /// The words of the place.
    pub(crate) fn quote(&self) -> &str {
        self.claim.place().map_or("", |place| place.quote.as_str())
    }

    /// Where the place is shown.
    pub(crate) fn address(&self) -> String {
        links::claim_place(&self.claim)
    }

    /// Where the claim is explained.
    pub(crate) fn why(&self) -> String {
        links::claim(self.claim.id())
    }

    /// `path:line:column`.
    pub(crate) fn place_words(&self) -> String {
        place_words(&self.claim)
    }

    /// The rest of the receipt: bytes, hash, time.
    pub(crate) fn receipt(&self) -> Vec<String> {
        let Some(place) = self.claim.place() else { return Vec::new() };
        let bytes = place.start.zip(place.end).map(|(start, end)| format!("bytes {start}–{end}"));
        let hash = place.hash.as_ref().map(|hash| format!("blake3 {}", links::short_hash(hash)));
        let moved = place.moved.then(|| "moved since it was indexed".to_owned());
        bytes.into_iter().chain(hash).chain([format!("re-read {}", self.at)]).chain(moved).collect()
    }

    /// What is to be said of it: that it no longer holds, who says so, how guarded it is.
    pub(crate) fn marks(&self) -> Vec<String> {
        claim_marks(&self.claim, self.ended.as_deref())
    }
}

fn lines_around<D>(source: &NoteSource<D>, claim: &WireClaim<D>) -> Option<Vec<MarkedLine>> {
    let place = claim.place()?;
    Some(around(source, &(place.start?..place.end?)))
}

/// `path:line:column` of a claim.
pub(crate) fn place_words<D>(claim: &WireClaim<D>) -> String {
    let Some(place) = claim.place() else { return "withheld".to_owned() };
    match (place.line, place.column) {
        (Some(line), Some(column)) => format!("{}:{line}:{column}", place.path),
        _ => place.path.clone(),
    }
}

/// What is to be said of a claim, which the user may have ended on a day.
pub(crate) fn claim_marks<D>(claim: &WireClaim<D>, ended: Option<&str>) -> Vec<String> {
    let mut marks = Vec::new();
    match claim.status() {
        Some(ClaimStatus::Superseded) if ended.is_some() => marks.push("you ended it".to_owned()),
        Some(ClaimStatus::Superseded) => marks.push("superseded".to_owned()),
        Some(ClaimStatus::Stale) => marks.push("stale".to_owned()),
        Some(ClaimStatus::Withdrawn) => marks.push("withdrawn".to_owned()),
        Some(ClaimStatus::Current) | None => {}
    }
    match claim.modality() {
        Some(Modality::Reported) => {
            marks.push(format!("the words of {}", claim.attribution().unwrap_or("another author")));
        }
        Some(Modality::Code) => marks.push("code".to_owned()),
        _ => {}
    }
    if claim.is_captured() {
        marks.push("a machine wrote the note".to_owned());
    }
    match (claim.valid_from(), claim.valid_until()) {
        // The day on which somebody says that it is over is not the day on which it ended.
        (from, Some(until)) if ended == Some(until) => {
            marks.extend(from.map(|from| format!("holds from {from}")));
            marks.push(format!("you said on {until} that it no longer holds; when it ended is not known"));
        }
        (Some(from), Some(until)) if from == until => marks.push(format!("on {from}")),
        (Some(from), Some(until)) => marks.push(format!("held {from} to {until}")),
        (Some(from), None) => marks.push(format!("holds from {from}")),
        // "We no longer keep it": that holds from then on.
        (None, Some(until)) if claim.phase() == Some(Phase::Ended) => marks.push(format!("over by {until}")),
        (None, Some(until)) => marks.push(format!("held until {until}")),
        (None, None) => {}
    }
    if claim.source_count() > 1 {
        marks.push(format!("stands in {} places", claim.source_count()));
    }
    marks
}

/// A verdict as it is shown: a word, a shape and a colour.
#[derive(Clone, Copy)]
pub(crate) struct Verdict {
    pub(crate) word: &'static str,
    pub(crate) shape: &'static str,
    /// The class that colours it.
    pub(crate) tone: &'static str,
    pub(crate) explanation: &'static str,
}

impl Verdict {
    pub(crate) fn of(verdict: SentenceVerdict) -> Self {
        let (shape, tone) = match verdict {
            SentenceVerdict::Quoted => ("❝", "good"),
            SentenceVerdict::Verified => ("✓", "good"),
            SentenceVerdict::Entailed => ("⊢", "good"),
            SentenceVerdict::Paraphrased => ("≈", "weak"),
            SentenceVerdict::Contradicted => ("✗", "bad"),
            SentenceVerdict::Unsupported => ("?", "bad"),
            SentenceVerdict::Rejected => ("⊘", "bad"),
            SentenceVerdict::Uncited => ("○", "none"),
            SentenceVerdict::Exempt => ("–", "none"),
        };
        let explanation = match verdict {
            SentenceVerdict::Paraphrased => {
                "nothing that disagrees was found; nothing proves it: compare the wording yourself"
            }
            _ => verdict.explanation(),
        };
        Self { word: verdict.as_str(), shape, tone, explanation }
    }
}

/// The numbers of the claims that a sentence cites.
pub(crate) fn cited_numbers<D>(sentence: &SentenceReport, claims: &[WireClaim<D>]) -> Vec<usize> {
    // A marker may name the statement, or a reading of it.
    let statement = |id: &str| id.split('.').next().map(str::to_owned);
    let cited: Vec<_> =
        sentence.citations.iter().filter_map(|citation| citation.claim.as_deref()).map(statement).collect();
    (1..).zip(claims).filter(|(_, claim)| cited.contains(&statement(claim.id()))).map(|(number, _)| number).collect()
}

/// How guarded something is, in a letter for the margin; nothing where it is public.
pub(crate) fn band_letter(band: &Band) -> &'static str {
    match band {
        Band::Public => "",
        Band::Private => "P",
        Band::Secret => "S",
    }
}

/// A passage with the addresses of its lines.
pub(crate) struct ShownPassage<D> {
    pub(crate) passage: Passage<D>,
}

impl<D: Door> ShownPassage<D> {
    /// The headings above it, without the title that is its path.
    pub(crate) fn headings(&self) -> String {
        self.passage.context.join(" › ")
    }

    /// Where it is shown: at the first line that was found.
    pub(crate) fn address(&self) -> String {
        links::line(&self.passage.path, self.first_found())
    }

    /// `path:line`.
    pub(crate) fn place_words(&self) -> String {
        match self.first_found() {
            Some(line) => format!("{}:{line}", self.passage.path),
            None => self.passage.path.clone(),
        }
    }

    fn first_found(&self) -> Option<usize> {
        let found = self.passage.lines.iter().find(|line| line.hit).or(self.passage.lines.first());
        found.and_then(|line| line.line)
    }

    /// Where a line is explained.
    pub(crate) fn why(&self, line: &PassageLine) -> String {
        links::claim(&line.claim)
    }

    /// The names of the columns above a row of a table, where they begin.
    pub(crate) fn columns(&self, at: &usize) -> Option<&str> {
        let columns = |at: usize| self.passage.lines.get(at).and_then(|line| line.columns.as_deref());
        let before = at.checked_sub(1).and_then(columns);
        columns(*at).filter(|names| before != Some(*names))
    }

    /// The number of a line, if it differs from that before it.
    pub(crate) fn number(&self, at: &usize) -> String {
        let number = |at: usize| self.passage.lines.get(at).and_then(|line| line.line);
        let before = at.checked_sub(1).and_then(number);
        number(*at).filter(|line| before != Some(*line)).map_or(String::new(), |line| line.to_string())
    }
}

/// Reads claims with their surroundings, numbered from one.
pub(crate) fn read_evidence<D: PageDoor>(
    reading: &Reading<'_>,
    session: &Session<'_, D>,
    claims: Vec<WireClaim<D>>,
) -> Result<Vec<Evidence<D>>, PageError> {
    let mut reader = EvidenceReader::new(reading, session);
    (1..).zip(claims).map(|(number, claim)| reader.read(claim, number)).collect()
}

/// Whether something of the vault is guarded: only then do the two readers differ.
pub(crate) fn has_guarded(reading: &Reading<'_>) -> bool {
    reading.memora.has_guarded_text().unwrap_or(true)
}
