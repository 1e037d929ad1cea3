//! The numbers of boards.
//!
//! A board is a square for the blank and a permutation: its tiles in reading order, the blank left out. So a tile that slides
//! sideways changes nothing but the blank's square, and one that slides up or down goes past the few tiles between.
//!
//! A permutation of k items has a digit for each position, which counts the later items that are smaller (its Lehmer code), and
//! its number has these digits, the first one worth most. All boards that can reach the goal with the blank on a certain
//! square have permutations of the same parity, that of the sum of their digits. So the second last digit, which is 0 or 1, need
//! not be told (the last is always 0), and half the number is enough.
//!
//! Numbers are cut into *blocks*: those that differ in the last eight digits only. 8! / 2 = 20,160 bits are 315 whole words.

use std::io;

use tilebase_memory::{BitRows, Zeroed};

/// A set of permutations of one parity, one bit for each; its rows are blocks.
pub(crate) type Set = BitRows<Zeroed<u64>>;

/// The digits within a block, where there are that many.
pub(crate) const TAIL: usize = 8;

/// The product of the first numbers, as long as it fits.
pub(crate) fn factorial(number: usize) -> Option<u64> {
    (1..=number as u64).try_fold(1u64, u64::checked_mul)
}

/// The product of the first numbers, few enough that it fits.
fn small_factorial(number: usize) -> usize {
    (1..=number).product()
}

/// How the permutations of `tiles` items are laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) tiles: usize,
    /// Digits within a block.
    pub(crate) tail: usize,
    /// Permutations of one parity in a block.
    pub(crate) block_bits: usize,
    pub(crate) block_words: usize,
    pub(crate) blocks: usize,
}

impl Layout {
    /// The layout, if the numbers of permutations fit into 64 bits.
    pub(crate) fn new(tiles: usize) -> Option<Layout> {
        let tail = tiles.min(TAIL);
        let block_bits = small_factorial(tail) / 2;
        let blocks = usize::try_from(factorial(tiles)? / factorial(tail)?).ok()?;
        Some(Layout { tiles, tail, block_bits, block_words: block_bits.div_ceil(64), blocks })
    }

    /// Words of a set of permutations.
    pub(crate) fn words(&self) -> usize {
        self.blocks * self.block_words
    }

    /// A set with nothing in it.
    pub(crate) fn set(&self) -> io::Result<Set> {
        Ok(Set::new(Zeroed::new(self.words())?, self.block_words))
    }

    /// Whether the sum of the digits before the tail, which are the same in all of a block, is odd.
    pub(crate) fn head_is_odd(&self, block: usize) -> bool {
        let (mut rest, mut sum) = (block, 0);
        for radix in self.tail + 1..=self.tiles {
            sum += rest % radix;
            rest /= radix;
        }
        sum % 2 == 1
    }
}

/// The digits of the permutation with a number, the first one first. The last digits are 0 if `known` are fewer than `len`: then
/// the number is that of the first `known`.
pub(crate) fn digits(number: usize, len: usize, known: usize) -> Vec<u8> {
    let mut digits = vec![0; len];
    let mut rest = number;
    for position in (0..known).rev() {
        let radix = len - position;
        digits[position] = (rest % radix) as u8;
        rest /= radix;
    }
    digits
}

/// The number that the first `known` digits have.
pub(crate) fn number(digits: &[u8], known: usize) -> usize {
    let len = digits.len();
    digits[..known].iter().enumerate().fold(0, |number, (position, &digit)| number * (len - position) + digit as usize)
}

/// The digits after the item at one position has gone to another.
pub(crate) fn moved(digits: &[u8], from: usize, to: usize) -> Vec<u8> {
    let mut left: Vec<u8> = (0..digits.len() as u8).collect();
    let mut items: Vec<u8> = digits.iter().map(|&digit| left.remove(digit as usize)).collect();
    let item = items.remove(from);
    items.insert(to, item);
    let smaller_behind = |position: usize| items[position + 1..].iter().filter(|&&item| item < items[position]).count();
    (0..items.len()).map(|position| smaller_behind(position) as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_eight_digits_are_whole_words() {
        let layout = Layout::new(11).unwrap();
        assert_eq!((layout.block_bits, layout.block_words, layout.blocks), (20_160, 315, 990));
        assert_eq!(layout.block_words * 64, layout.block_bits);
        assert_eq!(layout.words() * 64, 19_958_400);
        let small = Layout::new(3).unwrap();
        assert_eq!((small.block_bits, small.block_words, small.blocks), (3, 1, 1));
        assert!(Layout::new(24).is_none(), "there is no end to it");
    }

    #[test]
    fn numbers_and_digits_are_the_same_thing() {
        for all in 0..120 {
            assert_eq!(number(&digits(all, 5, 5), 5), all);
        }
        for some in 0..20 {
            assert_eq!(number(&digits(some, 5, 2), 2), some);
            assert_eq!(digits(some, 5, 2)[2..], [0, 0, 0]);
        }
    }

    #[test]
    fn moving_an_item_leaves_all_digits_outside_alone_and_can_be_undone() {
        for all in 0..720 {
            let before = digits(all, 6, 6);
            for (from, to) in [(0, 1), (1, 3), (3, 1), (2, 5), (4, 2), (5, 4)] {
                let after = moved(&before, from, to);
                let (first, last) = (from.min(to), from.max(to));
                assert_eq!((&before[..first], &before[last + 1..]), (&after[..first], &after[last + 1..]));
                assert_eq!(moved(&after, to, from), before);
                let sum = |digits: &[u8]| digits.iter().map(|&digit| usize::from(digit)).sum::<usize>();
                assert_eq!((sum(&before) + sum(&after)) % 2, (last - first) % 2, "parity");
            }
        }
    }

    #[test]
    fn the_heads_parity_is_that_of_its_digits() {
        let layout = Layout::new(10).unwrap();
        for block in 0..90 {
            let digits = digits(block, 10, 2);
            assert_eq!(layout.head_is_odd(block), (digits[0] + digits[1]) % 2 == 1);
        }
    }
}
