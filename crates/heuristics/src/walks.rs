//! Solved puzzles of lines, each made once and shared by all heuristics that use it at the time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::walking_distance::Shape;

/// Puzzles of at most this many states are kept for as long as the program runs: those of 4×4 and all smaller ones, 17 MB if every
/// shape is asked for. Those of 5×3 and 6×2 take some 40 MB each, and are dropped with the last heuristic that uses them.
const MOST_STATES_KEPT: u64 = 25_000;

/// The solved puzzles, by their shape.
pub(crate) struct Walks<W>(Mutex<Vec<(Shape, Held<W>)>>);

enum Held<W> {
    ForEver(Arc<W>),
    WhileUsed(Weak<W>),
}

impl<W> Walks<W> {
    pub(crate) const fn new() -> Walks<W> {
        Walks(Mutex::new(Vec::new()))
    }

    /// The solved puzzle of a shape. Other callers wait while it is made.
    pub(crate) fn get(&self, shape: Shape, make: impl FnOnce(Shape) -> W) -> Arc<W> {
        let mut walks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = walks.iter().find(|(known, _)| *known == shape).and_then(|(_, held)| match held {
            Held::ForEver(walk) => Some(Arc::clone(walk)),
            Held::WhileUsed(walk) => walk.upgrade(),
        });
        known.unwrap_or_else(|| {
            let walk = Arc::new(make(shape));
            walks.retain(|(known, _)| *known != shape);
            let is_kept = shape.states() <= MOST_STATES_KEPT;
            let held = if is_kept { Held::ForEver(Arc::clone(&walk)) } else { Held::WhileUsed(Arc::downgrade(&walk)) };
            walks.push((shape, held));
            walk
        })
    }
}

/// The bytes that a map takes. A table of hashes has at most eight places for every seven items, and twice as many after it grew.
pub(crate) fn bytes_of_map<K, V>(map: &HashMap<K, V>) -> usize {
    map.capacity() * (size_of::<(K, V)>() + 1) * 8 / 7
}

#[cfg(test)]
mod tests {
    use tilebase_puzzle::{Size, Square};

    use super::*;
    use crate::walking_distance::shapes;

    #[test]
    fn small_puzzles_are_kept_and_large_ones_are_dropped_with_their_last_user() {
        let walks = Walks::<Shape>::new();
        let shape = |width, height| shapes(Size::new(width, height).unwrap(), Square(0)).unwrap()[0];
        let [small, large] = [shape(4, 4), shape(2, 6)];
        let first = [small, large].map(|shape| Arc::downgrade(&walks.get(shape, |shape| shape)));
        assert!(first[0].upgrade().is_some() && first[1].upgrade().is_none());
        let held = walks.get(large, |shape| shape);
        let same = walks.get(large, |_| panic!("somebody uses it"));
        assert!(Arc::ptr_eq(&held, &same));
        assert_eq!(walks.0.lock().unwrap().len(), 2, "a shape is listed once");
    }
}
