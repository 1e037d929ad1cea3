//! Solved puzzles of lines, each made once and shared by all heuristics that use it at the time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::walking_distance::Shape;

/// Puzzles of at most this many states are kept for as long as the program runs: those of 4×4 and all smaller ones, 17 MB if every
/// shape is asked for. Those of 5×3 and 6×2 take some 40 MB each, and are dropped with the last heuristic that uses them.
const MOST_STATES_KEPT: u64 = 25_000;

/// The solved puzzles, by their shape. Locked for moments only, never while one is solved.
pub(crate) struct Walks<W>(Mutex<Vec<(Shape, Held<W>)>>);

enum Held<W> {
    ForEver(Arc<W>),
    WhileUsed(Weak<W>),
}

impl<W> Walks<W> {
    pub(crate) const fn new() -> Walks<W> {
        Walks(Mutex::new(Vec::new()))
    }

    /// The solved puzzle of a shape, solved now if no heuristic uses it. `None` when `solve` was told to stop.
    ///
    /// Two threads that need the same puzzle at the same time both solve it, so that neither waits for the other; the first result is
    /// kept.
    pub(crate) fn get(&self, shape: Shape, solve: impl FnOnce() -> Option<W>) -> Option<Arc<W>> {
        if let Some(known) = find(&self.lock(), shape) {
            return Some(known);
        }
        let solved = Arc::new(solve()?);
        let mut walks = self.lock();
        let known = find(&walks, shape);
        if known.is_some() {
            return known;
        }
        walks.retain(|(known, _)| *known != shape);
        let is_kept = shape.states() <= MOST_STATES_KEPT;
        let held = if is_kept { Held::ForEver(Arc::clone(&solved)) } else { Held::WhileUsed(Arc::downgrade(&solved)) };
        walks.push((shape, held));
        Some(solved)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Shape, Held<W>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn find<W>(walks: &[(Shape, Held<W>)], shape: Shape) -> Option<Arc<W>> {
    walks.iter().find(|(known, _)| *known == shape).and_then(|(_, held)| match held {
        Held::ForEver(walk) => Some(Arc::clone(walk)),
        Held::WhileUsed(walk) => walk.upgrade(),
    })
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
        let first = [small, large].map(|shape| Arc::downgrade(&walks.get(shape, || Some(shape)).unwrap()));
        assert!(first[0].upgrade().is_some() && first[1].upgrade().is_none());
        let held = walks.get(large, || Some(large)).unwrap();
        let same = walks.get(large, || panic!("it is in use")).unwrap();
        assert!(Arc::ptr_eq(&held, &same));
        assert_eq!(walks.0.lock().unwrap().len(), 2, "a shape is listed once");
    }
    #[test]
    fn a_puzzle_that_another_thread_solves_is_not_waited_for() {
        let shape = shapes(Size::new(2, 2).unwrap(), Square(0)).unwrap()[0];
        let walks = Walks::<u32>::new();
        // The second is solved while the first is.
        let outer = walks.get(shape, || {
            assert_eq!(walks.get(shape, || None), None);
            assert_eq!(walks.get(shape, || Some(1)).as_deref(), Some(&1));
            Some(2)
        });
        assert_eq!(outer.as_deref(), Some(&1), "the first that was solved is kept");
    }
}
