//! One level of the search: every row of one colour collects what its neighbours send it.
//!
//! What a row sends is not kept anywhere: it follows from the states that are seen and from the second bits of their costs. The
//! rows of a colour have costs of one parity, so the second bit tells the cost modulo 4. A row sends the states whose bit is
//! that of the last level: those of the last level itself, and those of four, eight, … levels before. All neighbours of the
//! latter have been seen long ago, so nothing new comes of them.

use tilebase_format::layout::UNREACHED_NIBBLE;
use tilebase_index::{BuilderIndex, Map, Perm};
use tilebase_progress::{Event, Watch};

use crate::build::Build;
use crate::exchange::{Exchanges, Scratch};
use crate::manhattan::{ManhattanRows, least_distance};
use crate::optimisation::Optimisation;
use crate::sources::{Source, Sources};
use crate::store::{OwnRows, Rows, or_into, words_of_row};

/// A source row of which at most one state in this many is seen is moved state by state.
const FEW_SEEN: u32 = 128;

/// A row of which at most one state in this many is missing looks for its missing states among its sources.
pub(crate) const FEW_UNSEEN: u32 = 64;

/// What a level found (states, entries not found in any region before, the largest excess that did not fit) and what it
/// cost.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) states: u64,
    pub(crate) entries: u64,
    pub(crate) overflow: Option<u32>,
    /// Bytes of rows read and written.
    pub(crate) touched: u64,
}

impl Tally {
    pub(crate) fn and(self, other: Tally) -> Tally {
        Tally {
            states: self.states + other.states,
            entries: self.entries + other.entries,
            overflow: self.overflow.max(other.overflow),
            touched: self.touched + other.touched,
        }
    }
}

/// What a thread needs to itself.
pub(crate) struct Worker {
    scratch: Scratch,
    /// What a row collects; in the end its new states.
    collected: Vec<u64>,
    /// The states that a row is still missing, when they are few.
    missing: Vec<u32>,
    /// Entries of the map at hand that some region had reached before, and those that one reaches now.
    reached: [Vec<u64>; 2],
    /// Made when it is needed, which is rare.
    manhattan: Option<ManhattanRows>,
}

impl Worker {
    pub(crate) fn new(step: &Step<'_, impl Rows>) -> Worker {
        let row = || vec![0; words_of_row(step.index)];
        let reached = if step.build.has_nibbles() { [row(), row()] } else { Default::default() };
        Worker { scratch: step.exchanges.scratch(), collected: row(), missing: Vec::new(), reached, manhattan: None }
    }
}

/// One level, for all rows of one colour: everything that is only read.
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
    /// Collects the new states of all rows of a task. `None` when the build is to stop.
    pub(crate) fn run(&self, worker: &mut Worker, task: OwnRows<'_>) -> Option<Tally> {
        let mut tally = Tally::default();
        task.each_map(|map, rows| tally = tally.and(self.collect(worker, map, rows)));
        (self.watch)(&Event::Advance(tally.states)).is_continue().then_some(tally)
    }

    /// The second bit of the costs of this level.
    fn cost_bit(&self) -> bool {
        self.level >> 1 & 1 == 1
    }

    /// The second bit of the costs of the last level.
    fn sent_bit(&self) -> bool {
        (self.level - 1) >> 1 & 1 == 1
    }

    /// Collects the new states of all rows of a map.
    fn collect(&self, worker: &mut Worker, map: Map, rows: OwnRows<'_>) -> Tally {
        if rows.excess.is_some() {
            rows.seen_in_any(&mut worker.reached[0]);
            worker.reached[1].fill(0);
        }
        let mut tally = Tally::default();
        for row in 0..rows.found.len() {
            rows.found[row] = 0;
            let senders = self.senders(rows.first_slot + row).count();
            if (rows.unseen[row] == 0 || senders == 0) && self.build.uses(Optimisation::Skip) {
                continue;
            }
            let words = worker.collected.len();
            let (seen, costs) = (&mut rows.seen[row * words..][..words], &mut rows.costs[row * words..][..words]);
            // Of senders the costs are read, and what is seen unless the bit is 1; that and the costs are read and written here.
            let rows_touched = senders * if self.sent_bit() { 1 } else { 2 } + if self.cost_bit() { 4 } else { 2 };
            tally.touched += (rows_touched * words * 8) as u64;
            worker.collected.fill(0);
            let few = rows.unseen[row] <= self.index.perms() / FEW_UNSEEN && self.build.uses(Optimisation::Sparse);
            if few {
                self.look_for_missing(rows.first_slot + row, seen, worker);
            } else {
                self.senders(rows.first_slot + row).for_each(|source| self.collect_from(source, worker));
            }
            let mut new = 0;
            for (collected, seen) in worker.collected.iter_mut().zip(seen) {
                *collected &= !*seen;
                *seen |= *collected;
                new += collected.count_ones();
            }
            if self.cost_bit() {
                or_into(costs, &worker.collected);
            }
            if rows.excess.is_some() {
                or_into(&mut worker.reached[1], &worker.collected);
            }
            rows.found[row] = new;
            rows.unseen[row] -= new;
            tally.states += u64::from(new);
        }
        if let Some(excess) = rows.excess.filter(|_| tally.states > 0) {
            self.record_costs(worker, map, excess, &mut tally);
        }
        tally
    }

    /// The rows from which a row may get something new.
    fn senders(&self, slot: usize) -> impl Iterator<Item = Source> {
        let all = !self.build.uses(Optimisation::Skip);
        self.sources.of(slot).filter(move |source| all || self.from.found(source.slot as usize) > 0)
    }

    /// ORs what a source row sends into what is collected.
    fn collect_from(&self, source: Source, worker: &mut Worker) {
        let Worker { collected: into, scratch, .. } = worker;
        let slot = source.slot as usize;
        let sideways = source.from == source.to;
        let seen = self.index.perms() - self.from.unseen(slot);
        let few = seen <= self.index.perms() / FEW_SEEN && self.build.uses(Optimisation::Sparse);
        if sideways && self.build.uses(Optimisation::Words) {
            self.put_sent(slot, into, |into, sent| *into |= sent);
        } else if sideways || few || !self.build.uses(Optimisation::Runs) {
            let rotation = self.index.rotations().get(source.from, source.to);
            let bit = self.sent_bit();
            let row = self.from.seen(slot).iter().zip(self.from.costs(slot));
            for perm in ones(row.map(|(seen, costs)| if bit { *costs } else { seen & !costs })) {
                let moved = rotation.apply(Perm(perm)).0;
                into[moved as usize / 64] |= 1 << (moved % 64);
            }
        } else {
            self.put_sent(slot, self.exchanges.row(scratch), |into, sent| *into = sent);
            self.exchanges.rotate_into(into, source.from, source.to, scratch);
        }
    }

    /// Puts what a source row sends into words, one by one.
    #[inline(always)]
    fn put_sent(&self, slot: usize, into: &mut [u64], put: impl Fn(&mut u64, u64)) {
        let costs = self.from.costs(slot);
        if self.sent_bit() {
            // What has a cost is seen.
            into.iter_mut().zip(costs).for_each(|(into, &costs)| put(into, costs));
        } else {
            let seen = self.from.seen(slot);
            into.iter_mut().zip(costs).zip(seen).for_each(|((into, costs), seen)| put(into, seen & !costs));
        }
    }

    /// Asks the sources of a row for each state that it has not seen.
    fn look_for_missing(&self, slot: usize, seen: &[u64], worker: &mut Worker) {
        let Worker { collected, missing, .. } = worker;
        missing.clear();
        missing.extend(ones(seen.iter().map(|seen| !seen)).take_while(|&perm| perm < self.index.perms()));
        for source in self.senders(slot) {
            let back = self.index.rotations().get(source.to, source.from);
            let (seen, costs) = (self.from.seen(source.slot as usize), self.from.costs(source.slot as usize));
            let bit = self.sent_bit();
            missing.retain(|&perm| {
                let at = back.apply(Perm(perm)).0;
                let word = at as usize / 64;
                let sent = if bit { costs[word] } else { seen[word] & !costs[word] };
                collected[perm as usize / 64] |= (sent >> (at % 64) & 1) << (perm % 64);
                sent >> (at % 64) & 1 == 0
            });
        }
    }

    /// Notes half the cost of entries, modulo 16. Where the excess over the Manhattan distance might not fit, looks.
    fn record_costs(&self, worker: &mut Worker, map: Map, excess: &mut [u64], tally: &mut Tally) {
        let Worker { reached: [before, new], manhattan, .. } = worker;
        new.iter_mut().zip(before).for_each(|(new, before)| *new &= !*before);
        let half = self.level / 2;
        for (number, plane) in excess.chunks_exact_mut(new.len()).enumerate() {
            if half >> number & 1 == 1 {
                or_into(plane, new);
            }
        }
        tally.entries += new.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let fits = 2 * u32::from(UNREACHED_NIBBLE);
        let pattern = self.build.pattern();
        if self.level >= fits + least_distance(self.index, pattern, map) && new.iter().any(|&word| word != 0) {
            let manhattan = manhattan.get_or_insert_with(|| ManhattanRows::new(self.index.tiles()));
            let distances = manhattan.of(self.index, pattern, map);
            let largest = ones(new.iter().copied()).map(|perm| self.level - u32::from(distances[perm as usize])).max();
            tally.overflow = tally.overflow.max(largest.filter(|&excess| excess >= fits));
        }
    }
}

/// The positions of the bits that are set, in order.
fn ones(words: impl Iterator<Item = u64>) -> impl Iterator<Item = u32> {
    words.zip(0..).flat_map(|(word, number)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                number * 64 + bit
            })
        })
    })
}
