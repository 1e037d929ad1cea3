//! Proves that a table of lines is right, without trusting how it was built.
//!
//! As for other tables ([`audit`](crate::audit)), local conditions prove nothing of costs modulo 3, so the levels are replayed from the
//! goal against the table as it lies, with a set of the lines that are seen and one of those that the last level found. Every line that
//! a line of the last level crosses, and that was not seen, is now, and must have the level modulo 3 in the table. So by induction
//! what a level finds is what costs that much, all of it and nothing else, and its entries are compared. When a level finds nothing, what
//! is left must be as much as cannot be reached, and say so.
//!
//! Nothing is taken from the builder: permutations are moved tile by tile, not by its tables.

use rayon::prelude::*;
use tilebase_format::Header;
use tilebase_index::{LineIndex, Map, Perm, UNREACHED_LINE, bits, perms};
use tilebase_memory::{BitRows, Zeroed};
use tilebase_progress::{Event, Level, Watch};
use tilebase_puzzle::{Axis, Square};

use crate::audit::{AuditError, Condition};
use crate::build::Build;

/// Rows that a task has.
const ROWS_OF_TASK: usize = 64;

/// Bytes of memory that a proof takes, beside the program and the table.
pub(crate) fn memory(build: &Build) -> u64 {
    let tiles = build.pattern().len();
    let perms = u64::from(perms::factorial(tiles));
    build.extent.rows * perms.div_ceil(64) * 8 * 3 + perms * tiles as u64
}

/// A set of lines for each row, one bit for each line.
type LineRows = BitRows<Zeroed<u64>>;

/// The lines of one axis.
struct Half {
    seen: LineRows,
    /// What the last level found, and what this level finds.
    last: LineRows,
    next: LineRows,
}

struct Proof<'a> {
    index: &'a LineIndex,
    payload: &'a [u8],
    words: usize,
    /// For each permutation, where each tile stands.
    positions: Vec<u8>,
}

/// What a task found: how many lines, and the first that is wrong.
type Tally = (u64, Option<u64>);

fn add(a: Tally, b: Tally) -> Tally {
    (a.0 + b.0, a.1.into_iter().chain(b.1).min())
}

/// Proves every entry of a table. Returns how many lines have each cost, and how many cannot be reached.
pub(crate) fn replay(
    index: &LineIndex,
    header: &Header,
    payload: &[u8],
    watch: Watch<'_>,
) -> Result<(Vec<u64>, u64), AuditError> {
    let perms = index.perms();
    let positions = (0..perms).flat_map(|perm| perms::unrank(index.tiles(), Perm(perm))).collect();
    let proof = Proof { index, payload, words: perms.div_ceil(64) as usize, positions };
    let set = |axis| {
        let memory = Zeroed::new(index.rows_of(axis) * proof.words).map_err(AuditError::Memory)?;
        Ok::<_, AuditError>(LineRows::new(memory, proof.words))
    };
    let half = |axis| Ok::<_, AuditError>(Half { seen: set(axis)?, last: set(axis)?, next: set(axis)? });
    let mut halves = [half(Axis::Horizontal)?, half(Axis::Vertical)?];
    let goals = index.goals(header.pattern());
    for (line, axis) in goals.into_iter().zip(Axis::BOTH) {
        let (row, perm) = proof.row_and_perm(axis, line);
        let half = &mut halves[axis as usize];
        [&mut half.seen, &mut half.last].into_iter().for_each(|rows| rows.row_mut(row).set(perm, true));
    }
    let wrong = |line, condition| AuditError::Wrong(condition, proof.squares(line));
    if let Some(&line) = goals.iter().find(|&&line| proof.entry(line) != 0) {
        return Err(wrong(line, Condition::IsCostModulo3(0)));
    }
    let total = if header.pattern().reaches_half() { index.lines() / 2 } else { index.lines() };
    let mut counts = vec![2];
    for level in 1.. {
        let found = counts.iter().sum();
        let done = Level { number: level - 1, found, total, touched: 0, sent: 0 };
        watch(&Event::Level(&done)).continue_value().ok_or(AuditError::Stopped)?;
        let [horizontal, vertical] = &mut halves;
        let mut tally = (0, None);
        tally = add(tally, proof.level(Axis::Vertical, level, &horizontal.last, vertical, watch)?);
        tally = add(tally, proof.level(Axis::Horizontal, level, &vertical.last, horizontal, watch)?);
        if let Some(line) = tally.1 {
            return Err(wrong(line, Condition::IsCostModulo3(level)));
        }
        if tally.0 == 0 {
            break;
        }
        counts.push(tally.0);
        for half in &mut halves {
            std::mem::swap(&mut half.last, &mut half.next);
            half.next.memory_mut().par_iter_mut().for_each(|word| *word = 0);
        }
    }
    let (unreached, first) =
        Axis::BOTH.map(|axis| proof.unreached(axis, &halves[axis as usize].seen)).into_iter().fold((0, None), add);
    first.map_or(Ok((counts, unreached)), |line| Err(wrong(line, Condition::UnreachedIs3)))
}

impl Proof<'_> {
    fn entry(&self, line: u64) -> u8 {
        self.payload[(line / 4) as usize] >> (line % 4 * 2) & 3
    }

    fn first_row(&self, axis: Axis) -> usize {
        if axis == Axis::Horizontal { 0 } else { self.index.rows_of(Axis::Horizontal) }
    }

    fn row_and_perm(&self, axis: Axis, line: u64) -> (usize, usize) {
        let perms = u64::from(self.index.perms());
        ((line / perms) as usize - self.first_row(axis), (line % perms) as usize)
    }

    fn number(&self, axis: Axis, row: usize, perm: usize) -> u64 {
        ((self.first_row(axis) + row) * self.index.perms() as usize + perm) as u64
    }

    fn squares(&self, line: u64) -> Vec<u8> {
        self.index.first_state(line).0.into_iter().map(|square| square.0).collect()
    }

    /// Finds what the lines of the last level cross along the other axis, and compares it with the table.
    fn level(
        &self,
        axis: Axis,
        level: u32,
        last: &LineRows,
        into: &mut Half,
        watch: Watch<'_>,
    ) -> Result<Tally, AuditError> {
        let words = ROWS_OF_TASK * self.words;
        let Half { seen, next, .. } = into;
        let tasks = seen.memory_mut().par_chunks_mut(words).zip(next.memory_mut().par_chunks_mut(words)).enumerate();
        let tallies = tasks.map(|(task, (seen, next))| {
            watch(&Event::Poll).continue_value()?;
            let rows = seen.chunks_mut(self.words).zip(next.chunks_mut(self.words)).zip(task * ROWS_OF_TASK..);
            let tally = rows
                .fold((0, None), |tally, ((seen, next), row)| add(tally, self.row(axis, row, level, last, seen, next)));
            watch(&Event::Advance(tally.0)).continue_value()?;
            Some(tally)
        });
        let tally = tallies.try_reduce(|| (0, None), |a, b| Some(add(a, b)));
        tally.ok_or(AuditError::Stopped)
    }

    /// The same for one row.
    fn row(&self, axis: Axis, row: usize, level: u32, last: &LineRows, seen: &mut [u64], next: &mut [u64]) -> Tally {
        let index = self.index;
        let places: Vec<usize> = bits(index.places(Map((row % index.maps()) as u32))).map(Square::index).collect();
        let (other, on_line) = (axis.other(), index.states_on_line(axis));
        let mut tally = (0, None);
        for at in 0..on_line {
            let blank = row / index.maps() * on_line + at;
            let blank_square = index.square(axis, blank);
            let crossed = index.place(other, blank_square);
            // The squares of the map, in the order of this axis, by their places along the other.
            let there = places.iter().map(|&place| {
                let place = index.place(other, index.square(axis, place + usize::from(place >= blank)));
                place - u8::from(place > crossed)
            });
            let there: Vec<u8> = there.collect();
            let set = there.iter().fold(0, |set, place| set | 1u32 << place);
            let from = index.line_of_board(other, blank_square) * index.maps() + index.map(set).0 as usize;
            let from = last.raw(from);
            if from.iter().all(|&word| word == 0) {
                continue;
            }
            // For each position along the other axis, the position along this one.
            let mut here = vec![0u8; there.len()];
            for (position, place) in (0u8..).zip(&there) {
                here[(set & ((1 << place) - 1)).count_ones() as usize] = position;
            }
            // With bitvec's `replace` and `set` and the iterator of other loops, the whole audit takes 3 % longer.
            for (word, number) in from.iter().zip(0usize..) {
                let mut rest = *word;
                while rest != 0 {
                    let perm = self.turned(number * 64 + rest.trailing_zeros() as usize, &here);
                    rest &= rest - 1;
                    if seen[perm / 64] >> (perm % 64) & 1 == 0 {
                        seen[perm / 64] |= 1 << (perm % 64);
                        next[perm / 64] |= 1 << (perm % 64);
                        let line = self.number(axis, row, perm);
                        let wrong = (u32::from(self.entry(line)) != level % 3).then_some(line);
                        tally = add(tally, (1, wrong));
                    }
                }
            }
        }
        tally
    }

    /// The number of a permutation after each position has become another.
    fn turned(&self, perm: usize, positions: &[u8]) -> usize {
        let tiles = positions.len();
        let (mut left, mut number) = ((1u32 << tiles) - 1, 0);
        for (&position, choices) in self.positions[perm * tiles..][..tiles].iter().zip((1..=tiles).rev()) {
            let bit = 1 << positions[usize::from(position)];
            number = number * choices + (left & (bit - 1)).count_ones() as usize;
            left ^= bit;
        }
        number
    }

    /// How many lines were never seen, and the first of them whose entry does not say so.
    fn unreached(&self, axis: Axis, seen: &LineRows) -> Tally {
        let tallies = (0..seen.rows()).into_par_iter().map(|row| {
            let unseen = seen.row(row)[..self.index.perms() as usize].iter_zeros();
            unseen.fold((0, None), |tally, perm| {
                let line = self.number(axis, row, perm);
                add(tally, (1, (self.entry(line) != UNREACHED_LINE).then_some(line)))
            })
        });
        tallies.reduce(|| (0, None), add)
    }
}
