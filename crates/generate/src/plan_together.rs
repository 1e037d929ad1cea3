//! What a build by several processes takes, for each of them, before anything is allocated.

use rayon::prelude::*;
use tilebase_format::memory_of_writing;
use tilebase_index::{BuilderIndex, Index, LineIndex, Row};
use tilebase_progress::threads::on_pool;

use crate::build::Build;
use crate::error::BuildError;
use crate::lines;
use crate::plan::OF_THE_PROGRAM;
use crate::shares::Shares;
use crate::traffic::words_of_message;

/// What MPI takes in a process.
const OF_MPI: u64 = 20_000_000;

/// How many messages a process has memory for at once: those on their way out and in, those gathered, and those whose memory is kept
/// for others.
const MESSAGES: u64 = 20;

/// In all levels together, a row that another process collects from sends this many times the bytes that it has: the first number, and the second
/// for each tile of the pattern. Patterns of 6 to 8 tiles on 4×4 and 5×5 came within three percent of that, with any number of
/// processes (`docs/cluster.md`).
const TIMES_A_ROW_CROSSES: (f64, f64) = (1.95, 0.74);

/// Bytes for a row of the process: its number, found, unseen, first source, and news.
const BYTES_OF_ROW: u64 = 4 * 4 + 32;

/// In all levels together, a row of lines that another process has a copy of is sent with this many bits for each line. Patterns of 6 to 8
/// tiles on 4×4 came within five percent of that, and patterns of 5 and 6 tiles on 5×5 took 16.6 and 12 (`docs/cluster.md`).
const BITS_OF_LINE_THAT_CROSSES: u64 = 16;

/// What one of several processes of a build takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProcessPlan {
    /// States that it has, or lines.
    pub states: u64,
    /// The most bytes of memory in use at once.
    pub memory: u64,
    /// About how many bytes it sends to others.
    pub sent: u64,
}

impl Build {
    /// What each of some processes takes when they build together, on this many threads each. Works out which process has which rows:
    /// milliseconds, and some seconds for the largest patterns.
    ///
    /// # Errors
    /// [`BuildError::Index`] when the pattern has too many tiles.
    pub fn plan_together(&self, processes: usize, threads: usize) -> Result<Vec<ProcessPlan>, BuildError> {
        on_pool(threads, || self.plan_here(processes, threads))
    }

    fn plan_here(&self, processes: usize, threads: usize) -> Result<Vec<ProcessPlan>, BuildError> {
        if self.is_of_lines() {
            let index = LineIndex::new(self.pattern.size(), self.pattern.len())?;
            let parts = lines::parts(&index, processes).into_iter().enumerate();
            return Ok(parts.map(|(rank, part)| self.plan_of_lines(rank, part, processes)).collect());
        }
        let index = BuilderIndex::new(Index::new(self.pattern.size(), self.pattern.len(), self.kinds[0])?);
        let shares = Shares::new(&index, processes);
        let of_row = |mut counts: Vec<Counts>, row: u32| {
            let row = Row(row);
            let owner = shares.owner(&index, row);
            let (mut inside, mut crossing, mut others) = (0, 0, Vec::new());
            for step in index.moves(row) {
                let other = shares.owner(&index, step.row);
                if other == owner {
                    inside += 1;
                } else {
                    crossing += 1;
                    others.push(other);
                }
            }
            others.sort_unstable();
            others.dedup();
            counts[owner].add(Counts { rows: 1, inside, crossing, sent: others.len() as u64 });
            counts
        };
        let none = || vec![Counts::default(); processes];
        let counts = (0..index.rows() as u32).into_par_iter().fold(none, of_row).reduce(none, |mut all, counts| {
            all.iter_mut().zip(counts).for_each(|(all, counts)| all.add(counts));
            all
        });
        Ok(counts.iter().enumerate().map(|(rank, counts)| self.plan_of(rank, *counts, processes, threads)).collect())
    }

    /// What one process takes, given what it has.
    fn plan_of(&self, rank: usize, counts: Counts, processes: usize, threads: usize) -> ProcessPlan {
        let perms = self.states() / self.extent.rows;
        let row = perms.div_ceil(64) * 8;
        let (rows, maps) = (self.extent.rows, self.extent.maps);
        let set = counts.rows * row;
        // Every map has about as many rows as any other.
        let excess = if self.has_nibbles() { counts.rows * maps / rows * row * 4 } else { 0 };
        // The index of all maps and rows, and the places of all rows while sources are looked for.
        let index = maps * (4 + 4 + 16 + 2) + rows * (4 + 4 + 1);
        let own = counts.rows * BYTES_OF_ROW + counts.inside * 16 + counts.crossing * 32 + counts.sent * 4;
        // New states are kept for others while they are few.
        let news = counts.sent * perms / 128 * 4 / 2;
        let search = 2 * set + excess + news + messages(set, processes);
        let writing = set + excess + self.writing(rank, processes);
        let memory = OF_THE_PROGRAM + index + own + self.moving_rows(threads) + search.max(writing);
        let (of_none, of_tile) = TIMES_A_ROW_CROSSES;
        let times = of_none + of_tile * self.pattern.len() as f64;
        let in_levels = (counts.sent as f64 * row as f64 * times) as u64;
        ProcessPlan { states: counts.rows * perms, memory, sent: in_levels + self.sent_to_writer(rank, counts.rows) }
    }

    /// What one process takes for a table of lines, given what it has.
    fn plan_of_lines(&self, rank: usize, part: lines::Part, processes: usize) -> ProcessPlan {
        let perms = self.entries() / self.extent.rows;
        let set = part.rows * perms.div_ceil(24) * 8;
        // The process of each row.
        let shares = if processes > 1 { self.extent.rows * 2 } else { 0 };
        let also = messages(set, processes).max(self.writing(rank, processes));
        let memory = OF_THE_PROGRAM + lines::memory(self, part) + shares + also;
        let in_levels = part.sent * perms * BITS_OF_LINE_THAT_CROSSES / 8;
        ProcessPlan { states: part.rows * perms, memory, sent: in_levels + self.sent_to_writer(rank, part.rows) }
    }

    /// Bytes of memory for writing the tables in turn, which the first process does.
    fn writing(&self, rank: usize, processes: usize) -> u64 {
        let largest = self.kinds.iter().map(|&kind| self.payload(kind)).max().unwrap_or(0);
        // Two parts are made and written, and rows of three may be on their way.
        let parts = if processes > 1 { 5 } else { 2 };
        if rank == 0 { memory_of_writing(largest) / 2 * parts } else { 0 }
    }

    /// Bytes that a process sends to the first one, which writes the tables.
    fn sent_to_writer(&self, rank: usize, rows: u64) -> u64 {
        let payloads: u64 = self.kinds.iter().map(|&kind| self.payload(kind)).sum();
        let part = rows as f64 / self.extent.rows as f64;
        if rank == 0 { 0 } else { (payloads as f64 * part) as u64 }
    }
}

/// Bytes of memory for messages, given the bytes of the rows of a process.
fn messages(rows: u64, processes: usize) -> u64 {
    let message = words_of_message((rows / 8) as usize) as u64 * 8;
    if processes > 1 { MESSAGES * message + OF_MPI } else { 0 }
}

/// What a process has: rows, moves between its rows and to others, and how often a row of it is asked for by another process.
#[derive(Clone, Copy, Default)]
struct Counts {
    rows: u64,
    inside: u64,
    crossing: u64,
    sent: u64,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.rows += other.rows;
        self.inside += other.inside;
        self.crossing += other.crossing;
        self.sent += other.sent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_index::Kind;
    use tilebase_puzzle::{Pattern, Size, Square};

    #[test]
    fn processes_have_all_lines_and_each_little_more_than_its_share_of_the_memory() {
        let pattern = Pattern::new(Size::new(5, 5).unwrap(), Square(0), &[1, 2, 5, 6, 7, 10]).unwrap();
        let build = Build::new(&pattern, &[Kind::Lines]).unwrap();
        for processes in 1..=4 {
            let plan = build.plan_together(processes, 1).unwrap();
            assert_eq!(plan.iter().map(|process| process.states).sum::<u64>(), build.search_size());
            let most = plan.iter().map(|process| process.memory).max().unwrap();
            let share = build.memory(1) / processes as u64;
            assert!(most >= share && most < share * 13 / 10 + 70_000_000, "{processes} processes: {most}, {share}");
            assert_eq!(plan.iter().any(|process| process.sent > 0), processes > 1);
        }
    }

    #[test]
    fn processes_have_all_states_and_each_little_more_than_its_share_of_the_memory() {
        let pattern = Pattern::new(Size::new(4, 4).unwrap(), Square(0), &[2, 3, 6, 7, 10, 11, 14, 15]).unwrap();
        let build = Build::new(&pattern, &[Kind::Bit]).unwrap();
        for processes in 1..=8 {
            let plan = build.plan_together(processes, 1).unwrap();
            assert_eq!(plan.iter().map(|process| process.states).sum::<u64>(), build.states());
            let most = plan.iter().map(|process| process.memory).max().unwrap();
            let share = build.memory(1) / processes as u64;
            assert!(most > share && most < share + share / 8 + 70_000_000, "{processes} processes: {most}, {share}");
            assert_eq!(plan.iter().any(|process| process.sent > 0), processes > 1);
        }
    }
}
