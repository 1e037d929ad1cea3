//! The cache of analysers, one for each puzzle: made on the preparing thread, kept for later questions, and freed there.

use std::collections::VecDeque;
use std::iter;
use std::mem;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tilebase::lookup::OwnMemory;
use tilebase::{Analyser, Board, Metric, Solver, SolverError, TableSource};
use tokio::sync::watch;

use crate::error::Result;
use crate::workers::{Client, Queue};

/// The most bytes that cached analysers take together, as [`OwnMemory`] counts: heuristics, tables built on the spot, indexes, and
/// second copies of files. Most analysers take 2 to 30 MB, so about ten fit that have tables of their own, or sixty that share those
/// in the program.
const MOST_BYTES: u64 = 256 << 20;

/// The most preparations of one client that wait for their turn after their questions have ended. Beyond that the oldest are dropped.
const MOST_ABANDONED: usize = 16;

/// A goal and a metric. Each puzzle has its own tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Puzzle {
    pub(crate) goal: Board,
    pub(crate) metric: Metric,
}

/// An analyser that the preparing thread frees, wherever its last user drops it. Freeing gigabytes takes a moment, during which the
/// server's asynchronous thread could answer no connection.
#[derive(Debug)]
pub(crate) struct SharedAnalyser {
    /// `None` only while it is being dropped.
    analyser: Option<Analyser>,
    preparing: Arc<Queue>,
}

impl Deref for SharedAnalyser {
    type Target = Analyser;

    fn deref(&self) -> &Analyser {
        self.analyser.as_ref().expect("it is taken out only when it is dropped")
    }
}

impl Drop for SharedAnalyser {
    fn drop(&mut self) {
        let analyser = self.analyser.take();
        self.preparing.put_first(Box::new(move || drop(analyser)));
    }
}

/// The result of a preparation.
pub(crate) type Made = std::result::Result<Arc<SharedAnalyser>, Arc<SolverError>>;

/// The answer of the cache when it is asked for an analyser.
pub(crate) enum Asked {
    /// The analyser is in the cache.
    Ready(Arc<SharedAnalyser>),
    /// The analyser is being made or waits for its turn. Gets the result; ends without one when the preparation panics.
    Preparing(watch::Receiver<Option<Made>>),
}

/// An analyser that is being made or waits for its turn.
struct Preparation {
    puzzle: Puzzle,
    /// The clients in whose turns it waits; empty once it has begun.
    clients: Vec<Client>,
    /// Has a receiver for each question that waits.
    result: watch::Sender<Option<Made>>,
}

impl Preparation {
    /// Whether it waits for its turn, on behalf of a client whose questions have all ended.
    fn is_abandoned_by(&self, client: Client) -> bool {
        self.clients.first() == Some(&client) && self.result.receiver_count() == 0
    }
}

#[derive(Default)]
struct Entries {
    /// Most recently used first.
    ready: VecDeque<(Puzzle, Arc<SharedAnalyser>)>,
    /// Oldest first; each puzzle appears once.
    preparing: Vec<Preparation>,
}

impl Entries {
    /// The analyser of a puzzle, which becomes the most recently used one.
    fn ready(&mut self, puzzle: &Puzzle) -> Option<Arc<SharedAnalyser>> {
        let place = self.ready.iter().position(|(known, _)| known == puzzle)?;
        let entry = self.ready.remove(place)?;
        let analyser = Arc::clone(&entry.1);
        self.ready.push_front(entry);
        Some(analyser)
    }

    /// Drops the oldest preparations that a client has abandoned, if there are too many.
    fn drop_abandoned(&mut self, client: Client) {
        let abandoned = self.preparing.iter().filter(|preparation| preparation.is_abandoned_by(client)).count();
        let mut surplus = abandoned.saturating_sub(MOST_ABANDONED);
        self.preparing.retain(|preparation| {
            let is_dropped = surplus > 0 && preparation.is_abandoned_by(client);
            surplus -= usize::from(is_dropped);
            !is_dropped
        });
    }
}

/// Makes an analyser for a puzzle.
type Make = fn(&TableSource, &Puzzle) -> std::result::Result<Analyser, SolverError>;

fn make(source: &TableSource, puzzle: &Puzzle) -> std::result::Result<Analyser, SolverError> {
    Solver::builder(&puzzle.goal).metric(puzzle.metric).source(source).open().map(Analyser::new)
}

/// Makes the analyser of a puzzle when the first question comes, and keeps the most recently used ones.
///
/// * What is asked for is made to the end, even if the question's time is over before: repeated questions with little time get
///   their tables eventually. The queue and [`MOST_ABANDONED`] bound how much waits.
/// * Beyond [`MOST_BYTES`] the least recently used analysers are dropped. The most recently used one stays whatever it takes, and a
///   search keeps its own until it ends.
pub(crate) struct AnalyserCache {
    pub(crate) source: TableSource,
    preparing: Arc<Queue>,
    pub(crate) most_bytes: u64,
    make: Make,
    /// Locked for moments only, never while an analyser is made, counted or freed.
    entries: Mutex<Entries>,
}

impl AnalyserCache {
    /// A cache whose analysers are made and freed by the thread of this queue.
    pub(crate) fn new(source: TableSource, preparing: Arc<Queue>) -> AnalyserCache {
        AnalyserCache { source, preparing, most_bytes: MOST_BYTES, make, entries: Mutex::default() }
    }

    /// The analyser of a puzzle, or its preparation, which is put into the queue if it is not under way. Does not wait.
    pub(crate) fn ask(self: &Arc<Self>, client: Client, puzzle: &Puzzle) -> Result<Asked> {
        let mut entries = self.lock();
        if let Some(ready) = entries.ready(puzzle) {
            return Ok(Asked::Ready(ready));
        }
        let known = entries.preparing.iter_mut().find(|preparation| preparation.puzzle == *puzzle);
        if let Some(known) = known {
            // In the turn of this client too, which may come before that of the other one.
            if !known.clients.is_empty() && !known.clients.contains(&client) {
                self.put(client, puzzle)?;
                known.clients.push(client);
            }
            return Ok(Asked::Preparing(known.result.subscribe()));
        }
        self.put(client, puzzle)?;
        let (result, receiver) = watch::channel(None);
        entries.preparing.push(Preparation { puzzle: *puzzle, clients: vec![client], result });
        entries.drop_abandoned(client);
        Ok(Asked::Preparing(receiver))
    }

    fn put(self: &Arc<Self>, client: Client, puzzle: &Puzzle) -> Result<()> {
        let (cache, puzzle) = (Arc::clone(self), *puzzle);
        self.preparing.put(client, Box::new(move || cache.prepare(&puzzle)))
    }

    /// Makes the analyser of a puzzle, if its preparation still waits. Only the preparing thread calls it, so tables are built for one
    /// puzzle at a time.
    fn prepare(&self, puzzle: &Puzzle) {
        let mut entries = self.lock();
        let waiting = entries.preparing.iter().find(|preparation| preparation.puzzle == *puzzle);
        // Many questions may have ended since the last one came.
        if let Some(&client) = waiting.and_then(|waiting| waiting.clients.first()) {
            entries.drop_abandoned(client);
        }
        let waiting = entries.preparing.iter_mut().find(|preparation| preparation.puzzle == *puzzle);
        if waiting.is_none_or(|waiting| mem::take(&mut waiting.clients).is_empty()) {
            return;
        }
        drop(entries);
        let mut turn = Turn { cache: self, puzzle, made: None };
        let made = (self.make)(&self.source, puzzle);
        turn.made = Some(made.map_err(Arc::new).map(|analyser| {
            let preparing = Arc::clone(&self.preparing);
            Arc::new(SharedAnalyser { analyser: Some(analyser), preparing })
        }));
        drop(turn);
        self.drop_least_recently_used();
    }

    /// The analyser of a puzzle, if it is in the cache.
    #[cfg(test)]
    pub(crate) fn ready(&self, puzzle: &Puzzle) -> Option<Arc<SharedAnalyser>> {
        self.lock().ready(puzzle)
    }

    /// The number of analysers in the cache.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.lock().ready.len()
    }

    /// Drops the analyser of a puzzle, so that the next question looks for its tables and verifies them again.
    pub(crate) fn forget(&self, puzzle: &Puzzle) {
        self.lock().ready.retain(|(known, _)| known != puzzle);
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops the analysers for which there is no room, counting from the most recently used one. To be called when memory has grown: an
    /// analyser was added, or a long search may have copied its tables. Takes up to some milliseconds.
    pub(crate) fn drop_least_recently_used(&self) {
        let analysers: Vec<_> = self.lock().ready.iter().map(|(_, analyser)| Arc::clone(analyser)).collect();
        let mut memory = OwnMemory::default();
        let fits = |analyser: &SharedAnalyser| {
            analyser.add_own_memory(&mut memory);
            memory.bytes() <= self.most_bytes
        };
        // The first one stays.
        let fitting = analysers.iter().map(|analyser| &**analyser).map(fits).enumerate();
        let kept = fitting.take_while(|&(number, fits)| number == 0 || fits).count();
        let dropped = &analysers[kept..];
        // One of them may have been used meanwhile, and be the first one now.
        let mut numbers = 0..;
        self.lock().ready.retain(|(_, analyser)| {
            numbers.next() == Some(0) || !dropped.iter().any(|dropped| Arc::ptr_eq(dropped, analyser))
        });
    }
}

/// The preparing thread's work on a puzzle. When it is dropped, the preparation is over, whether it was successful or panicked.
struct Turn<'a> {
    cache: &'a AnalyserCache,
    puzzle: &'a Puzzle,
    made: Option<Made>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut entries = self.cache.lock();
        let place = entries.preparing.iter().position(|preparation| preparation.puzzle == *self.puzzle);
        let preparation = place.map(|place| entries.preparing.remove(place));
        // A failure is not kept: its cause may be gone when the next question comes.
        if let Some(Ok(analyser)) = &self.made {
            entries.ready.push_front((*self.puzzle, Arc::clone(analyser)));
        }
        drop(entries);
        for (preparation, made) in preparation.into_iter().zip(iter::once(self.made.take())) {
            preparation.result.send_replace(made);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::path::Path;

    use tilebase::lookup::{Loading, Store};
    use tilebase::puzzle::{Goal, Random, Size};

    use super::*;

    const CLIENT: Client = Client(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST));

    fn cache_of(source: TableSource, most_bytes: u64) -> Arc<AnalyserCache> {
        Arc::new(AnalyserCache { most_bytes, ..AnalyserCache::new(source, Arc::default()) })
    }

    fn in_program() -> TableSource {
        TableSource::new(Store::compiled_in())
    }

    impl AnalyserCache {
        /// Asks for an analyser, has everything done that waits, and returns the result.
        fn get(self: &Arc<Self>, puzzle: &Puzzle) -> Made {
            match self.ask(CLIENT, puzzle).unwrap_or_else(|error| panic!("{}", error.json())) {
                Asked::Ready(ready) => Ok(ready),
                Asked::Preparing(result) => {
                    self.preparing.do_all();
                    result.borrow().clone().expect("it has been made")
                }
            }
        }

        /// Asks for an analyser, and does not wait for it.
        fn ask_and_leave(self: &Arc<Self>, client: Client, puzzle: &Puzzle) {
            assert!(matches!(self.ask(client, puzzle), Ok(Asked::Preparing(_))));
        }

        fn bytes(&self) -> u64 {
            own_memory(self.lock().ready.iter().map(|(_, analyser)| &**analyser))
        }
    }

    fn own_memory<'a>(analysers: impl IntoIterator<Item = &'a SharedAnalyser>) -> u64 {
        let mut memory = OwnMemory::default();
        analysers.into_iter().for_each(|analyser| analyser.add_own_memory(&mut memory));
        memory.bytes()
    }

    fn puzzle(width: usize, height: usize, seed: u64) -> Puzzle {
        let size = Size::new(width, height).unwrap();
        Puzzle { goal: Random::new(seed).any_board(size), metric: Metric::ALL[(seed % 2) as usize] }
    }

    /// Two goals of 4×4 with the same tables, which are those of 6-6-3, and one of 3×3.
    fn puzzles() -> [Puzzle; 3] {
        let of = |text: &str| Puzzle { goal: text.parse().unwrap(), metric: Metric::Stm };
        let goal = Goal::BlankLast.board("4x4".parse().unwrap()).unwrap();
        let other = of("2 1 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0");
        [Puzzle { goal, metric: Metric::Stm }, other, of("1 2 3 / 4 5 6 / 7 8 0")]
    }

    #[test]
    fn thousands_of_goals_stay_within_the_bytes() {
        let most = 24 << 20;
        let cache = cache_of(in_program(), most);
        let mut most_kept = 0;
        for seed in 0..3000 {
            let (width, height) = [(2, 2), (3, 2), (2, 3), (3, 3)][seed as usize / 2 % 4];
            let puzzle = puzzle(width, height, seed);
            cache.get(&puzzle).unwrap();
            assert!(cache.ready(&puzzle).is_some());
            most_kept = most_kept.max(cache.len());
            assert!(cache.bytes() <= most);
        }
        assert!(cache.bytes() > most / 2 && most_kept > 5, "the bytes are used: {most_kept} puzzles");
    }

    #[test]
    fn the_least_recently_used_goes_and_the_last_one_stays_whatever_it_takes() {
        let cache = cache_of(in_program(), 1);
        let puzzles = [4, 6].map(|seed| puzzle(3, 3, seed));
        let first = cache.get(&puzzles[0]).unwrap();
        assert!(Arc::ptr_eq(&first, &cache.get(&puzzles[0]).unwrap()), "it is kept");
        cache.get(&puzzles[1]).unwrap();
        assert!(cache.ready(&puzzles[0]).is_none() && cache.ready(&puzzles[1]).is_some());

        let most_bytes = 2 * own_memory([&*first]);
        let cache = cache_of(in_program(), most_bytes);
        let third = puzzle(3, 3, 8);
        for puzzle in [puzzles[1], puzzles[0], third] {
            cache.get(&puzzle).unwrap();
        }
        let ready = [puzzles[0], puzzles[1], third].map(|puzzle| cache.ready(&puzzle).is_some());
        assert_eq!(ready, [true, false, true]);
    }

    #[test]
    fn what_is_being_prepared_leaves_no_room_to_others() {
        let cache = cache_of(in_program(), 1);
        let [a, b, c] = [2, 4, 6].map(|seed| puzzle(3, 3, seed));
        cache.get(&a).unwrap();
        cache.ask_and_leave(CLIENT, &b);
        cache.ask_and_leave(CLIENT, &c);
        // Only the first of both has its turn.
        cache.prepare(&b);
        assert_eq!(cache.lock().preparing.len(), 1);
        let ready = [a, b, c].map(|puzzle| cache.ready(&puzzle).is_some());
        assert_eq!(ready, [false, true, false]);
    }

    /// The limit leaves no room for any table of a file.
    #[test]
    fn puzzles_with_large_files_of_tables_are_kept_next_to_others() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lookup/tables");
        let [large, _, small] = puzzles();
        let all = |source: TableSource| {
            let cache = cache_of(source, u64::MAX);
            let analysers = [large, small].map(|puzzle| cache.get(&puzzle).unwrap());
            own_memory(analysers.iter().map(|analyser| &**analyser))
        };
        let without_files = all(in_program());
        for loading in [Loading::Copy, Loading::Read] {
            let store = || Store::new(vec![directory.clone()]).with_loading(loading);
            assert_eq!(all(TableSource::new(store())), without_files, "{loading:?}");
            let cache = cache_of(TableSource::new(store()), without_files);
            let analysers = [large, small].map(|puzzle| cache.get(&puzzle).unwrap());
            for _ in 0..3 {
                for (puzzle, analyser) in [large, small].iter().zip(&analysers) {
                    assert!(Arc::ptr_eq(&cache.get(puzzle).unwrap(), analyser), "{loading:?}: it is kept");
                }
            }
        }
    }

    #[test]
    fn goals_that_share_tables_are_kept_and_each_copy_of_its_own_counts() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lookup/tables");
        let [one, other, _] = puzzles();
        for (loading, are_shared) in [(Loading::Copy, true), (Loading::Read, false)] {
            let store = || Store::new(vec![directory.clone()]).with_loading(loading);
            let unlimited = cache_of(TableSource::new(store()), u64::MAX);
            let first = unlimited.get(&one).unwrap();
            let both = 2 * own_memory([&*first]);
            let cache = cache_of(TableSource::new(store()), both);
            [one, other].iter().for_each(|puzzle| drop(cache.get(puzzle).unwrap()));
            assert_eq!(cache.ready(&one).is_some(), are_shared, "{loading:?}");
            assert!(cache.ready(&other).is_some());
        }
    }

    #[test]
    fn a_failure_is_not_kept() {
        let cache = cache_of(in_program().building_at_most(0), MOST_BYTES);
        for puzzle in [1, 2].map(|seed| puzzle(3, 3, seed)) {
            let failure = cache.get(&puzzle).unwrap_err();
            let is_expected = matches!(*failure, SolverError::NoTables(_) | SolverError::Tables { .. });
            assert!(is_expected, "{}: {failure}", puzzle.metric);
            assert!(cache.ready(&puzzle).is_none() && cache.lock().preparing.is_empty());
            let again = cache.get(&puzzle).unwrap_err();
            assert!(!Arc::ptr_eq(&failure, &again), "it is tried again");
        }
    }

    #[test]
    fn a_preparation_that_panics_ends_its_questions_and_is_not_kept() {
        let panicking: Make = |_, _| panic!("a preparation fails");
        let mut cache = AnalyserCache { make: panicking, ..AnalyserCache::new(in_program(), Arc::default()) };
        let puzzle = puzzle(3, 3, 2);
        let shared = Arc::new(cache);
        let Ok(Asked::Preparing(result)) = shared.ask(CLIENT, &puzzle) else { panic!("it is not ready") };
        shared.preparing.do_all();
        assert!(result.has_changed().is_err(), "the question gets no result");
        assert!(shared.lock().preparing.is_empty());
        cache = Arc::into_inner(shared).expect("the queue is empty");
        cache.make = make;
        Arc::new(cache).get(&puzzle).unwrap();
    }

    #[test]
    fn an_analyser_is_freed_by_the_preparing_thread_wherever_it_is_dropped() {
        let cache = cache_of(in_program(), 1);
        let [first, second] = [2, 4].map(|seed| puzzle(2, 2, seed));
        let held = cache.get(&first).unwrap();
        cache.get(&second).unwrap();
        assert!(cache.ready(&first).is_none(), "there is no room for it");
        cache.preparing.do_all();
        drop(held);
        assert_eq!(cache.preparing.waiting(), 1, "it is freed when its turn comes");
        cache.forget(&second);
        assert_eq!(cache.preparing.waiting(), 2);
        cache.preparing.do_all();
    }

    #[test]
    fn preparations_are_made_to_the_end_and_few_wait_for_a_client_that_left() {
        let cache = cache_of(in_program(), MOST_BYTES);
        let other_client = Client(IpAddr::from([127, 0, 0, 2]));
        let wanted = puzzle(2, 2, 1);
        cache.ask_and_leave(other_client, &wanted);
        let puzzles: Vec<Puzzle> = (2..200).map(|seed| puzzle(3, 2, seed)).collect();
        let Ok(Asked::Preparing(waits)) = cache.ask(CLIENT, &puzzles[0]) else { panic!("it is not ready") };
        puzzles[1..].iter().for_each(|puzzle| cache.ask_and_leave(CLIENT, puzzle));
        assert!(cache.lock().preparing.len() <= MOST_ABANDONED + 3);
        // The same puzzle again takes no further place, neither here nor in the queue.
        let before = cache.preparing.waiting();
        let last = puzzles[puzzles.len() - 1];
        for _ in 0..1000 {
            cache.ask_and_leave(CLIENT, &last);
        }
        assert_eq!(cache.preparing.waiting(), before);
        cache.preparing.do_all();
        for puzzle in [wanted, puzzles[0], last] {
            assert!(cache.ready(&puzzle).is_some());
        }
        assert!(waits.borrow().as_ref().is_some_and(Result::is_ok));
        assert!(cache.ready(&puzzles[1]).is_none(), "the oldest is dropped");
    }

    #[test]
    fn of_many_questions_that_end_at_once_few_preparations_are_made() {
        let cache = cache_of(in_program(), MOST_BYTES);
        let puzzles: Vec<Puzzle> = (0..100).map(|seed| puzzle(3, 3, seed)).collect();
        let questions: Vec<Asked> = puzzles.iter().map(|puzzle| cache.ask(CLIENT, puzzle).ok().unwrap()).collect();
        assert_eq!(cache.lock().preparing.len(), puzzles.len(), "all of them wait");
        drop(questions);
        cache.preparing.do_all();
        assert_eq!(cache.len(), MOST_ABANDONED);
        assert!(cache.lock().preparing.is_empty());
    }

    #[test]
    fn a_puzzle_is_prepared_in_the_first_turn_of_all_clients_that_ask_for_it() {
        let cache = cache_of(in_program(), MOST_BYTES);
        let other_client = Client(IpAddr::from([127, 0, 0, 2]));
        let [first, second] = [1, 3].map(|seed| puzzle(2, 2, seed));
        for (client, puzzle) in [(CLIENT, first), (CLIENT, second), (other_client, second)] {
            cache.ask_and_leave(client, &puzzle);
        }
        cache.preparing.do_next();
        cache.preparing.do_next();
        assert!(cache.ready(&second).is_some(), "the other client has the second turn");
    }
}
