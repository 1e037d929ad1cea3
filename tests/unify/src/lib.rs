//! No code: what counts is in `Cargo.toml`.
