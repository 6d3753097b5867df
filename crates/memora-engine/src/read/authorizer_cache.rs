//! The cache of the authorization.

use std::cell::OnceCell;
use std::collections::HashMap;

use memora_vault::NotePath;

/// The names of public notes that a session has read.
#[derive(Default)]
pub(crate) struct AuthorizerCache {
    /// Titles and aliases of notes that were public when indexed, in lower case, with the notes; read when first needed.
    pub(super) public_names: OnceCell<HashMap<String, Vec<NotePath>>>,
}
