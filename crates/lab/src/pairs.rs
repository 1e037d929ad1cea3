//! Bauer's pair distance, counting how many nodes have pairs.

use std::sync::atomic::{AtomicU64, Ordering};

use tilebase_heuristics::{Heuristic, Listed, Manhattan, PairDistance};
use tilebase_puzzle::{Size, Slide, Square, State};

/// What is counted: nodes with 0, 1, 2 and more pairs, and nodes with more pairs than the node before.
pub(crate) const COUNTS: usize = 5;

/// The pair distance of one search, with the same bounds and nodes as [`PairDistance`].
///
/// It follows the Manhattan distance beside it: what the bound exceeds it by is two for each pair. Counting takes time, so its
/// searches are not timed. The few nodes at which a search takes a sample of the heuristic's speed are counted twice.
pub(crate) struct CountedPairs {
    pairs: PairDistance,
    manhattan: Manhattan,
    counts: [AtomicU64; COUNTS],
}

/// What is known of a state: by the pair distance, the Manhattan distance, and how many pairs that makes.
#[derive(Clone, Copy)]
pub(crate) struct Known<P> {
    of_pairs: P,
    distance: u32,
    pairs: u32,
}

impl CountedPairs {
    /// Ready for one search on one thread. `None` when the boards are too wide for it.
    pub(crate) fn new(size: Size, home: Square) -> Option<CountedPairs> {
        let counts = std::array::from_fn(|_| AtomicU64::new(0));
        Some(CountedPairs { pairs: PairDistance::new_for(size, home)?, manhattan: Manhattan::new(size), counts })
    }

    /// What was counted.
    pub(crate) fn counts(&self) -> Vec<u64> {
        self.counts.iter().map(|count| count.load(Ordering::Relaxed)).collect()
    }

    /// One thread searches, so that nothing is lost between reading and writing, and nothing has to be locked.
    fn add(&self, which: usize) {
        let count = &self.counts[which];
        count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}

impl Heuristic for CountedPairs {
    type Node = Known<<PairDistance as Heuristic>::Node>;
    type Step = Known<<PairDistance as Heuristic>::Step>;

    fn root(&self, state: &State) -> Option<Self::Node> {
        let (of_pairs, distance) = (self.pairs.root(state)?, self.manhattan.root(state)?);
        let pairs = (self.pairs.cost(&of_pairs) - distance) / 2;
        self.add(pairs.min(3) as usize);
        Some(Known { of_pairs, distance, pairs })
    }

    fn cost(&self, node: &Self::Node) -> u32 {
        self.pairs.cost(&node.of_pairs)
    }

    fn begin(&self, stage: usize, node: &Self::Node, slide: Slide) -> Self::Step {
        let of_pairs = self.pairs.begin(stage, &node.of_pairs, slide);
        Known { of_pairs, distance: self.manhattan.begin(stage, &node.distance, slide), pairs: node.pairs }
    }

    fn finish(&self, stage: usize, step: &mut Self::Step) -> u32 {
        let cost = self.pairs.finish(stage, &mut step.of_pairs);
        let pairs = (cost - step.distance) / 2;
        self.add(pairs.min(3) as usize);
        if pairs > step.pairs {
            self.add(COUNTS - 1);
        }
        step.pairs = pairs;
        cost
    }

    fn apply(&self, stage: usize, node: &mut Self::Node, step: &Self::Step) {
        self.pairs.apply(stage, &mut node.of_pairs, &step.of_pairs);
        (node.distance, node.pairs) = (step.distance, step.pairs);
    }
}
