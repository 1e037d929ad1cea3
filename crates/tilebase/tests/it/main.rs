//! The library as its users call it.

mod choosing;
mod shorten;
mod threads;
