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
    pub(super) fn run(&self, _: &Session) -> Result {
        Err(Failure::new(format!(
            "this program was built without what fetches tables ({} not looked at): build it with the feature fetch, as cargo build \
             --release does, or cargo build --release --no-default-features --features fetch; tilebase generate builds tables here",
            match self.words.len() {
                1 => "a word was".to_owned(),
                words => format!("{words} words were"),
            }
        )))
    }
}
