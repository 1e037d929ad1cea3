//! What a build takes, before anything is allocated: memory, disk and time.

use tilebase_format::{file_len, memory_of_writing};
use tilebase_index::{Kind, binomial, rotations_len};
use tilebase_puzzle::Pattern;

use crate::build::Build;
use crate::level::FEW_UNSEEN;
use crate::{lines, replay};

/// What the program takes before it builds anything: code, stacks, small tables. As `generate --tiles 1 --size 2x2 --json` tells it of
/// a release.
pub(crate) const OF_THE_PROGRAM: u64 = 9_100_000;

/// A build of at most this many states takes well under a second, and leaves threads idle.
const SMALL: u64 = 1 << 24;

/// A thread's time for a state of a large pattern, and for an entry of its nibble table.
const SECONDS_PER_STATE: f64 = 5e-9;
const SECONDS_PER_NIBBLE: f64 = 6e-9;

/// A thread's time for a line of a large pattern, and to prove it.
const SECONDS_PER_LINE: f64 = 12e-9;
const SECONDS_PER_LINE_PROVED: f64 = 60e-9;

/// A thread's time to prove a state, and an entry of a nibble table.
const SECONDS_PER_STATE_PROVED: f64 = 4.5e-9;
const SECONDS_PER_NIBBLE_PROVED: f64 = 50e-9;

impl Build {
    /// Bytes of all files that the build makes.
    pub fn disk(&self) -> u64 {
        self.kinds.iter().map(|&kind| file_len(self.payload(kind))).sum()
    }

    /// The most bytes of memory that the build has in use at once, on this many threads. Tables that stay in memory are not
    /// counted.
    pub fn memory(&self, threads: usize) -> u64 {
        self.memory_beside(threads, 0)
    }

    /// The same where so many bytes of tables are in memory when they are written.
    fn memory_beside(&self, threads: usize, written: u64) -> u64 {
        if self.is_of_lines() {
            let all = lines::Part { rows: self.extent.rows, ..lines::Part::default() };
            return OF_THE_PROGRAM + lines::memory(self, all) + memory_of_writing(self.payload(Kind::Lines)) + written;
        }
        let perms = self.states() / self.extent.rows;
        let set_of_states = self.extent.rows * perms.div_ceil(64) * 8;
        let excess = if self.has_nibbles() { self.extent.maps * perms.div_ceil(64) * 4 * 8 } else { 0 };
        // The states that are seen, and the second bits of their costs. The former are gone when tables are written.
        let during_search = 2 * set_of_states + excess;
        let buffers = self.kinds.iter().map(|&kind| memory_of_writing(self.payload(kind))).max().unwrap_or(0);
        let afterwards = set_of_states + excess + buffers + written;
        OF_THE_PROGRAM + self.bookkeeping() + self.moving_rows(threads) + during_search.max(afterwards)
    }

    /// Bytes for moving rows: the rotations, where runs of bits come from, and for each thread the row that is moved, the
    /// next one, what is collected and what is missing, what of a map has been reached before and now, and nibbles and
    /// Manhattan distances of a map.
    pub(crate) fn moving_rows(&self, threads: usize) -> u64 {
        let (perms, tiles) = (self.states() / self.extent.rows, self.pattern.len() as u64);
        let runs = (4..tiles - 1).map(|left| (1..=left).product::<u64>());
        let sources: u64 = runs.map(|run| perms / run * 4).sum();
        let rotations = rotations_len(self.pattern.len(), self.pattern.size().width()) as u64 * 4;
        let row = perms.div_ceil(64) * 8;
        let of_maps = if self.has_nibbles() { 2 * row + perms + perms / 2 } else { 0 };
        let missing = perms / u64::from(FEW_UNSEEN) * 4;
        rotations + sources + threads as u64 * (3 * row + missing + of_maps)
    }

    /// Roughly how many seconds the build takes on this many threads of a machine of today. The constants are what
    /// `tilebase bench generate` gave for large patterns.
    pub fn seconds(&self, threads: usize) -> f64 {
        if self.is_of_lines() {
            return self.entries() as f64 * SECONDS_PER_LINE / threads as f64;
        }
        let nibbles = if self.has_nibbles() { self.collapsed() } else { 0 };
        (self.states() as f64 * SECONDS_PER_STATE + nibbles as f64 * SECONDS_PER_NIBBLE) / threads as f64
    }

    /// Roughly how many seconds it takes to audit the tables, one by one.
    pub fn seconds_of_audit(&self, threads: usize) -> f64 {
        let of_kind = |kind: &Kind| {
            if *kind == Kind::Lines {
                return self.entries() as f64 * SECONDS_PER_LINE_PROVED;
            }
            let replaying = self.states() as f64 * SECONDS_PER_STATE_PROVED;
            if kind.is_blank_aware() {
                return replaying;
            }
            replaying + self.states() as f64 * SECONDS_PER_STATE + self.collapsed() as f64 * SECONDS_PER_NIBBLE_PROVED
        };
        self.kinds.iter().map(of_kind).sum::<f64>() / threads as f64
    }

    /// The largest pattern of the same board for which a build of the same kinds needs at most `limit` bytes, and how many
    /// that are; `memory` tells what a build needs.
    pub fn largest_within(&self, limit: u64, memory: impl Fn(&Build) -> u64) -> Option<(usize, u64)> {
        let smaller = (1..self.pattern.len()).rev().map(|tiles| {
            let some = self.pattern.tiles().take(tiles).fold(0, |mask, tile| mask | tile.bit());
            let pattern = Pattern::from_mask(self.pattern.size(), self.pattern.home(), some);
            let build = Build::new(&pattern.expect("a part of a pattern is one"), self.kinds);
            (tiles, memory(&build.expect("a part of a pattern has tables if the whole has")))
        });
        smaller.into_iter().find(|&(_, needed)| needed <= limit)
    }

    /// The most bytes of memory that auditing the tables, one by one, takes, the table at hand included, whether it is mapped or
    /// not: a table with one bit an entry, and one bit more for each state.
    pub fn memory_of_audit(&self, threads: usize) -> u64 {
        let of_kind = |&kind: &Kind| {
            if kind == Kind::Lines {
                return OF_THE_PROGRAM + self.payload(kind) + lines::audit::memory(self);
            }
            let replaying = |kind| self.payload(kind) + self.memory_of_replay(threads);
            if kind.is_blank_aware() {
                return replaying(kind);
            }
            // It is compared with a blank-aware one, built in memory.
            let compared = Build { kinds: &[Kind::Bit], ..*self };
            let building = compared.memory_beside(threads, file_len(self.payload(Kind::Bit)));
            self.payload(kind) + building.max(replaying(Kind::Bit))
        };
        self.kinds.iter().map(of_kind).max().unwrap_or(0)
    }

    /// Bytes for replaying the levels of a table, without the table itself.
    fn memory_of_replay(&self, threads: usize) -> u64 {
        let (rows, perms, size) = (self.extent.rows, self.states() / self.extent.rows, self.pattern.size());
        let rotations = rotations_len(self.pattern.len(), size.width()) as u64 * 4;
        let replaying = replay::memory(rows, perms, self.pattern.len(), size, threads);
        OF_THE_PROGRAM + self.bookkeeping() + rotations + replaying
    }

    /// Cuts a list of builds into groups that may run side by side: small builds go together as long as `memory` bytes are
    /// enough for them, and each large one is a group of its own.
    pub fn groups(builds: &[Build], threads: usize, memory: u64) -> Vec<&[Build]> {
        let mut groups = Vec::new();
        let mut rest = builds;
        while !rest.is_empty() {
            let small = rest.iter().take_while(|build| build.states() <= SMALL).count();
            let all_at_once = |count| Build::memory_for_searches(&rest[..count], threads, count);
            let fit = (1..=small).rev().find(|&count| all_at_once(count) <= memory);
            let (group, others) = rest.split_at(fit.unwrap_or(1));
            groups.push(group);
            rest = others;
        }
        groups
    }

    /// About the most bytes of memory that several builds have in use at once when they run side by side: a thread that waits for
    /// another may begin one search more than there are threads.
    pub fn memory_together(builds: &[Build], threads: usize) -> u64 {
        Build::memory_for_searches(builds, threads, threads.max(1))
    }

    /// The most bytes of memory that several builds have in use while this many of them search: what the largest need.
    fn memory_for_searches(builds: &[Build], threads: usize, searches: usize) -> u64 {
        let mut all: Vec<u64> = builds.iter().map(|build| build.memory(threads) - OF_THE_PROGRAM).collect();
        all.sort_unstable_by_key(|&bytes| std::cmp::Reverse(bytes));
        OF_THE_PROGRAM + all.iter().take(searches).sum::<u64>()
    }

    /// Bytes for the index, for the rows and for their sources.
    fn bookkeeping(&self) -> u64 {
        let size = self.pattern.size();
        let (width, height, tiles) = (size.width(), size.height(), self.pattern.len());
        let edges = ((width - 1) * height + width * (height - 1)) as u64;
        // Each end of an edge may have a tile of the pattern and the other end the blank, the other tiles being anywhere;
        // where all moves count, both ends may be free.
        let others = size.count() - 2;
        let blank_moves = match self.kinds[0] {
            Kind::AllMoves => binomial(others, tiles),
            _ => 0,
        };
        let sources = 2 * edges * (binomial(others, tiles - 1) + blank_moves);
        // Index: squares, first row and regions of a map, map of a row. Search: maps with the number of their rows; row,
        // found, unseen and first source of a row.
        self.extent.maps * (4 + 4 + 16 + 16) + self.extent.rows * (4 + 4 * 4) + sources * 4
    }

    /// Bytes of the payload of a table.
    pub(crate) fn payload(&self, kind: Kind) -> u64 {
        kind.payload_len(kind.entries(&self.extent) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_puzzle::{Size, Square};

    #[test]
    fn a_build_takes_two_sets_of_states_and_no_second_copy_of_its_table() {
        for (width, tiles) in [(4, 7), (4, 8), (5, 6), (5, 7), (5, 8)] {
            let numbers: Vec<u64> = (1..=tiles).collect();
            let pattern = Pattern::new(Size::new(width, width).unwrap(), Square(0), &numbers).unwrap();
            let build = Build::new(&pattern, &[Kind::Bit]).unwrap();
            let memory = |kinds| (Build::new(&pattern, kinds).unwrap().memory(2) - build.bookkeeping()) as f64;
            let two_sets = (build.states() / 4) as f64;
            // Rows fill whole words, and there are the program, buffers and what moves rows.
            assert!(memory(&[Kind::Bit]) < two_sets * 1.07 + 10e6, "{pattern}: {}", memory(&[Kind::Bit]));
            let nibbles = (build.collapsed() / 2) as f64;
            let both = memory(&[Kind::Bit, Kind::Nibble]);
            assert!(both < (two_sets + nibbles) * 1.07 + 10e6, "{pattern}: {both}");
        }
    }

    #[test]
    fn an_audit_takes_no_more_than_the_build() {
        for (width, tiles) in [(4, 7), (4, 8), (5, 6), (5, 7), (5, 8)] {
            let numbers: Vec<u64> = (1..=tiles).collect();
            let pattern = Pattern::new(Size::new(width, width).unwrap(), Square(0), &numbers).unwrap();
            for threads in [1, 2, 16] {
                let build = Build::new(&pattern, &[Kind::Bit]).unwrap();
                let (building, auditing) = (build.memory(threads), build.memory_of_audit(threads));
                assert!(auditing <= building + building / 50, "{pattern}: {auditing} {building}");
                // A collapsed table lies beside the one that it is compared with.
                let nibbles = Build::new(&pattern, &[Kind::Nibble]).unwrap();
                let beside = nibbles.memory_of_audit(threads) - build.collapsed() / 2;
                assert!(beside <= building + building / 50 + 50_000_000, "{pattern}: {beside} {building}");
            }
        }
    }
}
