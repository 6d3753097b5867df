//! What nobody can guess.

/// 256 random bits, as 64 hexadecimal digits.
pub(crate) fn random_token() -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    blake3::Hash::from_bytes(bytes).to_hex().to_string()
}
