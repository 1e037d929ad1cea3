//! How a build tells how far it is.

use std::sync::{Mutex, PoisonError};

use crate::build::Build;

/// Is told about a build while it runs, and may stop it.
pub trait Progress: Sync {
    /// A level is done.
    fn level(&self, level: &Level);

    /// Asked often; the build stops soon after the answer is `true`.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// A progress that nobody watches.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn level(&self, _level: &Level) {}
}

/// How far a build is: all states that cost up to `number` moves are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// The cost of the states found last.
    pub number: u32,
    /// States found so far.
    pub found: u64,
    /// States that there are.
    pub total: u64,
    /// Bytes of rows read and written so far.
    pub touched: u64,
}

impl Level {
    /// How much of the work is done, from 0 to 1.
    ///
    /// The first and the last levels have few states and take long all the same: what takes time are rows, and these have
    /// something to do from the early levels to the last. √f / (√f + √(1−f)), for the fraction f of states found, is close
    /// to the fraction of the time that has passed.
    pub fn work_done(&self) -> f64 {
        let fraction = self.found as f64 / self.total as f64;
        fraction.sqrt() / (fraction.sqrt() + (1.0 - fraction).max(0.0).sqrt())
    }
}

/// Several builds that run at the same time, told as one.
pub(crate) struct Together<'a> {
    progress: &'a dyn Progress,
    levels: Mutex<Vec<Level>>,
}

impl<'a> Together<'a> {
    pub(crate) fn new(builds: &[Build], progress: &'a dyn Progress) -> Together<'a> {
        let start = |build: &Build| Level { number: 0, found: 0, total: build.reachable(), touched: 0 };
        Together { progress, levels: Mutex::new(builds.iter().map(start).collect()) }
    }

    /// What one of the builds is to tell.
    pub(crate) fn part(&self, number: usize) -> Part<'_> {
        Part { together: self, number }
    }
}

/// One of several builds.
pub(crate) struct Part<'a> {
    together: &'a Together<'a>,
    number: usize,
}

impl Progress for Part<'_> {
    fn level(&self, level: &Level) {
        let mut levels = self.together.levels.lock().unwrap_or_else(PoisonError::into_inner);
        levels[self.number] = *level;
        self.together.progress.level(&Level {
            number: levels.iter().map(|level| level.number).max().unwrap_or(0),
            found: levels.iter().map(|level| level.found).sum(),
            total: levels.iter().map(|level| level.total).sum(),
            touched: levels.iter().map(|level| level.touched).sum(),
        });
    }

    fn is_cancelled(&self) -> bool {
        self.together.progress.is_cancelled()
    }
}
