//! Jobs of several processes, each in a home of its own.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_tilebase-cluster");

/// A job that takes longer hangs: the longest takes a few seconds on a machine that has nothing else to do.
const LONGEST: Duration = Duration::from_secs(180);

/// How often we look whether something has happened.
const LOOK: Duration = Duration::from_millis(5);

/// A directory for jobs: tables, scratch directories and caches are in it, and nothing of the user's is used.
pub(crate) struct Home {
    directory: TempDir,
    jobs: AtomicUsize,
}

impl Home {
    pub(crate) fn new() -> Home {
        Home { directory: tempfile::tempdir().unwrap(), jobs: AtomicUsize::new(0) }
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Makes an empty directory.
    pub(crate) fn directory(&self, name: &str) -> PathBuf {
        let directory = self.join(name);
        std::fs::create_dir(&directory).unwrap();
        directory
    }

    /// Starts as many processes of the program.
    pub(crate) fn start(&self, processes: usize, arguments: &[&str]) -> Job {
        self.start_parts(&[(processes, PROGRAM, arguments)])
    }

    /// Starts a job whose processes are not all alike: how many, which program, its arguments.
    pub(crate) fn start_parts(&self, parts: &[(usize, &str, &[&str])]) -> Job {
        let mut command = self.command("mpirun");
        for (at, (processes, program, arguments)) in parts.iter().enumerate() {
            if at > 0 {
                command.arg(":");
            }
            command.args(["-n", &processes.to_string(), program]).args(*arguments);
        }
        Job::start(command, self)
    }

    /// Runs the program by itself, without `mpirun`.
    pub(crate) fn run_alone(&self, arguments: &[&str]) -> Ran {
        let mut command = self.command(PROGRAM);
        command.args(arguments);
        Job::start(command, self).wait()
    }

    /// Runs a job to its end.
    pub(crate) fn run(&self, processes: usize, arguments: &[&str]) -> Ran {
        self.start(processes, arguments).wait()
    }

    /// Runs a job that must end well.
    pub(crate) fn done(&self, processes: usize, arguments: &[&str]) -> Ran {
        let ran = self.run(processes, arguments);
        assert_eq!(ran.code(), 0, "{processes} processes, {arguments:?}: {ran}");
        ran
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let of_tilebase = |name: &OsStr| name.to_string_lossy().starts_with("TILEBASE_");
        std::env::vars_os().filter(|(name, _)| of_tilebase(name)).for_each(|(name, _)| _ = command.env_remove(name));
        command
            .current_dir(self.directory.path())
            .env("HOME", self.directory.path())
            .env("XDG_CACHE_HOME", self.join("cache"))
            // What `mpirun` of Open MPI has flags for that others do not know: root may use it, and processes may be more than cores.
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .env("OMPI_MCA_rmaps_base_oversubscribe", "1");
        command
    }
}

/// A job that is running.
pub(crate) struct Job {
    mpirun: Child,
    /// What it says goes into files: a process that survives `mpirun` would keep a pipe open.
    outputs: [PathBuf; 2],
}

impl Job {
    fn start(mut command: Command, home: &Home) -> Job {
        let number = home.jobs.fetch_add(1, Ordering::Relaxed);
        let outputs = ["out", "err"].map(|what| home.join(&format!("job-{number}.{what}")));
        let [out, err] = outputs.each_ref().map(|path| File::create(path).unwrap());
        let started = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn();
        let mpirun = started.unwrap_or_else(|error| panic!("{}: {error}", command.get_program().display()));
        Job { mpirun, outputs }
    }

    /// Waits for its end.
    pub(crate) fn wait(self) -> Ran {
        self.wait_at_most(LONGEST)
    }

    /// Waits for its end, which must come within this time.
    pub(crate) fn wait_at_most(mut self, longest: Duration) -> Ran {
        let started = Instant::now();
        loop {
            if let Some(status) = self.mpirun.try_wait().unwrap() {
                return self.ran(status);
            }
            if started.elapsed() > longest {
                self.kill_all();
                let status = self.mpirun.wait().unwrap();
                panic!("the job had not ended after {longest:?}: {}", self.ran(status));
            }
            std::thread::sleep(LOOK);
        }
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.mpirun.try_wait().unwrap().is_some()
    }

    /// The process ids of its processes that run the program now.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let runs_program = |process: &u32| {
            std::fs::read_link(format!("/proc/{process}/exe")).is_ok_and(|program| program == Path::new(PROGRAM))
        };
        descendants(self.mpirun.id()).into_iter().filter(runs_program).collect()
    }

    /// Waits until as many processes run the program, or the job has ended, and returns them.
    pub(crate) fn wait_for_processes(&mut self, count: usize) -> Vec<u32> {
        loop {
            let processes = self.processes();
            if processes.len() >= count || self.has_ended() {
                return processes;
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Presses Ctrl-C.
    pub(crate) fn interrupt(&self) {
        signal("-INT", self.mpirun.id());
    }

    fn ran(&self, status: ExitStatus) -> Ran {
        let [stdout, stderr] =
            self.outputs.each_ref().map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned());
        Ran { status, stdout, stderr }
    }

    fn kill_all(&mut self) {
        let processes = descendants(self.mpirun.id());
        let _ = self.mpirun.kill();
        processes.into_iter().for_each(|process| _ = signal("-KILL", process));
    }
}

impl Drop for Job {
    /// A test that fails leaves nothing running.
    fn drop(&mut self) {
        if !self.has_ended() {
            self.kill_all();
            let _ = self.mpirun.wait();
        }
    }
}

/// Sends a signal to a process, and returns whether it was still there.
pub(crate) fn signal(signal: &str, process: u32) -> bool {
    let kill = Command::new("kill").args([signal, &process.to_string()]).stderr(Stdio::null()).status();
    kill.expect("there is a kill command").success()
}

/// The children of a process, and theirs: some launchers start processes by a helper.
fn descendants(ancestor: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("the system tells of its processes").flatten();
    let processes: Vec<(u32, u32)> = entries
        .filter_map(|entry| {
            let process = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // Behind the command's name, which may have anything in it: the state, and the parent.
            let parent = stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()?;
            Some((process, parent))
        })
        .collect();
    let mut found = vec![ancestor];
    let mut at = 0;
    while at < found.len() {
        let this = found[at];
        found.extend(processes.iter().filter(|(_, parent)| *parent == this).map(|(process, _)| *process));
        at += 1;
    }
    found.split_off(1)
}

/// What a job gave.
pub(crate) struct Ran {
    status: ExitStatus,
    /// The answers.
    pub(crate) stdout: String,
    /// Everything else, with what `mpirun` adds.
    pub(crate) stderr: String,
}

impl Ran {
    /// The exit code; as a shell would give it when `mpirun` itself was killed.
    pub(crate) fn code(&self) -> i32 {
        self.status.code().unwrap_or_else(|| 128 + self.status.signal().unwrap_or(0))
    }

    pub(crate) fn json_lines(&self) -> Vec<Value> {
        let json = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.stdout.lines().map(json).collect()
    }

    /// What the job must have ended with and said, in exactly one line for each process that has something to say.
    pub(crate) fn refused(&self, said: &[&str]) {
        assert_eq!(self.code(), 2, "{self}");
        let errors: Vec<&str> = self.stderr.lines().filter(|line| line.starts_with("error:")).collect();
        assert_eq!(errors.len(), said.len(), "{self}");
        for words in said {
            assert!(errors.iter().any(|error| error.contains(words)), "expected {words}, found {self}");
        }
        assert_eq!(self.stdout, "", "{self}");
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}\non stdout: {}\non stderr: {}", self.status, self.stdout, self.stderr)
    }
}

/// The names of an object's values, in order.
pub(crate) fn keys(object: &Value) -> String {
    object.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>().join(" ")
}
