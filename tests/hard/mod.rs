//! What a stranger's file, a broken disk or a kill can do to Memora: nothing but what is said.
//!
//! - [`damage`]: damaged state is made anew and said, and gives no other answer
//! - [`fuzzing`]: the targets of `fuzz/`, called with mutated texts of its corpus
//! - [`hostile`]: notes that repeat one construct are read by every command
//! - [`kills`]: what is killed at any moment loses nothing
//! - [`supply`]: licences and sources of what the program is made of
//!
//! Each runs for seconds. By hand, for as long as wanted: `MEMORA_HARD_ROUNDS=1000 cargo test --test integration hard::`.

mod damage;
mod fuzzing;
mod hostile;
mod kills;
mod supply;

/// How many rounds are run: as asked for, or a few.
fn rounds(few: u64) -> u64 {
    std::env::var("MEMORA_HARD_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(few)
}

/// A sequence of numbers that look random, the same each time (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end.max(1) as u64).unwrap_or_default()
    }
}
