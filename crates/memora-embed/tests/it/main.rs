//! The tests of the crate as seen from outside, one binary.
//!
//! - [`absent`]: what is said when ONNX Runtime or its model is not there, or not what it should be.
//! - [`embedding`]: what embedding with the model in the program holds to, whatever it is given.
//! - [`onnx`]: the language model for real.
//! - [`pieces`]: into which pieces the model in the program cuts a text, and which words it leaves out.
//! - [`transformer`]: the transformer as seen from outside: what it finds alike, and what it does with files that are damaged.

mod absent;
mod embedding;
mod onnx;
mod pieces;
mod transformer;
