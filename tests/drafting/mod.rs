//! Answers that a language model drafts: what it is sent, and what becomes of what it says.
//!
//! The model is a server on this machine that speaks the providers' own formats and keeps every byte that it is sent.
//!
//! - [`exam`]: 139 conversations with a model, well-behaved and hostile, written before the code
//! - [`offering`]: what it is offered, of which time and which note
//! - [`correcting`]: what of an answer is asked for again, with why, and the words that it rests on
//! - [`judging`]: what it says of sentences that the rules keep: it may prove them, or take them down
//! - [`comparing`]: what it says of claims that contradict by the rules, and of what newer notes may have changed: it may take pairs out
//! - [`extracting`]: claims that it reads, as far as the notes bear them out
//! - [`rewording`]: how it would word what is stale, as far as the notes bear it out
//! - [`walls`]: no guarded byte is sent to a model elsewhere, whatever is asked and however it is configured
//! - [`locality`]: which models count as running on this machine
//! - [`places`]: nor what is hidden in a property or makes a name secret
//! - [`privacy`]: one secret on its way through the program, from the note to a refusal

mod comparing;
mod correcting;
mod exam;
mod extracting;
mod judging;
mod locality;
mod offering;
mod places;
mod privacy;
mod rewording;
mod walls;

use memora_testkit::{MemoraBinary, ModelServer};

/// Has a model at this address answer, one that is not trusted: whatever is sent to it may leave the machine.
pub(crate) fn elsewhere(memora: &MemoraBinary, provider: &str, server: &ModelServer) {
    let path = if provider == "openai" { "/v1" } else { "" };
    configure(memora, &format!("provider = \"{provider}\"\nurl = \"{}{path}\"\n", server.address()));
}

/// Has a model at this address answer that the user trusts, on this machine.
pub(crate) fn here(memora: &MemoraBinary, server: &ModelServer) {
    configure(memora, &format!("provider = \"ollama\"\nurl = \"{}\"\ntrusted_local = true\n", server.address()));
}

fn configure(memora: &MemoraBinary, lines: &str) {
    memora.write_config(&format!("[model]\nname = \"scripted\"\ntimeout_seconds = 3\nkey_env = \"HOME\"\n{lines}"));
}
