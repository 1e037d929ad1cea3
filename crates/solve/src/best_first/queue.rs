//! Open nodes, best first.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::store::{Id, Memory};
use crate::request::{Limit, Weight};

/// Numbers of nodes are kept this many together.
const CHUNK: usize = 128;

/// Values above this one count as this one. No board that fits is so far from its goal, so that bounds remain bounds.
const MOST_BOUND: u32 = 0xfff;

/// Nodes that cannot be told apart by their moves made and their bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Key {
    /// Weighted moves made and to be made.
    pub(crate) value: u64,
    moves: Reverse<u32>,
    bound: u32,
}

impl Key {
    pub(crate) fn moves(&self) -> u32 {
        self.moves.0
    }

    /// Moves made and to be made: all solutions that go on from these nodes have as many.
    pub(crate) fn at_least(&self) -> u32 {
        self.moves.0 + self.bound
    }
}

/// Open nodes, in one bucket for each number of moves made and each bound. What is not empty is kept in order: smallest value
/// first, then most moves made.
///
/// A node that is reached by fewer moves than before is added again; the search has to recognise the old entry when it comes
/// up. Entries take four bytes, and the memory of buckets that are done with goes to others.
pub(crate) struct Queue {
    weight: Weight,
    /// By moves and by bound; each a list of chunks, all but the last full.
    buckets: Vec<Vec<Vec<Vec<Id>>>>,
    order: BTreeSet<Key>,
    spare: Vec<Vec<Id>>,
}

impl Queue {
    pub(crate) fn new(weight: Weight) -> Queue {
        Queue { weight, buckets: Vec::new(), order: BTreeSet::new(), spare: Vec::new() }
    }

    pub(crate) fn first(&self) -> Option<Key> {
        self.order.first().copied()
    }

    /// All keys that have nodes, best first.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.order.iter()
    }

    /// The best of the nodes whose value is above a value.
    pub(crate) fn first_above(&self, value: u64) -> Option<&Key> {
        let first = Key { value: value + 1, moves: Reverse(u32::MAX), bound: 0 };
        self.order.range(first..).next()
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, id: Id, moves: u32, bound: u32, memory: &mut Memory) -> Result<(), Limit> {
        let bound = bound.min(MOST_BOUND);
        let (row, column) = (moves as usize, bound as usize);
        if self.buckets.get(row).is_none_or(|row| row.len() <= column) {
            self.add_bucket(row, column, memory)?;
        }
        let bucket = &mut self.buckets[row][column];
        if let Some(chunk) = bucket.last_mut().filter(|chunk| chunk.len() < CHUNK) {
            chunk.push(id);
            return Ok(());
        }
        if bucket.is_empty() {
            let value = u64::from(moves) * u64::from(self.weight.of_move())
                + u64::from(bound) * u64::from(self.weight.of_bound());
            self.order.insert(Key { value, moves: Reverse(moves), bound });
        }
        let mut chunk = if let Some(chunk) = self.spare.pop() {
            chunk
        } else {
            // Two words of the allocator, and the place in the list of chunks, which may be half empty.
            memory.take(CHUNK * size_of::<Id>() + 16 + 2 * size_of::<Vec<Id>>(), 0)?;
            Vec::with_capacity(CHUNK)
        };
        chunk.push(id);
        bucket.push(chunk);
        Ok(())
    }

    #[cold]
    fn add_bucket(&mut self, row: usize, column: usize, memory: &mut Memory) -> Result<(), Limit> {
        if self.buckets.len() <= row {
            self.buckets.resize_with(row + 1, Vec::new);
        }
        let columns = &mut self.buckets[row];
        let new = column + 1 - columns.len();
        memory.take(new * size_of::<Vec<Vec<Id>>>(), 0)?;
        columns.reserve_exact(new);
        columns.resize_with(column + 1, Vec::new);
        Ok(())
    }

    /// Takes up to `most` nodes of a key.
    #[inline(always)]
    pub(crate) fn take(&mut self, key: &Key, most: usize, taken: &mut Vec<Id>) {
        let bucket = &mut self.buckets[key.moves.0 as usize][key.bound as usize];
        while let Some(chunk) = bucket.last_mut() {
            let left = chunk.len().saturating_sub(most - taken.len());
            taken.extend(chunk.drain(left..).rev());
            if left > 0 {
                return;
            }
            self.spare.extend(bucket.pop());
            if taken.len() == most && !bucket.is_empty() {
                return;
            }
        }
        self.order.remove(key);
    }
}
