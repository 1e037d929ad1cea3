//! Stdout and stderr in every state: read, `/dev/null`, closed, on a full disk, a pipe without a reader.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use crate::common::{Home, Ran, files};

/// What stdout or stderr may be.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Stream {
    /// A pipe that is read.
    Read,
    /// `/dev/null`, as Python, Node.js and daemons open it.
    NullToReadAndWrite,
    /// `/dev/null`, as shells open it.
    NullToWrite,
    /// None.
    Closed,
    /// A disk without room.
    Full,
    /// A pipe whose reader has ended.
    Deserted,
}
use Stream::{Closed, Deserted, Full, NullToReadAndWrite, NullToWrite, Read as ReadBy};

const NOT_READ: [Stream; 5] = [NullToReadAndWrite, NullToWrite, Closed, Full, Deserted];

impl Stream {
    /// Whether there is such a thing here.
    fn exists(self) -> bool {
        // Elsewhere nothing is known of a closed stdout: answers go nowhere.
        !matches!(self, Full | Closed) || cfg!(target_os = "linux")
    }

    fn open(self) -> Stdio {
        let file = |path: &str, reads: bool| -> Stdio {
            OpenOptions::new().read(reads).write(true).open(path).map(File::into).unwrap()
        };
        match self {
            ReadBy => Stdio::piped(),
            NullToReadAndWrite => file("/dev/null", true),
            NullToWrite => file("/dev/null", false),
            // The shell closes it.
            Closed => Stdio::null(),
            Full => file("/dev/full", false),
            Deserted => std::io::pipe().unwrap().1.into(),
        }
    }
}

/// Starts the command with these streams.
fn start(home: &Home, arguments: &[&str], stdout: Stream, stderr: Stream) -> Child {
    let close = |stream: Stream, sign: &'static str| if stream == Closed { sign } else { "" };
    let script = format!("exec \"$@\" {} {}", close(stdout, ">&-"), close(stderr, "2>&-"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_tilebase")]).args(arguments);
    shell.env_clear().env("HOME", home.path()).current_dir(home.path()).stdin(Stdio::null());
    shell.stdout(stdout.open()).stderr(stderr.open()).spawn().unwrap()
}

fn run(home: &Home, arguments: &[&str], stdout: Stream, stderr: Stream) -> Ran {
    Ran::new(start(home, arguments, stdout, stderr).wait_with_output().unwrap())
}

/// The exit code that a command must have with such a stdout, and what it must say on stderr.
fn expected(stdout: Stream) -> (i32, &'static str) {
    match stdout {
        Closed => (2, "error: cannot write the answer: stdout is closed"),
        Full => (2, "error: cannot write the answer: "),
        _ => (0, ""),
    }
}

const SOLVE: [&str; 3] = ["solve", "--quiet", "1 2 3 / 4 5 6 / 7 0 8"];
const GENERATE: [&str; 5] = ["generate", "--quiet", ".AA/BAA/BBB", "--out", "t"];

#[test]
fn an_answer_to_dev_null_is_no_error_and_one_that_cannot_be_written_is() {
    for stdout in NOT_READ.into_iter().filter(|stdout| stdout.exists()) {
        let (code, message) = expected(stdout);
        for arguments in [&SOLVE[..], &GENERATE] {
            let home = Home::new();
            let ran = run(&home, arguments, stdout, ReadBy);
            assert_eq!(ran.code, code, "{stdout:?}, {arguments:?}: {}", ran.stderr);
            assert!(
                ran.stderr.starts_with(message) && ran.stderr.is_empty() == (code == 0),
                "{stdout:?}: {}",
                ran.stderr
            );
            // A build finishes even if its report cannot be written.
            assert!(arguments[0] != "generate" || files(&home.join("t")).len() == 2, "{stdout:?}");
        }
    }
}

#[test]
fn the_state_of_stderr_changes_neither_answer_nor_exit_code() {
    for stderr in NOT_READ.into_iter().filter(|stderr| stderr.exists()) {
        let home = Home::new();
        let ran = run(&home, &["solve", "1 2 3 / 4 5 6 / 7 0 8"], ReadBy, stderr);
        assert!(ran.code == 0 && ran.stdout.starts_with("1 move: "), "{stderr:?}: {}", ran.stdout);
        // Notes, and files that are there already.
        for _ in 0..2 {
            let ran = run(&home, &["generate", ".AA/BAA/BBB", "--out", "t"], ReadBy, stderr);
            assert_eq!((ran.code, files(&home.join("t")).len()), (0, 2), "{stderr:?}");
        }
        // Errors.
        let ran = run(&home, &["solve", "1 2 3"], ReadBy, stderr);
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{stderr:?}");
        let ran = run(&home, &["solve", "--nonsense"], ReadBy, stderr);
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{stderr:?}");
        let unsolvable = ["solve", "--json", "1 2 3 / 4 5 6 / 8 7 0"];
        let ran = run(&home, &unsolvable, ReadBy, stderr);
        assert_eq!((ran.code, ran.stdout), (1, home.run(&unsolvable).stdout), "{stderr:?}");
    }
}

#[test]
fn the_exit_code_follows_from_stdout_whatever_stderr_is() {
    let home = Home::new();
    for stdout in NOT_READ.into_iter().filter(|stdout| stdout.exists()) {
        for stderr in NOT_READ.into_iter().filter(|stderr| stderr.exists()) {
            assert_eq!(run(&home, &SOLVE, stdout, stderr).code, expected(stdout).0, "{stdout:?}, {stderr:?}");
        }
    }
}

#[test]
#[cfg(feature = "serve")]
fn a_server_runs_whether_its_address_is_read_or_not() {
    for stdout in NOT_READ.into_iter().filter(|stdout| stdout.exists()) {
        let home = Home::new();
        let mut child = start(&home, &["serve", "--port", "0"], stdout, ReadBy);
        let mut said = String::new();
        // It writes this after its address.
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        stderr.read_line(&mut said).unwrap();
        let (code, message) = expected(stdout);
        if stdout == Deserted {
            // As every command does, it ends when the reader of its answer has ended.
            assert_eq!((&*said, child.wait().unwrap().code()), ("", Some(code)));
            continue;
        }
        if code == 0 {
            assert_eq!(said, "Ctrl-C ends it\n", "{stdout:?}");
            let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
            assert!(killed.success());
        } else {
            assert!(said.starts_with(message), "{stdout:?}: {said}");
        }
        assert_eq!(child.wait().unwrap().code(), Some(if code == 0 { 130 } else { code }), "{stdout:?}");
    }
    for stderr in NOT_READ.into_iter().filter(|stderr| stderr.exists()) {
        let home = Home::new();
        let mut child = start(&home, &["serve", "--port", "0"], ReadBy, stderr);
        let mut said = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut said).unwrap();
        assert!(said.starts_with("tilebase is at http://127.0.0.1:"), "{stderr:?}: {said}");
        child.kill().unwrap();
        let mut rest = String::new();
        child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
        child.wait().unwrap();
        assert_eq!(rest, "", "{stderr:?}");
    }
}
