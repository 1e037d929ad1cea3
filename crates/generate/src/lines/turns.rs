//! What reading a board along the other axis does to the numbers of permutations.
//!
//! A permutation says for each tile where in the map it stands, and a map counts its squares along an axis. Along the other axis the
//! position p of a square is π(p), and the permutation (p₁, p₂, …) is (π(p₁), π(p₂), …). π depends only on the set of squares, and few
//! are possible.
//!
//! Numbers are cut into groups that differ only in where the last four tiles stand, 24 in a word. The first tiles say to which group
//! a group belongs along the other axis; the last four are permuted among themselves, in one of 24 ways, the same for all of the
//! group. So a level reads one number for a group and moves its bits by a table.

use std::collections::HashMap;

use rayon::prelude::*;
use tilebase_index::{LineIndex, MAX_TILES, Perm, perms};
use tilebase_puzzle::Axis;

/// The tiles whose permutations are together in a group.
const LAST: usize = 4;

/// The bits of a word that has one bit for each permutation of four.
const WAYS: usize = 24;

/// Turns are kept as long as they have this many numbers altogether; above that each is made when it is needed.
const MOST_KEPT: usize = 1 << 26;

/// What π does to one group: to which group it belongs, and how its bits are permuted.
#[derive(Clone, Copy)]
pub(super) struct Turned(u32);

impl Turned {
    /// The group along the other axis.
    #[inline(always)]
    pub(super) fn group(self) -> usize {
        (self.0 >> 5) as usize
    }

    #[inline(always)]
    fn way(self) -> usize {
        (self.0 & 31) as usize
    }
}

/// For each byte of a group, where its bits go.
type OfWay = [[u32; 256]; 3];

/// The turns of all sets of squares.
pub(super) struct Turns {
    tiles: usize,
    last: usize,
    /// For each way and each byte of a group, where the bits of the byte go.
    bits: Box<[OfWay]>,
    /// All π, each with its number.
    numbers: HashMap<[u8; MAX_TILES], u32>,
    orders: Vec<[u8; MAX_TILES]>,
    /// Their turns, one after the other, if they are few enough.
    kept: Vec<Turned>,
}

/// Groups of a row, and permutations in a group.
pub(super) fn groups(tiles: usize) -> (usize, usize) {
    let of_group = perms::factorial(tiles.min(LAST)) as usize;
    (perms::factorial(tiles) as usize / of_group, of_group)
}

/// Bytes that the turns take, at most.
pub(super) fn memory(tiles: usize, sets: u64) -> u64 {
    let different = sets.min(u64::from(perms::factorial(tiles)));
    let (groups, _) = groups(tiles);
    // Both directions.
    let numbers = 2 * different * groups as u64;
    let of_order = 2 * (MAX_TILES as u64 + 8) + MAX_TILES as u64;
    (if numbers > MOST_KEPT as u64 { 0 } else { numbers * 4 }) + 2 * different * of_order + (WAYS * 3 * 256 * 4) as u64
}

impl Turns {
    /// How many tiles the patterns have.
    pub(super) fn tiles(&self) -> usize {
        self.tiles
    }

    pub(super) fn new(index: &LineIndex) -> Turns {
        let (tiles, last) = (index.tiles(), index.tiles().min(LAST));
        let mut bits = vec![[[0; 256]; 3]; WAYS].into_boxed_slice();
        for (way, bytes) in bits.iter_mut().enumerate().take(perms::factorial(last) as usize) {
            let order = perms::unrank(last, Perm(way as u32));
            for here in 0..perms::factorial(last) {
                // The bit that comes here is the one whose tiles stand there.
                let there: Vec<u8> = perms::unrank(last, Perm(here)).iter().map(|&at| order[at as usize]).collect();
                let there = perms::rank(&there).0 as usize;
                let table = &mut bytes[there / 8];
                (0..256).filter(|byte| byte >> (there % 8) & 1 == 1).for_each(|byte| table[byte] |= 1 << here);
            }
        }
        let mut turns = Turns { tiles, last, bits, numbers: HashMap::new(), orders: Vec::new(), kept: Vec::new() };
        let squares = index.size().count();
        let mut set = (1u32 << tiles) - 1;
        while set < 1 << squares {
            for axis in Axis::BOTH {
                let order = order(index, axis, set);
                let next = turns.orders.len() as u32;
                turns.numbers.entry(order).or_insert_with(|| {
                    turns.orders.push(order);
                    next
                });
            }
            // The next larger number with as many bits (Gosper).
            let lowest = set & set.wrapping_neg();
            let ripple = set + lowest;
            set = ripple | (set ^ ripple) >> (2 + lowest.trailing_zeros());
        }
        let (groups, _) = groups(tiles);
        if turns.orders.len() * groups <= MOST_KEPT {
            let made = turns.orders.par_iter().map(|order| turns.make(order)).collect::<Vec<_>>();
            turns.kept = made.concat();
        }
        turns
    }

    /// The number of the turn of a set of squares, from an axis to the other.
    pub(super) fn number(&self, index: &LineIndex, axis: Axis, squares: u32) -> u32 {
        self.numbers[&order(index, axis, squares)]
    }

    /// The turn with a number: for each group along the axis, that along the other.
    pub(super) fn get<'a>(&'a self, number: u32, room: &'a mut Vec<Turned>) -> &'a [Turned] {
        let (groups, _) = groups(self.tiles);
        if self.kept.is_empty() {
            *room = self.make(&self.orders[number as usize]);
            room
        } else {
            &self.kept[number as usize * groups..][..groups]
        }
    }

    /// The bits of a group along the other axis, as they are along this one.
    #[inline(always)]
    pub(super) fn turn(&self, turned: Turned, bits: u32) -> u32 {
        let bytes = &self.bits[turned.way()];
        bytes[0][(bits & 255) as usize] | bytes[1][(bits >> 8 & 255) as usize] | bytes[2][(bits >> 16 & 255) as usize]
    }

    fn make(&self, order: &[u8; MAX_TILES]) -> Vec<Turned> {
        let mut made = Vec::with_capacity(groups(self.tiles).0);
        let all = (1 << self.tiles) - 1;
        self.go_on(order, self.tiles, (all, all), 0, &mut made);
        made
    }

    /// Adds the groups in which the first tiles stand where they stand, given the positions that are left along each axis, and the
    /// number of the group so far.
    fn go_on(
        &self,
        order: &[u8; MAX_TILES],
        left: usize,
        (here, there): (u32, u32),
        group: u32,
        made: &mut Vec<Turned>,
    ) {
        let below = |position: u8| (there & ((1 << position) - 1)).count_ones();
        let positions = (0..self.tiles as u8).filter(|position| here >> position & 1 == 1);
        if left == self.last {
            let mut last = [0; LAST];
            positions.zip(&mut last).for_each(|(position, place)| *place = below(order[usize::from(position)]) as u8);
            let way = perms::rank(&last[..self.last]).0;
            made.push(Turned(group << 5 | way));
            return;
        }
        for position in positions {
            let turned = order[usize::from(position)];
            let rest = (here ^ 1 << position, there ^ 1 << turned);
            self.go_on(order, left - 1, rest, group * left as u32 + below(turned), made);
        }
    }
}

/// π: for each position along an axis in a set of squares, the position along the other.
fn order(index: &LineIndex, axis: Axis, squares: u32) -> [u8; MAX_TILES] {
    let along = |axis: Axis| {
        (0..index.size().count())
            .map(move |place| index.square(axis, place))
            .filter(move |square| squares & square.bit() != 0)
    };
    let mut order = [0; MAX_TILES];
    for (square, place) in along(axis).zip(&mut order) {
        *place = along(axis.other()).position(|other| other == square).expect("it is in the set") as u8;
    }
    order
}
