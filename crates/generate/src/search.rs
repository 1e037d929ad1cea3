//! The backward breadth-first search, a level at a time, a row at a time.
//!
//! Rows are kept in two halves by their colour: the states of one have even costs, those of the other odd ones. A level has
//! states of one colour only, and all their neighbours have the other. So one set of bits is enough for the current and the
//! next level: the frontier of one half is read while that of the other is written. Every row collects what its sources
//! send (it pulls), so no two tasks ever write to the same row, and the result does not depend on the number of threads.

use std::io;

use bitvec::order::Lsb0;
use bitvec::view::BitView;
use rayon::prelude::*;
use tilebase_format::layout::{HISTOGRAM_LEN, UNREACHED_NIBBLE};
use tilebase_index::{BuilderIndex as Index, Map, Perm, Row};
use tilebase_memory::Zeroed;
use tilebase_puzzle::Pattern;

use crate::build::{Build, BuildError};
use crate::exchange::{Exchanges, Scratch, words_for};
use crate::ideas::Idea;
use crate::manhattan::{ManhattanRows, least_distance};
use crate::nibbles;
use crate::progress::{Level, Progress};

/// A source row with at most one state in this many is moved state by state.
const SPARSE: u32 = 128;

/// A task has at least this many words of rows, so that handing tasks out costs little.
const WORDS_OF_TASK: usize = 1024;

/// How many times a thread is handed tasks in a level. It keeps what it was given, so the fewer times, the longer others wait
/// for the last one.
const HANDED_OUT: usize = 32;

/// Sources are worked out for so many rows at a time.
const ROWS_OF_PART: usize = 256;

/// Bits of a nibble.
const PLANES: usize = 4;

/// A set of states, a bit each, every row on words of its own.
pub(crate) type Bits = Zeroed<u64>;

/// What the search found.
pub(crate) struct Found {
    /// Rows of each colour, in order.
    pub(crate) rows: [Vec<Row>; 2],
    /// The second bit of every state's cost, by colour, row after row.
    pub(crate) costs: Option<[Bits; 2]>,
    /// Half the excess of every entry of the collapsed table, by colour, two to a byte, every map on words of its own.
    pub(crate) excess: Option<[Bits; 2]>,
    /// How many states have each cost.
    pub(crate) states: Vec<u64>,
    /// How many entries have each cost when the blank's region is free to choose; empty when not asked for.
    pub(crate) entries: Vec<u64>,
}

/// All rows of one colour. A row's place among them is its *slot*.
struct Half {
    rows: Vec<Row>,
    /// The maps of the rows, each with the number of its rows that are here.
    maps: Vec<(Map, usize)>,
    /// See [`Found`].
    costs: Option<Bits>,
    /// See [`Found`]; until the end of the search half of the cost itself, modulo 16, as [`PLANES`] rows of bits.
    excess: Option<Bits>,
    /// States of the last level that this half had.
    frontier: Bits,
    /// States of all levels so far.
    seen: Bits,
    /// How many frontier states each row has. Read by all threads before it is written, so its pages must be there.
    active: Zeroed<u32>,
    /// How many states of each row are not yet seen.
    unseen: Vec<u32>,
}

impl Half {
    fn new(index: &Index, rows: Vec<Row>, build: &Build) -> io::Result<Half> {
        let huge_pages = build.uses(Idea::HugePages);
        let maps = rows.chunk_by(|&a, &b| index.map_of(a) == index.map_of(b));
        let maps: Vec<(Map, usize)> = maps.map(|rows| (index.map_of(rows[0]), rows.len())).collect();
        let bits = || Bits::on_pages(rows.len() * words_of_row(index), huge_pages);
        let nibbles = || Bits::on_pages(maps.len() * words_of_map(index), huge_pages);
        Ok(Half {
            costs: build.has_bits().then(bits).transpose()?,
            excess: build.has_nibbles().then(nibbles).transpose()?,
            frontier: bits()?,
            seen: bits()?,
            active: Zeroed::new(rows.len())?,
            unseen: vec![index.perms(); rows.len()],
            maps,
            rows,
        })
    }

    /// Puts the goal, the only state of level 0, into a row.
    fn start(&mut self, index: &Index, slot: usize) {
        let goal = slot * words_of_row(index) * 64;
        self.frontier.view_bits_mut::<Lsb0>().set(goal, true);
        self.seen.view_bits_mut::<Lsb0>().set(goal, true);
        self.active[slot] = 1;
        self.unseen[slot] -= 1;
    }

    /// The half cut into tasks of a few maps each. The costs are there only when they are to be written.
    fn tasks(&mut self, index: &Index, write_costs: bool) -> Vec<Task<'_>> {
        let mut rest = Task {
            maps: &self.maps,
            first_slot: 0,
            frontier: &mut self.frontier,
            seen: &mut self.seen,
            costs: self.costs.as_deref_mut().filter(|_| write_costs),
            excess: self.excess.as_deref_mut(),
            active: &mut self.active,
            unseen: &mut self.unseen,
        };
        let maps = WORDS_OF_TASK.div_ceil(words_of_row(index));
        let mut tasks = Vec::with_capacity(self.maps.len() / maps + 1);
        while !rest.maps.is_empty() {
            tasks.push(rest.take_front(index, maps));
        }
        tasks
    }
}

/// The part of a half that belongs to some maps, written by one thread.
struct Task<'a> {
    maps: &'a [(Map, usize)],
    first_slot: usize,
    frontier: &'a mut [u64],
    seen: &'a mut [u64],
    costs: Option<&'a mut [u64]>,
    excess: Option<&'a mut [u64]>,
    active: &'a mut [u32],
    unseen: &'a mut [u32],
}

impl<'a> Task<'a> {
    /// Cuts off the part of the first maps.
    fn take_front(&mut self, index: &Index, maps: usize) -> Task<'a> {
        let (front, rest) = self.maps.split_at(maps.min(self.maps.len()));
        let rows: usize = front.iter().map(|(_, rows)| rows).sum();
        let words = rows * words_of_row(index);
        let planes = front.len() * words_of_map(index);
        let first_slot = self.first_slot;
        self.maps = rest;
        self.first_slot += rows;
        Task {
            maps: front,
            first_slot,
            frontier: take_front(&mut self.frontier, words),
            seen: take_front(&mut self.seen, words),
            costs: self.costs.as_mut().map(|costs| take_front(costs, words)),
            excess: self.excess.as_mut().map(|excess| take_front(excess, planes)),
            active: take_front(&mut self.active, rows),
            unseen: take_front(&mut self.unseen, rows),
        }
    }

    /// The parts of the maps, one by one.
    fn each_map(mut self, index: &Index, mut visit: impl FnMut(Map, Task<'a>)) {
        while let Some(&(map, _)) = self.maps.first() {
            visit(map, self.take_front(index, 1));
        }
    }
}

/// The tasks, spread over the threads a few at a time.
fn handed_out(tasks: Vec<Task<'_>>) -> impl IndexedParallelIterator<Item = Task<'_>> {
    let at_once = tasks.len().div_ceil(HANDED_OUT * rayon::current_num_threads());
    tasks.into_par_iter().with_max_len(at_once)
}

/// Words of a row: k! bits, rounded up.
pub(crate) fn words_of_row(index: &Index) -> usize {
    words_for(index.perms() as usize)
}

/// Words of a map in the collapsed table: a row for each bit of a nibble.
pub(crate) fn words_of_map(index: &Index) -> usize {
    PLANES * words_of_row(index)
}

/// Cuts off the front of what is left of a slice.
#[expect(clippy::mut_mut, reason = "what is left of the slice changes, and what is cut off outlives the call")]
fn take_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    slice.split_off_mut(..count).expect("the parts of a half fit into it")
}

/// A row from which another one collects: its slot in the other half, and the move of positions on the way. Kept as a word,
/// because there are as many of them as rows have moves, and memory for large pieces holds numbers.
#[derive(Clone, Copy)]
struct Source {
    slot: u32,
    from: u8,
    to: u8,
}

impl Source {
    fn to_word(self) -> u64 {
        u64::from(self.slot) | u64::from(self.from) << 32 | u64::from(self.to) << 40
    }

    fn from_word(word: u64) -> Source {
        Source { slot: word as u32, from: (word >> 32) as u8, to: (word >> 40) as u8 }
    }
}

/// For each row of a half the rows of the other from which it collects.
struct Sources {
    first: Vec<u32>,
    all: Zeroed<u64>,
}

impl Sources {
    fn new(index: &Index, rows: &[Row], slot_of_row: &[u32]) -> io::Result<Sources> {
        let counts: Vec<u32> = rows.par_iter().map(|&row| index.move_count(row) as u32).collect();
        let mut first = Vec::with_capacity(rows.len() + 1);
        first.push(0);
        first.extend(counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }));
        let mut all = Zeroed::new(first[rows.len()] as usize)?;
        let mut rest = &mut all[..];
        let parts: Vec<(&[Row], &mut [u64])> = (0..rows.len())
            .step_by(ROWS_OF_PART)
            .map(|start| {
                let end = (start + ROWS_OF_PART).min(rows.len());
                (&rows[start..end], take_front(&mut rest, (first[end] - first[start]) as usize))
            })
            .collect();
        parts.into_par_iter().with_max_len(1).for_each(|(rows, sources)| {
            let moves = rows.iter().flat_map(|&row| index.moves(row));
            for (source, step) in sources.iter_mut().zip(moves) {
                // A move leads there and back, and the way back undoes what the way there did.
                let slot = slot_of_row[step.row.0 as usize];
                *source = Source { slot, from: step.enters, to: step.leaves }.to_word();
            }
        });
        Ok(Sources { first, all })
    }

    fn of(&self, slot: usize) -> impl Iterator<Item = Source> {
        self.all[self.first[slot] as usize..self.first[slot + 1] as usize].iter().map(|&word| Source::from_word(word))
    }
}

/// Searches all states of a pattern backwards from its goal.
pub(crate) fn search(index: &Index, build: &Build, progress: &dyn Progress) -> Result<Found, BuildError> {
    let pattern = build.pattern();
    let rows = 0..index.rows() as u32;
    let colours: Vec<u8> = rows.clone().into_par_iter().map(|row| index.colour(Row(row)) as u8).collect();
    let (even, odd): (Vec<Row>, Vec<Row>) = rows.map(Row).partition(|row| colours[row.0 as usize] == 0);
    drop(colours);
    let mut slot_of_row = vec![0; index.rows()];
    for rows in [&even, &odd] {
        rows.iter().zip(0..).for_each(|(row, slot)| slot_of_row[row.0 as usize] = slot);
    }
    let no_memory = |error: io::Error| BuildError::memory(&error);
    let sources = |rows| Sources::new(index, rows, &slot_of_row).map_err(no_memory);
    let sources = rayon::join(|| sources(&even), || sources(&odd));
    let sources = [sources.0?, sources.1?];
    let half = |rows| Half::new(index, rows, build).map_err(no_memory);
    let halves = rayon::join(|| half(even), || half(odd));
    let mut halves = [halves.0?, halves.1?];

    let goal = index.row(index.map(pattern.mask()), pattern.home());
    let goal_colour = index.colour(goal) as usize;
    halves[goal_colour].start(index, slot_of_row[goal.0 as usize] as usize);
    drop(slot_of_row);

    let exchanges = Exchanges::new(index.tiles());
    let mut tallies = vec![Tally { states: 1, entries: 1, ..Tally::default() }];
    let mut done = Level { number: 0, found: 1, total: build.reachable(), touched: 0 };
    for level in 1.. {
        progress.level(&done);
        let colour = goal_colour ^ (level as usize & 1);
        let [even, odd] = &mut halves;
        let (into, from) = if colour == 0 { (even, &*odd) } else { (odd, &*even) };
        let step = Step {
            index,
            build,
            exchanges: &exchanges,
            sources: &sources[colour],
            frontier: &from.frontier,
            active: &from.active,
            level,
            progress,
        };
        let cost_bit = level >> 1 & 1 == 1;
        let tally = handed_out(into.tasks(index, cost_bit))
            .map_init(|| Worker::new(index, &exchanges), |worker, task| step.run(worker, task))
            .try_reduce(Tally::default, |a, b| Some(a.and(b)))
            .ok_or(BuildError::Cancelled)?;
        if let Some(value) = tally.overflow {
            return Err(BuildError::Overflow { pattern: *pattern, value });
        }
        if tally.states == 0 {
            break;
        }
        if tallies.len() + 1 == HISTOGRAM_LEN {
            return Err(BuildError::TooDeep { pattern: *pattern });
        }
        tallies.push(tally);
        done = Level { number: level, found: done.found + tally.states, touched: done.touched + tally.touched, ..done };
    }
    if build.has_nibbles() {
        halves.iter_mut().for_each(|half| subtract_manhattan(index, pattern, half));
    }
    let mut entries: Vec<u64> = tallies.iter().filter(|_| build.has_nibbles()).map(|tally| tally.entries).collect();
    entries.truncate(entries.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1));
    let [even, odd] = halves;
    Ok(Found {
        rows: [even.rows, odd.rows],
        costs: even.costs.zip(odd.costs).map(Into::into),
        excess: even.excess.zip(odd.excess).map(Into::into),
        states: tallies.iter().map(|tally| tally.states).collect(),
        entries,
    })
}

/// Turns halves of costs, modulo 16, into halves of what they exceed the Manhattan distance by. No excess is as large as 16
/// halves: the search has looked at every cost that might be.
fn subtract_manhattan(index: &Index, pattern: &Pattern, half: &mut Half) {
    let words = words_of_row(index);
    handed_out(half.tasks(index, false)).for_each_init(
        || (ManhattanRows::new(index.tiles()), vec![0; words], vec![0; words_of_map(index)]),
        |(manhattan, reached, planes), task| {
            task.each_map(index, |map, rows| {
                let excess = rows.excess.expect("nibbles are wanted");
                planes.copy_from_slice(excess);
                nibbles::join(planes, excess);
                nibbles::subtract_halves(excess, manhattan.of(index, pattern, map));
                reached.fill(0);
                rows.seen.chunks_exact(words).for_each(|seen| or_into(reached, seen));
                // Where something cannot be reached, which is rare.
                if reached.iter().map(|word| word.count_ones()).sum::<u32>() < index.perms() {
                    let unreached =
                        (0..index.perms()).filter(|&perm| reached[perm as usize / 64] >> (perm % 64) & 1 == 0);
                    unreached.for_each(|perm| {
                        excess[perm as usize / 16] |= u64::from(UNREACHED_NIBBLE) << (perm % 16 * 4);
                    });
                }
            });
        },
    );
}

/// What a level found (states, entries not found in any region before, the largest excess that did not fit) and what it
/// cost.
#[derive(Clone, Copy, Default)]
struct Tally {
    states: u64,
    entries: u64,
    overflow: Option<u32>,
    /// Bytes of rows read and written.
    touched: u64,
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        Tally {
            states: self.states + other.states,
            entries: self.entries + other.entries,
            overflow: self.overflow.max(other.overflow),
            touched: self.touched + other.touched,
        }
    }
}

/// What a task needs to itself.
struct Worker {
    scratch: Scratch,
    /// Entries of the map at hand that some region has reached before, then those reached at this level only.
    reached: Vec<u64>,
    /// Made when it is needed, which is rare.
    manhattan: Option<ManhattanRows>,
}

impl Worker {
    fn new(index: &Index, exchanges: &Exchanges) -> Worker {
        Worker { scratch: exchanges.scratch(), reached: vec![0; words_of_row(index)], manhattan: None }
    }
}

/// One level, for all rows of one colour: everything that is only read.
struct Step<'a> {
    index: &'a Index,
    build: &'a Build,
    exchanges: &'a Exchanges,
    sources: &'a Sources,
    /// The other half's frontier and how much there is in each row.
    frontier: &'a [u64],
    active: &'a [u32],
    level: u32,
    progress: &'a dyn Progress,
}

impl Step<'_> {
    /// Collects the new states of all rows of a task. `None` when the build has been cancelled.
    fn run(&self, worker: &mut Worker, task: Task<'_>) -> Option<Tally> {
        let mut tally = Tally::default();
        task.each_map(self.index, |map, rows| tally = tally.and(self.collect(worker, map, rows)));
        (!self.progress.is_cancelled()).then_some(tally)
    }

    /// Collects the new states of all rows of a map.
    fn collect(&self, worker: &mut Worker, map: Map, mut rows: Task<'_>) -> Tally {
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
            let sources = || self.sources.of(rows.first_slot + row);
            let senders = sources().filter(|source| self.active[source.slot as usize] > 0).count();
            if (rows.unseen[row] == 0 || senders == 0) && self.build.uses(Idea::Skip) {
                continue;
            }
            // Senders are read, the frontier is written, the seen states and the costs are read and written.
            let rows_touched = senders + if rows.costs.is_some() { 5 } else { 3 };
            tally.touched += (rows_touched * words * 8) as u64;
            sources().for_each(|source| self.collect_from(source, &mut worker.scratch, frontier));
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
            // What is reached now and was not before: what the new states add to the set.
            for word in 0..words {
                let new = (word..rows.frontier.len()).step_by(words).fold(0, |new, at| new | rows.frontier[at]);
                worker.reached[word] = new & !worker.reached[word];
            }
            self.record_costs(worker, map, excess, &mut tally);
        }
        tally
    }

    /// ORs what a source row sends into a row.
    fn collect_from(&self, source: Source, scratch: &mut Scratch, into: &mut [u64]) {
        let active = self.active[source.slot as usize];
        if active == 0 && self.build.uses(Idea::Skip) {
            return;
        }
        let row = &self.frontier[source.slot as usize * into.len()..][..into.len()];
        let sideways = source.from == source.to;
        let few = active <= self.index.perms() / SPARSE && self.build.uses(Idea::Sparse);
        if sideways && self.build.uses(Idea::Words) {
            or_into(into, row);
        } else if sideways || few || !self.build.uses(Idea::Runs) {
            let rotation = self.index.rotations().get(source.from, source.to);
            for perm in ones(row) {
                let moved = rotation.apply(Perm(perm)).0;
                into[moved as usize / 64] |= 1 << (moved % 64);
            }
        } else {
            or_into(into, self.exchanges.rotate(row, source.from, source.to, scratch));
        }
    }

    /// Notes half the cost of entries, modulo 16. Where the excess over the Manhattan distance might not fit, looks.
    fn record_costs(&self, worker: &mut Worker, map: Map, excess: &mut [u64], tally: &mut Tally) {
        let Worker { reached: new, manhattan, .. } = worker;
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
            let largest = ones(new).map(|perm| self.level - u32::from(distances[perm as usize])).max();
            tally.overflow = tally.overflow.max(largest.filter(|&excess| excess >= fits));
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
