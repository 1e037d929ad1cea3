//! The backward breadth-first search, a level at a time, a row at a time.
//!
//! Rows are kept in two halves by the colour of their maps: the states of one have even costs, those of the other odd ones.
//! A level has states of one colour only, and all their neighbours have the other. So one set of bits is enough for the
//! current and the next level: the frontier of one half is read while that of the other is written. Every row collects
//! what its sources send (it pulls), so no two tasks ever write to the same row, and the result does not depend on the
//! number of threads.

use bitvec::prelude::{BitVec, Lsb0};
use rayon::prelude::*;
use tilebase_format::layout::HISTOGRAM_LEN;
use tilebase_puzzle::Pattern;
use tilebase_puzzle::index::{Index, Map, Perm, Row};

use crate::build::{BuildError, Encodings};
use crate::exchange::{Exchanges, Scratch, words_for};
use crate::manhattan::ManhattanRows;
use crate::progress::Progress;

/// A source row with at most one state in this many is moved state by state.
const SPARSE: u32 = 128;

/// The nibble of an entry that cannot be reached, and the first value that does not fit.
pub(crate) const UNREACHED: u8 = 15;

/// A set of states, a bit each, every row on words of its own.
pub(crate) type Bits = BitVec<u64, Lsb0>;

/// What the search found.
pub(crate) struct Found {
    /// The maps of each colour in order.
    pub(crate) maps: [Vec<Map>; 2],
    /// The second bit of every state's cost, by the colour of the maps, row after row.
    pub(crate) costs: Option<[Bits; 2]>,
    /// Half the excess of every entry of the collapsed table, by the colour of the maps, two to a byte, every map on
    /// bytes of its own.
    pub(crate) excess: Option<[Vec<u8>; 2]>,
    /// How many states have each cost.
    pub(crate) states: Vec<u64>,
    /// How many entries have each cost when the blank's region is free to choose; empty when not asked for.
    pub(crate) entries: Vec<u64>,
}

/// All maps of one colour with their rows. A row's place among them is its *slot*.
struct Half {
    maps: Vec<Map>,
    /// See [`Found`].
    costs: Option<Bits>,
    /// See [`Found`].
    excess: Option<Vec<u8>>,
    /// States of the last level that this half had.
    frontier: Bits,
    /// States of all levels so far.
    seen: Bits,
    /// How many frontier states each row has.
    active: Vec<u32>,
    /// How many states of each row are not yet seen.
    unseen: Vec<u32>,
}

impl Half {
    fn new(index: &Index, maps: Vec<Map>, encodings: Encodings) -> Half {
        let rows: usize = maps.iter().map(|&map| index.rows_of(map).len()).sum();
        let bits = || Bits::repeat(false, rows * words_of_row(index) * 64);
        Half {
            costs: encodings.bit.then(bits),
            excess: encodings.nibble.then(|| vec![UNREACHED | UNREACHED << 4; maps.len() * bytes_of_map(index)]),
            frontier: bits(),
            seen: bits(),
            active: vec![0; rows],
            unseen: vec![index.perms(); rows],
            maps,
        }
    }

    /// Puts the goal, the only state of level 0, into a row.
    fn start(&mut self, index: &Index, goal: Map, slot: usize) {
        let bit = slot * words_of_row(index) * 64;
        self.frontier.set(bit, true);
        self.seen.set(bit, true);
        self.active[slot] = 1;
        self.unseen[slot] -= 1;
        if let Some(excess) = &mut self.excess {
            let place = self.maps.binary_search(&goal).expect("the goal is in its own half");
            excess[place * bytes_of_map(index)] &= 0xf0;
        }
    }

    /// The half cut into what belongs to each map. The costs are there only when they are to be written.
    fn tasks(&mut self, index: &Index, write_costs: bool) -> Vec<MapRows<'_>> {
        let words = words_of_row(index);
        let mut frontier = self.frontier.as_raw_mut_slice();
        let mut seen = self.seen.as_raw_mut_slice();
        let mut costs = self.costs.as_mut().filter(|_| write_costs).map(BitVec::as_raw_mut_slice);
        let mut excess = self.excess.as_deref_mut();
        let (mut active, mut unseen) = (&mut self.active[..], &mut self.unseen[..]);
        let mut first_slot = 0;
        let tasks = self.maps.iter().map(|&map| {
            let rows = index.rows_of(map).len();
            let task = MapRows {
                map,
                first_slot,
                frontier: take_front(&mut frontier, rows * words),
                seen: take_front(&mut seen, rows * words),
                costs: costs.as_mut().map(|costs| take_front(costs, rows * words)),
                excess: excess.as_mut().map(|excess| take_front(excess, bytes_of_map(index))),
                active: take_front(&mut active, rows),
                unseen: take_front(&mut unseen, rows),
            };
            first_slot += rows;
            task
        });
        tasks.collect()
    }
}

/// The part of a half that belongs to one map, to be written by one task.
struct MapRows<'a> {
    map: Map,
    first_slot: usize,
    frontier: &'a mut [u64],
    seen: &'a mut [u64],
    costs: Option<&'a mut [u64]>,
    excess: Option<&'a mut [u8]>,
    active: &'a mut [u32],
    unseen: &'a mut [u32],
}

/// Words of a row: k! bits, rounded up.
pub(crate) fn words_of_row(index: &Index) -> usize {
    words_for(index.perms() as usize)
}

/// Bytes of a map in the collapsed table: k! nibbles, rounded up.
pub(crate) fn bytes_of_map(index: &Index) -> usize {
    index.perms().div_ceil(2) as usize
}

/// Cuts off the front of what is left of a slice.
#[expect(clippy::mut_mut, reason = "what is left of the slice changes, and what is cut off outlives the call")]
fn take_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    slice.split_off_mut(..count).expect("the parts of a half fit into it")
}

/// A row from which another one collects: its slot in the other half, and the move of positions on the way.
#[derive(Clone, Copy)]
struct Source {
    slot: u32,
    from: u8,
    to: u8,
}

/// For each row of a half the rows of the other from which it collects.
struct Sources {
    first: Vec<u32>,
    all: Vec<Source>,
}

impl Sources {
    fn new(index: &Index, maps: &[Map], slot_of_row: &[u32]) -> Sources {
        let mut sources = Sources { first: vec![0], all: Vec::new() };
        for row in maps.iter().flat_map(|&map| index.rows_of(map)).map(Row) {
            // A move leads there and back, and the way back undoes what the way there did.
            sources.all.extend(index.moves(row).map(|step| Source {
                slot: slot_of_row[step.row.0 as usize],
                from: step.enters,
                to: step.leaves,
            }));
            sources.first.push(sources.all.len() as u32);
        }
        sources
    }

    fn of(&self, slot: usize) -> &[Source] {
        &self.all[self.first[slot] as usize..self.first[slot + 1] as usize]
    }
}

/// Searches all states of a pattern backwards from its goal. `total` is how many there are.
pub(crate) fn search(
    index: &Index,
    pattern: &Pattern,
    encodings: Encodings,
    total: u64,
    progress: &dyn Progress,
) -> Result<Found, BuildError> {
    let maps = (0..index.maps() as u32).map(Map);
    let (even, odd): (Vec<Map>, Vec<Map>) = maps.partition(|&map| index.colour(map) == 0);
    let mut slot_of_row = vec![0; index.rows()];
    for maps in [&even, &odd] {
        for (slot, row) in maps.iter().flat_map(|&map| index.rows_of(map)).enumerate() {
            slot_of_row[row as usize] = slot as u32;
        }
    }
    let sources = [&even, &odd].map(|maps| Sources::new(index, maps, &slot_of_row));
    let mut halves = [even, odd].map(|maps| Half::new(index, maps, encodings));

    let goal = index.map(pattern.mask());
    let goal_row = index.row(goal, pattern.home());
    let goal_colour = index.colour(goal) as usize;
    halves[goal_colour].start(index, goal, slot_of_row[goal_row.0 as usize] as usize);
    drop(slot_of_row);

    let exchanges = Exchanges::new(index.tiles());
    let mut tallies = vec![Tally { states: 1, entries: 1, overflow: None }];
    let mut found = 1;
    for level in 1.. {
        progress.level(level - 1, found, total);
        let colour = goal_colour ^ (level as usize & 1);
        let [even, odd] = &mut halves;
        let (into, from) = if colour == 0 { (even, &*odd) } else { (odd, &*even) };
        let step = Step {
            index,
            pattern,
            exchanges: &exchanges,
            sources: &sources[colour],
            frontier: from.frontier.as_raw_slice(),
            active: &from.active,
            level,
            progress,
        };
        let cost_bit = level >> 1 & 1 == 1;
        let tally = into
            .tasks(index, cost_bit)
            .into_par_iter()
            .map_init(|| Worker::new(index, &exchanges), |worker, rows| step.collect(worker, rows))
            .try_reduce(Tally::default, |a, b| Some(a.and(b)))
            .ok_or(BuildError::Cancelled)?;
        if let Some(value) = tally.overflow {
            return Err(BuildError::Overflow { pattern: *pattern, value });
        }
        if tally.states == 0 {
            break;
        }
        if tallies.len() == HISTOGRAM_LEN {
            return Err(BuildError::TooDeep { pattern: *pattern });
        }
        tallies.push(tally);
        found += tally.states;
    }
    let mut entries: Vec<u64> = tallies.iter().filter(|_| encodings.nibble).map(|tally| tally.entries).collect();
    entries.truncate(entries.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1));
    let [even, odd] = halves;
    Ok(Found {
        maps: [even.maps, odd.maps],
        costs: even.costs.zip(odd.costs).map(Into::into),
        excess: even.excess.zip(odd.excess).map(Into::into),
        states: tallies.iter().map(|tally| tally.states).collect(),
        entries,
    })
}

/// What a level found: states, entries not found in any region before, and the largest excess that did not fit.
#[derive(Clone, Copy, Default)]
struct Tally {
    states: u64,
    entries: u64,
    overflow: Option<u32>,
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        Tally {
            states: self.states + other.states,
            entries: self.entries + other.entries,
            overflow: self.overflow.max(other.overflow),
        }
    }
}

/// What a task needs to itself.
struct Worker {
    scratch: Scratch,
    manhattan: ManhattanRows,
    /// Entries of the map at hand that some region has reached before.
    reached: Vec<u64>,
}

impl Worker {
    fn new(index: &Index, exchanges: &Exchanges) -> Worker {
        Worker {
            scratch: exchanges.scratch(),
            manhattan: ManhattanRows::new(index.tiles()),
            reached: vec![0; words_of_row(index)],
        }
    }
}

/// One level, for all rows of one colour: everything that is only read.
struct Step<'a> {
    index: &'a Index,
    pattern: &'a Pattern,
    exchanges: &'a Exchanges,
    sources: &'a Sources,
    /// The other half's frontier and how much there is in each row.
    frontier: &'a [u64],
    active: &'a [u32],
    level: u32,
    progress: &'a dyn Progress,
}

impl Step<'_> {
    /// Collects the new states of all rows of a map. `None` when the build has been cancelled.
    fn collect(&self, worker: &mut Worker, mut rows: MapRows<'_>) -> Option<Tally> {
        if self.progress.is_cancelled() {
            return None;
        }
        let words = words_of_row(self.index);
        if rows.excess.is_some() {
            worker.reached.fill(0);
            rows.seen.chunks_exact(words).for_each(|seen| or_into(&mut worker.reached, seen));
        }
        let mut tally = Tally::default();
        for row in 0..rows.active.len() {
            let bits = row * words..(row + 1) * words;
            let (frontier, seen) = (&mut rows.frontier[bits.clone()], &mut rows.seen[bits.clone()]);
            if rows.active[row] > 0 {
                frontier.fill(0);
                rows.active[row] = 0;
            }
            let sources = self.sources.of(rows.first_slot + row);
            if rows.unseen[row] == 0 || sources.iter().all(|source| self.active[source.slot as usize] == 0) {
                continue;
            }
            sources.iter().for_each(|&source| self.collect_from(source, &mut worker.scratch, frontier));
            let mut new = 0;
            for (frontier, seen) in frontier.iter_mut().zip(seen) {
                *frontier &= !*seen;
                *seen |= *frontier;
                new += frontier.count_ones();
            }
            if let Some(costs) = &mut rows.costs {
                or_into(&mut costs[bits], frontier);
            }
            rows.active[row] = new;
            rows.unseen[row] -= new;
            tally.states += u64::from(new);
        }
        if let Some(excess) = rows.excess.filter(|_| tally.states > 0) {
            let new = rows.frontier.chunks_exact(words);
            self.record_excess(worker, rows.map, new, excess, &mut tally);
        }
        Some(tally)
    }

    /// ORs what a source row sends into a row.
    fn collect_from(&self, source: Source, scratch: &mut Scratch, into: &mut [u64]) {
        let active = self.active[source.slot as usize];
        if active == 0 {
            return;
        }
        let row = &self.frontier[source.slot as usize * into.len()..][..into.len()];
        if source.from == source.to {
            or_into(into, row);
        } else if active <= self.index.perms() / SPARSE {
            let rotation = self.index.rotations().get(source.from, source.to);
            for perm in ones(row) {
                let moved = rotation.apply(Perm(perm)).0;
                into[moved as usize / 64] |= 1 << (moved % 64);
            }
        } else {
            or_into(into, self.exchanges.rotate(row, source.from, source.to, scratch));
        }
    }

    /// Notes the cost of all entries that no region had reached before, as half the excess over their Manhattan distance.
    fn record_excess<'a>(
        &self,
        worker: &mut Worker,
        map: Map,
        new: impl Iterator<Item = &'a [u64]>,
        excess: &mut [u8],
        tally: &mut Tally,
    ) {
        let before = worker.reached.clone();
        new.for_each(|new| or_into(&mut worker.reached, new));
        worker.reached.iter_mut().zip(&before).for_each(|(reached, before)| *reached &= !before);
        if worker.reached.iter().all(|&word| word == 0) {
            return;
        }
        let distances = worker.manhattan.of(self.index, self.pattern, map);
        for perm in ones(&worker.reached) {
            tally.entries += 1;
            let half = (self.level - u32::from(distances[perm as usize])) / 2;
            if half >= u32::from(UNREACHED) {
                tally.overflow = tally.overflow.max(Some(2 * half));
                continue;
            }
            // The nibble is still 15: taking away the difference leaves the value.
            excess[perm as usize / 2] -= (UNREACHED - half as u8) << (perm % 2 * 4);
        }
    }
}

fn or_into(into: &mut [u64], from: &[u64]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into |= from;
    }
}

/// The positions of the bits that are set, in order.
fn ones(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    words.iter().enumerate().flat_map(|(number, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                number as u32 * 64 + bit
            })
        })
    })
}
