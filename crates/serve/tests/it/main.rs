//! The server over real connections.

mod common;
mod interface;
mod mistreatment;
