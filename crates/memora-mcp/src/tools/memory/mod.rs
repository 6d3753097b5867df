//! The `memory_*` tools: what agents remember, apart from the user's notes. They are absent unless the server was started
//! with `--memory`. Memories are read and listed by [`memora_read`](super::read).

mod reading;
mod saving;
mod tool;

pub(crate) use reading::{ContextArgs, MemoryPageRequest, SearchArgs, read_memory};
pub(crate) use saving::{ForgetArgs, SaveArgs};
pub(crate) use tool::InProject;
