//! Subject.
