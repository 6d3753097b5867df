//! What language models are asked, and what becomes of their replies.

pub(crate) mod change_judge;
pub(crate) mod contradiction_judge;
pub(crate) mod extract;
pub(crate) mod model_questions;
pub(crate) mod model_status;
pub(crate) mod pair_judge;
pub(crate) mod remote_models;
pub(crate) mod send;
pub(crate) mod sentence_judge;
