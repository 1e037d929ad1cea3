//! Naive references that the tests hold the real thing against.
