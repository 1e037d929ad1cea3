//! `tilebase man`

use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man as Page;
use serde_json::json;
use tilebase::DirectoryError;
use tilebase::puzzle::quoted;

use crate::{Cli, Exit, Failure, Result, Session};

/// Print a page of the manual, or write all of them
///
/// Pages are in the form of man (roff): one for the program, and one for each command.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase man solve | man -l -                    read a page
  tilebase man --out /usr/local/share/man/man1     all pages: tilebase.1, tilebase-solve.1, …")]
pub(crate) struct Man {
    /// The command that the page is about, such as solve, or tables info [default: the program]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,
    /// Write all pages into this directory instead
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self, session: &Session) -> Result {
        // With names such as tilebase-tables-info; nobody needs a page about help.
        let mut program = Cli::command().disable_help_subcommand(true);
        program.build();
        if let Some(directory) = &self.out {
            tilebase::prepare_directory(directory)?;
            return write_all(&program, directory, session);
        }
        let mut command = &program;
        for word in &self.command {
            command = command.find_subcommand(word).ok_or_else(|| no_command(word, command))?;
        }
        let (name, page) = page(command);
        session.tell(json!({ "name": name, "page": page }), page.trim_end())?;
        Ok(Exit::Done)
    }
}

fn write_all(command: &Command, directory: &Path, session: &Session) -> Result {
    let (name, page) = page(command);
    let file = directory.join(name);
    let cannot_write = |error| DirectoryError { directory: directory.to_owned(), error };
    std::fs::write(&file, page).map_err(cannot_write)?;
    let file = file.display().to_string();
    session.tell(json!({ "file": file }), &file)?;
    // What is not listed has no page: it only says that it was left out.
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        write_all(command, directory, session)?;
    }
    Ok(Exit::Done)
}

/// The page about a command, and what its file is called.
fn page(command: &Command) -> (String, String) {
    let page = Page::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text).expect("there is memory for a page");
    (page.get_filename(), String::from_utf8_lossy(&text).into_owned())
}

fn no_command(word: &str, of: &Command) -> Failure {
    let names: Vec<&str> = of.get_subcommands().map(Command::get_name).collect();
    let (word, name) = (quoted(word), of.get_display_name().unwrap_or_else(|| of.get_name()).replace('-', " "));
    if names.is_empty() {
        return Failure::new(format!("there is no command {word}: {name} has no commands of its own"));
    }
    Failure::new(format!("there is no command {word} of {name}: expected {}", names.join(", ")))
}
