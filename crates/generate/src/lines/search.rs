//! The search over lines, a level at a time.

use std::io;

use rayon::prelude::*;
use tilebase_format::layout::HISTOGRAM_LEN;
use tilebase_index::{LineIndex, Map, bits};
use tilebase_memory::Zeroed;
use tilebase_progress::{Event, Level, Watch};
use tilebase_puzzle::Axis;

use super::turns::{self, Turned, Turns};
use crate::build::Build;
use crate::error::BuildError;

/// A task has about this many words of rows, so that handing tasks out costs little.
const WORDS_OF_TASK: usize = 1 << 14;

/// All lines of a pattern, and what is known of them.
pub(super) struct Search<'a> {
    index: &'a LineIndex,
    turns: Turns,
    halves: [Half; 2],
}

/// The lines of one axis.
struct Half {
    /// For each group of permutations two planes of bits, one in each half of the word: nothing is set where a line is unseen, and else
    /// the complement of its cost modulo 3.
    words: Zeroed<u64>,
    /// For each row, how many of its lines are unseen, and whether the last level found some.
    unseen: Vec<u32>,
    found: Vec<bool>,
    /// The rows that cross each row, one for each state of a line.
    sources: Vec<Source>,
}

/// A row that crosses another.
#[derive(Clone, Copy)]
struct Source {
    row: u32,
    turn: u32,
}

/// A bit for each permutation of a group, by the planes of its word: those with a certain cost modulo 3.
#[derive(Clone, Copy)]
struct Wanted {
    low: u32,
    high: u32,
}

impl Wanted {
    fn of(cost: u32) -> Wanted {
        let [low, high] = planes(cost);
        Wanted { low: !low, high: !high }
    }

    #[inline(always)]
    fn of_word(self, word: u64) -> u32 {
        (word as u32 ^ self.low) & ((word >> 32) as u32 ^ self.high)
    }
}

/// What the planes have where the cost is this one: all bits or none.
fn planes(cost: u32) -> [u32; 2] {
    [0, 1].map(|plane| if !(cost % 3) >> plane & 1 == 1 { u32::MAX } else { 0 })
}

/// Bytes of memory that a search takes, beside the program.
pub(crate) fn memory(build: &Build) -> u64 {
    let (size, tiles) = (build.pattern().size(), build.pattern().len());
    let (groups, _) = turns::groups(tiles);
    let rows = build.extent.rows;
    let sources = build.extent.maps * size.count() as u64 * 2;
    let sets = tilebase_index::binomial(size.count(), tiles);
    rows * (groups as u64 * 8 + 5) + sources * 8 + turns::memory(tiles, sets)
}

impl<'a> Search<'a> {
    pub(super) fn new(index: &'a LineIndex) -> io::Result<Search<'a>> {
        let turns = Turns::new(index);
        let (groups, _) = turns::groups(index.tiles());
        let half = |axis: Axis| -> io::Result<Half> {
            let rows = index.rows_of(axis);
            let sources = (0..rows).into_par_iter().flat_map_iter(|row| sources(index, &turns, axis, row));
            Ok(Half {
                words: Zeroed::new(rows * groups)?,
                unseen: vec![index.perms(); rows],
                found: vec![false; rows],
                sources: sources.collect(),
            })
        };
        let halves = [half(Axis::Horizontal)?, half(Axis::Vertical)?];
        Ok(Search { index, turns, halves })
    }

    /// Searches all lines. Returns how many have each cost.
    pub(super) fn run(&mut self, build: &Build, watch: Watch<'_>) -> Result<Vec<u64>, BuildError> {
        for (line, axis) in self.index.goals(build.pattern()).into_iter().zip(Axis::BOTH) {
            let before = if axis == Axis::Horizontal { 0 } else { self.index.rows_of(Axis::Horizontal) as u64 };
            let perms = u64::from(self.index.perms());
            let (row, perm) = ((line / perms - before) as usize, (line % perms) as usize);
            self.halves[axis as usize].start(row, perm, self.index.tiles());
        }
        let mut counts = vec![2];
        let mut done = Level { number: 0, found: 2, total: build.reachable(), touched: 0, sent: 0 };
        for cost in 1.. {
            watch(&Event::Level(&done)).continue_value().ok_or(BuildError::Stopped)?;
            let [horizontal, vertical] = &mut self.halves;
            // What the last level found along either axis is what this one starts from.
            let found = [&*horizontal, &*vertical].map(|half| half.found.clone());
            let level = |from: &Half, found: &[bool], into: &mut Half| {
                into.found.fill(false);
                into.collect(&self.turns, from, found, cost, watch).ok_or(BuildError::Stopped)
            };
            let tallies = [level(horizontal, &found[0], vertical)?, level(vertical, &found[1], horizontal)?];
            let lines = tallies.iter().map(|tally| tally.lines).sum();
            if lines == 0 {
                break;
            }
            if counts.len() + 1 == HISTOGRAM_LEN {
                return Err(BuildError::TooDeep(*build.pattern()));
            }
            counts.push(lines);
            done.number = cost;
            done.found += lines;
            done.touched += tallies.iter().map(|tally| tally.touched).sum::<u64>();
        }
        Ok(counts)
    }

    /// Fills some bytes of the payload, given where they start: two bits for each line.
    pub(super) fn fill(&self, start: u64, bytes: &mut [u8]) {
        let (_, of_group) = turns::groups(self.index.tiles());
        if of_group % 4 != 0 {
            // Rows of up to three tiles, which share bytes.
            bytes.iter_mut().zip(start..).for_each(|(byte, at)| *byte = self.byte(at, of_group));
            return;
        }
        let bytes_of_group = of_group / 4;
        let (mut group, mut skipped) = (start as usize / bytes_of_group, start as usize % bytes_of_group);
        let mut rest = bytes;
        while !rest.is_empty() {
            let (front, others) = rest.split_at_mut(rest.len().min(bytes_of_group - skipped));
            let entries = !interleaved(self.word(group));
            front.copy_from_slice(&entries.to_le_bytes()[skipped..][..front.len()]);
            (group, skipped, rest) = (group + 1, 0, others);
        }
    }

    fn word(&self, group: usize) -> u64 {
        let [horizontal, vertical] = &self.halves;
        horizontal.words.get(group).copied().unwrap_or_else(|| vertical.words[group - horizontal.words.len()])
    }

    /// One byte, an entry after the other.
    fn byte(&self, at: u64, of_group: usize) -> u8 {
        let entries = (at * 4..self.index.lines()).take(4).enumerate();
        entries.fold(0, |byte, (place, entry)| {
            let (group, bit) = (entry as usize / of_group, entry as usize % of_group);
            let word = self.word(group);
            let value = !(word >> bit & 1 | (word >> 32 >> bit & 1) << 1) & 3;
            byte | (value as u8) << (2 * place)
        })
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

#[derive(Clone, Copy, Default)]
struct Tally {
    lines: u64,
    /// Bytes of rows read and written.
    touched: u64,
}

impl Half {
    /// Finds the first line.
    fn start(&mut self, row: usize, perm: usize, tiles: usize) {
        let (groups, of_group) = turns::groups(tiles);
        let [low, high] = planes(0).map(|plane| u64::from(plane & 1) << (perm % of_group));
        self.words[row * groups + perm / of_group] |= low | high << 32;
        self.unseen[row] -= 1;
        self.found[row] = true;
    }

    /// Finds the lines with a cost that cross lines of the other axis with one less. `None` when the watch says so.
    fn collect(
        &mut self,
        turns: &Turns,
        from: &Half,
        from_found: &[bool],
        cost: u32,
        watch: Watch<'_>,
    ) -> Option<Tally> {
        let rows = self.unseen.len();
        let groups = self.words.len() / rows;
        let on_line = self.sources.len() / rows;
        let full = (1 << turns::groups(turns.tiles()).1) - 1;
        let rows_of_task = (WORDS_OF_TASK / groups).max(1);
        let level =
            OfLevel { turns, from, from_found, before: Wanted::of(cost - 1), planes: planes(cost), groups, full };
        let tasks = (self.words.par_chunks_mut(rows_of_task * groups))
            .zip(self.unseen.par_chunks_mut(rows_of_task))
            .zip(self.found.par_chunks_mut(rows_of_task))
            .zip(self.sources.par_chunks(rows_of_task * on_line));
        let tallies = tasks.map(|(((words, unseen), found), sources)| {
            watch(&Event::Poll).continue_value()?;
            let mut tally = Tally::default();
            let mut room = vec![Vec::new(); on_line];
            let rows = words.chunks_mut(groups).zip(unseen).zip(found).zip(sources.chunks(on_line));
            for (((words, unseen), found), sources) in rows {
                if *unseen == 0 || !sources.iter().any(|source| from_found[source.row as usize]) {
                    continue;
                }
                let new = level.collect(words, sources, &mut room);
                *unseen -= new;
                *found = new > 0;
                tally.lines += u64::from(new);
                tally.touched += ((1 + on_line) * groups * 8) as u64;
            }
            watch(&Event::Advance(tally.lines)).continue_value()?;
            Some(tally)
        });
        tallies
            .try_reduce(Tally::default, |a, b| Some(Tally { lines: a.lines + b.lines, touched: a.touched + b.touched }))
    }
}

/// What all rows of a level have in common.
struct OfLevel<'a> {
    turns: &'a Turns,
    from: &'a Half,
    from_found: &'a [bool],
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
            if !self.from_found[source.row as usize] {
                continue;
            }
            let there = &self.from.words[source.row as usize * self.groups..][..self.groups];
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

/// The rows that cross a row: one for each state of its lines.
fn sources<'a>(index: &'a LineIndex, turns: &'a Turns, axis: Axis, row: usize) -> impl Iterator<Item = Source> + 'a {
    let (of_board, map) = (row / index.maps(), Map((row % index.maps()) as u32));
    let places = index.places(map);
    let along = index.states_on_line(axis);
    (0..along).map(move |at| {
        let blank = of_board * along + at;
        let blank_square = index.square(axis, blank);
        let squares = bits(places).map(|place| index.square(axis, place.index() + usize::from(place.index() >= blank)));
        let squares = squares.fold(0, |set, square| set | square.bit());
        let other = axis.other();
        let crossed = index.place(other, blank_square);
        let there = bits(squares).map(|square| index.place(other, square));
        let there = there.fold(0, |set, place| set | 1u32 << (place - u8::from(place > crossed)));
        let row = index.line_of_board(other, blank_square) * index.maps() + index.map(there).0 as usize;
        Source { row: row as u32, turn: turns.number(index, axis, squares) }
    })
}
