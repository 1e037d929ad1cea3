//! How long a build by many processes takes. The constants were measured on the machine of `docs/cluster.md`, which has the model's error
//! against real runs.

use tilebase::generate::{Build, BuildError, ProcessPlan};
use tilebase::index::Kind;

/// A thread's time for a state, for each square of the board: boards with more squares have more levels.
const SECONDS_PER_STATE_AND_SQUARE: f64 = 0.092e-9;

/// A thread's time for a byte that is sent: writing it into a message, carrying it, reading it and going to where it belongs.
const SECONDS_PER_BYTE_SENT: f64 = 2.0e-9;

/// A thread's time for a byte of a table: copied, hashed and handed to the system.
const SECONDS_PER_BYTE_WRITTEN: f64 = 1.0e-9;

/// The time of a level in which nothing has to be done: the processes tell each other so.
const SECONDS_PER_LEVEL: f64 = 0.5e-3;

/// About how many levels there are for each square of the board.
const LEVELS_PER_SQUARE: f64 = 2.0;

/// The part of all bytes that cross in the level in which most do. `docs/cluster.md` has what was measured.
const PART_OF_FULLEST_LEVEL: f64 = 0.06;

/// What each process has to itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    /// Threads that run at the same time; fewer than the process has when its machine has more processes than cores.
    pub(crate) threads: f64,
    /// Bytes a second that it can send while it receives as many.
    pub(crate) bandwidth: f64,
    /// Bytes a second that the first process can write to its disk.
    pub(crate) disk: f64,
}

impl Machine {
    /// One thread, a network of 100 Gbit/s and a fast disk.
    pub(crate) const OF_TODAY: Machine = Machine { threads: 1.0, bandwidth: 12.5e9, disk: 1e9 };
}

/// What a build takes.
#[derive(Clone, Debug)]
pub(crate) struct Forecast {
    pub(crate) processes: Vec<ProcessPlan>,
    /// Seconds of each process for its own rows and for messages.
    pub(crate) each: Vec<f64>,
    /// Seconds of the slowest process for that, and for carrying messages at the same time.
    pub(crate) computing: f64,
    pub(crate) sending: f64,
    /// Seconds for writing the tables, verified included.
    pub(crate) writing: f64,
}

impl Forecast {
    pub(crate) fn of(
        build: &Build,
        processes: usize,
        threads: usize,
        machine: Machine,
    ) -> Result<Forecast, BuildError> {
        let processes = build.plan_together(processes, threads)?;
        let squares = build.pattern().size().count() as f64;
        let of_one = if build.kinds() == [Kind::Lines] {
            build.seconds(1) / build.search_size() as f64
        } else {
            SECONDS_PER_STATE_AND_SQUARE * squares
        };
        let computing = |process: &ProcessPlan| {
            let of_states = process.states as f64 * of_one;
            (of_states + process.sent as f64 * SECONDS_PER_BYTE_SENT) / machine.threads
        };
        let each: Vec<f64> = processes.iter().map(computing).collect();
        let levels = if processes.len() > 1 { LEVELS_PER_SQUARE * squares * SECONDS_PER_LEVEL } else { 0.0 };
        let elsewhere = 1.0 - 1.0 / processes.len() as f64;
        let disk = build.disk() as f64;
        let made = disk * SECONDS_PER_BYTE_WRITTEN / machine.threads;
        // It is fetched, made and written at the same time, and then read back.
        let written = (disk * elsewhere / machine.bandwidth).max(made).max(disk / machine.disk);
        let verified = (disk * SECONDS_PER_BYTE_WRITTEN / 4.0 / machine.threads).max(disk / machine.disk);
        Ok(Forecast {
            computing: each.iter().copied().fold(0.0, f64::max) + levels,
            sending: processes.iter().map(|process| process.sent).max().unwrap_or(0) as f64 / machine.bandwidth,
            writing: written + verified,
            processes,
            each,
        })
    }

    /// Seconds in all. What is sent is sent while others are at work.
    pub(crate) fn seconds(&self) -> f64 {
        self.computing.max(self.sending) + self.writing
    }

    /// Bytes of memory of the process that needs most.
    pub(crate) fn memory(&self) -> u64 {
        self.processes.iter().map(|process| process.memory).max().unwrap_or(0)
    }

    /// Bytes that all processes send in the level in which they send most.
    pub(crate) fn sent_at_most_in_a_level(&self) -> u64 {
        (self.sent().0 as f64 * PART_OF_FULLEST_LEVEL) as u64
    }

    /// Bytes that all processes send, and that the one sends that sends most.
    pub(crate) fn sent(&self) -> (u64, u64) {
        let sent = self.processes.iter().map(|process| process.sent);
        (sent.clone().sum(), sent.max().unwrap_or(0))
    }
}
