//! `tilebase completions`

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde_json::json;

use crate::{Cli, Exit, Result, Session};

/// Print a script that lets a shell complete commands, options and their values
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase completions bash \\
    > ~/.local/share/bash-completion/completions/tilebase
  tilebase completions zsh > \"${fpath[1]}/_tilebase\"
  tilebase completions fish > ~/.config/fish/completions/tilebase.fish")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "tilebase", &mut script);
        let script = String::from_utf8_lossy(&script);
        session.tell(json!({ "shell": self.shell.to_string(), "script": script }), script.trim_end())?;
        Ok(Exit::Done)
    }
}
