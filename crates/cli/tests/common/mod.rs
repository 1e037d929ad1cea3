//! Runs the command as a person would, in a home of its own.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// What a run gave.
pub(crate) struct Ran {
    /// The exit code.
    pub(crate) code: i32,
    /// The answers.
    pub(crate) stdout: String,
    /// Everything else.
    pub(crate) stderr: String,
}

/// A home directory without any tables.
pub(crate) struct Home(tempfile::TempDir);

impl Home {
    /// A new, empty one.
    pub(crate) fn new() -> Home {
        Home(tempfile::tempdir().unwrap())
    }

    /// Its path.
    pub(crate) fn path(&self) -> &std::path::Path {
        self.0.path()
    }

    /// The command, not yet run.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilebase"));
        command.args(arguments).env_clear().env("HOME", self.path()).current_dir(self.path());
        command
    }

    /// Runs the command with nothing on stdin.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, b"")
    }

    /// Runs the command with a text on stdin.
    pub(crate) fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that does not read its stdin may be gone before we have written it.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        ran(child.wait_with_output().unwrap())
    }
}

fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code().expect("the command was not killed"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
