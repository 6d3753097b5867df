//! `keep`, `retract`, `restore`: a line more in the vault's `.memora/decisions.jsonl`.
//!
//! The one rule to know: **this is all that is ever written into a vault's `.memora`, and only at its end.** What stands
//! there is not touched, not even what cannot be read.

use std::fs::OpenOptions;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use memora_claim::{DecisionKind, Claim, ClaimId, Decision, Decisions};
use memora_redact::{Door, WireClaim};
use memora_store::ReadError;
use memora_vault::Vault;

use crate::session::{Session, clearest_source};
use crate::wire::{DecidedReport, DecisionReport};

/// The file, below the vault's root.
const FOLDER: &str = ".memora";
const FILE: &str = "decisions.jsonl";

/// What is read of it at most: some hundred thousand decisions.
const BYTES_MAX: u64 = 64 << 20;

/// What is to be decided.
#[derive(Clone, Debug)]
pub struct DecisionRequest {
    /// What.
    pub act: DecisionKind,
    /// About which claim.
    pub claim: ClaimId,
    /// Over, or beside, which others; for [`Act::Keep`] none means all that it contradicts, and
    /// despite all that it derives from and that gave way.
    pub over: Vec<ClaimId>,
    /// When, as [`Decision::at`] has it.
    pub at: String,
}

/// Why a decision could not be made.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// There is no such claim, or this door may not know of it.
    #[error("there is no claim {0}")]
    Unknown(ClaimId),
    /// The same claim on both sides.
    #[error("{0} cannot be decided over itself")]
    Itself(ClaimId),
    /// The file could not be written.
    #[error("cannot write {FOLDER}/{FILE} in the vault")]
    Io(#[from] std::io::Error),
    /// The file, or its folder, leads out of the vault.
    #[error("{FOLDER}/{FILE} leads out of the vault")]
    Outside,
    /// The notes cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl DecideError {
    /// What to try.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "an id is copied from memora contradictions, search or claims",
            Self::Itself(_) => "name another claim",
            Self::Io(_) => "look whether the vault's folder can be written; nothing was decided",
            Self::Outside => "make .memora a plain folder of the vault; nothing was decided",
            Self::Read(_) => "memora doctor says what is wrong with the index",
        }
    }
}

/// Reads the decisions of a vault; none where there is no file, or one that leads elsewhere.
pub(super) fn read_decisions(vault: &Vault) -> Decisions {
    let Ok(path) = decisions_path(vault) else { return Decisions::default() };
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path);
    match file.and_then(|file| file.take(BYTES_MAX).read_to_end(&mut bytes)) {
        Ok(_) => Decisions::parse(&String::from_utf8_lossy(&bytes)),
        Err(_) => Decisions::default(),
    }
}

/// Where the file lies, with no link on the way that leads out of the vault.
fn decisions_path(vault: &Vault) -> Result<PathBuf, DecideError> {
    let folder = vault.root().join(FOLDER);
    let file = folder.join(FILE);
    for path in [&folder, &file] {
        match path.canonicalize() {
            Ok(real) if !real.starts_with(vault.root()) => return Err(DecideError::Outside),
            // A link that leads nowhere would be followed when the file is made.
            Err(_) if path.symlink_metadata().is_ok() => return Err(DecideError::Outside),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(file)
}

/// Adds a line at the end, in one write.
fn append_decision(vault: &Vault, decision: &Decision) -> Result<(), DecideError> {
    let path = decisions_path(vault)?;
    std::fs::create_dir_all(vault.root().join(FOLDER))?;
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    // Two processes that decide at once write one line after the other.
    drop(file.lock());
    let mut line = format!("{decision}\n");
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            line.insert(0, '\n');
        }
    }
    file.write_all(line.as_bytes())?;
    file.sync_all()?;
    Ok(())
}

impl<D: Door> Session<'_, D> {
    /// Writes down what the user decided about a claim that this door may see.
    ///
    /// A decision about a claim that this door may not know of is refused like one about a claim that does not exist.
    ///
    /// # Errors
    /// [`DecideError`]; nothing was decided then.
    pub fn decide(&self, deciding: &DecisionRequest) -> Result<DecidedReport<D>, DecideError> {
        let DecisionRequest { act, claim, over, at } = deciding;
        let restores = *act == DecisionKind::Restore && self.door.is_local();
        for id in std::iter::once(claim).chain(over) {
            let decided = restores && self.decisions().decided_statements().contains(&id.statement());
            if !decided && !self.is_known_claim(*id)? {
                return Err(DecideError::Unknown(*id));
            }
        }
        if let Some(same) = over.iter().find(|other| other.statement() == claim.statement()) {
            return Err(DecideError::Itself(*same));
        }
        let all = over.is_empty() && *act == DecisionKind::Keep;
        let (over, despite) =
            if all { (self.conflicting_claim_ids(*claim)?, self.broken_support_ids(*claim)?) } else { (over.clone(), Vec::new()) };
        let decision = Decision { at: at.clone(), act: *act, claim: *claim, over, despite, review: None };
        self.record_decision(&decision)?;
        Ok(DecidedReport { decision: DecisionReport::from_decision(&decision), claims: Vec::new() })
    }

    /// Adds a decision to the vault's.
    pub(crate) fn record_decision(&self, decision: &Decision) -> Result<(), DecideError> {
        append_decision(&self.memora.vault, decision)
    }

    /// What a claim rests on and what gave way: by keeping it, the user says that it holds all the same.
    fn broken_support_ids(&self, id: ClaimId) -> Result<Vec<ClaimId>, ReadError> {
        let Some(statement) = self.statement(id.statement())? else { return Ok(Vec::new()) };
        Ok(self.broken_support(&statement)?.iter().map(|gave_way| gave_way.claim).collect())
    }

    /// The claims that a decision speaks of, as they are now.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn with_decided_claims(&self, report: DecidedReport<D>) -> Result<DecidedReport<D>, ReadError> {
        let mut claims = Vec::new();
        for id in std::iter::once(&report.decision.claim).chain(&report.decision.over) {
            let Ok(id) = ClaimId::parse(id) else { continue };
            let Some(statement) = self.statement(id.statement())? else { continue };
            for claim in statement.wording.claims.iter().filter(|claim| !id.is_reading() || claim.id == id) {
                let clear = self.authorize_claim(claim, &statement)?;
                claims.extend(clear.map(|clear| WireClaim::from_clear(&clear, self.memora.vault.name())));
            }
        }
        Ok(DecidedReport { claims, ..report })
    }

    /// The claims that contradict a claim, or superseded it, as far as this door may know.
    fn conflicting_claim_ids(&self, id: ClaimId) -> Result<Vec<ClaimId>, ReadError> {
        let mut against = Vec::new();
        let Some(statement) = self.statement(id.statement())? else { return Ok(against) };
        let Some(source) = clearest_source(&statement) else { return Ok(against) };
        let meant = |claim: &&Claim| !id.is_reading() || claim.id == id;
        for claim in statement.wording.claims.iter().filter(meant) {
            let Some((entity, about)) = self.group_key_of(claim, source)? else { continue };
            let judged = &self.claim_group(&entity, &about)?.judged;
            let of = |a: ClaimId, b: ClaimId| if a == claim.id { Some(b) } else { (b == claim.id).then_some(a) };
            against.extend(judged.contradictions.iter().filter_map(|found| of(found.one, found.other)));
        }
        against.sort();
        against.dedup();
        Ok(against)
    }
}
