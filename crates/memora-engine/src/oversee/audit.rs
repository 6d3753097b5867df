//! `privacy audit` and `privacy egress`: why each note is guarded, what a model may see, and what left.
//!
//! Invariant: **an audit reads the vault, not the index.** Each note is read from disk and parsed right before it is
//! reported, and its statements have the bands that a prompt would be sorted by. At a cloud door nothing is
//! read: the audit reports only what `status` reports.

use memora_claim::{Statement, StatementKind};
use memora_redact::{CloudVisibility, LocalDoor, Viewer};
use memora_store::ReadError;
use memora_vault::{Band, ModelsAllowed, NotePath, Vault};
use rayon::prelude::*;

use crate::oversee::doctor::Doctor;
use crate::read::guard_reasons::guard_reasons;
use crate::report::{
    AllowedCounts, AllowedNote, AuditReport, CountsByBand, DoorKind, EgressLine, EgressReport, Freshness, GuardReason,
    GuardedNote,
};
use crate::state::egress::{BandCounts, EgressError, EgressLog};
use crate::state::note_cache::read_fresh_note;
use crate::state::note_kind::is_memory;
use crate::state::open::Memora;
use crate::state::session::Session;

/// Options of an audit.
#[derive(Clone, Debug, Default)]
pub struct AuditOptions {
    /// Only this note.
    pub note: Option<NotePath>,
    /// What a model on this machine may see, rather than one elsewhere.
    pub local_model: bool,
    /// Whether to list every note that the model may see.
    pub list: bool,
}

/// Findings about one note.
struct NoteAudit {
    path: NotePath,
    band: Band,
    by_band: BandCounts,
    /// Statements that the model may see, if it may see the note.
    allowed: Option<usize>,
    statements: usize,
    reasons: Vec<GuardReason>,
}

impl Memora {
    /// The log of what left this machine out of this vault.
    #[must_use]
    pub fn egress_log(&self) -> EgressLog {
        EgressLog::in_state_dir(&self.state)
    }
}

/// The reports of what is guarded and what left, for one session.
pub struct PrivacyAudit<'s> {
    session: &'s Session<'s>,
}

impl<'s> PrivacyAudit<'s> {
    pub(crate) fn new(session: &'s Session<'s>) -> Self {
        Self { session }
    }

    /// Reports which notes are guarded and why, and what a model may see, for the vault as it is on disk. A cloud door
    /// learns only how much it may see itself.
    pub fn audit_vault(&self, options: &AuditOptions, freshness: Freshness) -> Result<AuditReport, ReadError> {
        let cloud_sees = match self.session.memora.config.cloud_sees {
            CloudVisibility::Public => Band::Public,
            CloudVisibility::Private => Band::Private,
        };
        if !self.session.door.is_local() {
            return self.audit_for_cloud(cloud_sees, freshness);
        }
        // The vault's own rules, or the user's, may forbid models altogether.
        let models = self.session.memora.vault.allowed_models();
        let forbidden = models == ModelsAllowed::None || models == ModelsAllowed::Local && !options.local_model;
        let allows: &(dyn Fn(Band) -> bool + Sync) = match options.local_model {
            _ if forbidden => &|_| false,
            true => &|band| LocalDoor.may_show(band),
            false => &{
                let door = self.session.memora.cloud_door();
                move |band| door.may_show(band)
            },
        };
        let walk = self.session.memora.vault.walk();
        let wanted = |path: &&NotePath| options.note.as_ref().is_none_or(|note| note == *path);
        let paths: Vec<&NotePath> = walk.notes.iter().map(|found| &found.path).filter(wanted).collect();
        let audited: Vec<Option<NoteAudit>> =
            paths.par_iter().map(|path| audit_note(&self.session.memora.vault, path, allows)).collect();
        // Notes that vanished or could not be read are not counted.
        let unread = audited.iter().filter(|note| note.is_none()).count();
        let audited: Vec<NoteAudit> = audited.into_iter().flatten().collect();

        let (mut notes, mut statements) = (BandCounts::default(), BandCounts::default());
        let mut allowed = AllowedCounts { notes: 0, statements: 0, withheld: None };
        let mut all = 0;
        for note in &audited {
            notes.add(note.band);
            statements.join(note.by_band);
            all += as_u64(note.statements);
            allowed.notes += usize::from(note.allowed.is_some());
            allowed.statements += as_u64(note.allowed.unwrap_or(0));
        }
        allowed.withheld = Some(all - allowed.statements);
        let list = audited.iter().filter_map(|note| {
            let statements = note.allowed?;
            let path = note.path.as_str().to_owned();
            Some(AllowedNote { path, statements, withheld: note.statements - statements })
        });
        let list = options.list.then(|| list.collect());
        let open = audited.iter().filter(|note| note.reasons.is_empty()).count();
        let guarded = audited.into_iter().filter(|note| !note.reasons.is_empty()).map(|note| GuardedNote {
            path: note.path.as_str().to_owned(),
            band: note.band,
            statements: all_bands(note.by_band),
            reasons: note.reasons,
        });
        Ok(AuditReport {
            model: if options.local_model { DoorKind::Local } else { DoorKind::Cloud },
            cloud_sees,
            notes: all_bands(notes),
            statements: Some(all_bands(statements)),
            allowed,
            skipped: walk.skipped.len() + unread,
            open: Some(open),
            guarded: Some(guarded.collect()),
            list,
            freshness,
        })
    }

    fn audit_for_cloud(&self, cloud_sees: Band, freshness: Freshness) -> Result<AuditReport, ReadError> {
        let status = Doctor::new(self.session).report_status(freshness)?;
        let notes = status.notes.public + status.notes.private.unwrap_or(0);
        Ok(AuditReport {
            model: DoorKind::Cloud,
            cloud_sees,
            notes: status.notes,
            statements: None,
            allowed: match self.session.memora.vault.allowed_models() {
                ModelsAllowed::Any => AllowedCounts { notes, statements: status.statements, withheld: None },
                ModelsAllowed::Local | ModelsAllowed::None => AllowedCounts { notes: 0, statements: 0, withheld: None },
            },
            skipped: status.skipped,
            open: None,
            guarded: None,
            list: None,
            freshness,
        })
    }

    /// Reports what left this machine, as far as this door may know: never the text itself.
    pub fn report_egress(&self, last: usize) -> Result<EgressReport, EgressError> {
        let egress = self.session.memora.egress_log();
        let logged = egress.read_last(last)?;
        let local = self.session.door.is_local();
        let seen = |band, count: u64| self.session.door.may_show(band).then_some(as_usize(count));
        let entries = logged.entries.into_iter().map(|entry| EgressLine {
            redacted: local.then(|| entry.redacted_count()),
            at: entry.at.to_string(),
            to: entry.to,
            model: entry.model,
            what: entry.what,
            bytes: local.then_some(entry.bytes),
            claims: local.then_some(entry.claims),
            bands: CountsByBand {
                public: as_usize(entry.bands.public),
                private: seen(Band::Private, entry.bands.private),
                secret: seen(Band::Secret, entry.bands.secret),
            },
        });
        Ok(EgressReport {
            entries: entries.collect(),
            unreadable: logged.unreadable,
            log: local.then(|| egress.path().display().to_string()),
        })
    }
}

/// Reads a note and collects the reasons for its bands; `None` when it can't be read.
fn audit_note(vault: &Vault, path: &NotePath, allows: &dyn Fn(Band) -> bool) -> Option<NoteAudit> {
    let fresh = read_fresh_note(vault, path).ok()?;
    let note = fresh.note();
    // Properties of a memory are about the memory: the index has none of them.
    let is_memory = is_memory(note);
    let is_counted = |statement: &&Statement| !(is_memory && statement.kind == StatementKind::Property);
    let statements: Vec<&Statement> = fresh.statements().iter().filter(is_counted).collect();
    let mut by_band = BandCounts::default();
    for statement in &statements {
        by_band.add(statement.band);
    }
    let allowed = || statements.iter().filter(|statement| allows(statement.band)).count();
    Some(NoteAudit {
        path: path.clone(),
        band: note.band(),
        by_band,
        allowed: allows(note.band()).then(allowed),
        statements: statements.len(),
        reasons: guard_reasons(vault, &fresh),
    })
}

fn all_bands(counts: BandCounts) -> CountsByBand {
    let BandCounts { public, private, secret } = counts;
    CountsByBand { public: as_usize(public), private: Some(as_usize(private)), secret: Some(as_usize(secret)) }
}

fn as_usize(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

fn as_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
