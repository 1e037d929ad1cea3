//! From where a block of boards is reached: what a move does to the numbers of permutations.

use tilebase_memory::or;
use tilebase_puzzle::{Direction, Size, Square};

use crate::index::{Layout, Set, digits, moved, number};

/// How boards with the blank on one square are reached from those with the blank on a neighbouring square.
#[derive(Debug)]
pub(crate) struct Link {
    /// Where the blank comes from.
    pub(crate) from: Square,
    /// Whether the permutations there are odd.
    is_odd: bool,
    change: Change,
}

/// What becomes of the permutation.
#[derive(Debug)]
enum Change {
    /// Nothing: the tile slides sideways.
    None,
    /// Within the block, by a table: where each bit goes. There is one for permutations whose tail is even, and one for odd.
    Within([Vec<u16>; 2]),
    /// Runs of bits stay together and come from elsewhere. A run's number is head · count + middle; its middle before the move
    /// is in a table, by the middle after it.
    Runs { bits: usize, middles: Vec<u32> },
}

impl Link {
    /// The link by which the blank comes to a square from the one beside it in a direction.
    pub(crate) fn new(size: Size, layout: &Layout, to: Square, direction: Direction, home: Square) -> Option<Link> {
        let blank = size.neighbour(to, direction)?;
        // With an even number of columns, a tile that slides up or down goes past an odd number of others.
        let rows = size.row_column(blank).0.abs_diff(size.row_column(home).0);
        let is_odd = size.width().is_multiple_of(2) && !rows.is_multiple_of(2);
        // The blank is left out when positions are counted.
        let change = match direction {
            Direction::Left | Direction::Right => Change::None,
            Direction::Down => Change::new(layout, to.index(), blank.index() - 1),
            Direction::Up => Change::new(layout, to.index() - 1, blank.index()),
        };
        Some(Link { from: blank, is_odd, change })
    }

    /// Adds what is reached of a block from a set of permutations.
    pub(crate) fn collect(&self, layout: &Layout, from: &Set, block: usize, reached: &mut [u64]) {
        match &self.change {
            Change::None => or(reached, from.raw(block)),
            Change::Within(tables) => {
                let table = &tables[usize::from(self.is_odd != layout.head_is_odd(block))];
                for (targets, &word) in table.chunks(64).zip(from.raw(block)) {
                    let mut rest = word;
                    while rest != 0 {
                        let target = usize::from(targets[rest.trailing_zeros() as usize]);
                        reached[target / 64] |= 1 << (target % 64);
                        rest &= rest - 1;
                    }
                }
            }
            Change::Runs { bits, middles } => {
                let source = |run: usize| {
                    let middle = run % middles.len();
                    run - middle + middles[middle] as usize
                };
                if *bits >= layout.block_bits {
                    let blocks = bits / layout.block_bits;
                    or(reached, from.raw(source(block / blocks) * blocks + block % blocks));
                } else {
                    let runs = layout.block_bits / bits;
                    (0..runs).for_each(|run| {
                        or_bits(reached, run * bits, from.memory(), source(block * runs + run) * bits, *bits);
                    });
                }
            }
        }
    }
}

impl Change {
    /// What happens when the item at one position goes to another.
    fn new(layout: &Layout, from: usize, to: usize) -> Change {
        let Layout { tiles, tail, block_bits, .. } = *layout;
        let (first, last) = (from.min(to), from.max(to));
        let head = tiles - tail;
        if first >= head {
            let table = |parity: usize| {
                let target = |half: usize| {
                    // The second last digit makes the parity right.
                    let mut before = digits(2 * half, tail, tail);
                    let sum: usize = before.iter().map(|&digit| usize::from(digit)).sum();
                    before[tail - 2] = ((sum + parity) % 2) as u8;
                    (number(&moved(&before, from - head, to - head), tail) / 2) as u16
                };
                (0..block_bits).map(target).collect()
            };
            return Change::Within([table(0), table(1)]);
        }
        let (len, known) = (tiles - first, last - first + 1);
        let count: usize = (len - known + 1..=len).product();
        let bits = (1..=len - known).product::<usize>() / 2;
        let before = |after: usize| number(&moved(&digits(after, len, known), to - first, from - first), known) as u32;
        Change::Runs { bits, middles: (0..count).map(before).collect() }
    }
}

/// Adds `len` bits of one set to the bits of another, a word at a time: the `|=` of bitvec takes longer for each word.
fn or_bits(to: &mut [u64], to_bit: usize, from: &[u64], from_bit: usize, len: usize) {
    let mut done = 0;
    while done < len {
        // Up to the end of the word that is written.
        let (at, start) = ((to_bit + done) / 64, (to_bit + done) % 64);
        let bits = (64 - start).min(len - done);
        let (word, shift) = ((from_bit + done) / 64, (from_bit + done) % 64);
        let mut read = from[word] >> shift;
        if shift + bits > 64 {
            read |= from[word + 1] << (64 - shift);
        }
        to[at] |= (read & (u64::MAX >> (64 - bits))) << start;
        done += bits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_memory::Bits;

    #[test]
    fn bits_are_added_wherever_they_begin() {
        let from = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0xaaaa_5555_3333_cccc];
        for (to_bit, from_bit, len) in [(0, 0, 192), (5, 60, 70), (63, 1, 128), (64, 64, 64), (100, 7, 3), (1, 63, 1)] {
            let mut to = [1 << 9, 0, 1 << 63];
            let mut expected = to;
            Bits::from_slice_mut(&mut expected)[to_bit..][..len] |= &Bits::from_slice(&from)[from_bit..][..len];
            or_bits(&mut to, to_bit, &from, from_bit, len);
            assert_eq!(to, expected, "{len} bits from {from_bit} to {to_bit}");
        }
    }
}
