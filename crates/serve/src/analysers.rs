//! The analysers of the puzzles asked for last, as many as fit into a number of bytes.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tilebase::{Analyser, Board, Metric, Solver, SolverError, TableSource};

/// The bytes that cached analysers may take together. Most take 2 to 30 MB: the tables of heuristics, and tables that are built on the
/// spot. So ten puzzles that need their own tables fit, or some sixty that share those of the program.
const MOST_BYTES: u64 = 256 << 20;

/// What boards are to become, and what counts as one move on the way there. Each has tables of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Puzzle {
    pub(crate) goal: Board,
    pub(crate) metric: Metric,
}

type Made = Result<Arc<Analyser>, Arc<SolverError>>;

/// An analyser that is cached, or being made.
struct Entry {
    puzzle: Puzzle,
    made: Arc<OnceLock<Made>>,
    /// The bytes that it took when it was last used; 0 while it is being made.
    bytes: u64,
}

/// Makes the analyser of a puzzle when the first question comes, and keeps those used last. Beyond its bytes the least recently used
/// are dropped. The one used last is always kept, and searches keep theirs until they end.
pub(crate) struct AnalyserCache {
    pub(crate) source: TableSource,
    most_bytes: u64,
    /// The puzzle asked for last comes first.
    recent: Mutex<VecDeque<Entry>>,
    making: Mutex<()>,
}

impl AnalyserCache {
    pub(crate) fn new(source: TableSource) -> AnalyserCache {
        AnalyserCache { source, most_bytes: MOST_BYTES, recent: Mutex::default(), making: Mutex::default() }
    }

    /// The analyser of a puzzle. It takes a moment the first time; a thread that asks for the same one meanwhile waits for it. Only the
    /// thread that prepares puzzles calls it: a question has limits, and waits for that thread within them.
    pub(crate) fn get(&self, puzzle: &Puzzle) -> Made {
        let made = self.entry(puzzle);
        let prepare = || {
            // Tables may have to be built, on all threads: one after the other, however many puzzles are asked for.
            let _turn = self.making.lock().unwrap_or_else(PoisonError::into_inner);
            let solver = Solver::builder(&puzzle.goal).metric(puzzle.metric).source(&self.source).open();
            solver.map(|solver| Arc::new(Analyser::new(solver))).map_err(Arc::new)
        };
        let result = made.get_or_init(prepare).clone();
        match &result {
            Ok(analyser) => self.used(puzzle, analyser),
            // The cause may be gone when the next question comes.
            Err(_) => self.recent().retain(|entry| !Arc::ptr_eq(&entry.made, &made)),
        }
        result
    }

    /// The analyser of a puzzle, if it has been made. Does not wait.
    pub(crate) fn ready(&self, puzzle: &Puzzle) -> Option<Arc<Analyser>> {
        let analyser = self.recent().iter().find(|entry| entry.puzzle == *puzzle)?.made.get()?.clone().ok()?;
        self.used(puzzle, &analyser);
        Some(analyser)
    }

    /// Drops the analyser of a puzzle: for the next question its tables are looked for and verified again.
    pub(crate) fn forget(&self, puzzle: &Puzzle) {
        self.recent().retain(|entry| entry.puzzle != *puzzle);
    }

    fn recent(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, puzzle: &Puzzle) -> Arc<OnceLock<Made>> {
        let mut recent = self.recent();
        if let Some(known) = recent.iter().find(|entry| entry.puzzle == *puzzle) {
            return Arc::clone(&known.made);
        }
        let made = Arc::default();
        recent.push_front(Entry { puzzle: *puzzle, made: Arc::clone(&made), bytes: 0 });
        made
    }

    /// Puts an analyser first, with the bytes that it takes by now, and drops those for which no room is left.
    fn used(&self, puzzle: &Puzzle, analyser: &Arc<Analyser>) {
        let bytes = analyser.own_memory();
        let mut recent = self.recent();
        let Some(place) = recent.iter().position(|entry| entry.puzzle == *puzzle) else { return };
        let Some(mut entry) = recent.remove(place) else { return };
        entry.bytes = bytes;
        recent.push_front(entry);
        let mut sum = 0;
        let (kept, dropped): (VecDeque<Entry>, VecDeque<Entry>) = recent.drain(..).partition(|entry| {
            let is_first = sum == 0;
            sum += entry.bytes;
            is_first || entry.bytes == 0 || sum <= self.most_bytes
        });
        *recent = kept;
        drop(recent);
        // To free many megabytes takes a moment: the others need not wait for it.
        drop(dropped);
    }
}

#[cfg(test)]
mod tests {
    use tilebase::lookup::Store;
    use tilebase::puzzle::{Random, Size};

    use super::*;

    fn cache(most_bytes: u64) -> AnalyserCache {
        AnalyserCache { most_bytes, ..AnalyserCache::new(TableSource::new(Store::compiled_in())) }
    }

    /// The bytes that are counted, after they are counted anew.
    fn bytes(cache: &AnalyserCache) -> u64 {
        let recent = cache.recent();
        recent.iter().map(|entry| entry.made.get().unwrap().as_ref().unwrap().own_memory()).sum()
    }

    fn puzzle(width: usize, height: usize, seed: u64) -> Puzzle {
        let size = Size::new(width, height).unwrap();
        Puzzle { goal: Random::new(seed).any_board(size), metric: Metric::ALL[(seed % 2) as usize] }
    }

    #[test]
    fn thousands_of_goals_stay_within_the_bytes() {
        let most = 24 << 20;
        let cache = cache(most);
        let mut most_kept = 0;
        for seed in 0..3000 {
            let (width, height) = [(2, 2), (3, 2), (2, 3), (3, 3)][seed as usize / 2 % 4];
            let puzzle = puzzle(width, height, seed);
            cache.get(&puzzle).unwrap();
            assert!(cache.ready(&puzzle).is_some());
            most_kept = most_kept.max(cache.recent().len());
            assert!(bytes(&cache) <= most);
        }
        assert!(bytes(&cache) > most / 2 && most_kept > 5, "the bytes are used: {most_kept} puzzles");
    }

    #[test]
    fn the_least_recently_used_goes_and_the_last_one_stays_whatever_it_takes() {
        let cache = cache(1);
        let puzzles = [4, 6].map(|seed| puzzle(3, 3, seed));
        let first = cache.get(&puzzles[0]).unwrap();
        assert!(Arc::ptr_eq(&first, &cache.get(&puzzles[0]).unwrap()), "it is kept");
        cache.get(&puzzles[1]).unwrap();
        assert!(cache.ready(&puzzles[0]).is_none() && cache.ready(&puzzles[1]).is_some());

        let cache = AnalyserCache { most_bytes: 2 * first.own_memory(), ..cache };
        cache.get(&puzzles[0]).unwrap();
        let third = puzzle(3, 3, 8);
        cache.get(&third).unwrap();
        let ready = [puzzles[0], puzzles[1], third].map(|puzzle| cache.ready(&puzzle).is_some());
        assert_eq!(ready, [true, false, true]);
    }

    #[test]
    fn a_failure_is_not_kept() {
        let source = TableSource::new(Store::compiled_in()).building_at_most(0);
        let cache = AnalyserCache::new(source);
        let puzzle = puzzle(3, 3, 1);
        if cache.get(&puzzle).is_err() {
            assert!(cache.ready(&puzzle).is_none() && cache.recent().is_empty());
        }
    }
}
