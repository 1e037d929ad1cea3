//! Runs the command in a home of its own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// What a run gave.
pub(crate) struct Ran {
    pub(crate) code: i32,
    /// The answers.
    pub(crate) stdout: String,
    /// Everything else.
    pub(crate) stderr: String,
}

impl Ran {
    /// What a process gave that has ended by itself.
    pub(crate) fn new(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let code = output.status.code().expect("the command was not killed");
        Ran { code, stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    pub(crate) fn json(&self) -> Value {
        json(&self.stdout)
    }

    pub(crate) fn json_lines(&self) -> Vec<Value> {
        self.stdout.lines().map(json).collect()
    }
}

/// Reads an answer.
pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The names of an object's values, in order.
pub(crate) fn keys(object: &Value) -> String {
    object.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>().join(" ")
}

pub(crate) fn files(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut files: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    files
}

/// What was said, with paths written as they are in the tests: `t/a.tbl`, also where the system writes `t\a.tbl`.
pub(crate) fn slashed(text: &str) -> String {
    if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() }
}

/// Presses Ctrl-C, and waits for the end.
#[cfg(unix)]
pub(crate) fn interrupt(child: Child) -> Ran {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    Ran::new(child.wait_with_output().unwrap())
}

/// A home directory without any tables.
pub(crate) struct Home(tempfile::TempDir);

impl Home {
    pub(crate) fn new() -> Home {
        Home(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilebase"));
        command.args(arguments).env_clear().env("HOME", self.path()).current_dir(self.path());
        // Windows asks others where the home is, and opens no connection without the second.
        if cfg!(windows) {
            command.env("LOCALAPPDATA", self.join(".cache"));
            command.envs(std::env::var_os("SystemRoot").map(|root| ("SystemRoot", root)));
        }
        command
    }

    /// The command, running, with what it reads and says in our hands.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Runs the command with nothing on stdin.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, b"")
    }

    /// Runs the command with a text on stdin.
    pub(crate) fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        let mut child = self.start(arguments);
        // A command that does not read its stdin may be gone before we have written it.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        Ran::new(child.wait_with_output().unwrap())
    }

    /// Runs a command that must end well.
    pub(crate) fn done(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        ran
    }

    /// Runs a command that must end with a code, and say something beside its answer.
    pub(crate) fn says(&self, arguments: &[&str], code: i32, words: &str) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        assert!(slashed(&ran.stderr).contains(&slashed(words)), "{arguments:?}: {}", ran.stderr);
        ran
    }
}
