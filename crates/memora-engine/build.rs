//! Derives the version of reading, which decides whether notes are read again: `MEMORA_READER_VERSION`.

use std::env;
use std::io::{Error, Result};
use std::path::PathBuf;

#[path = "build/reader_version.rs"]
mod reader_version;

fn main() -> Result<()> {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(Error::other("cargo runs this"))?);
    let crates = own.parent().ok_or(Error::other("the crate lies beside the others"))?;
    println!("cargo::rerun-if-changed=build");
    for place in reader_version::READING {
        println!("cargo::rerun-if-changed={}", crates.join(place).display());
    }
    println!("cargo::rustc-env=MEMORA_READER_VERSION={}", reader_version::hash_reading(crates)?);
    Ok(())
}
