//! One level of the search: every row of one colour collects states from its neighbours.
//!
//! The states of the last level are not stored separately: they follow from the seen states and the second bits of their costs. The
//! rows of a colour have costs of one parity, so the second bit gives the cost modulo 4. A row sends the states whose bit is
//! that of the last level. These are the states of the last level, and those of four, eight, … levels before. All neighbours of the
//! older states have been seen already, so they add nothing.

use bitvec::order::Lsb0;
use bitvec::vec::BitVec;
use rayon::prelude::*;
use tilebase_format::layout::UNREACHED_NIBBLE;
use tilebase_index::{BuilderIndex, Map, Perm, Rotation};
use tilebase_memory::{BitRows, Bits, ones, or};
use tilebase_progress::{Event, Watch};

use crate::build::Build;
use crate::error::BuildError;
use crate::exchange::{Exchanges, Scratch};
use crate::manhattan::{ManhattanRows, least_distance};
use crate::optimisation::Optimisation;
use crate::sources::{Source, Sources};
use crate::store::{OwnRows, Rows, Sent, empty_row};

/// A source row is moved state by state if at most one in this many of its states is seen.
const FEW_SEEN: u32 = 128;

/// A row looks up its missing states in its sources if at most one in this many of its states is missing.
pub(crate) const FEW_UNSEEN: u32 = 64;

/// The new states of a row are listed for other processes if they are at most one in this many of its states.
const FEW_NEW: u32 = 128;

/// What a level found, and what it cost.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    /// New states, or new lines.
    pub(crate) states: u64,
    /// Permutations of a map that no region had before: new entries of a nibble table.
    pub(crate) entries: u64,
    /// The largest excess that does not fit into a nibble.
    pub(crate) overflow: Option<u32>,
    /// Bytes of rows read and written.
    pub(crate) touched: u64,
    /// Bytes of rows sent to other processes.
    pub(crate) sent: u64,
}

impl Tally {
    pub(crate) fn and(self, other: Tally) -> Tally {
        Tally {
            states: self.states + other.states,
            entries: self.entries + other.entries,
            overflow: self.overflow.max(other.overflow),
            touched: self.touched + other.touched,
            sent: self.sent + other.sent,
        }
    }

    /// As numbers, for other processes.
    pub(crate) fn to_numbers(self) -> [u64; 5] {
        [self.states, self.entries, self.touched, self.sent, self.overflow.map_or(0, |excess| u64::from(excess) + 1)]
    }

    pub(crate) fn from_numbers([states, entries, touched, sent, overflow]: [u64; 5]) -> Tally {
        Tally { states, entries, touched, sent, overflow: overflow.checked_sub(1).map(|excess| excess as u32) }
    }
}

/// The buffers of a thread.
struct Worker {
    scratch: Scratch,
    /// The states that a row collects, and in the end its new states.
    collected: BitVec<u64, Lsb0>,
    /// The states that a row is still missing, when they are few.
    missing: Vec<u32>,
    /// Entries of the current map that some region had reached before this level, and those that one reaches in it.
    reached: [BitVec<u64, Lsb0>; 2],
    /// Made when it is first needed, which is rare.
    manhattan: Option<ManhattanRows>,
}

impl Worker {
    fn new(step: &Step<'_, impl Rows>) -> Worker {
        let row = || empty_row(step.index);
        let reached = if step.build.has_nibbles() { [row(), row()] } else { Default::default() };
        Worker { scratch: step.exchanges.scratch(), collected: row(), missing: Vec::new(), reached, manhattan: None }
    }
}

/// One level for all rows of one colour: everything that its tasks only read.
pub(crate) struct Step<'a, R> {
    pub(crate) index: &'a BuilderIndex,
    pub(crate) build: &'a Build,
    pub(crate) exchanges: &'a Exchanges,
    pub(crate) sources: &'a Sources,
    /// The rows of the other colour.
    pub(crate) from: &'a R,
    pub(crate) level: u32,
    pub(crate) watch: Watch<'a>,
}

impl<R: Rows> Step<'_, R> {
    /// The same level with other rows to collect from.
    pub(crate) fn collecting<'b, S>(&'b self, from: &'b S, sources: &'b Sources) -> Step<'b, S> {
        let Step { index, build, exchanges, level, watch, .. } = *self;
        Step { index, build, exchanges, sources, from, level, watch }
    }

    /// Collects the new states of the rows of some tasks, on all threads.
    ///
    /// # Errors
    /// [`BuildError::Stopped`] when the watch cancels the build.
    pub(crate) fn run_all<'b>(
        &self,
        tasks: impl IndexedParallelIterator<Item = OwnRows<'b>>,
    ) -> Result<Tally, BuildError> {
        let of_tasks = tasks.map_init(|| Worker::new(self), |worker, task| self.run(worker, task));
        of_tasks.try_reduce(Tally::default, |a, b| Some(a.and(b))).ok_or(BuildError::Stopped)
    }

    /// Collects the new states of all rows of a task. Returns `None` when the watch cancels the build.
    fn run(&self, worker: &mut Worker, task: OwnRows<'_>) -> Option<Tally> {
        let mut tally = Tally::default();
        task.each_map(|map, rows| tally = tally.and(self.collect(worker, map, rows)));
        (self.watch)(&Event::Advance(tally.states)).is_continue().then_some(tally)
    }

    /// The second bit of the costs of this level.
    fn cost_bit(&self) -> bool {
        self.level >> 1 & 1 == 1
    }

    /// The second bit of the costs of the last level.
    pub(crate) fn sent_bit(&self) -> bool {
        (self.level - 1) >> 1 & 1 == 1
    }

    /// Collects the new states of all rows of a map.
    fn collect(&self, worker: &mut Worker, map: Map, mut rows: OwnRows<'_>) -> Tally {
        let mut tally = Tally::default();
        let mut is_first = true;
        for row in 0..rows.found.len() {
            let senders = self.senders(rows.first_slot + row).count();
            if (rows.unseen[row] == 0 || senders == 0) && self.build.uses(Optimisation::Skip) {
                continue;
            }
            if rows.excess.is_some() && std::mem::take(&mut is_first) {
                rows.seen_in_any(worker.reached[0].as_raw_mut_slice());
                worker.reached[1].fill(false);
            }
            let words = worker.collected.as_raw_slice().len();
            let (seen, costs) = (&mut rows.seen[row * words..][..words], &mut rows.costs[row * words..][..words]);
            // The costs of senders are read, and their seen states unless the bit is 1. Those of this row are read and written.
            let rows_touched = senders * if self.sent_bit() { 1 } else { 2 } + if self.cost_bit() { 4 } else { 2 };
            tally.touched += (rows_touched * words * 8) as u64;
            let Worker { scratch, collected, missing, reached, .. } = worker;
            let collected = collected.as_raw_mut_slice();
            collected.fill(0);
            let few = rows.unseen[row] <= self.index.perms() / FEW_UNSEEN && self.build.uses(Optimisation::Sparse);
            if few {
                self.look_for_missing(rows.first_slot + row, seen, missing, collected);
            } else {
                self.senders(rows.first_slot + row).for_each(|source| self.collect_from(source, scratch, collected));
            }
            let mut new = 0;
            for (collected, seen) in collected.iter_mut().zip(seen) {
                *collected &= !*seen;
                *seen |= *collected;
                new += collected.count_ones();
            }
            if self.cost_bit() {
                or(costs, collected);
            }
            if rows.excess.is_some() {
                or(reached[1].as_raw_mut_slice(), collected);
            }
            if let Some(news) = &mut rows.news
                && news[row].is_wanted
                && rows.found[row] + new <= self.index.perms() / FEW_NEW
            {
                news[row].states.extend(ones(collected.iter().copied()));
            }
            // A row is visited more than once in a level when some of its senders belong to other processes.
            rows.found[row] += new;
            rows.unseen[row] -= new;
            tally.states += u64::from(new);
        }
        if let Some(excess) = rows.excess.filter(|_| tally.states > 0) {
            self.record_costs(worker, map, excess, &mut tally);
        }
        tally
    }

    /// The rows that may send a row something new.
    fn senders(&self, slot: usize) -> impl Iterator<Item = Source> {
        let all = !self.build.uses(Optimisation::Skip);
        self.sources.of(slot).filter(move |source| all || self.from.found(source.slot as usize) > 0)
    }

    /// ORs the states that a source row sends into the collected states.
    fn collect_from(&self, source: Source, scratch: &mut Scratch, into: &mut [u64]) {
        let slot = source.slot as usize;
        let sideways = source.from == source.to;
        let seen = self.index.perms() - self.from.unseen(slot);
        let few = seen <= self.index.perms() / FEW_SEEN && self.build.uses(Optimisation::Sparse);
        let sent = self.from.sent(slot, self.sent_bit());
        match sent {
            Sent::Few(states) => self.collect_states(source, states.iter().copied(), into),
            _ if sideways && self.build.uses(Optimisation::Words) => put(sent, into, |into, sent| *into |= sent),
            _ if sideways || few || !self.build.uses(Optimisation::Runs) => {
                self.collect_states(source, ones(words(sent)), into);
            }
            _ => {
                put(sent, self.exchanges.row(scratch), |into, sent| *into = sent);
                self.exchanges.rotate_into(into, source.from, source.to, scratch);
            }
        }
    }

    /// ORs states of a source row into the collected states, one by one.
    fn collect_states(&self, source: Source, states: impl Iterator<Item = u32>, into: &mut [u64]) {
        let into = Bits::from_slice_mut(into);
        let rotation = self.index.rotations().get(source.from, source.to);
        states.for_each(|perm| into.set(rotation.apply(Perm(perm)).0 as usize, true));
    }

    /// Looks up each unseen state of a row in the sources of the row.
    fn look_for_missing(&self, slot: usize, seen: &[u64], missing: &mut Vec<u32>, collected: &mut [u64]) {
        missing.clear();
        missing.extend(ones(seen.iter().map(|seen| !seen)).take_while(|&perm| perm < self.index.perms()));
        for source in self.senders(slot) {
            let back = self.index.rotations().get(source.to, source.from);
            match self.from.sent(source.slot as usize, self.sent_bit()) {
                Sent::Bits(bits) => {
                    let bits = Bits::from_slice(bits);
                    look_in(back, missing, collected, |perm| bits[perm]);
                }
                Sent::Without(bits, others) => {
                    let [bits, others] = [bits, others].map(Bits::from_slice);
                    look_in(back, missing, collected, |perm| bits[perm] && !others[perm]);
                }
                Sent::Few(states) => self.collect_states(source, states.iter().copied(), collected),
            }
        }
    }

    /// Records half the cost of new entries, modulo 16. Checks the excess over the Manhattan distance where it might not fit.
    fn record_costs(&self, worker: &mut Worker, map: Map, excess: &mut [u64], tally: &mut Tally) {
        let Worker { reached: [before, new], manhattan, .. } = worker;
        let words = new.as_raw_mut_slice().iter_mut().zip(before.as_raw_slice());
        words.for_each(|(new, before)| *new &= !before);
        let half = self.level / 2;
        let mut planes = BitRows::new(excess, before.as_raw_slice().len());
        let bits = (0..planes.rows()).filter(|bit| half >> bit & 1 == 1);
        bits.for_each(|bit| or(planes.raw_mut(bit), new.as_raw_slice()));
        tally.entries += new.count_ones() as u64;
        let fits = 2 * u32::from(UNREACHED_NIBBLE);
        let pattern = self.build.pattern();
        if self.level >= fits + least_distance(self.index, pattern, map) && new.any() {
            let manhattan = manhattan.get_or_insert_with(|| ManhattanRows::new(self.index.tiles()));
            let distances = manhattan.of(self.index, pattern, map);
            let largest = new.iter_ones().map(|perm| self.level - u32::from(distances[perm])).max();
            tally.overflow = tally.overflow.max(largest.filter(|&excess| excess >= fits));
        }
    }
}

/// Puts the words of a set of states into others. The set is not a list.
#[inline(always)]
fn put(sent: Sent<'_>, into: &mut [u64], put: impl Fn(&mut u64, u64)) {
    match sent {
        Sent::Bits(bits) => into.iter_mut().zip(bits).for_each(|(into, &bits)| put(into, bits)),
        Sent::Without(bits, others) => {
            into.iter_mut().zip(bits).zip(others).for_each(|((into, bits), others)| put(into, bits & !others));
        }
        Sent::Few(_) => unreachable!("states are collected one by one"),
    }
}

/// The words of a set of states that is not a list.
fn words(sent: Sent<'_>) -> impl Iterator<Item = u64> {
    let (bits, others) = match sent {
        Sent::Bits(bits) => (bits, &[][..]),
        Sent::Without(bits, others) => (bits, others),
        Sent::Few(_) => unreachable!("states are collected one by one"),
    };
    let others = others.iter().copied().chain(std::iter::repeat(0));
    bits.iter().zip(others).map(|(bits, others)| bits & !others)
}

/// Looks up missing states among those that a row sends, given the rotation back to it, and collects the states that it finds.
#[inline(always)]
fn look_in(back: &Rotation, missing: &mut Vec<u32>, collected: &mut [u64], is_sent: impl Fn(usize) -> bool) {
    let collected = Bits::from_slice_mut(collected);
    missing.retain(|&perm| {
        let is_sent = is_sent(back.apply(Perm(perm)).0 as usize);
        if is_sent {
            collected.set(perm as usize, true);
        }
        !is_sent
    });
}
