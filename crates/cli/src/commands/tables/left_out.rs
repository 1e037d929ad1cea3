//! `tilebase tables fetch` in a program that was built without it.

use std::ffi::OsString;

use clap::Args;

use crate::{Failure, Result, Session};

/// Fetch tables (this program was built without it)
#[derive(Args, Debug)]
#[command(hide = true, disable_help_flag = true)]
pub(crate) struct Fetch {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

impl Fetch {
    #[expect(clippy::unused_self, reason = "as other commands")]
    pub(super) fn run(&self, _: &Session) -> Result {
        Err(Failure::new(
            "this program was built without fetching: cargo build --release builds it with everything, --no-default-features \
             --features fetch with that alone; tilebase generate builds tables here, and tables unpack unpacks what was brought by hand",
        ))
    }
}
