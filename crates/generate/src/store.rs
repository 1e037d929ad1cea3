//! The storage of a search's rows: in memory, in two halves by colour.
//!
//! A level reads the rows of one colour ([`Rows`]) and writes those of the other. Each task has exclusive access to the
//! rows of some maps ([`OwnRows`]). When several processes build together, each stores some of the rows, and reads the
//! others from messages ([`Received`](crate::message::Received), gathered in `crossing`).

use std::ops::Range;
use std::{io, iter};

use bitvec::order::Lsb0;
use bitvec::vec::BitVec;
use rayon::prelude::*;
use tilebase_index::{BuilderIndex, Map, Row};
use tilebase_memory::{BitRows, Zeroed, or};

use crate::build::Build;
use crate::exchange::words_for;
use crate::optimisation::Optimisation;
use crate::scratch::Keep;

/// The smallest size of a task, in words of rows. It keeps the cost of scheduling small.
const WORDS_OF_TASK: usize = 1024;

/// The number of batches of tasks that each thread gets per level. A thread finishes its batch alone, so with fewer,
/// larger batches the other threads wait longer for the last one.
const BATCHES_PER_THREAD: usize = 32;

/// The number of bits in a nibble. A map of nibbles is stored as this many rows of bits, its *planes*.
const PLANES: usize = 4;

/// A set of states for each row, with one bit per state.
pub(crate) type StateRows = BitRows<Zeroed<u64>>;

/// Read access to the rows of one colour, for the rows of the other. The index of a row among them is its *slot*.
pub(crate) trait Rows: Sync {
    /// The number of states of a row that the last level found.
    fn found(&self, slot: usize) -> u32;

    /// The number of states of a row not seen yet.
    fn unseen(&self, slot: usize) -> u32;

    /// The states that a row sends to its neighbours: the seen states whose costs have the same second bit (`bit`) as
    /// those of the last level.
    fn sent(&self, slot: usize, bit: bool) -> Sent<'_>;
}

/// A set of states of a row.
#[derive(Clone, Copy)]
pub(crate) enum Sent<'a> {
    /// The words of a set.
    Bits(&'a [u64]),
    /// The words of two sets: the first without the second.
    Without(&'a [u64], &'a [u64]),
    /// A list of states.
    Few(&'a [u32]),
}

/// The states of a row that the last level found, listed for other processes if they are few.
#[derive(Default)]
pub(crate) struct News {
    /// Whether another process collects from the row.
    pub(crate) is_wanted: bool,
    /// The states. The list is incomplete if there are more than a few.
    pub(crate) states: Vec<u32>,
}

/// All rows of one colour, in memory.
pub(crate) struct Half {
    pub(crate) rows: Vec<Row>,
    /// The maps of the rows, each with the number of its rows in this half.
    maps: Vec<(Map, usize)>,
    seen: StateRows,
    /// The states whose cost has the second bit set.
    pub(crate) costs: StateRows,
    /// The entries of the collapsed table, four bits for each permutation of a map. During the search, an entry is half
    /// its cost, modulo 16, stored as [`PLANES`] rows of bits. At the end it becomes half its excess, two entries to a
    /// byte.
    pub(crate) excess: Option<StateRows>,
    /// The number of states of each row that the last level found. All threads read it before it is first written, so
    /// its pages must be allocated.
    found: Zeroed<u32>,
    /// The number of states of each row not seen yet.
    unseen: Vec<u32>,
    /// The states of each row that the last level found, if several processes build together.
    news: Option<Vec<News>>,
}

impl Half {
    pub(crate) fn new(index: &BuilderIndex, rows: Vec<Row>, build: &Build) -> io::Result<Half> {
        let huge_pages = build.uses(Optimisation::HugePages);
        let maps = rows.chunk_by(|&a, &b| index.map_of(a) == index.map_of(b));
        let maps: Vec<(Map, usize)> = maps.map(|rows| (index.map_of(rows[0]), rows.len())).collect();
        let sets = |count: usize, words: usize| {
            Ok::<_, io::Error>(StateRows::new(Zeroed::on_pages(count * words, huge_pages)?, words))
        };
        let of_rows = || sets(rows.len(), words_of_row(index));
        let of_maps = || sets(maps.len(), words_of_map(index));
        Ok(Half {
            seen: of_rows()?,
            costs: of_rows()?,
            excess: build.has_nibbles().then(of_maps).transpose()?,
            found: Zeroed::new(rows.len())?,
            unseen: vec![index.perms(); rows.len()],
            news: None,
            maps,
            rows,
        })
    }

    /// Makes each level list the new states of these rows, if they are few.
    pub(crate) fn keep_news(&mut self, slots: impl Iterator<Item = u32>) {
        let news = self.news.get_or_insert_with(|| (0..self.rows.len()).map(|_| News::default()).collect());
        slots.for_each(|slot| news[slot as usize].is_wanted = true);
    }

    /// The new states of a row, if the list is complete.
    pub(crate) fn news(&self, slot: usize) -> Option<&[u32]> {
        let states = &self.news.as_ref()?[slot].states;
        (states.len() == self.found[slot] as usize).then_some(states)
    }

    /// The number of words of a row.
    pub(crate) fn words(&self) -> usize {
        self.seen.words()
    }

    /// The number of maps.
    pub(crate) fn maps(&self) -> usize {
        self.maps.len()
    }

    /// Prepares for the next level: clears what the last one found.
    pub(crate) fn begin_level(&mut self) {
        self.found.fill(0);
        self.news.iter_mut().flatten().for_each(|news| news.states.clear());
    }

    /// Derives the numbers of unseen states after restoring a checkpoint.
    pub(crate) fn count_unseen(&mut self, perms: u32) {
        let rows = self.unseen.par_iter_mut().enumerate();
        rows.for_each(|(row, unseen)| *unseen = perms - self.seen.row(row).count_ones() as u32);
    }

    /// Adds the goal, the only state of level 0, to a row. It is the row's first permutation.
    pub(crate) fn start(&mut self, slot: usize) {
        self.seen.row_mut(slot).set(0, true);
        self.found[slot] = 1;
        self.unseen[slot] -= 1;
    }

    /// Cuts the half into tasks of a few maps each, and gives them to the threads in batches.
    pub(crate) fn tasks(&mut self) -> impl IndexedParallelIterator<Item = OwnRows<'_>> {
        self.tasks_of(0..self.maps.len())
    }

    /// Like [`tasks`](Half::tasks), for some of the maps.
    pub(crate) fn tasks_of(&mut self, maps: Range<usize>) -> impl IndexedParallelIterator<Item = OwnRows<'_>> {
        let mut rest = OwnRows {
            maps: &self.maps,
            words: self.seen.words(),
            first_slot: 0,
            seen: self.seen.memory_mut(),
            costs: self.costs.memory_mut(),
            excess: self.excess.as_mut().map(|excess| &mut **excess.memory_mut()),
            found: &mut self.found,
            unseen: &mut self.unseen,
            news: self.news.as_deref_mut(),
        };
        rest.take_front(maps.start);
        let mut rest = rest.take_front(maps.len());
        let maps_per_task = WORDS_OF_TASK.div_ceil(rest.words);
        let mut tasks = Vec::with_capacity(maps.len() / maps_per_task + 1);
        while !rest.maps.is_empty() {
            tasks.push(rest.take_front(maps_per_task));
        }
        let tasks_per_batch = tasks.len().div_ceil(BATCHES_PER_THREAD * rayon::current_num_threads());
        tasks.into_par_iter().with_max_len(tasks_per_batch)
    }
}

impl Keep for Half {
    fn kept(&self) -> impl Iterator<Item = &[u8]> {
        let sets = [Some(&self.seen), Some(&self.costs), self.excess.as_ref()];
        iter::once(self.found.as_bytes()).chain(sets.into_iter().flatten().map(|sets| sets.memory().as_bytes()))
    }

    fn kept_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let sets = [Some(&mut self.seen), Some(&mut self.costs), self.excess.as_mut()];
        let of_sets = sets.into_iter().flatten().map(|sets| sets.memory_mut().as_bytes_mut());
        iter::once(self.found.as_bytes_mut()).chain(of_sets)
    }
}

impl Rows for Half {
    #[inline]
    fn found(&self, slot: usize) -> u32 {
        self.found[slot]
    }

    #[inline]
    fn unseen(&self, slot: usize) -> u32 {
        self.unseen[slot]
    }

    #[inline]
    fn sent(&self, slot: usize, bit: bool) -> Sent<'_> {
        let words = self.seen.words();
        let [seen, costs] = [&self.seen, &self.costs].map(|rows| &rows.memory()[slot * words..][..words]);
        // `costs` is a subset of `seen`.
        if bit { Sent::Bits(costs) } else { Sent::Without(seen, costs) }
    }
}

/// The rows of some maps, to which one thread has exclusive access.
pub(crate) struct OwnRows<'a> {
    maps: &'a [(Map, usize)],
    words: usize,
    pub(crate) first_slot: usize,
    pub(crate) seen: &'a mut [u64],
    pub(crate) costs: &'a mut [u64],
    pub(crate) excess: Option<&'a mut [u64]>,
    pub(crate) found: &'a mut [u32],
    pub(crate) unseen: &'a mut [u32],
    pub(crate) news: Option<&'a mut [News]>,
}

impl<'a> OwnRows<'a> {
    /// Splits off the rows of the first `maps` maps.
    fn take_front(&mut self, maps: usize) -> OwnRows<'a> {
        let (front, rest) = self.maps.split_at(maps.min(self.maps.len()));
        let rows: usize = front.iter().map(|(_, rows)| rows).sum();
        let (words, first_slot) = (self.words, self.first_slot);
        self.maps = rest;
        self.first_slot += rows;
        OwnRows {
            maps: front,
            words,
            first_slot,
            seen: take_front(&mut self.seen, rows * words),
            costs: take_front(&mut self.costs, rows * words),
            excess: self.excess.as_mut().map(|excess| take_front(excess, front.len() * PLANES * words)),
            found: take_front(&mut self.found, rows),
            unseen: take_front(&mut self.unseen, rows),
            news: self.news.as_mut().map(|news| take_front(news, rows)),
        }
    }

    /// Calls `visit` with the rows of each map in turn.
    pub(crate) fn each_map(mut self, mut visit: impl FnMut(Map, OwnRows<'a>)) {
        while let Some(&(map, _)) = self.maps.first() {
            visit(map, self.take_front(1));
        }
    }

    /// Sets `into` to the permutations that have been seen in any of the rows.
    pub(crate) fn seen_in_any(&self, into: &mut [u64]) {
        into.fill(0);
        self.seen.chunks_exact(self.words).for_each(|seen| or(into, seen));
    }
}

/// The number of words of a row: k! bits, rounded up.
pub(crate) fn words_of_row(index: &BuilderIndex) -> usize {
    words_for(index.perms() as usize)
}

/// An empty set of the states of a row.
pub(crate) fn empty_row(index: &BuilderIndex) -> BitVec<u64, Lsb0> {
    BitVec::repeat(false, words_of_row(index) * 64)
}

/// The number of words of a map in the collapsed table: a row for each bit of a nibble.
pub(crate) fn words_of_map(index: &BuilderIndex) -> usize {
    PLANES * words_of_row(index)
}

/// Splits the first `count` items off a slice.
#[expect(clippy::mut_mut, reason = "the slice shrinks, and the part that is split off outlives the call")]
pub(crate) fn take_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    slice.split_off_mut(..count).expect("the parts of a half fit into it")
}
