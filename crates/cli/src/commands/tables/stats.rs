//! `tilebase tables stats`

use std::path::PathBuf;

use clap::Args;

use crate::failure::{Exit, Failure};
use crate::options::Common;
use crate::output::Output;

/// S
#[derive(Args, Debug)]
pub(crate) struct Stats {
    /// Table files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

impl Stats {
    pub(super) fn run(&self, _common: &Common, _output: &Output) -> Result<Exit, Failure> {
        Ok(Exit::Done)
    }
}
