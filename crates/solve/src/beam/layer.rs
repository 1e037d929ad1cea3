//! The states of a depth, and how those of the next are found.
//!
//! States are divided by their hash into *shards*, so that several threads can work without a lock: each expands the states of its
//! shards, and puts every child into a box for the shard that it belongs to; then each goes through the boxes for its shards, leaves
//! out what was met before, and at last keeps what is best of all. How many shards there are depends on the width alone, and each is
//! gone through in the same order whoever does it: the same states are kept with any number of threads.

use std::sync::{Mutex, PoisonError};

use tilebase_memory::prefetch;
use tilebase_progress::threads::on_threads;

use super::Search;
use crate::request::Limit;
use crate::sample::Samples;
use crate::space::graph::{Graph, Key, Move};

/// Ranks above this one count as this one: farther than any board that fits.
pub(super) const MOST_RANK: u16 = 0xfff;

/// A shard for each so many states of the width, up to as many as an [`Id`] can tell apart.
const STATES_OF_SHARD: usize = 1 << 12;
const MOST_SHARDS: usize = 32;

/// How many states are expanded together: their children are asked for in one go, and memory answers many questions in the time of one.
const PARENTS: usize = 64;

/// How many batches of them there are between two looks at the clock: well under a millisecond.
const BATCHES_BETWEEN_LOOKS: usize = 8;

/// A child's place in its shard's table is fetched while this many others are looked at.
const FETCHED_AHEAD: usize = 16;

/// Where a node came from: the number of its parent in the depth before, and the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Origin(u32);

impl Origin {
    /// That of the start of a search.
    const NONE: Origin = Origin(u32::MAX);

    /// The widest beam whose nodes can be numbered.
    const fn most_parents<M: Move>() -> usize {
        (1 << (u32::BITS - M::BITS)) - 1
    }

    #[inline(always)]
    fn new<M: Move>(parent: usize, made: M) -> Origin {
        debug_assert!(parent < Origin::most_parents::<M>());
        Origin((parent as u32) << M::BITS | made.to_bits())
    }

    #[inline(always)]
    pub(super) fn parent<M: Move>(self) -> usize {
        (self.0 >> M::BITS) as usize
    }

    /// The move; none at the start.
    #[inline(always)]
    pub(super) fn made<M: Move>(self) -> Option<M> {
        (self != Origin::NONE).then(|| M::from_bits(self.0 & ((1 << M::BITS) - 1)))
    }
}

/// A node, what the heuristic knows of it, how it was reached, and its rank.
#[derive(Clone, Copy)]
struct Node<W, D> {
    state: W,
    data: D,
    origin: Origin,
    rank: u16,
}

type NodeOf<G> = Node<<G as Graph>::Key, <G as Graph>::Data>;

/// A child among all children of a depth: the number of its box, and its place there; or a state of the depth before its parents'.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Id(u32);

impl Id {
    const EMPTY: Id = Id(u32::MAX);
    const BITS: u32 = 26;
    const BEFORE: u32 = 1 << 31;

    fn child(from: usize, at: usize) -> Id {
        Id((from as u32) << Id::BITS | at as u32)
    }

    fn before(at: usize) -> Id {
        Id(Id::BEFORE | at as u32)
    }

    fn is_before(self) -> bool {
        self.0 & Id::BEFORE != 0
    }

    /// The number of the box that a child is in.
    fn source(self) -> usize {
        (self.0 >> Id::BITS) as usize
    }

    fn place(self) -> usize {
        (self.0 & ((1 << Id::BITS) - 1)) as usize
    }
}

/// Does some work for each of several items, on several threads, this one among them. Returns the results in the order of the items.
fn each<T: Send, R: Send>(threads: usize, items: &mut [T], work: impl Fn(usize, &mut T) -> R + Sync) -> Vec<R> {
    if threads <= 1 || items.len() <= 1 {
        return items.iter_mut().enumerate().map(|(number, item)| work(number, item)).collect();
    }
    let threads = threads.min(items.len());
    let done: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::default()).collect();
    let left = Mutex::new(items.iter_mut().enumerate());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    on_threads(threads, &|| {
        while let Some((number, item)) = next() {
            let result = work(number, item);
            *done[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        }
    });
    let result = |done: Mutex<Option<R>>| done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.into_iter().map(|done| result(done).expect("the threads have taken all items")).collect()
}

/// The nodes of a depth that were kept.
pub(super) struct Layer<G: Graph> {
    shards: Vec<Shard<G::Key, G::Data>>,
}

struct Shard<W, D> {
    nodes: Vec<Node<W, D>>,
    /// Nodes that children are met at again: where lengths keep their parity, those of the depth before, otherwise those of this one.
    before: Vec<W>,
}

impl<G: Graph> Layer<G> {
    /// The start of a search.
    pub(super) fn new(width: usize, roots: Vec<(G::Key, G::Data)>) -> Layer<G> {
        let shards = shards_of(width);
        let mut shards: Vec<_> = (0..shards).map(|_| Shard { nodes: Vec::new(), before: Vec::new() }).collect();
        for (state, data) in roots {
            shards[0].nodes.push(Node { state, data, origin: Origin::NONE, rank: 0 });
        }
        Layer { shards }
    }

    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.nodes.len()).sum()
    }

    /// At most this many children are generated.
    pub(super) fn most_children(&self, graph: &G) -> u64 {
        (self.len() * graph.most_new_children() + 1) as u64
    }

    /// Where each node came from, in the order in which children number their parents.
    pub(super) fn origins(&self) -> Vec<Origin> {
        let mut origins = Vec::with_capacity(self.len());
        origins.extend(self.shards.iter().flat_map(|shard| shard.nodes.iter().map(|node| node.origin)));
        origins
    }

    pub(super) fn bytes(&self) -> u64 {
        let of = |shard: &Shard<G::Key, G::Data>| {
            shard.nodes.capacity() * size_of::<NodeOf<G>>() + shard.before.capacity() * size_of::<G::Key>()
        };
        self.shards.iter().map(of).sum::<usize>() as u64
    }

    /// Has the heuristic's time taken for a node.
    pub(super) fn sample(&self, graph: &G, samples: &mut Samples) {
        let Some(node) = self.shards.iter().find_map(|shard| shard.nodes.first()) else { return };
        let children = graph.children(node.state, node.origin.made::<G::Move>().map(Move::direction));
        let ways: Vec<G::Way> = children.map(|(_, _, way)| way).collect();
        graph.sample(samples, &node.data, &ways);
    }
}

fn shards_of(width: usize) -> usize {
    (width / STATES_OF_SHARD).clamp(1, MOST_SHARDS)
}

/// The shard of a state, by the bits of its hash that say least about its place in the shard's table.
#[inline(always)]
fn shard_of(hash: u64, shards: usize) -> usize {
    (((hash >> 32) * shards as u64) >> 32) as usize
}

/// The most bytes that a beam of a width takes on its way to a solution of this many moves.
pub(super) fn bytes_for<G: Graph>(graph: &G, width: usize, moves: u32) -> u64 {
    let node = size_of::<NodeOf<G>>() as u64;
    let children = graph.most_new_children() as u64;
    // A table has up to two and a half places for each entry; boxes are a quarter larger than they have to be.
    let tables = (children + 1) * 10 + children * size_of::<Id>() as u64;
    let for_each = node + size_of::<G::Key>() as u64 + children * node * 5 / 4 + tables;
    (width as u64).saturating_mul(for_each + u64::from(moves) * size_of::<Origin>() as u64).saturating_add(1 << 16)
}

/// What came of expanding all states of a depth.
pub(super) struct Expanded {
    pub(super) generated: u64,
    /// How the goal was reached, if it was.
    pub(super) goal: Option<Origin>,
}

/// The children of all nodes of a depth. The memory is used again for the next depth.
pub(super) struct Children<G: Graph> {
    width: usize,
    /// From each shard to each other one.
    boxes: Vec<Vec<Vec<NodeOf<G>>>>,
    sorted: Vec<Sorted>,
}

/// The children that belong into a shard, each state once.
#[derive(Default)]
struct Sorted {
    /// By the hash of their states, and those of the depth before.
    table: Vec<Id>,
    fresh: Vec<Id>,
    /// How many have each rank, up to the largest that there is.
    counts: Vec<u32>,
}

impl<G: Graph> Children<G> {
    /// Room for the children of beams of a width.
    pub(super) fn new(width: usize) -> Children<G> {
        let shards = shards_of(width);
        let boxes = || (0..shards).map(|_| Vec::new()).collect();
        Children {
            width: width.min(Origin::most_parents::<G::Move>()),
            boxes: (0..shards).map(|_| boxes()).collect(),
            sorted: (0..shards).map(|_| Sorted::default()).collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.sorted.iter().map(|sorted| sorted.fresh.len()).sum()
    }

    pub(super) fn bytes(&self) -> u64 {
        let nodes: usize = self.boxes.iter().flatten().map(Vec::capacity).sum();
        let ids: usize = self.sorted.iter().map(|sorted| sorted.table.capacity() + sorted.fresh.capacity()).sum();
        (nodes * size_of::<NodeOf<G>>() + ids * size_of::<Id>()) as u64
    }

    /// Expands all states of a layer, whose children have made `depth` moves.
    pub(super) fn expand(
        &mut self,
        layer: &Layer<G>,
        search: &Search<'_, G>,
        depth: u32,
        threads: usize,
        generated: u64,
    ) -> Result<Expanded, Limit> {
        let first_of = |from: usize| layer.shards[..from].iter().map(|shard| shard.nodes.len()).sum();
        let expanded = each(threads, &mut self.boxes, |from, boxes| {
            expand_shard(&layer.shards[from].nodes, first_of(from), boxes, search, depth, generated)
        });
        let mut all = Expanded { generated: 0, goal: None };
        for expanded in expanded {
            let Expanded { generated, goal } = expanded?;
            all.generated += generated;
            all.goal = all.goal.or(goal);
        }
        if all.goal.is_none() {
            let boxes = &self.boxes;
            let sorted = each(threads, &mut self.sorted, |to, sorted| {
                search.clock.check(generated)?;
                sorted.sort(boxes.iter().map(|boxes| &boxes[to][..]), &layer.shards[to].before);
                Ok(())
            });
            sorted.into_iter().collect::<Result<(), Limit>>()?;
        }
        Ok(all)
    }

    /// Puts the best children into the layer, in the place of their parents. Returns whether others were dropped.
    pub(super) fn select(&self, layer: &mut Layer<G>, threads: usize) -> bool {
        let count =
            |sorted: &Sorted, rank: u16| sorted.counts.get(usize::from(rank)).map_or(0, |&count| count as usize);
        let with_rank = |rank: u16| self.sorted.iter().map(move |sorted| count(sorted, rank));
        let mut left = self.width;
        let ranks = self.sorted.iter().map(|sorted| sorted.counts.len()).max().unwrap_or(0) as u16;
        // The rank of which only some are kept.
        let cut = (0..ranks).find(|&rank| {
            let count: usize = with_rank(rank).sum();
            let fits = count <= left;
            left -= if fits { count } else { 0 };
            !fits
        });
        let rank_cut = cut.unwrap_or(ranks);
        let ties: Vec<usize> = cut.map_or(vec![0; self.sorted.len()], |cut| {
            with_rank(cut)
                .map(|count| {
                    let kept = count.min(left);
                    left -= kept;
                    kept
                })
                .collect()
        });
        each(threads, &mut layer.shards, |to, Shard { nodes, before }| {
            before.clear();
            if G::KEEPS_PARITY {
                before.extend(nodes.iter().map(|node| node.state));
            }
            nodes.clear();
            let Sorted { fresh, counts, .. } = &self.sorted[to];
            let better: u32 = counts.iter().take(rank_cut.into()).sum();
            nodes.reserve_exact(better as usize + ties[to]);
            let mut ties = ties[to];
            nodes.extend(fresh.iter().map(|&id| self.boxes[id.source()][to][id.place()]).filter(|node| {
                let is_tie = node.rank == rank_cut && ties > 0;
                ties -= usize::from(is_tie);
                node.rank < rank_cut || is_tie
            }));
            if !G::KEEPS_PARITY {
                before.extend(nodes.iter().map(|node| node.state));
            }
        });
        cut.is_some()
    }
}

/// A child that is being evaluated: its state, how it differs from its parent, the number of that one, and the move.
type Child<G> = (<G as Graph>::Key, <G as Graph>::Way, usize, <G as Graph>::Move);

/// Expands the nodes of a shard, the first of which has a number in its layer, and puts their children into a box for each shard.
fn expand_shard<G: Graph>(
    nodes: &[NodeOf<G>],
    first: usize,
    boxes: &mut [Vec<NodeOf<G>>],
    search: &Search<'_, G>,
    depth: u32,
    generated: u64,
) -> Result<Expanded, Limit> {
    let graph = search.graph;
    let (shards, stages, most_children) = (boxes.len(), graph.stages(), graph.most_new_children());
    for children in &mut *boxes {
        children.clear();
        // Nodes are spread evenly, and few have as many children as a node can have.
        children.reserve_exact((nodes.len() * most_children * 5 / 4).div_ceil(shards) + 1);
    }
    let mut expanded = Expanded { generated: 0, goal: None };
    let mut children: Vec<Child<G>> = Vec::with_capacity(PARENTS * most_children);
    let mut steps: Vec<G::Step> = Vec::with_capacity(PARENTS * most_children * stages);
    for (batch, parents) in nodes.chunks(PARENTS).enumerate() {
        if batch % BATCHES_BETWEEN_LOOKS == 0 {
            search.clock.check(generated + expanded.generated)?;
        }
        children.clear();
        steps.clear();
        for (parent, node) in parents.iter().enumerate() {
            let last = node.origin.made::<G::Move>().map(Move::direction);
            for (made, state, way) in graph.children(node.state, last) {
                children.push((state, way, parent, made));
                steps.extend((0..stages).map(|stage| graph.begin(stage, &node.data, &way)));
            }
        }
        for (number, step) in steps.iter().enumerate() {
            graph.prefetch(number % stages, step);
        }
        expanded.generated += children.len() as u64;
        for (&(state, ref way, parent, made), steps) in children.iter().zip(steps.chunks_exact_mut(stages)) {
            let values = steps.iter_mut().enumerate().map(|(stage, step)| graph.finish(stage, step));
            let (bound, rank) = graph.rank(values, way);
            if depth + bound > search.most_moves {
                continue;
            }
            let origin = Origin::new(first + batch * PARENTS + parent, made);
            if graph.is_target(state) {
                expanded.goal = Some(origin);
                return Ok(expanded);
            }
            let mut data = parents[parent].data;
            for (stage, step) in steps.iter().enumerate() {
                graph.apply(stage, &mut data, step);
            }
            let rank = rank.min(MOST_RANK.into()) as u16;
            boxes[shard_of(state.hash(), shards)].push(Node { state, data, origin, rank });
        }
    }
    Ok(expanded)
}

impl Sorted {
    /// Goes through the boxes for a shard and notes each state that is new there, given those of the depth before.
    fn sort<'a, W: Key + 'a, D: 'a>(&mut self, boxes: impl Iterator<Item = &'a [Node<W, D>]> + Clone, before: &[W]) {
        let children: usize = boxes.clone().map(<[_]>::len).sum();
        let places = ((children + before.len()) * 5 / 4).next_power_of_two().max(FETCHED_AHEAD);
        let place_of = |state: W| state.hash() as usize & (places - 1);
        self.table.clear();
        self.table.resize(places, Id::EMPTY);
        self.fresh.clear();
        self.fresh.reserve_exact(children);
        self.counts.clear();
        for (at, &state) in before.iter().enumerate() {
            // Each is there once.
            let mut place = place_of(state);
            while self.table[place] != Id::EMPTY {
                place = (place + 1) & (places - 1);
            }
            self.table[place] = Id::before(at);
        }
        let all: Vec<&[Node<W, D>]> = boxes.collect();
        let state_of = |id: Id| if id.is_before() { before[id.place()] } else { all[id.source()][id.place()].state };
        for (source, nodes) in all.iter().enumerate() {
            for (at, node) in nodes.iter().enumerate() {
                if let Some(later) = nodes.get(at + FETCHED_AHEAD) {
                    prefetch(&self.table, place_of(later.state));
                }
                let mut place = place_of(node.state);
                while self.table[place] != Id::EMPTY && state_of(self.table[place]) != node.state {
                    place = (place + 1) & (places - 1);
                }
                if self.table[place] == Id::EMPTY {
                    let id = Id::child(source, at);
                    self.table[place] = id;
                    self.fresh.push(id);
                    let rank = usize::from(node.rank);
                    if rank >= self.counts.len() {
                        self.counts.resize(rank + 1, 0);
                    }
                    self.counts[rank] += 1;
                }
            }
        }
    }
}
