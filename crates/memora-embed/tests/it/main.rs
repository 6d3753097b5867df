//! The tests of the crate as seen from outside, one binary.
//!
//! - [`absent`]: what is said when ONNX Runtime or its model is not there, or not what it should be.
//! - [`cross_encoder`]: the cross-encoder for real: a small network that `training/reader/tiny.py` made, through ONNX Runtime.
//! - [`embedding`]: what embedding with the model in the program holds to, whatever it is given.
//! - [`onnx`]: the language model for real.
//! - [`pieces`]: into which pieces the model in the program cuts a text, and which words it leaves out.
//! - [`transformer`]: the transformer as seen from outside: what it finds alike, and what it does with files that are damaged.

mod absent;
mod cross_encoder;
mod embedding;
mod onnx;
mod pieces;
mod transformer;
