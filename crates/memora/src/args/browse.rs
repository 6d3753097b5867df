//! Arguments of the page.

use clap::Args;

#[derive(Args)]
pub(crate) struct Browse {
    /// Open the page in your browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Decide on the page: reviews, claims, what agents remember; without it the page writes nothing
    #[arg(long)]
    pub(crate) decide: bool,
    /// Listen at this port of 127.0.0.1; by default the system chooses one
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
}
