//! All states that a search knows, each once.
//!
//! A node is the state, two bytes for what the search knows of it, and what the heuristic knows: 14 bytes for 16 squares and
//! the Manhattan distance. It is found by a table of *slots*, four bytes each. A table of a hundred million slots must not
//! double: for a while it would take three times what it has to. So states are divided by their hash into 64 *shards*, each
//! with nodes and slots of its own. A shard's slots are rebuilt from its nodes when they are four fifths full, twice as many;
//! the old ones are freed before. Shards start with different numbers of slots, from 32 to 64, and so each grows when others
//! do not: at all times some have just grown and some are just about to, and all slots together take about 7.2 bytes a node.
//! (If all grew at a time, they would take 5 bytes before and 10 after. To grow by half instead takes a byte less, and a
//! seventh of the time more.)
//!
//! A shard's nodes are numbered with 26 bits. The other 6 bits of a slot are those of the hash that choose neither the shard
//! nor the place of the slot, so that one of 64 probes, not every one, reads a node in vain. (With 256 shards there are 256
//! places where nodes are added, too many for the fastest cache: expanding took a tenth longer.)

use tilebase_memory::prefetch;
use tilebase_puzzle::Direction;

use crate::request::Limit;
use crate::space::graph::Key;

const SHARDS: usize = 64;

/// Bits of a node's number within its shard.
const BITS: u32 = 26;

/// Nodes are allocated this many at a time, so that a shard that grows copies none.
const CHUNK: usize = 256;

/// How many bytes a search has taken, and how many it may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    taken: u64,
    pub(crate) peak: u64,
    most: u64,
}

impl Memory {
    /// Nothing taken so far.
    pub(crate) fn new(most: Option<u64>) -> Memory {
        Memory { taken: 0, peak: 0, most: most.unwrap_or(u64::MAX) }
    }

    /// Takes this many bytes in exchange for others; nothing when that would be too many.
    pub(crate) fn take(&mut self, bytes: usize, instead_of: usize) -> Result<(), Limit> {
        let taken = self.taken - instead_of as u64 + bytes as u64;
        if taken > self.most {
            return Err(Limit::Memory);
        }
        self.taken = taken;
        self.peak = self.peak.max(taken);
        Ok(())
    }
}

/// What a search knows of a state: how many moves lead to it, the last of them, and whether it has been expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark(u16);

impl Mark {
    /// Paths of more moves are not followed.
    pub(crate) const MOST_MOVES: u32 = 0xfff;

    const CLOSED: u16 = 1 << 14;
    const EXPANDED: u16 = 1 << 15;

    /// Reached by this many moves, the blank's last in a direction.
    #[inline(always)]
    pub(crate) fn new(moves: u32, last: Direction) -> Mark {
        debug_assert!(moves <= Mark::MOST_MOVES);
        Mark(moves as u16 | (last as u16) << 12)
    }

    #[inline(always)]
    pub(crate) fn moves(self) -> u32 {
        u32::from(self.0) & Mark::MOST_MOVES
    }

    /// The blank's last move; none at the start.
    #[inline(always)]
    pub(crate) fn last(self) -> Option<Direction> {
        (self.moves() > 0).then_some(Direction::ALL[usize::from(self.0 >> 12 & 3)])
    }

    /// Whether it has been expanded since it was reached by this path.
    #[inline(always)]
    pub(crate) fn is_closed(self) -> bool {
        self.0 & Mark::CLOSED != 0
    }

    #[inline(always)]
    pub(crate) fn was_expanded(self) -> bool {
        self.0 & Mark::EXPANDED != 0
    }

    /// Expanded now.
    #[inline(always)]
    #[must_use]
    pub(crate) fn close(self) -> Mark {
        Mark(self.0 | Mark::CLOSED | Mark::EXPANDED)
    }

    /// Reached by fewer moves than before.
    #[inline(always)]
    #[must_use]
    pub(crate) fn improve(self, moves: u32, last: Direction) -> Mark {
        Mark(Mark::new(moves, last).0 | self.0 & Mark::EXPANDED)
    }
}

/// A state and what is known of it.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(2))]
pub(crate) struct Node<W: Copy, D: Copy> {
    pub(crate) state: W,
    pub(crate) mark: Mark,
    pub(crate) data: D,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Id(u32);

impl Id {
    #[inline(always)]
    fn new(shard: usize, number: u32) -> Id {
        Id((shard as u32) << BITS | number)
    }

    #[inline(always)]
    fn shard(self) -> usize {
        (self.0 >> BITS) as usize
    }

    #[inline(always)]
    fn number(self) -> u32 {
        self.0 & ((1 << BITS) - 1)
    }
}

struct Shard<W: Copy, D: Copy> {
    /// The last one is filled with copies where there are no nodes yet.
    chunks: Vec<Box<[Node<W, D>; CHUNK]>>,
    /// The number of a node and one, below six bits of its hash; 0 where there is none.
    slots: Vec<u32>,
    first_slots: usize,
    len: u32,
}

pub(crate) struct Store<W: Copy, D: Copy> {
    shards: Vec<Shard<W, D>>,
    /// How many states are known.
    pub(crate) len: u64,
}

#[inline(always)]
fn shard_of(hash: u64) -> usize {
    (hash >> 56) as usize % SHARDS
}

/// The bits of a hash that go into its slot.
#[inline(always)]
fn tag_of(hash: u64) -> u32 {
    (hash >> 44) as u32 & ((1 << (32 - BITS)) - 1)
}

impl<W: Key, D: Copy> Shard<W, D> {
    /// Where to begin to look for a hash.
    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        (((hash & 0xffff_ffff) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline(always)]
    fn node(&self, number: u32) -> &Node<W, D> {
        &self.chunks[number as usize / CHUNK][number as usize % CHUNK]
    }

    /// Calls for every node whose slot has the tag of a hash, until it is answered.
    #[inline(always)]
    fn probe<T>(&self, hash: u64, mut is_it: impl FnMut(u32) -> Option<T>) -> Option<T> {
        let tag = tag_of(hash);
        let mut at = self.home(hash);
        loop {
            let slot = *self.slots.get(at)?;
            if slot == 0 {
                return None;
            }
            if slot >> BITS == tag
                && let Some(answer) = is_it((slot & ((1 << BITS) - 1)) - 1)
            {
                return Some(answer);
            }
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
    }

    /// Puts a node that has no slot into the first that is empty.
    #[inline(always)]
    fn enter(&mut self, hash: u64, number: u32) {
        let mut at = self.home(hash);
        while self.slots[at] != 0 {
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
        self.slots[at] = tag_of(hash) << BITS | (number + 1);
    }

    #[cold]
    fn grow(&mut self, memory: &mut Memory) -> Result<(), Limit> {
        let before = self.slots.len();
        let slots = if before == 0 { self.first_slots } else { 2 * before };
        memory.take(4 * slots, 4 * before)?;
        self.slots = Vec::new();
        self.slots = vec![0; slots];
        for number in 0..self.len {
            let state = self.node(number).state;
            self.enter(state.hash(), number);
        }
        Ok(())
    }

    #[cold]
    fn add_chunk(&mut self, node: Node<W, D>, memory: &mut Memory) -> Result<(), Limit> {
        // A word of the allocator, and the place in the list of chunks, which may be half empty.
        memory.take(CHUNK * size_of::<Node<W, D>>() + 8 + 2 * size_of::<usize>(), 0)?;
        let chunk = vec![node; CHUNK].into_boxed_slice().try_into();
        self.chunks.push(chunk.ok().expect("a chunk has that many nodes"));
        Ok(())
    }

    #[inline(always)]
    fn insert(&mut self, hash: u64, node: Node<W, D>, memory: &mut Memory) -> Result<u32, Limit> {
        let number = self.len;
        if number + 1 == 1 << BITS {
            return Err(Limit::Memory);
        }
        if 5 * (number as usize + 1) > 4 * self.slots.len() {
            self.grow(memory)?;
        }
        if number as usize / CHUNK == self.chunks.len() {
            self.add_chunk(node, memory)?;
        }
        self.chunks[number as usize / CHUNK][number as usize % CHUNK] = node;
        self.enter(hash, number);
        self.len += 1;
        Ok(number)
    }
}

impl<W: Key, D: Copy> Store<W, D> {
    /// Nothing known.
    pub(crate) fn new(memory: &mut Memory) -> Result<Store<W, D>, Limit> {
        memory.take(SHARDS * size_of::<Shard<W, D>>(), 0)?;
        let shards = (0..SHARDS).map(|shard| {
            let first_slots = 32.0 * 2_f64.powf(shard as f64 / SHARDS as f64);
            Shard { chunks: Vec::new(), slots: Vec::new(), first_slots: first_slots as usize, len: 0 }
        });
        Ok(Store { shards: shards.collect(), len: 0 })
    }

    /// Fetches the slots of a hash, without waiting for them.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        let shard = &self.shards[shard_of(hash)];
        prefetch(&shard.slots, shard.home(hash));
    }

    /// Fetches the node that a hash seems to have, without waiting for it.
    #[inline(always)]
    pub(crate) fn prefetch_found(&self, hash: u64) {
        let shard = &self.shards[shard_of(hash)];
        shard.probe(hash, |number| {
            prefetch(&shard.chunks[number as usize / CHUNK][..], number as usize % CHUNK);
            Some(())
        });
    }

    /// Fetches a node, without waiting for it.
    #[inline(always)]
    pub(crate) fn prefetch_node(&self, id: Id) {
        let number = id.number() as usize;
        prefetch(&self.shards[id.shard()].chunks[number / CHUNK][..], number % CHUNK);
    }

    /// The number of a state whose hash is given, if it is known.
    #[inline(always)]
    pub(crate) fn find(&self, state: W, hash: u64) -> Option<Id> {
        let shard = &self.shards[shard_of(hash)];
        let found = shard.probe(hash, |number| ({ shard.node(number).state } == state).then_some(number));
        found.map(|number| Id::new(shard_of(hash), number))
    }

    #[inline(always)]
    pub(crate) fn node(&self, id: Id) -> Node<W, D> {
        *self.shards[id.shard()].node(id.number())
    }

    /// What is known of a state, if it is.
    pub(crate) fn mark(&self, state: W) -> Option<Mark> {
        self.find(state, state.hash()).map(|id| self.node(id).mark)
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, id: Id, mark: Mark, data: D) {
        let number = id.number() as usize;
        let node = &mut self.shards[id.shard()].chunks[number / CHUNK][number % CHUNK];
        (node.mark, node.data) = (mark, data);
    }

    /// Adds a state that is not known.
    #[inline(always)]
    pub(crate) fn insert(&mut self, hash: u64, node: Node<W, D>, memory: &mut Memory) -> Result<Id, Limit> {
        let shard = shard_of(hash);
        let number = self.shards[shard].insert(hash, node, memory)?;
        self.len += 1;
        Ok(Id::new(shard, number))
    }
}
