//! The integration tests, one binary. Each file says what it states about Memora as a whole:
//!
//! - [`architecture`]: which crate may know which, who may print, and that nobody writes `unsafe`
//! - [`behaviour`]: what others get wrong, what ages, re-anchoring, entities, rebuilding, through the real binary
//! - [`displaced`]: what reads like front matter counts at every door, wherever it stands
//! - [`distribution`]: nothing sends anybody to a package of a stranger
//! - [`drafting`]: what a language model is sent, and what becomes of what it says
//! - [`embedder`]: what is installed is what was published, what is chosen is written down, what is missing is said
//! - [`errors`]: what goes wrong ends with the right exit code and a hint, and nothing is lost
//! - [`first_day`]: what a newcomer runs first: `init`, `demo`, `doctor`, completions and the manual
//! - [`golden_ids`]: a statement of the example vault keeps its id for good
//! - [`hard`]: hostile notes, damaged state, kills, mutated texts, licences
//! - [`leaks`]: no guarded word of the example vault passes a cloud door
//! - [`lsp`]: what an editor is told by `memora lsp`, what becomes of its edits, and what it is never told
//! - [`mcp`]: what a client of `memora mcp` is told, and what never
//! - [`memory`]: what agents remember: saved, owned, served, and without influence on the user's notes
//! - [`page`]: who is given the address of `memora browse`, and what it shows as a cloud model would see it
//! - [`promises`]: heads, passwords, negations, scalars, sentences, copies and times of an exam by another hand
//! - [`rooms`]: the engine's rooms, of which none knows one above it
//! - [`readme`]: the README's transcript is what the program prints
//! - [`schemas`]: what is published under `schemas/` is what is printed
//! - [`screens`]: what a person sees at a terminal, letter for letter
//! - [`two_vaults`]: two vaults that differ in guarded words alone look the same from a cloud door
//! - [`vault_untouched`]: no command changes the vault, or leaves anything in it
//! - [`verifying`]: what cites besides claims, and the forms in which verdicts are printed
//! - [`watching`]: `watch` keeps the index as one made at once would be, whatever happens to the vault, and idles otherwise
//!
//! and [`support`] and [`exams`] are what they share. Run them with `cargo test --test integration`.

mod architecture;
mod behaviour;
mod displaced;
mod distribution;
mod drafting;
mod embedder;
mod errors;
mod exams;
mod first_day;
mod golden_ids;
mod hard;
mod leaks;
mod lsp;
mod mcp;
mod memory;
mod page;
mod promises;
mod readme;
mod rooms;
mod schemas;
#[cfg(unix)]
mod screens;
mod support;
mod two_vaults;
mod vault_untouched;
mod verifying;
#[cfg(unix)]
mod watching;
