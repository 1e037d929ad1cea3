//! `tilebase man`

use std::io;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, Args, Command, CommandFactory};
use clap_mangen::Man as Page;
use clap_mangen::roff::{Inline, Roff, bold, italic, roman};
use serde_json::json;
use tilebase::DirectoryError;
use tilebase::puzzle::quoted;

use crate::{Cli, Exit, Failure, Result, Session};

/// The date of the version in `Cargo.toml`, in the last line of each page. It is set together with the version (docs/releasing.md), so that
/// pages are the same whenever they are written.
const DATE: &str = "2026-11-18";

/// Print a page of the manual, or write all of them
///
/// Pages are in the form of man (roff): one for the program, and one for each command.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # read a page
  tilebase man solve | man -l -
  # all pages: tilebase.1, tilebase-solve.1, …
  tilebase man --out /usr/local/share/man/man1")]
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
            let mut files = Vec::new();
            write_all(&program, directory, &mut files)?;
            // Only now: a reader of the names that stops early must not keep pages from being written.
            for file in files {
                session.tell(json!({ "file": file }), &file)?;
            }
            return Ok(Exit::Done);
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

/// Writes the pages of a command and of those below it, and adds their files.
fn write_all(command: &Command, directory: &Path, files: &mut Vec<String>) -> Result<(), Failure> {
    let (name, page) = page(command);
    let file = directory.join(name);
    let cannot_write = |error| DirectoryError { directory: directory.to_owned(), error };
    std::fs::write(&file, page).map_err(cannot_write)?;
    files.push(file.display().to_string());
    // What is not listed has no page: it only says that it was left out.
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        write_all(command, directory, files)?;
    }
    Ok(())
}

/// The page about a command, and what its file is called.
fn page(command: &Command) -> (String, String) {
    let mut text = Vec::new();
    render(command, &mut text).expect("there is memory for a page");
    // Each section begins with the definition of an apostrophe, which a page needs once.
    let preamble = Roff::default().render();
    let text = String::from_utf8_lossy(&text).replace(&preamble, "");
    (Page::new(command.clone()).get_filename(), preamble + &text)
}

/// Writes the sections of a page, each as roff of its own.
fn render(command: &Command, text: &mut Vec<u8>) -> io::Result<()> {
    let source = concat!("tilebase ", env!("CARGO_PKG_VERSION"));
    let page = Page::new(command.clone()).date(DATE).source(source).manual("Manual of tilebase");
    page.render_title(text)?;
    page.render_name_section(text)?;
    synopsis(command).to_writer(text)?;
    page.render_description_section(text)?;
    page.render_options_section(text)?;
    if command.get_subcommands().any(|command| !command.is_hide_set()) {
        page.render_subcommands_section(text)?;
    }
    after_options(command).to_writer(text)
}

/// How the command is used: all options with their values, which clap leaves out.
fn synopsis(command: &Command) -> Roff {
    let mut line = vec![bold(command.get_bin_name().unwrap_or_else(|| command.get_name()))];
    let (positional, options): (Vec<&Arg>, Vec<&Arg>) = command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set())
        .partition(|argument| argument.is_positional());
    for argument in options.into_iter().chain(positional) {
        let (left, right) = if argument.is_required_set() { (" ", "") } else { (" [", "]") };
        line.push(roman(left));
        line.extend(usage(argument));
        line.push(roman(right));
        if argument.is_positional() && repeats(argument) {
            line.push(roman("..."));
        }
    }
    if command.has_subcommands() {
        line.extend([roman(" "), italic("COMMAND")]);
    }
    let mut section = Roff::default();
    // Words are not broken and lines not stretched, so that options stay as they are typed.
    section.control("SH", ["SYNOPSIS"]).control("nh", []).control("ad", ["l"]).text(line);
    section.control("ad", []).control("hy", []);
    section
}

/// An argument as it is typed: names, and values if it takes any.
fn usage(argument: &Arg) -> Vec<Inline> {
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let mut parts = Vec::new();
    for name in [short, long].into_iter().flatten() {
        if !parts.is_empty() {
            parts.push(roman("|"));
        }
        parts.push(bold(name));
    }
    if argument.get_action().takes_values() {
        if !parts.is_empty() {
            parts.push(roman(" "));
        }
        let names = argument.get_value_names().unwrap_or_default();
        let names: Vec<&str> = names.iter().map(clap::builder::Str::as_str).collect();
        parts.push(italic(names.join(" ")));
    }
    parts
}

fn repeats(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Append)
        || argument.get_num_args().is_some_and(|values| values.max_values() > 1)
}

/// What the help has after the options: examples as they are typed, and notes.
fn after_options(command: &Command) -> Roff {
    let help = command.get_after_long_help().or_else(|| command.get_after_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    let mut sections = Roff::default();
    let mut has_notes = false;
    for paragraph in help.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let lines: Vec<&str> = paragraph.lines().collect();
        if ["Example:", "Examples:"].contains(&lines[0]) {
            // Lines stay as they are, so that they can be copied.
            sections.control("SH", ["EXAMPLES"]).control("nf", []);
            for line in &lines[1..] {
                sections.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
            }
            sections.control("fi", []);
        } else {
            let heading = if has_notes { ("PP", None) } else { ("SH", Some("NOTES")) };
            sections.control(heading.0, heading.1);
            sections.text([roman(lines.join(" "))]);
            has_notes = true;
        }
    }
    sections
}

fn no_command(word: &str, of: &Command) -> Failure {
    let names: Vec<&str> = of.get_subcommands().map(Command::get_name).collect();
    let (word, name) = (quoted(word), of.get_display_name().unwrap_or_else(|| of.get_name()).replace('-', " "));
    if names.is_empty() {
        return Failure::new(format!("there is no command {word}: {name} has no commands of its own"));
    }
    Failure::new(format!("there is no command {word} of {name}: expected {}", names.join(", ")))
}
