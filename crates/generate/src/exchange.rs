//! Applies a move of a tile to all permutations of a row at once.
//!
//! A row is a set of permutations of k items, one bit each. A tile that slides up or down passes a few others in the
//! order of the squares. To pass one tile is to exchange the items at two neighbouring positions p and p + 1, in every
//! permutation of the row. This permutes the bits of the row in a fixed pattern. With m = k − p items not yet placed at
//! position p, the bits form blocks of m·(m−1) runs of (m−2)! bits each, and the runs within a block change places:
//!
//! * Short runs (1, 2 or 6 bits) move by only 2(m−1) different distances. The new row is the OR of this many copies of
//!   the old row, each shifted and masked, a word at a time.
//! * Longer runs (24, 120, 720, … bits) are copied one after the other, up to a word at a time.

use tilebase_index::perms::factorial;

/// The number of zero words before and after a row that is being moved, so that shifts need no bounds checks at its
/// ends.
const PAD: usize = 2;

/// The smallest length of a mask, in words. It keeps the inner loop long enough.
const STRETCH_WORDS: usize = 60;

/// Runs of fewer bits than this are moved by masked shifts.
const SHORT_RUN: usize = 24;

/// The number of words that hold this many bits.
pub(crate) fn words_for(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// The exchanges of all pairs of neighbouring positions of k items, on rows of k! bits.
#[derive(Debug)]
pub(crate) struct Exchanges {
    /// The number of words of a row.
    words: usize,
    /// The exchange of each position with the next.
    at: Vec<Exchange>,
}

impl Exchanges {
    pub(crate) fn new(k: usize) -> Exchanges {
        let at = (0..k - 1).map(|position| Exchange::new(k, position));
        Exchanges { words: words_for(factorial(k) as usize), at: at.collect() }
    }

    /// The part of `scratch` that takes the row to be rotated.
    pub(crate) fn row<'a>(&self, scratch: &'a mut Scratch) -> &'a mut [u64] {
        &mut scratch.row[PAD..][..self.words]
    }

    /// Moves the item at position `from` to position `to` in every permutation of the row in `scratch`, and ORs the
    /// result into `into`. Bits after the last permutation are undefined, in the input and in the result.
    pub(crate) fn rotate_into(&self, into: &mut [u64], from: u8, to: u8, scratch: &mut Scratch) {
        // The exchanges between the two positions, in order. The last one writes to `into` directly.
        let (first, last) = (from.min(to), from.max(to) - 1);
        let at = |step: u8| &self.at[usize::from(if from < to { first + step } else { last - step })];
        for step in 0..last - first {
            let next = &mut scratch.next[PAD..][..self.words];
            next.fill(0);
            at(step).apply(&scratch.row, next);
            std::mem::swap(&mut scratch.row, &mut scratch.next);
        }
        at(last - first).apply(&scratch.row, into);
    }

    /// Buffers for one rotation at a time.
    pub(crate) fn scratch(&self) -> Scratch {
        Scratch { row: vec![0; self.words + 2 * PAD], next: vec![0; self.words + 2 * PAD] }
    }
}

/// The row that is being moved and the result of the next exchange, both padded with zeros.
#[derive(Debug)]
pub(crate) struct Scratch {
    row: Vec<u64>,
    next: Vec<u64>,
}

/// The exchange of two neighbouring positions.
#[derive(Debug)]
enum Exchange {
    /// For short runs: all bits that move by the same distance are moved together.
    Shifts(Vec<MaskedShift>),
    /// For runs of this many bits: for each run of the new row, the first bit of its source in the old row.
    Runs(usize, Vec<u32>),
}

impl Exchange {
    fn new(k: usize, position: usize) -> Exchange {
        let items = k - position;
        let run = factorial(items - 2) as usize;
        let bits = factorial(k) as usize;
        let source = |bit: usize| {
            let (number, runs) = (bit / run, items * (items - 1));
            (number / runs * runs + exchanged(items, number % runs)) * run + bit % run
        };
        if run >= SHORT_RUN {
            return Exchange::Runs(run, (0..bits).step_by(run).map(|bit| source(bit) as u32).collect());
        }
        // The masks repeat after this many words: the smallest whole number of words that is a multiple of a block.
        let block = factorial(items) as usize;
        let repeats_after = block / (1 << block.trailing_zeros().min(6));
        let stretch = (repeats_after * STRETCH_WORDS.div_ceil(repeats_after)).min(words_for(bits));
        let mut shifts: Vec<MaskedShift> = Vec::new();
        for bit in 0..(stretch * 64).min(bits) {
            let distance = bit as isize - source(bit) as isize;
            let known = shifts.iter().position(|shift| shift.distance == distance).unwrap_or_else(|| {
                shifts.push(MaskedShift { distance, mask: vec![0; stretch] });
                shifts.len() - 1
            });
            shifts[known].mask[bit / 64] |= 1 << (bit % 64);
        }
        Exchange::Shifts(shifts)
    }

    /// Applies the exchange to a padded row, and ORs the result into a row without padding.
    fn apply(&self, from: &[u64], into: &mut [u64]) {
        match self {
            Exchange::Shifts(shifts) => shifts.iter().for_each(|shift| shift.add(from, into)),
            Exchange::Runs(len, sources) => copy_runs(*len, sources, &from[PAD..], into),
        }
    }
}

/// Bits that all move by the same distance, which is never 0 or a whole word.
#[derive(Debug)]
struct MaskedShift {
    /// The distance in bits; positive means towards higher bits.
    distance: isize,
    /// The new places of the bits. The mask repeats after its last word.
    mask: Vec<u64>,
}

impl MaskedShift {
    /// Shifts and masks a padded row, and ORs the result into a row without padding.
    fn add(&self, from: &[u64], into: &mut [u64]) {
        let bits = self.distance.rem_euclid(64) as u32;
        // The bits of a word come from the upper end of one word and the lower end of the next.
        let lower = (PAD as isize + (-self.distance).div_euclid(64)) as usize;
        let upper = lower + 1;
        let stretches = into.chunks_mut(self.mask.len()).enumerate();
        for (number, into) in stretches {
            let start = number * self.mask.len();
            let (lower, upper) = (&from[start + lower..][..into.len()], &from[start + upper..][..into.len()]);
            for (((into, lower), upper), mask) in into.iter_mut().zip(lower).zip(upper).zip(&self.mask) {
                *into |= ((lower >> (64 - bits)) | (upper << bits)) & mask;
            }
        }
    }
}

/// Reads runs of `len` bits from their sources in a row, and ORs them into another row, one after the other.
fn copy_runs(len: usize, sources: &[u32], from: &[u64], into: &mut [u64]) {
    let mut into = into.iter_mut();
    let mut word = 0;
    let mut filled = 0;
    for &source in sources {
        let mut source = source as usize;
        let mut left = len;
        while left > 0 {
            // Read the next bits of the run, at most a word, and clear the bits above them.
            let count = left.min(64);
            let (at, bit) = (source / 64, source % 64);
            let bits = (from[at] >> bit) | ((from[at + 1] << 1) << (63 - bit));
            let bits = bits & (u64::MAX >> (64 - count));
            word |= bits << filled;
            if filled + count >= 64 {
                *into.next().expect("a row has room for all its runs") |= word;
                word = if filled == 0 { 0 } else { bits >> (64 - filled) };
            }
            filled = (filled + count) % 64;
            source += count;
            left -= count;
        }
    }
    if filled > 0 {
        *into.next().expect("a row has room for all its runs") |= word;
    }
}

/// The number of the run that moves to run `number` when the first two of `items` items are exchanged. A run's number
/// is first · (items−1) + second. Each of the two digits counts the smaller items not yet placed.
///
/// With three items, run 1 is (0, 1): the items 0 and 2. Exchanged they are 2 and 0, which is (2, 0): run 4.
fn exchanged(items: usize, number: usize) -> usize {
    let (first, second) = (number / (items - 1), number % (items - 1));
    if second < first { second * (items - 1) + first - 1 } else { (second + 1) * (items - 1) + first }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_index::{Perm, Rotations};
    use tilebase_puzzle::Random;

    #[test]
    fn rows_move_as_their_permutations_do() {
        for k in 1..=8 {
            let exchanges = Exchanges::new(k);
            let rotations = Rotations::new(k, 12);
            let mut random = Random::new(k as u64);
            let perms: Vec<u32> = (0..factorial(k)).filter(|_| random.below(3) == 0).collect();
            let mut row = vec![0u64; words_for(factorial(k) as usize)];
            perms.iter().for_each(|&perm| row[perm as usize / 64] |= 1 << (perm % 64));
            let mut scratch = exchanges.scratch();
            for from in 0..k as u8 {
                for to in (0..k as u8).filter(|&to| to != from) {
                    let mut expected = vec![0u64; row.len()];
                    for &perm in &perms {
                        let moved = rotations.get(from, to).apply(Perm(perm)).0;
                        expected[moved as usize / 64] |= 1 << (moved % 64);
                    }
                    let mut rotated = vec![0; row.len()];
                    exchanges.row(&mut scratch).copy_from_slice(&row);
                    exchanges.rotate_into(&mut rotated, from, to, &mut scratch);
                    assert!(rotated == expected, "{k} items, {from} to {to}");
                }
            }
        }
    }
}
