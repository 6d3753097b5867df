//! What looks over the whole: the review that asks its owner, the doctor, the audit of what is guarded, and suggestions of what to ask.

pub(crate) mod audit;
pub(crate) mod doctor;
pub(crate) mod review;
pub(crate) mod suggest;
