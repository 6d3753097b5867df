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
    /// Take 127.0.0.1 as the address, for a browser that does not know names below localhost; then other programs at other ports of this
    /// machine can be sent the session that reads your notes, and can lock you out
    #[arg(long)]
    pub(crate) plain_address: bool,
    /// Listen at this port of this machine; by default the system chooses one
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
}
