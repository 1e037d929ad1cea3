//! What a move does to the permutations of a row, for proofs: worked out by unranking and ranking alone, apart from the code that
//! builds tables.
//!
//! A tile that slides up or down goes past a few others: the item at one position of the permutation goes to another, and
//! those between move up by one. The digits of a permutation's number outside these positions stay as they are, so the number is
//! head, middle and tail, and only the middle changes: [`Middle`] has it for every middle, each unranked, changed and ranked.
//!
//! A whole row is k! bits, and the last four positions are three whole bytes of it. So there are three ways to move it:
//!
//! * all positions are before the last four: bytes move whole, three or more together;
//! * all are among the last four: every three bytes change among themselves, and a table has what becomes of each byte;
//! * otherwise the item stops at the first of the last four on its way. Up to there, or from there on, it is the second way;
//!   the rest moves six bits at a time, the orders of the last three, which are put into a byte each for that.

use tilebase_index::Perm;
use tilebase_index::perms::{factorial, rank, unrank};
use tilebase_memory::{Bits, or};

/// The last positions of a permutation, which are taken together.
const LAST: usize = 4;

/// The orders of the last positions, a bit each: three bytes.
const ORDERS: u32 = 24;

/// The orders of all of them but the first.
const SIXES: u32 = 6;

/// The moves of k items, each from a position to another.
pub(crate) struct Steps {
    k: usize,
    /// By the position that the item leaves, and by that which it enters; `None` where no tile can go so far.
    all: Vec<Option<Step>>,
}

impl Steps {
    /// The moves of the tiles of a pattern on a board of some width: a tile passes fewer others than that.
    pub(crate) fn new(k: usize, width: usize) -> Steps {
        let pairs = (0..k * k).map(|pair| (pair / k, pair % k));
        let all = pairs.map(|(from, to)| (is_possible(from, to, width)).then(|| Step::new(k, from, to)));
        Steps { k, all: all.collect() }
    }

    /// Bytes that all of them take, roughly.
    pub(crate) fn memory(k: usize, width: usize) -> u64 {
        let pairs = (0..k * k).map(|pair| (pair / k, pair % k)).filter(|&(from, to)| is_possible(from, to, width));
        let middles = pairs.map(|(from, to)| u64::from(middles(k, from, to).1) * 4 + size_of::<Tables>() as u64);
        middles.sum()
    }

    /// The permutation after the item at a position went to another.
    #[inline]
    pub(crate) fn step(&self, from: u8, to: u8, perm: Perm) -> Perm {
        if from == to { perm } else { self.get(from, to).middle.step(perm) }
    }

    /// ORs into a row what becomes of another when the item at a position goes to another one in all its permutations. A row has
    /// k! bits, which are whole bytes; `room` is of no meaning before and afterwards.
    pub(crate) fn carry(&self, from: u8, to: u8, row: &[u8], into: &mut [u8], room: &mut Vec<u8>) {
        // Every place in the new row asks where its bits come from.
        match &self.get(from, to).way {
            Way::Whole => {
                let Middle { run, after: sources, .. } = &self.get(to, from).middle;
                match run / 8 {
                    3 => carry_whole::<3>(sources, row, into),
                    15 => carry_whole::<15>(sources, row, into),
                    bytes => carry_long(bytes as usize, sources, row, into),
                }
            }
            Way::Within(tables) => {
                for (into, from) in into.as_chunks_mut().0.iter_mut().zip(row.as_chunks().0) {
                    or_three(into, tables.spread(*from));
                }
            }
            Way::Across { tables, from, to } => {
                let Middle { count, after: sources, .. } = &self.get(*to, *from).middle;
                room.resize(row.len() / 3 * 4, 0);
                for (room, from) in room.as_chunks_mut().0.iter_mut().zip(row.as_chunks().0) {
                    *room = tables.spread(*from).to_le_bytes();
                }
                let blocks = room.chunks_exact(*count as usize).zip(into.chunks_exact_mut(*count as usize / 4 * 3));
                for (sixes, into) in blocks {
                    for (into, sources) in into.as_chunks_mut().0.iter_mut().zip(sources.as_chunks().0) {
                        or_three(into, tables.pack(sources.map(|source: u32| sixes[source as usize])));
                    }
                }
            }
            Way::Singly => {
                let into = Bits::from_slice_mut(into);
                for perm in Bits::from_slice(row).iter_ones() {
                    into.set(self.step(from, to, Perm(perm as u32)).0 as usize, true);
                }
            }
        }
    }

    fn get(&self, from: u8, to: u8) -> &Step {
        self.all[usize::from(from) * self.k + usize::from(to)]
            .as_ref()
            .expect("no tile passes more than a row of others")
    }
}

/// Whether a tile that moves up or down can go from a position to another.
fn is_possible(from: usize, to: usize, width: usize) -> bool {
    (1..width).contains(&from.abs_diff(to))
}

/// A move: what it does to a single permutation, and how it takes a row.
struct Step {
    middle: Middle,
    way: Way,
}

impl Step {
    fn new(k: usize, from: usize, to: usize) -> Step {
        let (first, last) = (from.min(to), from.max(to));
        let tail = k.saturating_sub(LAST);
        let way = if k < LAST {
            Way::Singly
        } else if last < tail {
            Way::Whole
        } else if first >= tail {
            Way::Within(Box::new(Tables::new(&turned(from - tail, to - tail), false, &turned(0, 0))))
        } else if to >= tail {
            let tables = Tables::new(&turned(0, 0), true, &turned(0, to - tail));
            Way::Across { tables: Box::new(tables), from: from as u8, to: tail as u8 }
        } else {
            let tables = Tables::new(&turned(from - tail, 0), true, &turned(0, 0));
            Way::Across { tables: Box::new(tables), from: tail as u8, to: to as u8 }
        };
        Step { middle: Middle::new(k, from, to), way }
    }
}

/// The part of a permutation's number that a move changes: number = (head · count + middle) · run + tail.
struct Middle {
    run: u32,
    count: u32,
    /// The middle afterwards, for each before.
    after: Vec<u32>,
}

impl Middle {
    fn new(k: usize, from: usize, to: usize) -> Middle {
        let (run, count) = middles(k, from, to);
        let after = (0..count).map(|middle| rank(&moved(unrank(k, Perm(middle * run)), from, to)).0 / run);
        Middle { run, count, after: after.collect() }
    }

    #[inline]
    fn step(&self, perm: Perm) -> Perm {
        let (above, tail) = (perm.0 / self.run, perm.0 % self.run);
        let (head, middle) = (above / self.count, above % self.count);
        Perm((head * self.count + self.after[middle as usize]) * self.run + tail)
    }
}

/// Numbers that share all up to the last position that changes, and how many values these have from the first on.
fn middles(k: usize, from: usize, to: usize) -> (u32, u32) {
    let run = factorial(k - 1 - from.max(to));
    (run, factorial(k - from.min(to)) / run)
}

/// The order after the item at a position went to another.
fn moved(mut order: Vec<u8>, from: usize, to: usize) -> Vec<u8> {
    let item = order.remove(from);
    order.insert(to, item);
    order
}

/// Where the bits of the last positions go when the item at one of them goes to another.
fn turned(from: usize, to: usize) -> Vec<u32> {
    (0..ORDERS).map(|order| rank(&moved(unrank(LAST, Perm(order)), from, to)).0).collect()
}

/// How a row is moved.
enum Way {
    /// Bytes stay together.
    Whole,
    /// Every three bytes change among themselves.
    Within(Box<Tables>),
    /// The orders of the last three positions stay together on the way between two positions; the tables have what happens before
    /// and behind.
    Across { tables: Box<Tables>, from: u8, to: u8 },
    /// Bit by bit: such a row has no whole bytes.
    Singly,
}

/// What becomes of the bits of the last positions.
struct Tables {
    /// Of each of three bytes.
    spread: [[u32; 256]; 3],
    /// Of each of four sixes.
    pack: [[u32; 64]; 4],
}

impl Tables {
    /// The places of bits after the first part and after the second. Between them each six may be in a byte of its own.
    fn new(first: &[u32], in_sixes: bool, second: &[u32]) -> Tables {
        let place = |bit: u32| if in_sixes { bit / SIXES * 8 + bit % SIXES } else { bit };
        let all = |value: usize, to: &dyn Fn(u32) -> u32| {
            (0..8).filter(|bit| value >> bit & 1 == 1).fold(0, |sum, bit| sum | 1 << to(bit))
        };
        let of_byte = |byte: usize, value| all(value, &|bit: u32| place(first[byte * 8 + bit as usize]));
        let of_six = |six: usize, value| all(value, &|bit: u32| second[six * SIXES as usize + bit as usize]);
        Tables {
            spread: std::array::from_fn(|byte| std::array::from_fn(|value| of_byte(byte, value))),
            pack: std::array::from_fn(|six| std::array::from_fn(|value| of_six(six, value))),
        }
    }

    #[inline(always)]
    fn spread(&self, [first, second, third]: [u8; 3]) -> u32 {
        let [of_first, of_second, of_third] = &self.spread;
        of_first[usize::from(first)] | of_second[usize::from(second)] | of_third[usize::from(third)]
    }

    #[inline(always)]
    fn pack(&self, sixes: [u8; 4]) -> u32 {
        let of = |six: usize| self.pack[six][usize::from(sixes[six] & 63)];
        of(0) | of(1) | of(2) | of(3)
    }
}

#[inline(always)]
fn or_three(into: &mut [u8; 3], bits: u32) {
    let [first, second, third, _] = bits.to_le_bytes();
    into[0] |= first;
    into[1] |= second;
    into[2] |= third;
}

/// ORs pieces of a few bytes, each from its source, in stretches of as many as there are sources.
fn carry_whole<const BYTES: usize>(sources: &[u32], row: &[u8], into: &mut [u8]) {
    let (row, into) = (row.as_chunks::<BYTES>().0, into.as_chunks_mut::<BYTES>().0);
    for (row, into) in row.chunks_exact(sources.len()).zip(into.chunks_exact_mut(sources.len())) {
        for (into, &source) in into.iter_mut().zip(sources) {
            let from = &row[source as usize];
            (0..BYTES).for_each(|byte| into[byte] |= from[byte]);
        }
    }
}

/// The same with pieces of any length.
fn carry_long(bytes: usize, sources: &[u32], row: &[u8], into: &mut [u8]) {
    let stretch = bytes * sources.len();
    for (row, into) in row.chunks_exact(stretch).zip(into.chunks_exact_mut(stretch)) {
        for (into, &source) in into.chunks_exact_mut(bytes).zip(sources) {
            or(into, &row[source as usize * bytes..][..bytes]);
        }
    }
}

/// The bytes of a row as words, the last one filled up with zeros.
pub(crate) fn words(row: &[u8]) -> impl Iterator<Item = u64> {
    row.chunks(8).map(|bytes| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    })
}

/// The number of bits of a row that are set. (The one of bitvec takes 11 times as long for bytes.)
pub(crate) fn count_ones(row: &[u8]) -> u32 {
    let (words, rest) = row.as_chunks();
    let of_words = words.iter().map(|&word| u64::from_le_bytes(word).count_ones()).sum::<u32>();
    of_words + rest.iter().map(|byte| byte.count_ones()).sum::<u32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_memory::ones;
    use tilebase_puzzle::Random;

    #[test]
    fn rows_and_single_permutations_move_as_their_items_do() {
        for k in 1..=9 {
            let steps = Steps::new(k, if k < 9 { k } else { 5 });
            let perms = factorial(k);
            let mut random = Random::new(k as u64);
            let chosen: Vec<u32> = (0..perms).filter(|_| random.below(3) == 0).collect();
            let set = |perms: &[u32]| {
                let mut row = vec![0; (factorial(k) as usize).div_ceil(8)];
                perms.iter().for_each(|&perm| row[perm as usize / 8] |= 1 << (perm % 8));
                row
            };
            let row = set(&chosen);
            assert_eq!(ones(words(&row)).collect::<Vec<_>>(), chosen);
            assert_eq!(count_ones(&row) as usize, chosen.len());
            let mut room = Vec::new();
            let pairs = (0..k * k).map(|pair| (pair / k, pair % k));
            for (from, to) in pairs.filter(|&(from, to)| from != to && (k < 9 || from.abs_diff(to) < 5)) {
                let move_one = |&perm: &u32| rank(&moved(unrank(k, Perm(perm)), from, to)).0;
                let expected: Vec<u32> = chosen.iter().map(move_one).collect();
                let (from, to) = (from as u8, to as u8);
                assert!(
                    chosen.iter().zip(&expected).all(|(&perm, &after)| steps.step(from, to, Perm(perm)).0 == after)
                );
                // What was there before stays.
                let mut into = set(&[0, perms - 1]);
                steps.carry(from, to, &row, &mut into, &mut room);
                let mut both = set(&expected);
                or(&mut both, &set(&[0, perms - 1]));
                assert!(into == both, "{k} items, {from} to {to}");
            }
        }
    }
}
