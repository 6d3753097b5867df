//! Blocks.
use super::Body;
use crate::note::Problems;

pub(super) fn read(_text: &str, _body_start: usize, _problems: &mut Problems<'_>) -> Body {
    Body::default()
}
