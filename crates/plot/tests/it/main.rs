//! Charts and boards as whole pictures.

mod boards;
mod charts;
