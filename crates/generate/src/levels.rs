//! A search from its first level to its last, alone or in step with other processes, saved in a scratch directory if there is one.

use tilebase_format::layout::HISTOGRAM_LEN;
use tilebase_progress::{Event, Level, Watch};

use crate::build::Build;
use crate::error::BuildError;
use crate::level::Tally;
use crate::peers::{Agreement, Peers};
use crate::scratch::{Keep, Scratch};

/// A backward search, as far as one process does it.
pub(crate) trait Search {
    /// Half of its rows: a level reads one half and writes the other.
    type Half: Keep;

    /// Its rows.
    fn halves(&mut self) -> &mut [Self::Half; 2];

    /// Finds the goal, which is level 0. Returns what all processes find there.
    fn start(&mut self) -> Tally;

    /// Works out what follows from rows that were loaded.
    fn resume(&mut self);

    /// Finds a level. Returns what this process finds.
    fn level(&mut self, level: u32, watch: Watch<'_>) -> Result<Tally, BuildError>;
}

/// Runs a search, or resumes it from what a scratch directory has of it. Returns what all processes found at each level.
pub(crate) fn run(
    search: &mut impl Search,
    build: &Build,
    peers: &dyn Peers,
    scratch: Option<&Scratch>,
    watch: Watch<'_>,
) -> Result<Vec<Tally>, BuildError> {
    let agreement = &mut Agreement::new(peers);
    let loaded = scratch.map(|scratch| scratch.load(build, search.halves(), agreement)).transpose()?.flatten();
    let mut tallies = if let Some(tallies) = loaded {
        search.resume();
        tallies
    } else {
        let first = vec![search.start()];
        // It would be late to learn after hours that nothing can be written there, or that there is no room.
        scratch.map(|scratch| scratch.save(build, &first, search.halves(), agreement)).transpose()?;
        first
    };
    let sum = |of: fn(&Tally) -> u64| tallies.iter().map(of).sum();
    let mut done = Level {
        number: tallies.len() as u32 - 1,
        found: sum(|tally| tally.states),
        total: build.reachable(),
        touched: sum(|tally| tally.touched),
        sent: sum(|tally| tally.sent),
    };
    for level in tallies.len() as u32.. {
        watch(&Event::Level(&done)).continue_value().ok_or(BuildError::Stopped)?;
        let tally = search.level(level, watch)?;
        let is_due = scratch.is_some_and(|scratch| scratch.is_due(build));
        let (tally, is_due) = agreement.on_level(tally, is_due)?;
        if let Some(value) = tally.overflow {
            return Err(BuildError::Overflow(*build.pattern(), value));
        }
        if tally.states == 0 {
            break;
        }
        if tallies.len() + 1 == HISTOGRAM_LEN {
            return Err(BuildError::TooDeep(*build.pattern()));
        }
        tallies.push(tally);
        done = Level {
            number: level,
            found: done.found + tally.states,
            touched: done.touched + tally.touched,
            sent: done.sent + tally.sent,
            ..done
        };
        if let Some(scratch) = scratch.filter(|_| is_due) {
            scratch.keep(build, &tallies, search.halves(), agreement)?;
        }
    }
    Ok(tallies)
}
