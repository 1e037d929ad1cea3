//! What a move does to the permutation: one item goes past a few others.
//!
//! A tile that slides up or down passes the tiles on the squares between, in row-major order: at most one fewer than the
//! board is wide. A tile that slides sideways passes none.
//!
//! The number of a permutation has a digit for each position (see [`perms`](crate::perms)): which of the items not yet
//! placed comes next. Moving an item from position i to j leaves all digits outside i … j alone and changes those inside
//! by a rule that does not depend on the ones outside. So the number is split into head, middle and tail, and the middle
//! is looked up:
//!
//! ```text
//! number = (head · count + middle) · run + tail      run = (k−1−j)!, count = (k−i)! / run,  i < j
//! ```
//!
//! With 8 tiles on 4×4 the largest such table has 8·7·6·5 = 1,680 entries.

use crate::perms::factorial;
use crate::{MAX_TILES, Perm};

/// Middles with more values than this are worked out each time instead of looked up: only wide boards have them.
const LARGEST_TABLE: u32 = 1 << 17;

/// The effect of moving the item at one position to another, on the numbers of permutations.
#[derive(Debug)]
pub struct Rotation {
    /// Consecutive numbers that stay together.
    pub(crate) run: u32,
    /// Values of the middle.
    pub(crate) count: u32,
    /// Whether the item goes to a later position.
    later: bool,
    /// Items not yet placed at the first position of the middle.
    items: u32,
    /// Positions in the middle.
    positions: usize,
    /// The middle afterwards, for each middle before; empty when nothing changes, when the table would be too large or when it
    /// is not worth making.
    table: Box<[u32]>,
}

impl Rotation {
    /// The rotation without a table: good for a few permutations.
    pub(crate) fn new(k: usize, from: usize, to: usize) -> Rotation {
        let (first, last) = (from.min(to), from.max(to));
        let run = factorial(k - 1 - last);
        let count = factorial(k - first) / run;
        let (items, positions) = ((k - first) as u32, last - first + 1);
        Rotation { run, count, later: from < to, items, positions, table: Box::default() }
    }

    /// The same with its table, unless that would be too large.
    fn with_table(self) -> Rotation {
        let table = if self.positions > 1 && self.count <= LARGEST_TABLE { self.all_turned() } else { Box::default() };
        Rotation { table, ..self }
    }

    fn inverse(&self) -> Rotation {
        let mut table = vec![0; self.table.len()].into_boxed_slice();
        self.table.iter().zip(0..).for_each(|(&after, before)| table[after as usize] = before);
        Rotation { later: !self.later, table, ..*self }
    }

    /// The middle after the move for every middle before, in order: the digits count up.
    fn all_turned(&self) -> Box<[u32]> {
        let mut digits = [0; MAX_TILES];
        let digits = &mut digits[..self.positions];
        let next = |_| {
            let mut after = [0; MAX_TILES];
            let after = &mut after[..digits.len()];
            after.copy_from_slice(digits);
            let turned = self.turn_digits(after);
            for position in (0..digits.len()).rev() {
                digits[position] += 1;
                if digits[position] < self.items - position as u32 {
                    break;
                }
                digits[position] = 0;
            }
            turned
        };
        (0..self.count).map(next).collect()
    }

    #[inline]
    pub(crate) fn is_identity(&self) -> bool {
        self.positions == 1
    }

    /// Whether it is worked out each time.
    pub(crate) fn is_too_large(&self) -> bool {
        !self.is_identity() && self.table.is_empty()
    }

    /// The permutation after the item has moved.
    #[inline]
    pub fn apply(&self, perm: Perm) -> Perm {
        if self.is_identity() {
            return perm;
        }
        let (above, tail) = (perm.0 / self.run, perm.0 % self.run);
        let (head, middle) = (above / self.count, above % self.count);
        let middle = if self.table.is_empty() { self.turn(middle) } else { self.table[middle as usize] };
        Perm((head * self.count + middle) * self.run + tail)
    }

    /// The middle after the move, by exchanging neighbours until the item is where it goes.
    fn turn(&self, middle: u32) -> u32 {
        let mut digits = [0; MAX_TILES];
        let digits = &mut digits[..self.positions];
        let mut rest = middle;
        for position in (0..self.positions).rev() {
            let base = self.items - position as u32;
            digits[position] = rest % base;
            rest /= base;
        }
        self.turn_digits(digits)
    }

    /// The same, given the digits of the middle.
    #[inline]
    fn turn_digits(&self, digits: &mut [u32]) -> u32 {
        if self.later {
            (0..self.positions - 1).for_each(|position| exchange(digits, position));
        } else {
            (0..self.positions - 1).rev().for_each(|position| exchange(digits, position));
        }
        let digits = digits.iter().enumerate();
        digits.fold(0, |number, (position, digit)| number * (self.items - position as u32) + digit)
    }
}

/// Exchanges the items at a position and the next, given the digits.
///
/// A digit counts smaller items not yet placed. If the second item is the smaller of the two, then the first one's digit
/// has counted it and no longer does; otherwise the second one's digit has not counted the first and now does.
fn exchange(digits: &mut [u32], position: usize) {
    let (first, second) = (digits[position], digits[position + 1]);
    (digits[position], digits[position + 1]) = if second < first { (second, first - 1) } else { (second + 1, first) };
}

/// The rotations that moves on a board can cause.
#[derive(Debug)]
pub struct Rotations {
    k: usize,
    rotations: Vec<Rotation>,
}

impl Rotations {
    /// The rotations for `k` tiles on a board of some width.
    pub fn new(k: usize, width: usize) -> Rotations {
        let positions = (0..k).flat_map(|from| (0..k).map(move |to| (from, to)));
        // Pairs that no move can cause stand for the identity and are never used.
        let mut rotations: Vec<Rotation> = Vec::with_capacity(k * k);
        for (from, to) in positions {
            let possible = from.abs_diff(to) < width;
            rotations.push(match rotations.get(to * k + from) {
                Some(back) if possible && from != to => back.inverse(),
                _ => Rotation::new(k, from, if possible { to } else { from }).with_table(),
            });
        }
        Rotations { k, rotations }
    }

    /// The rotation that takes the item at position `leaves` to position `enters`.
    #[inline]
    pub fn get(&self, leaves: u8, enters: u8) -> &Rotation {
        &self.rotations[leaves as usize * self.k + enters as usize]
    }
}

/// How many entries the tables of [`Rotations`] have together.
pub fn rotations_len(k: usize, width: usize) -> usize {
    let pairs = (0..k).flat_map(|first| (first + 1..k.min(first + width)).map(move |last| (first, last)));
    let counts = pairs.map(|(first, last)| factorial(k - first) / factorial(k - 1 - last));
    // Once for each direction.
    counts.filter(|&count| count <= LARGEST_TABLE).map(|count| 2 * count as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::super::perms;
    use super::*;

    fn check(k: usize, from: usize, to: usize, numbers: impl Iterator<Item = u32>) {
        let rotations = [Rotation::new(k, from, to).with_table(), Rotation::new(k, from, to)];
        for perm in numbers.map(Perm) {
            let mut order = perms::unrank(k, perm);
            let item = order.remove(from);
            order.insert(to, item);
            let after = rotations.each_ref().map(|rotation| rotation.apply(perm));
            assert_eq!(after, [perms::rank(&order); 2], "{k} tiles, {from} to {to}, {perm:?}");
        }
    }

    #[test]
    fn every_rotation_does_what_moving_the_item_in_a_list_does() {
        for k in 1..=7 {
            (0..k * k).for_each(|pair| check(k, pair / k, pair % k, 0..factorial(k)));
        }
    }

    #[test]
    fn rotations_too_large_for_a_table_are_worked_out_right() {
        for (from, to) in [(0, 11), (11, 0), (2, 9)] {
            check(12, from, to, (0..factorial(12)).step_by(999_983));
        }
    }

    #[test]
    fn tables_are_as_large_as_they_are_said_to_be() {
        for (k, width) in [(1, 3), (5, 2), (8, 4), (9, 5), (11, 12)] {
            let rotations = Rotations::new(k, width);
            let entries: usize = rotations.rotations.iter().map(|rotation| rotation.table.len()).sum();
            assert_eq!(entries, rotations_len(k, width));
        }
    }

    #[test]
    fn runs_move_together() {
        let rotation = Rotation::new(6, 1, 3);
        assert_eq!(rotation.run, 2);
        for number in (0..720).step_by(2) {
            assert_eq!(rotation.apply(Perm(number)).0 + 1, rotation.apply(Perm(number + 1)).0);
        }
    }
}
