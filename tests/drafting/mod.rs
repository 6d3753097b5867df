//! Answers that a language model drafts: what it is sent, and what becomes of what it says.
//!
//! The model is a server on this machine that speaks the providers' own formats and keeps every byte that it is sent.
//!
//! - [`exam`]: 139 conversations with a model, well-behaved and hostile, written before the code
//! - [`offered_passages`]: what it is offered, of which time and which note
//! - [`repair_loop`]: what of an answer is asked for again, with why, and the words that it rests on
//! - [`judged_sentences`]: what it says of sentences that the rules keep: it may prove them, or take them down
//! - [`judged_pairs`]: what it says of claims that contradict by the rules, and of what newer notes may have changed: it may take pairs out
//! - [`extract`]: claims that it reads, as far as the notes bear them out
//! - [`rewording`]: how it would word what is stale, as far as the notes bear it out
//! - [`guarded_words`]: no guarded byte is sent to a model elsewhere, whatever is asked and however it is configured
//! - [`local_or_remote`]: which models count as running on this machine
//! - [`secret_places`]: nor what is hidden in a property or makes a name secret
//! - [`privacy`]: one secret on its way through the program, from the note to a refusal

mod exam;
mod extract;
mod guarded_words;
mod judged_pairs;
mod judged_sentences;
mod local_or_remote;
mod offered_passages;
mod privacy;
mod repair_loop;
mod rewording;
mod secret_places;

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
