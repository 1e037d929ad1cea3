//! Sets of k squares, numbered in increasing order of their masks (colexicographic order).

use crate::{Map, bits};
use tilebase_puzzle::MAX_SQUARES;

/// All sets of k of n squares, with their numbers.
///
/// The number of a set with the squares s₀ < s₁ < … is Σ C(sᵢ, i+1): on four squares, {0,1} {0,2} {1,2} {0,3} {1,3}
/// {2,3} are 0 to 5. The sum is split into one for the lower half of the squares and one for the upper, each read
/// from a small table; how many squares lie in the lower half follows from how many lie in the upper, since there are k.
#[derive(Debug)]
pub(crate) struct Maps {
    squares: Vec<u32>,
    low_bits: u32,
    low: Vec<u32>,
    high: Vec<u32>,
}

impl Maps {
    /// Heap memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        [&self.squares, &self.low, &self.high].into_iter().map(|list| size_of_val(&**list)).sum()
    }

    /// The sets of `k` of `n` squares.
    pub(crate) fn new(n: usize, k: usize) -> Maps {
        let low_bits = n.div_ceil(2);
        let low = (0..1 << low_bits).map(|mask| sum(mask, 0, 0)).collect();
        let high = (0..1u32 << (n - low_bits)).map(|mask| upper_sum(mask, low_bits, k)).collect();
        Maps { squares: masks(n, k).collect(), low_bits: low_bits as u32, low, high }
    }

    /// The set with a number.
    #[inline]
    pub(crate) fn squares(&self, map: Map) -> u32 {
        self.squares[map.0 as usize]
    }

    /// The number of a set of k squares.
    #[inline]
    pub(crate) fn rank(&self, squares: u32) -> Map {
        let low = squares & ((1 << self.low_bits) - 1);
        Map(self.low[low as usize] + self.high[(squares >> self.low_bits) as usize])
    }
}

/// What the squares of a set add to its number when the set is moved up by `shift` squares and `before` squares are below.
pub(crate) fn sum(set: u32, shift: usize, before: usize) -> u32 {
    let squares = bits(set).map(|square| square.index() + shift);
    squares.enumerate().map(|(i, square)| CHOOSE[square][before + i + 1]).sum()
}

/// What the squares above the lower half add to the number of a set of k squares.
pub(crate) fn upper_sum(set: u32, low_bits: usize, k: usize) -> u32 {
    sum(set, low_bits, k.saturating_sub(set.count_ones() as usize))
}

/// All masks of `k` of `n` bits in increasing order.
pub(crate) fn masks(n: usize, k: usize) -> impl Iterator<Item = u32> {
    let end = 1u64 << n;
    let first = (1u64 << k) - 1;
    std::iter::successors(Some(first), |&mask| {
        // The next larger number with as many bits (Gosper).
        let lowest = mask & mask.wrapping_neg();
        let ripple = mask + lowest;
        Some(ripple | (mask ^ ripple) >> (2 + lowest.trailing_zeros()))
    })
    .take_while(move |&mask| mask < end)
    .map(|mask| mask as u32)
}

/// The number of a set of k squares, by the sum itself.
pub(crate) fn rank(squares: u32) -> Map {
    Map(sum(squares, 0, 0))
}

/// The set of `k` of `n` squares with a number: its last square is the last one at which the sets before it are not too many, and so
/// on with those before.
pub(crate) fn unrank(n: usize, k: usize, map: Map) -> u32 {
    let (mut squares, mut rest, mut tiles) = (0, map.0, k);
    for square in (0..n).rev() {
        if tiles > 0 && CHOOSE[square][tiles] <= rest {
            rest -= CHOOSE[square][tiles];
            tiles -= 1;
            squares |= 1 << square;
        }
    }
    squares
}

/// In how many ways k of n can be chosen, for all boards.
pub(crate) static CHOOSE: [[u32; MAX_SQUARES + 1]; MAX_SQUARES + 1] = {
    let mut choose = [[0; MAX_SQUARES + 1]; MAX_SQUARES + 1];
    let mut n = 0;
    while n <= MAX_SQUARES {
        choose[n][0] = 1;
        let mut k = 1;
        while k <= n {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// The number of ways to choose `k` of `n`.
pub fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    (0..k as u64).fold(1, |product, i| product * (n as u64 - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_up_along_the_sets_for_every_size() {
        for n in [4, 6, 9, 12, 16] {
            for k in 1..n {
                let maps = Maps::new(n, k);
                assert_eq!(maps.squares.len() as u64, binomial(n, k));
                for (&squares, map) in maps.squares.iter().zip((0..).map(Map)) {
                    assert_eq!(squares.count_ones() as usize, k);
                    assert_eq!([maps.rank(squares), rank(squares)], [map; 2]);
                    assert_eq!([maps.squares(map), unrank(n, k, map)], [squares; 2]);
                }
            }
        }
    }
}
