//! Repeats the search of a finished table, level by level from the goal, with one bit of memory per state.
//!
//! A proof depends on this code, so it shares little with the builder. It finds the neighbours of a row square by
//! square, and [`Steps`] computes how a move changes permutations. It shares with the builder the numbering of rows and
//! permutations, the colours of rows, and the storage of moves ([`Sources`]).
//!
//! Every move changes the parity of the cost, so rows are in two halves by colour. Each level reads the rows of one
//! colour and writes those of the other. One task alone writes each row, so the result does not depend on the number of
//! threads.

use bitvec::field::BitField;
use rayon::prelude::*;
use tilebase_format::Header;
use tilebase_index::{BuilderIndex, Map, Perm, Row, RowMove, bits};
use tilebase_memory::{BitRows, Bits, Zeroed, ones, or};
use tilebase_progress::{Event, Level, Watch};
use tilebase_puzzle::{Direction, Size};

use crate::audit::{AuditError, Condition};
use crate::sources::{Source, Sources};
use crate::steps::{Steps, count_ones, words};
use crate::store::take_front;

/// The approximate size of a task, in bytes of rows.
const BYTES_OF_TASK: usize = 1 << 16;

/// A row with at most one seen state in this many sends its states one by one.
const FEW_SEEN: u32 = 128;

/// A row with at most one unseen state in this many looks for these states one by one.
pub(crate) const FEW_UNSEEN: u32 = 64;

/// Checks the new states of every level.
pub(crate) trait Observer: Sync {
    /// The buffers of one thread.
    type Buffers;

    /// Whether the observer checks anything.
    const LOOKS: bool;

    fn buffers(&self) -> Self::Buffers;

    /// Checks the states of a map that a level found. Returns a wrong entry, if there is one.
    fn look(&self, buffers: &mut Self::Buffers, found: &FoundOnMap<'_>) -> Option<Wrong>;
}

/// The observer that checks nothing.
impl Observer for () {
    type Buffers = ();
    const LOOKS: bool = false;

    fn buffers(&self) {}

    fn look(&self, _buffers: &mut (), _found: &FoundOnMap<'_>) -> Option<Wrong> {
        None
    }
}

/// The states of a map that a level found. Both sets hold one row of permutations for each region of the map in turn.
pub(crate) struct FoundOnMap<'a> {
    pub(crate) level: u32,
    pub(crate) map: Map,
    /// The states seen before this level.
    pub(crate) seen: &'a [u8],
    /// The states that this level found; none of them is in `seen`.
    pub(crate) new: &'a [u8],
}

/// A wrong entry, and the condition that it violates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Wrong {
    pub(crate) map: Map,
    pub(crate) perm: Perm,
    pub(crate) condition: Condition,
}

/// The number of states with each cost, and the number of unreachable states.
pub(crate) struct Replayed {
    pub(crate) counts: Vec<u64>,
    pub(crate) unreached: u64,
}

/// Replays the levels of a table with one bit per entry, and compares every entry with the cost of its state. The error
/// names the first wrong entry of the first level that has one.
pub(crate) fn replay<O: Observer>(
    index: &BuilderIndex,
    header: &Header,
    payload: &[u8],
    observer: &O,
    watch: Watch<'_>,
) -> Result<Replayed, AuditError> {
    let mut done = Level { number: 0, found: 0, total: reachable(index, header), touched: 0, sent: 0 };
    watch(&Event::Level(&done)).continue_value().ok_or(AuditError::Stopped)?;
    let colour = |row: u32| index.colour(Row(row)) as u8;
    let colours: Vec<u8> = (0..index.rows() as u32).into_par_iter().map(colour).collect();
    let (even, odd): (Vec<Row>, Vec<Row>) =
        (0..index.rows() as u32).map(Row).partition(|row| colours[row.0 as usize] == 0);
    let mut slot_of_row = vec![0; index.rows()];
    for rows in [&even, &odd] {
        rows.iter().zip(0..).for_each(|(row, slot)| slot_of_row[row.0 as usize] = slot);
    }
    let colours = &colours;
    let moves = |row: Row| {
        moves(index, row).inspect(move |step| {
            let [here, there] = [row, step.row].map(|row| colours[row.0 as usize]);
            assert_ne!(here, there, "every move that counts changes the colour");
        })
    };
    let sources = |rows| Sources::new(rows, &slot_of_row, |row| moves(row).count(), moves).map_err(AuditError::Memory);
    let sources = [sources(&even)?, sources(&odd)?];
    drop(slot_of_row);
    let mut halves = [Half::new(index, even)?, Half::new(index, odd)?];

    let goal = index.row(index.map(header.pattern().mask()), header.pattern().home());
    let steps = Steps::new(index.tiles(), index.size().width());
    let mut counts = Vec::new();
    for level in 0.. {
        let colour = (index.colour(goal) ^ level) as usize & 1;
        let [even, odd] = &mut halves;
        let (into, from) = if colour == 0 { (even, &*odd) } else { (odd, &*even) };
        let sources = &sources[colour];
        let table = Table { index, payload };
        let step = OneLevel { table, goal, steps: &steps, sources, from, level, observer, watch };
        let parts = into.parts().into_par_iter().with_max_len(1);
        let of_parts = parts.map_init(|| step.buffers(), |buffers, part| step.run(buffers, part));
        let tally = of_parts.try_reduce(Tally::default, |a, b| Some(a.and(b))).ok_or(AuditError::Stopped)?;
        if let Some(wrong) = tally.wrong {
            return Err(wrong.error(index));
        }
        if tally.states == 0 {
            break;
        }
        counts.push(tally.states);
        done = Level { number: level, found: done.found + tally.states, ..done };
        watch(&Event::Level(&done)).continue_value().ok_or(AuditError::Stopped)?;
    }
    let table = Table { index, payload };
    let wrong = halves.iter().filter_map(|half| half.unreached_entry(&table)).min();
    match wrong {
        Some(wrong) => Err(wrong.error(index)),
        None => Ok(Replayed { unreached: index.states() - done.found, counts }),
    }
}

/// The number of states reachable from the goal: all, or half of them if the pattern omits at most one tile.
fn reachable(index: &BuilderIndex, header: &Header) -> u64 {
    let states = index.states();
    if header.pattern().reaches_half() { states / 2 } else { states }
}

/// The moves out of a row that count, found square by square.
fn moves(index: &BuilderIndex, row: Row) -> impl Iterator<Item = RowMove> {
    let (squares, region, size) = (index.squares(index.map_of(row)), index.region(row), index.size());
    let neighbours = move |to| Direction::ALL.into_iter().filter_map(move |direction| size.neighbour(to, direction));
    let pairs = bits(region).flat_map(move |to| neighbours(to).map(move |from| (from, to)));
    let before = |square: tilebase_puzzle::Square, mask: u32| bits(mask).filter(|other| *other < square).count() as u8;
    pairs.filter_map(move |(from, to)| {
        if squares & from.bit() == 0 {
            // A tile outside the pattern moves to the blank's square. The pattern's tiles stay where they are.
            let blank_moves = || RowMove { from, to, row: index.row(index.map(squares), from), leaves: 0, enters: 0 };
            return index.kind().counts_all_moves().then(blank_moves);
        }
        let after = squares & !from.bit() | to.bit();
        let row = index.row(index.map(after), from);
        Some(RowMove { from, to, row, leaves: before(from, squares), enters: before(to, after) })
    })
}

/// The table under test, in its stored form.
#[derive(Clone, Copy)]
struct Table<'a> {
    index: &'a BuilderIndex,
    payload: &'a [u8],
}

impl<'a> Table<'a> {
    /// The entries of a row. A row of at most three tiles (1, 2 or 6 bits) is not a whole byte; it is shifted into
    /// `room`.
    fn row<'b>(&self, row: Row, room: &'b mut u8) -> &'b [u8]
    where
        'a: 'b,
    {
        let (perms, start) = (self.index.perms(), self.index.state_number(row, Perm(0)));
        if perms.is_multiple_of(8) {
            return &self.payload[(start / 8) as usize..][..perms as usize / 8];
        }
        let (byte, bit) = ((start / 8) as usize, (start % 8) as usize);
        let end = (bit + perms as usize).div_ceil(8);
        *room = Bits::from_slice(&self.payload[byte..][..end])[bit..][..perms as usize].load_le();
        std::slice::from_ref(room)
    }
}

/// The number of bytes of a row.
pub(crate) fn bytes_of_row(perms: u32) -> usize {
    (perms as usize).div_ceil(8)
}

/// The rows of one colour. The index of a row among them is its *slot*.
struct Half {
    rows: Vec<Row>,
    /// The maps of the rows, each with the number of its rows in this half.
    maps: Vec<(Map, usize)>,
    /// The seen states of each row.
    seen: BitRows<Zeroed<u8>>,
    /// The number of states of each row that the last level found.
    found: Vec<u32>,
    /// The number of states of each row not seen yet.
    unseen: Vec<u32>,
}

impl Half {
    fn new(index: &BuilderIndex, rows: Vec<Row>) -> Result<Half, AuditError> {
        let maps = rows.chunk_by(|&a, &b| index.map_of(a) == index.map_of(b));
        let maps = maps.map(|rows| (index.map_of(rows[0]), rows.len())).collect();
        let bytes = bytes_of_row(index.perms());
        let seen = BitRows::new(Zeroed::new(rows.len() * bytes).map_err(AuditError::Memory)?, bytes);
        let (found, unseen) = (vec![0; rows.len()], vec![index.perms(); rows.len()]);
        Ok(Half { rows, maps, seen, found, unseen })
    }

    /// Cuts the half into parts of a few maps each.
    fn parts(&mut self) -> Vec<Part<'_>> {
        let bytes = self.seen.words();
        let mut rest = Part {
            maps: &self.maps,
            bytes,
            first_slot: 0,
            rows: &self.rows,
            seen: self.seen.memory_mut(),
            found: &mut self.found,
            unseen: &mut self.unseen,
        };
        let maps = BYTES_OF_TASK.div_ceil(bytes);
        let mut parts = Vec::with_capacity(rest.maps.len() / maps + 1);
        while !rest.maps.is_empty() {
            parts.push(rest.take_front(maps));
        }
        parts
    }

    /// The first unreachable entry that is not 0.
    fn unreached_entry(&self, table: &Table<'_>) -> Option<Wrong> {
        let slots = (0..self.rows.len()).into_par_iter().filter(|&slot| self.unseen[slot] > 0);
        let wrong = slots.filter_map(|slot| {
            let (row, mut room) = (self.rows[slot], 0);
            let entries = Bits::from_slice(table.row(row, &mut room));
            let mut unreached = self.seen.row(slot)[..table.index.perms() as usize].iter_zeros();
            let perm = Perm(unreached.find(|&perm| entries[perm])? as u32);
            Some(Wrong { map: table.index.map_of(row), perm, condition: Condition::UnreachedIsZero })
        });
        wrong.min()
    }
}

/// The rows of some maps, to which one thread has exclusive access.
struct Part<'a> {
    maps: &'a [(Map, usize)],
    bytes: usize,
    first_slot: usize,
    rows: &'a [Row],
    seen: &'a mut [u8],
    found: &'a mut [u32],
    unseen: &'a mut [u32],
}

impl<'a> Part<'a> {
    /// Splits off the rows of the first `maps` maps.
    fn take_front(&mut self, maps: usize) -> Part<'a> {
        let (front, rest) = self.maps.split_at(maps.min(self.maps.len()));
        let count: usize = front.iter().map(|(_, rows)| rows).sum();
        let (rows, others) = self.rows.split_at(count);
        let first_slot = self.first_slot;
        (self.maps, self.rows, self.first_slot) = (rest, others, first_slot + count);
        Part {
            maps: front,
            bytes: self.bytes,
            first_slot,
            rows,
            seen: take_front(&mut self.seen, count * self.bytes),
            found: take_front(&mut self.found, count),
            unseen: take_front(&mut self.unseen, count),
        }
    }
}

/// The number of states that a level found, and the first wrong entry.
#[derive(Clone, Copy, Default)]
struct Tally {
    states: u64,
    wrong: Option<Wrong>,
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        let wrong = self.wrong.into_iter().chain(other.wrong).min();
        Tally { states: self.states + other.states, wrong }
    }
}

impl Wrong {
    fn error(&self, index: &BuilderIndex) -> AuditError {
        let squares = index.tile_squares(self.map, self.perm);
        AuditError::Wrong(self.condition, squares.iter().map(|square| square.0).collect())
    }
}

/// The buffers of one thread.
struct Buffers<B> {
    /// The states that a row sends.
    sent: Vec<u8>,
    /// Temporary space for moving a row.
    room: Vec<u8>,
    /// The new states of each row of a map.
    new: Vec<u8>,
    /// The unseen states of a row, when they are few.
    missing: Vec<u32>,
    of_observer: B,
}

/// The inputs of one level, which are only read.
struct OneLevel<'a, O> {
    table: Table<'a>,
    goal: Row,
    steps: &'a Steps,
    sources: &'a Sources,
    /// The rows of the other colour.
    from: &'a Half,
    level: u32,
    observer: &'a O,
    watch: Watch<'a>,
}

impl<O: Observer> OneLevel<'_, O> {
    fn buffers(&self) -> Buffers<O::Buffers> {
        let sent = vec![0; self.from.seen.words()];
        Buffers { sent, room: Vec::new(), new: Vec::new(), missing: Vec::new(), of_observer: self.observer.buffers() }
    }

    /// Finds the new states of some maps. `None` if the watch cancels.
    fn run(&self, buffers: &mut Buffers<O::Buffers>, mut part: Part<'_>) -> Option<Tally> {
        let mut tally = Tally::default();
        while !part.maps.is_empty() {
            tally = tally.and(self.find(buffers, &mut part.take_front(1)));
        }
        (self.watch)(&Event::Advance(tally.states)).is_continue().then_some(tally)
    }

    /// Finds the new states of a map, compares their entries with their costs, and marks them as seen.
    fn find(&self, buffers: &mut Buffers<O::Buffers>, part: &mut Part<'_>) -> Tally {
        let (map, bytes) = (part.maps[0].0, part.bytes);
        let mut tally = Tally::default();
        buffers.new.resize(buffers.new.len().max(part.rows.len() * bytes), 0);
        for (number, &row) in part.rows.iter().enumerate() {
            part.found[number] = 0;
            let slot = part.first_slot + number;
            let is_start = self.level == 0 && row == self.goal;
            let is_idle = part.unseen[number] == 0 || self.senders(slot).next().is_none();
            let new = number * bytes..(number + 1) * bytes;
            if O::LOOKS || is_start || !is_idle {
                buffers.new[new.clone()].fill(0);
            }
            let seen = &part.seen[new.clone()];
            if is_start {
                buffers.new[new.start] = 1;
            } else if is_idle {
                continue;
            } else if part.unseen[number] <= self.table.index.perms() / FEW_UNSEEN {
                self.look_for_missing(slot, seen, buffers, new.start);
            } else {
                self.senders(slot).for_each(|source| self.collect_from(source, buffers, new.clone()));
            }
            let (new, mut room) = (&mut buffers.new[new], 0);
            let entries = self.table.row(row, &mut room);
            let expected = if second_bit(self.level) { u8::MAX } else { 0 };
            let mut differ = 0;
            for ((new, seen), entries) in new.iter_mut().zip(seen).zip(entries) {
                *new &= !seen;
                differ |= *new & (entries ^ expected);
            }
            if differ != 0 {
                let entries = Bits::from_slice(entries);
                let wrong = Bits::from_slice(new).iter_ones().find(|&perm| entries[perm] != second_bit(self.level));
                let (perm, condition) = (Perm(wrong.unwrap_or(0) as u32), Condition::BitIsOfCost(self.level));
                tally.wrong = tally.wrong.into_iter().chain([Wrong { map, perm, condition }]).min();
            }
            let found = count_ones(new);
            part.found[number] = found;
            part.unseen[number] -= found;
            tally.states += u64::from(found);
        }
        if tally.states == 0 {
            return tally;
        }
        if O::LOOKS {
            let new = &buffers.new[..part.seen.len()];
            let found = FoundOnMap { level: self.level, map, seen: part.seen, new };
            let wrong = self.observer.look(&mut buffers.of_observer, &found);
            tally.wrong = tally.wrong.into_iter().chain(wrong).min();
        }
        for (number, seen) in
            part.seen.chunks_exact_mut(bytes).enumerate().filter(|(number, _)| part.found[*number] > 0)
        {
            or(seen, &buffers.new[number * bytes..][..bytes]);
        }
        tally
    }

    /// The rows that may send a new state to a row: those with new states at the last level.
    fn senders(&self, slot: usize) -> impl Iterator<Item = Source> {
        self.sources.of(slot).filter(|source| self.from.found[source.slot as usize] > 0)
    }

    /// The table's bit of the states that send: those of the last level. States of the levels 4, 8, … before it have
    /// the same bit and send as well, which does no harm.
    fn sent_bit(&self) -> bool {
        self.level > 0 && second_bit(self.level - 1)
    }

    /// Combines the states that a row sends with `into`, byte by byte.
    #[inline(always)]
    fn put_sent(&self, slot: usize, into: &mut [u8], put: impl Fn(&mut u8, u8)) {
        let mut room = 0;
        let entries = self.table.row(self.from.rows[slot], &mut room);
        let all = into.iter_mut().zip(self.from.seen.raw(slot)).zip(entries);
        if self.sent_bit() {
            all.for_each(|((into, seen), entries)| put(into, seen & entries));
        } else {
            all.for_each(|((into, seen), entries)| put(into, seen & !entries));
        }
    }

    /// ORs the states that a source row sends into the new states of a row.
    fn collect_from(&self, source: Source, buffers: &mut Buffers<O::Buffers>, new: std::ops::Range<usize>) {
        let (slot, into) = (source.slot as usize, &mut buffers.new[new]);
        if source.from == source.to {
            self.put_sent(slot, into, |into, sent| *into |= sent);
            return;
        }
        self.put_sent(slot, &mut buffers.sent, |into, sent| *into = sent);
        let perms = self.table.index.perms();
        if perms - self.from.unseen[slot] <= perms / FEW_SEEN {
            let into = Bits::from_slice_mut(into);
            for perm in ones(words(&buffers.sent)) {
                into.set(self.steps.step(source.from, source.to, Perm(perm)).0 as usize, true);
            }
        } else {
            self.steps.carry(source.from, source.to, &buffers.sent, into, &mut buffers.room);
        }
    }

    /// Finds the new states of a row the other way round: for each unseen state, checks whether a source row sends it.
    fn look_for_missing(&self, slot: usize, seen: &[u8], buffers: &mut Buffers<O::Buffers>, new: usize) {
        let Buffers { missing, new: into, .. } = buffers;
        let into = Bits::from_slice_mut(&mut into[new..]);
        missing.clear();
        missing.extend(ones(words(seen).map(|seen| !seen)).take_while(|&perm| perm < self.table.index.perms()));
        let bit = self.sent_bit();
        for source in self.senders(slot) {
            let (slot, mut room) = (source.slot as usize, 0);
            let entries = Bits::from_slice(self.table.row(self.from.rows[slot], &mut room));
            let seen = self.from.seen.row(slot);
            missing.retain(|&perm| {
                let at = self.steps.step(source.to, source.from, Perm(perm)).0 as usize;
                let is_sent = seen[at] && entries[at] == bit;
                if is_sent {
                    into.set(perm as usize, true);
                }
                !is_sent
            });
        }
    }
}

/// The second bit of a cost.
fn second_bit(cost: u32) -> bool {
    cost >> 1 & 1 == 1
}

/// The memory in bytes for replaying `rows` rows: the seen states, and the buffers of the threads.
pub(crate) fn memory(rows: u64, perms: u64, tiles: usize, size: Size, threads: usize) -> u64 {
    let row = perms.div_ceil(8);
    let parts = rows * row / BYTES_OF_TASK as u64 * size_of::<Part<'_>>() as u64;
    // The fields of `Buffers` in order. Observers need two rows, or a byte for each permutation.
    let most_rows = size.count() as u64;
    let buffers = row + perms / 6 + most_rows * row + perms / u64::from(FEW_UNSEEN) * 4 + perms.max(2 * row);
    rows * row + parts + Steps::memory(tiles, size.width()) + threads as u64 * buffers
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tilebase_index::{Index, Kind, perms};
    use tilebase_puzzle::Square;

    /// The number of a state, computed directly from the squares of the tiles and the blank.
    fn number(index: &BuilderIndex, tiles: &[Square], blank: Square) -> u64 {
        let mut order: Vec<u8> = (0..tiles.len() as u8).collect();
        order.sort_by_key(|&tile| tiles[usize::from(tile)]);
        let squares = tiles.iter().fold(0, |mask, square| mask | square.bit());
        index.state_number(index.row_of(squares, blank), perms::rank(&order))
    }

    #[test]
    fn rows_lead_where_single_states_lead() {
        for (width, height, tiles) in
            [(2, 2, 1), (2, 2, 3), (3, 3, 2), (3, 3, 5), (2, 4, 4), (4, 2, 5), (5, 3, 3), (3, 2, 5)]
        {
            let size = Size::new(width, height).unwrap();
            for kind in [Kind::Bit, Kind::AllMoves] {
                let index = BuilderIndex::new(Index::new(size, tiles, kind).unwrap());
                let steps = Steps::new(tiles, width);
                for row in (0..index.rows() as u32).map(Row) {
                    let map = index.map_of(row);
                    for perm in (0..index.perms()).map(Perm) {
                        let after =
                            |step: RowMove| index.state_number(step.row, steps.step(step.leaves, step.enters, perm));
                        let found: BTreeSet<u64> = moves(&index, row).map(after).collect();
                        let standing = index.tile_squares(map, perm);
                        let mut expected = BTreeSet::new();
                        for blank in bits(index.region(row)) {
                            for direction in Direction::ALL {
                                let Some(from) = size.neighbour(blank, direction) else { continue };
                                let mut moved = standing.clone();
                                let tile = moved.iter_mut().find(|square| **square == from);
                                if tile.is_some() || kind == Kind::AllMoves {
                                    tile.into_iter().for_each(|square| *square = blank);
                                    expected.insert(number(&index, &moved, from));
                                }
                            }
                        }
                        assert_eq!(found, expected, "{size}, {tiles} tiles, {kind}: {row:?} {perm:?}");
                    }
                }
            }
        }
    }
}
