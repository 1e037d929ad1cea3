//! The search over lines, a level at a time.

use std::io;

use rayon::prelude::*;
use tilebase_index::LineIndex;
use tilebase_memory::Zeroed;
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::Axis;

use super::guests::{self, Border};
use super::shares::{Part, Shares, crossed};
use super::turns::{self, Turned, Turns};
use crate::build::Build;
use crate::error::BuildError;
use crate::level::Tally;
use crate::levels;
use crate::peers::Peers;
use crate::scratch::Keep;
use crate::store::StateRows;
use crate::traffic::words_of_message;

/// A task has about this many words of rows, so that handing tasks out costs little.
const WORDS_OF_TASK: usize = 1 << 14;

/// The lines of a pattern that this process has, and what is known of them.
pub(super) struct Search<'a> {
    index: &'a LineIndex,
    build: &'a Build,
    peers: &'a dyn Peers,
    turns: Turns,
    halves: [Half; 2],
    borders: Vec<Border>,
    words_of_message: usize,
}

/// The lines of one axis: own rows, and after them copies of rows of other processes that cross own rows ([`guests`]).
pub(super) struct Half {
    /// The numbers of the own rows, among all of the axis.
    pub(super) rows: Vec<u32>,
    /// For each group of permutations two planes of bits, one in each half of the word: nothing is set where a line is unseen, and else
    /// the complement of its cost modulo 3.
    pub(super) words: StateRows,
    /// For each row 1 if the last level found lines in it, and else 0.
    pub(super) found: Zeroed<u8>,
    /// The number of unseen lines of each own row.
    unseen: Vec<u32>,
    /// The rows that cross each own row, one for each state of a line.
    sources: Vec<Source>,
}

/// A row that crosses another: its slot in its half, and what reading along the other axis does to its permutations.
#[derive(Clone, Copy)]
struct Source {
    slot: u32,
    turn: u32,
}

/// A bit for each permutation of a group, by the planes of its word: those with a certain cost modulo 3.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    low: u32,
    high: u32,
}

impl Wanted {
    pub(super) fn of(cost: u32) -> Wanted {
        let [low, high] = planes(cost);
        Wanted { low: !low, high: !high }
    }

    #[inline(always)]
    pub(super) fn of_word(self, word: u64) -> u32 {
        (word as u32 ^ self.low) & ((word >> 32) as u32 ^ self.high)
    }
}

/// What the planes have where the cost is this one: all bits or none.
pub(super) fn planes(cost: u32) -> [u32; 2] {
    [0, 1].map(|plane| if !(cost % 3) >> plane & 1 == 1 { u32::MAX } else { 0 })
}

/// Bytes of memory that a search takes in a process that has a part of the rows, in addition to the program.
pub(crate) fn memory(build: &Build, part: Part) -> u64 {
    let (size, tiles, all) = (build.pattern().size(), build.pattern().len(), build.extent.rows);
    let (groups, _) = turns::groups(tiles);
    let sources = build.extent.maps * size.count() as u64 * 2;
    let sets = tilebase_index::binomial(size.count(), tiles);
    // The words and whether the last level found something, twice. Of own rows also the number, the unseen lines and the sources; and of
    // all rows the place in the table.
    let of_rows = (part.rows + part.guests) * (groups as u64 * 8 + 2) + part.rows * (8 + sources * 8 / all) + all * 4;
    of_rows + turns::memory(tiles, sets)
}

impl<'a> Search<'a> {
    pub(super) fn new(
        index: &'a LineIndex,
        build: &'a Build,
        peers: &'a dyn Peers,
        shares: &Shares,
    ) -> io::Result<Search<'a>> {
        let turns = Turns::new(index);
        let (groups, _) = turns::groups(index.tiles());
        let rank = peers.rank();
        let rows = Axis::BOTH.map(|axis| {
            let all = 0..index.rows_of(axis) as u32;
            all.filter(|&row| shares.owner(axis, row) == rank).collect::<Vec<u32>>()
        });
        // By their numbers at first.
        let mut sources = Axis::BOTH.map(|axis| {
            let rows = rows[axis as usize].par_iter();
            let sources = rows.flat_map_iter(|&row| {
                let crossed = crossed(index, axis, row as usize);
                crossed.map(|there| Source { slot: there.row, turn: turns.number(index, axis, there.squares) })
            });
            sources.collect::<Vec<Source>>()
        });
        let (mut guests, mut borders) = Default::default();
        if peers.count() > 1 {
            let crossed = sources.each_ref().map(|sources| sources.iter().map(|source| source.slot).collect());
            (guests, borders) = guests::meet(index, shares, rank, &rows, &crossed);
            for axis in Axis::BOTH {
                let mut slots = vec![0; index.rows_of(axis)];
                let guests = guests[axis as usize].iter().map(|(_, row)| row);
                rows[axis as usize].iter().chain(guests).zip(0..).for_each(|(&row, slot)| slots[row as usize] = slot);
                let sources = sources[axis.other() as usize].par_iter_mut();
                sources.for_each(|source| source.slot = slots[source.slot as usize]);
            }
        }
        let half = |rows: Vec<u32>, sources, guests: usize| -> io::Result<Half> {
            let count = rows.len() + guests;
            let words = StateRows::new(Zeroed::new(count * groups)?, groups);
            Ok(Half { words, found: Zeroed::new(count)?, unseen: vec![index.perms(); rows.len()], sources, rows })
        };
        let [horizontal, vertical] = rows;
        let [of_horizontal, of_vertical] = sources;
        let halves = [half(horizontal, of_horizontal, guests[0].len())?, half(vertical, of_vertical, guests[1].len())?];
        let words: usize = halves.iter().map(|half| half.rows.len() * groups).sum();
        let words_of_message = words_of_message(words).min(peers.most_words());
        Ok(Search { index, build, peers, turns, halves, borders, words_of_message })
    }

    /// Packs the rows into entries of a table: two bits for each line. Returns the numbers of the own rows of each axis, and their entries.
    pub(super) fn pack(self) -> ([Vec<u32>; 2], [StateRows; 2]) {
        let [horizontal, vertical] = self.halves.map(|Half { rows, mut words, .. }| {
            let groups = words.words();
            words.memory_mut().par_chunks_mut(groups).for_each(pack);
            (rows, words)
        });
        ([horizontal.0, vertical.0], [horizontal.1, vertical.1])
    }
}

impl levels::Search for Search<'_> {
    type Half = Half;

    fn halves(&mut self) -> &mut [Half; 2] {
        &mut self.halves
    }

    fn start(&mut self) -> Tally {
        for (line, axis) in self.index.goals(self.build.pattern()).into_iter().zip(Axis::BOTH) {
            let before = if axis == Axis::Horizontal { 0 } else { self.index.rows_of(Axis::Horizontal) as u64 };
            let perms = u64::from(self.index.perms());
            let (row, perm) = ((line / perms - before) as u32, (line % perms) as usize);
            let half = &mut self.halves[axis as usize];
            if let Ok(slot) = half.rows.binary_search(&row) {
                half.start(slot, perm, self.index.tiles());
            }
        }
        Tally { states: 2, ..Tally::default() }
    }

    fn resume(&mut self) {
        self.halves.iter_mut().for_each(|half| half.count_unseen(self.index.perms()));
    }

    fn level(&mut self, cost: u32, watch: Watch<'_>) -> Result<Tally, BuildError> {
        let (_, of_group) = turns::groups(self.index.tiles());
        let last = (cost - 1, of_group);
        let sent = guests::update(&mut self.halves, &self.borders, last, self.words_of_message, self.peers)?;
        let [horizontal, vertical] = &mut self.halves;
        // What the last level found along either axis is what this one starts from.
        let found = [&*horizontal, &*vertical].map(|half| half.found.to_vec());
        let level = |from: &Half, found: &[u8], into: &mut Half| {
            into.found.fill(0);
            into.collect(&self.turns, from, found, cost, watch).ok_or(BuildError::Stopped)
        };
        let tally = level(horizontal, &found[0], vertical)?.and(level(vertical, &found[1], horizontal)?);
        Ok(Tally { sent, ..tally })
    }
}

/// Turns a row into the entries of a table, in place. A group has two bits for each of its lines, 48 in all, which follow those of the
/// group before.
fn pack(row: &mut [u64]) {
    let (mut word, mut filled, mut at) = (0, 0, 0);
    for group in 0..row.len() {
        let entries = !interleaved(row[group]) & ((1 << 48) - 1);
        word |= entries << filled;
        filled += 48;
        if filled >= 64 {
            row[at] = word;
            (word, filled, at) = (entries >> (112 - filled), filled - 64, at + 1);
        }
    }
    if filled > 0 {
        row[at] = word;
    }
}

/// The bits of the two halves of a word in turn.
fn interleaved(word: u64) -> u64 {
    let spread = |half: u64| {
        let mut bits = half & 0xffff_ffff;
        for (shift, mask) in [
            (16, 0x0000_ffff_0000_ffff),
            (8, 0x00ff_00ff_00ff_00ff),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ] {
            bits = (bits | bits << shift) & mask;
        }
        bits
    };
    spread(word) | spread(word >> 32) << 1
}

impl Half {
    /// Finds the first line.
    fn start(&mut self, row: usize, perm: usize, tiles: usize) {
        let (_, of_group) = turns::groups(tiles);
        let [low, high] = planes(0).map(|plane| u64::from(plane & 1) << (perm % of_group));
        self.words.raw_mut(row)[perm / of_group] |= low | high << 32;
        self.unseen[row] -= 1;
        self.found[row] = 1;
    }

    /// Counts the unseen lines of own rows that were loaded.
    fn count_unseen(&mut self, perms: u32) {
        let seen = |word: &u64| (*word as u32 | (*word >> 32) as u32).count_ones();
        let rows = self.unseen.par_iter_mut().enumerate();
        rows.for_each(|(row, unseen)| *unseen = perms - self.words.raw(row).iter().map(seen).sum::<u32>());
    }

    /// Finds the lines with a cost that cross lines of the other axis with one less. Returns `None` when the watch cancels the build.
    fn collect(&mut self, turns: &Turns, from: &Half, from_found: &[u8], cost: u32, watch: Watch<'_>) -> Option<Tally> {
        let rows = self.unseen.len();
        if rows == 0 {
            return Some(Tally::default());
        }
        let groups = self.words.words();
        let on_line = self.sources.len() / rows;
        let full = (1 << turns::groups(turns.tiles()).1) - 1;
        let rows_of_task = (WORDS_OF_TASK / groups).max(1);
        let level =
            OfLevel { turns, from, from_found, before: Wanted::of(cost - 1), planes: planes(cost), groups, full };
        let tasks = (self.words.memory_mut()[..rows * groups].par_chunks_mut(rows_of_task * groups))
            .zip(self.unseen.par_chunks_mut(rows_of_task))
            .zip(self.found[..rows].par_chunks_mut(rows_of_task))
            .zip(self.sources.par_chunks(rows_of_task * on_line));
        let tallies = tasks.map(|(((words, unseen), found), sources)| {
            watch(&Event::Poll).continue_value()?;
            let mut tally = Tally::default();
            let mut room = vec![Vec::new(); on_line];
            let rows = words.chunks_mut(groups).zip(unseen).zip(found).zip(sources.chunks(on_line));
            for (((words, unseen), found), sources) in rows {
                if *unseen == 0 || !sources.iter().any(|source| from_found[source.slot as usize] == 1) {
                    continue;
                }
                let new = level.collect(words, sources, &mut room);
                *unseen -= new;
                *found = u8::from(new > 0);
                tally.states += u64::from(new);
                tally.touched += ((1 + on_line) * groups * 8) as u64;
            }
            watch(&Event::Advance(tally.states)).continue_value()?;
            Some(tally)
        });
        tallies.try_reduce(Tally::default, |a, b| Some(a.and(b)))
    }
}

impl Keep for Half {
    fn kept(&self) -> impl Iterator<Item = &[u8]> {
        [&self.found[..], self.words.memory().as_bytes()].into_iter()
    }

    fn kept_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        [&mut self.found[..], self.words.memory_mut().as_bytes_mut()].into_iter()
    }
}

/// What all rows of a level have in common.
struct OfLevel<'a> {
    turns: &'a Turns,
    from: &'a Half,
    from_found: &'a [u8],
    before: Wanted,
    planes: [u32; 2],
    groups: usize,
    /// The bits of a group that are used.
    full: u32,
}

impl OfLevel<'_> {
    /// Finds what a row collects from those that cross it. Returns how many lines that are.
    fn collect(&self, words: &mut [u64], sources: &[Source], room: &mut [Vec<Turned>]) -> u32 {
        let mut new = 0;
        for (source, room) in sources.iter().zip(room) {
            if self.from_found[source.slot as usize] == 0 {
                continue;
            }
            let there = &self.from.words.memory()[source.slot as usize * self.groups..][..self.groups];
            let turn = self.turns.get(source.turn, room);
            for (word, &turned) in words.iter_mut().zip(turn) {
                let unseen = !(*word as u32 | (*word >> 32) as u32) & self.full;
                if unseen == 0 {
                    continue;
                }
                let reached = self.before.of_word(there[turned.group()]);
                if reached == 0 {
                    continue;
                }
                let reached = self.turns.turn(turned, reached) & unseen;
                new += reached.count_ones();
                *word |= u64::from(reached & self.planes[0]) | u64::from(reached & self.planes[1]) << 32;
            }
        }
        new
    }
}
