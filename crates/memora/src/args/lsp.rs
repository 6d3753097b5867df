//! Arguments of the editor's server.

use clap::Args;

use super::ModelLocality;

#[derive(Args)]
pub(crate) struct Lsp {
    /// Who reads what the editor shows: `local` if no assistant in it sends that anywhere; --door and MEMORA_DOOR are ignored
    #[arg(long, value_name = "WHERE", default_value = "cloud")]
    pub(crate) client: ModelLocality,
    /// Accepted and without effect: many editors add it
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}
