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
    /// Use http://127.0.0.1 instead of a *.localhost name, for browsers that cannot resolve it. Less safe: cookies are shared across
    /// ports, so another local program may receive the session that reads your notes, or log you out
    #[arg(long)]
    pub(crate) plain_address: bool,
    /// Listen at this port of this machine; by default the system chooses one
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
}
