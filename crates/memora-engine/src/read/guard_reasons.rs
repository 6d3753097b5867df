//! Why a note and its parts are guarded, for the user alone.

use memora_claim::{ParsedNote, Statement};
use memora_vault::{Band, BandDecision, BandReason, CredentialKind, Note, PlaceReason, Vault};

use crate::report::GuardReason;

/// Why a note and its parts are guarded: first what is about all of it, then by place. For the user alone.
pub(crate) fn guard_reasons(vault: &Vault, fresh: &ParsedNote) -> Vec<GuardReason> {
    let note = fresh.note();
    let mut reasons = Vec::new();
    for guard in note.band_decisions() {
        match guard.reason {
            BandReason::Place => {
                reasons.extend(vault.place_reasons(note.path()).iter().filter_map(place_reason));
            }
            _ => reasons.push(text_reason(note, guard)),
        }
    }
    reasons.extend(surroundings_reasons(fresh));
    reasons
}
fn place_reason(reason: &PlaceReason) -> Option<GuardReason> {
    let band = reason.band();
    let (kind, message) = match reason {
        PlaceReason::UserRule(glob, _) => {
            ("user-rule", format!("rule in your config.toml: {}", printable_excerpt(glob)))
        }
        PlaceReason::VaultRule(glob, _) => {
            ("vault-rule", format!("rule in the vault's .memora/config.toml: {}", printable_excerpt(glob)))
        }
        PlaceReason::UserUnmarked(_) => {
            ("user-unmarked", format!("no rule names it, and your config.toml says unmarked = {band}"))
        }
        PlaceReason::VaultUnmarked(_) => {
            ("vault-unmarked", format!("no rule names it, and the vault's .memora/config.toml says unmarked = {band}"))
        }
        PlaceReason::VaultRulesUnreadable => {
            ("vault-rules-unreadable", "the vault's .memora/config.toml can't be read".to_owned())
        }
    };
    let reason = GuardReason { band, kind, message, whole: true, line: None, until: None };
    (band > Band::Public).then_some(reason)
}

fn text_reason(note: &Note, guard: &BandDecision) -> GuardReason {
    let said = printable_excerpt(note.text().get(guard.said.clone()).unwrap_or_default());
    let message = match guard.reason {
        BandReason::Place => "its place".to_owned(),
        BandReason::Property => format!("property {said}"),
        BandReason::UnknownProperty => {
            format!("property {said} is not public, private or secret, so it is read as secret")
        }
        BandReason::Tag => format!("tag #{}", said.trim_start_matches(['#', '＃'])),
        BandReason::UnreadableFrontMatter => format!("front matter can't be read and says {}", guard.band),
        BandReason::Marker => "marker".to_owned(),
        BandReason::UnknownMarker => format!("marker {said} is not public, private or secret, so it is read as secret"),
        BandReason::UnclosedMarker => "unclosed marker".to_owned(),
        BandReason::Comment => "comment".to_owned(),
        BandReason::UnclosedComment => "unclosed comment".to_owned(),
        BandReason::PropertyComment => "property with a comment".to_owned(),
        BandReason::UnclosedPropertyComment => "property with a comment that is never closed".to_owned(),
        BandReason::Credential(kind) => format!("credential ({})", credential_name(kind)),
        BandReason::NameCredential(kind) => format!("credential in its name ({})", credential_name(kind)),
        BandReason::GuardedParent => "whole list item or callout: part of it is guarded".to_owned(),
        BandReason::Footnote => "footnote that only guarded text refers to".to_owned(),
    };
    let line = |at: usize| note.line_column(at).line;
    let in_text = !matches!(guard.reason, BandReason::NameCredential(_));
    GuardReason {
        band: guard.band,
        kind: guard.reason.code(),
        message,
        whole: guard.range.is_none(),
        line: in_text.then(|| line(guard.range.as_ref().map_or(guard.said.start, |range| range.start))),
        until: guard.range.as_ref().map(|range| line(range.end.saturating_sub(1).max(range.start))),
    }
}

/// Statements with a stricter band than any of their bytes, because of the text above them; adjacent ones merged.
fn surroundings_reasons(fresh: &ParsedNote) -> Vec<GuardReason> {
    let note = fresh.note();
    let statements: Vec<(&Statement, bool)> =
        fresh.statements().iter().map(|s| (s, s.band > note.band_of_range(s.span.range()))).collect();
    let runs = statements.chunk_by(|(a, guarded), (b, other)| guarded == other && a.band == b.band);
    let guarded = runs.filter_map(|run| {
        let ((first, guarded), (last, _)) = (run.first()?, run.last()?);
        guarded.then(|| GuardReason {
            band: first.band,
            kind: "surroundings",
            message: "under a guarded heading, list item or table header".to_owned(),
            whole: false,
            line: Some(note.line_column(first.span.start()).line),
            until: Some(note.line_column(last.span.end().saturating_sub(1)).line),
        })
    });
    guarded.collect()
}

fn credential_name(kind: CredentialKind) -> &'static str {
    match kind {
        CredentialKind::PrivateKey => "private key",
        CredentialKind::Token => "token",
        CredentialKind::Password => "password",
        CredentialKind::Iban => "IBAN",
        CredentialKind::Card => "card number",
    }
}

/// One line of at most 80 characters, without control characters.
fn printable_excerpt(said: &str) -> String {
    let mut plain: String = said.chars().take(80).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if said.chars().nth(80).is_some() {
        plain.push('…');
    }
    plain
}
