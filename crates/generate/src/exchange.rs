//! Moving the tiles of a whole row at once.
//!
//! A row is a set of permutations, one bit each. When a tile slides up or down it passes a few others in the order of the
//! squares; passing one means that the items at two neighbouring positions are exchanged, in all permutations of the
//! row. That permutes the bits of the row, always in the same way. With m items not yet placed at the first of the two
//! positions p, the bits come in blocks of m·(m−1) runs of (k−p−2)! bits, and the runs of a block change places:
//!
//! * short runs (1, 2 or 6 bits) move by only 2(m−1) different distances, so the new row is the OR of as many copies of
//!   the old one, shifted and masked, a word at a time;
//! * longer runs (24, 120, 720, … bits) are copied one after the other, up to a word at a time.

use tilebase_index::perms::factorial;

/// Zero words on both sides of a row that is being moved, so that shifts need not look where it ends.
const PAD: usize = 2;

/// Stretches of masks are made at least this long, so that the inner loop has something to do.
const STRETCH_WORDS: usize = 60;

/// Runs of fewer bits are moved by masked shifts.
const SHORT_RUN: usize = 24;

/// Words that hold a number of bits.
pub(crate) fn words_for(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// Exchanges of neighbouring positions of k items, on rows of k! bits.
#[derive(Debug)]
pub(crate) struct Exchanges {
    words: usize,
    at: Vec<Exchange>,
}

impl Exchanges {
    pub(crate) fn new(k: usize) -> Exchanges {
        let at = (0..k - 1).map(|position| Exchange::new(k, position));
        Exchanges { words: words_for(factorial(k) as usize), at: at.collect() }
    }

    /// Where to put a row that is to be rotated.
    pub(crate) fn row<'a>(&self, scratch: &'a mut Scratch) -> &'a mut [u64] {
        &mut scratch.row[PAD..][..self.words]
    }

    /// ORs into a row what the row in the scratch becomes when the item at position `from` goes to position `to` in all its
    /// permutations. What is behind the last permutation is of no meaning, before and afterwards.
    pub(crate) fn rotate_into(&self, into: &mut [u64], from: u8, to: u8, scratch: &mut Scratch) {
        // The exchanges on the way, in order; the last one goes right into the row.
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

    /// Room for one rotation at a time.
    pub(crate) fn scratch(&self) -> Scratch {
        Scratch { row: vec![0; self.words + 2 * PAD], next: vec![0; self.words + 2 * PAD] }
    }
}

/// The row that is being moved and the next one, with zeros around them.
#[derive(Debug)]
pub(crate) struct Scratch {
    row: Vec<u64>,
    next: Vec<u64>,
}

#[derive(Debug)]
enum Exchange {
    Shifts(Vec<MaskedShift>),
    /// Runs of this many bits change places. For each the place that it comes from: that of its first bit.
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

    /// ORs what becomes of a row with zeros around it into one without.
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
    /// Towards higher bits when positive.
    distance: isize,
    /// Where the bits arrive, for each word of a stretch after which everything repeats.
    mask: Vec<u64>,
}

impl MaskedShift {
    /// ORs the shifted and masked row into another.
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

/// ORs runs of `len` bits into a row, one after the other, each from its source in another.
fn copy_runs(len: usize, sources: &[u32], from: &[u64], into: &mut [u64]) {
    let mut into = into.iter_mut();
    let mut word = 0;
    let mut filled = 0;
    for &source in sources {
        let mut source = source as usize;
        let mut left = len;
        while left > 0 {
            // The next bits of the run, up to a word; what is above them is cut off by the shift to the left below.
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

/// The run that takes the place of a run when the first two of `items` items are exchanged. A run's number is
/// first · (items−1) + second, where the two digits count smaller items not yet placed.
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
