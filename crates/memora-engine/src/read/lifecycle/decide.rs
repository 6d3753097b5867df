//! `keep`, `retract`, `restore`: append a line to the vault's `.memora/decisions.jsonl`.
//!
//! Invariant: **the engine only ever appends this line to a vault's `.memora`.** Existing lines are never changed, even
//! if they cannot be parsed.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use memora_claim::{Claim, ClaimId, Decision, DecisionKind, Decisions};
use memora_redact::{Viewer, WireClaim};
use memora_store::ReadError;
use memora_vault::{Hint, Vault};

use crate::read::authorize::ClaimAuthorizer;
use crate::read::lifecycle::Lifecycle;
use crate::read::lifecycle::LifecycleReports;
use crate::report::{DecidedReport, DecisionReport};
use crate::state::sources::clearest_source;

/// The file's folder, below the vault's root.
const FOLDER: &str = ".memora";
const FILE: &str = "decisions.jsonl";

/// The maximum number of bytes read: some hundred thousand decisions.
const BYTES_MAX: u64 = 64 << 20;

/// A request to record a decision.
#[derive(Clone, Debug)]
pub struct DecisionRequest {
    /// The decision.
    pub act: DecisionKind,
    /// The claim it is about.
    pub claim: ClaimId,
    /// The other claims. If empty, [`DecisionKind::Keep`] applies to all claims that contradict this one, and despite all broken
    /// support of it.
    pub over: Vec<ClaimId>,
    /// The time, as in [`Decision::at`].
    pub at: String,
}

/// An error while recording a decision.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// The claim does not exist, or this door may not know of it.
    #[error("there is no claim {0}")]
    Unknown(ClaimId),
    /// The claim was there, and its words no longer stand, as far as this door may know.
    #[error("the words of {0} no longer stand in the notes; nothing was decided")]
    Gone(ClaimId),
    /// The claim is on both sides.
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

impl Hint for DecideError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Unknown(_) => {
                "an id is copied from memora search, claims or contradictions; a note that was never indexed has none"
            }
            Self::Gone(_) => "memora why tells what became of it",
            Self::Itself(_) => "name another claim",
            Self::Io(_) => "check that the vault's folder can be written; nothing was decided",
            Self::Outside => "make .memora a plain folder of the vault; nothing was decided",
            Self::Read(_) => "memora doctor says what is wrong with the index",
        }
    }
}

/// Reads the decisions of a vault; none if there is no file, or if it leads out of the vault.
pub(super) fn read_decisions(vault: &Vault) -> Decisions {
    let Ok(path) = decisions_path(vault) else { return Decisions::default() };
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path);
    match file.and_then(|file| file.take(BYTES_MAX).read_to_end(&mut bytes)) {
        Ok(_) => Decisions::parse(&String::from_utf8_lossy(&bytes)),
        Err(_) => Decisions::default(),
    }
}

/// Returns the file's path, if no link on the way leads out of the vault.
fn decisions_path(vault: &Vault) -> Result<PathBuf, DecideError> {
    let folder = vault.root().join(FOLDER);
    let file = folder.join(FILE);
    for path in [&folder, &file] {
        match path.canonicalize() {
            Ok(real) if !real.starts_with(vault.root()) => return Err(DecideError::Outside),
            // A dangling link would be followed when the file is created.
            Err(_) if path.symlink_metadata().is_ok() => return Err(DecideError::Outside),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(file)
}

/// Appends a decision's line, in one write.
pub(crate) fn append_decision(vault: &Vault, decision: &impl fmt::Display) -> Result<(), DecideError> {
    let path = decisions_path(vault)?;
    std::fs::create_dir_all(vault.root().join(FOLDER))?;
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    // Concurrent processes write one line after the other.
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

impl LifecycleReports<'_> {
    /// Records the user's decision about a claim that this door may see.
    ///
    /// A decision about a claim that this door may not know of fails like one about an unknown claim.
    ///
    /// # Errors
    /// [`DecideError`]; nothing was decided then.
    pub(crate) fn decide_claim(&self, deciding: &DecisionRequest) -> Result<DecidedReport, DecideError> {
        let DecisionRequest { act, claim, over, at } = deciding;
        let claim = &self.decidable_id(*claim)?;
        let over = &over.iter().map(|over| self.decidable_id(*over)).collect::<Result<Vec<_>, _>>()?;
        let restores = *act == DecisionKind::Restore && self.session.door.is_local();
        for id in std::iter::once(claim).chain(over) {
            let decided =
                restores && Lifecycle::new(self.session).decisions().decided_statements().contains(&id.statement());
            if !decided && !self.is_known_claim(*id)? {
                let is_gone = Lifecycle::new(self.session).has_history(id.statement())?
                    && self.session.statement(id.statement())?.is_none();
                return Err(if is_gone { DecideError::Gone(*id) } else { DecideError::Unknown(*id) });
            }
        }
        if let Some(same) = over.iter().find(|other| other.statement() == claim.statement()) {
            return Err(DecideError::Itself(*same));
        }
        let all = over.is_empty() && *act == DecisionKind::Keep;
        let (over, despite) = if all {
            (self.conflicting_claim_ids(*claim)?, self.broken_support_ids(*claim)?)
        } else {
            (over.clone(), Vec::new())
        };
        let decision = Decision { at: at.clone(), act: *act, claim: *claim, over, despite, review: None };
        self.record_decision(&decision)?;
        Ok(DecidedReport { decision: DecisionReport::from_decision(&decision), claims: Vec::new() })
    }

    /// The id that a decision about a claim names: the one that it has now, where its sentence is no longer cut or its note was
    /// renamed.
    fn decidable_id(&self, id: ClaimId) -> Result<ClaimId, ReadError> {
        if self.session.statement(id.statement())?.is_some() {
            return self.session.current_id(id);
        }
        let renamed = Lifecycle::new(self.session).find_renamed_statement(id.statement())?;
        Ok(renamed.map_or(id, |statement| statement.id.into()))
    }

    /// Appends a decision to the vault's.
    pub(crate) fn record_decision(&self, decision: &Decision) -> Result<(), DecideError> {
        append_decision(&self.session.memora.vault, decision)
    }

    /// Returns when the user said that a claim no longer holds.
    pub(crate) fn ended_at(&self, id: ClaimId) -> Option<String> {
        Lifecycle::new(self.session).decisions().ended_at(id).map(str::to_owned)
    }

    /// Returns the broken support of a claim: by keeping it, the user says that it holds nevertheless.
    fn broken_support_ids(&self, id: ClaimId) -> Result<Vec<ClaimId>, ReadError> {
        let Some(statement) = self.session.statement(id.statement())? else { return Ok(Vec::new()) };
        Ok(Lifecycle::new(self.session).broken_support(&statement)?.iter().map(|gave_way| gave_way.claim).collect())
    }

    /// Adds the claims that a decision names, as they are now.
    pub(crate) fn decided_claims(&self, decision: &DecisionReport) -> Result<Vec<WireClaim>, ReadError> {
        let mut claims = Vec::new();
        for id in std::iter::once(&decision.claim).chain(&decision.over) {
            let Ok(id) = ClaimId::parse(id) else { continue };
            let Some(statement) = self.session.statement(id.statement())? else { continue };
            for claim in statement.wording.claims.iter().filter(|claim| !id.is_reading() || claim.id == id) {
                let clear = ClaimAuthorizer::new(self.session, Lifecycle::new(self.session))
                    .authorize_claim(claim, &statement)?;
                claims.extend(clear.map(|clear| WireClaim::from_clear(&clear, self.session.memora.vault.name())));
            }
        }
        Ok(claims)
    }

    /// Returns the claims that contradict a claim, or superseded it, as far as this door may know.
    fn conflicting_claim_ids(&self, id: ClaimId) -> Result<Vec<ClaimId>, ReadError> {
        let mut against = Vec::new();
        let Some(statement) = self.session.statement(id.statement())? else { return Ok(against) };
        let Some(source) = clearest_source(&statement) else { return Ok(against) };
        let meant = |claim: &&Claim| !id.is_reading() || claim.id == id;
        for claim in statement.wording.claims.iter().filter(meant) {
            let Some((entity, about)) = Lifecycle::new(self.session).group_key_of(claim, source)? else { continue };
            let judged = &Lifecycle::new(self.session).claim_group(&entity, &about)?.judged;
            let of = |a: ClaimId, b: ClaimId| if a == claim.id { Some(b) } else { (b == claim.id).then_some(a) };
            against.extend(judged.contradictions.iter().filter_map(|found| of(found.one, found.other)));
        }
        against.sort();
        against.dedup();
        Ok(against)
    }
}
