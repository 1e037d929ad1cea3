//! Limits of every search: nodes, time, memory, cancellation.

use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tilebase_heuristics::{Heuristic, Manhattan};
use tilebase_progress::{Event, until, unwatched};
use tilebase_puzzle::known::{KnownBoard, korf15};
use tilebase_puzzle::{Square, State};
use tilebase_solve::{
    Algorithm, Astar, Bfs, Ids, Limit, Limited, Limits, Nbs, Outcome, Rbfs, Request, UniformCost, Wanted,
};
use tilebase_tests::fixtures::{blank_first, size};
use tilebase_tests::naive::distances;
use tilebase_tests::textbook::Forgetful;

/// A board that no search solves before our patience ends.
fn hard() -> (KnownBoard, State) {
    let hardest = korf15().into_iter().max_by_key(|korf| korf.nodes).unwrap();
    (hardest, blank_first().state(&hardest.board).unwrap())
}

fn limited(outcome: Option<Outcome>) -> Limited {
    match outcome.expect("there is a bound") {
        Outcome::Limited(limited) => limited,
        Outcome::Solved(solved) => panic!("solved in {} moves in spite of the limit", solved.length),
    }
}

/// Does something with every search.
macro_rules! with_every_search {
    (|$search:ident| $body:expr) => {{
        {
            let $search = Astar;
            $body
        }
        {
            let $search = Nbs;
            $body
        }
        {
            let $search = Rbfs;
            $body
        }
        {
            let $search = Bfs;
            $body
        }
        {
            let $search = UniformCost;
            $body
        }
        {
            let $search = Ids { graph: false };
            $body
        }
        {
            let $search = Ids { graph: true };
            $body
        }
    }};
}

/// Searches must end in a few milliseconds; a machine that has other things to do may take longer.
const SOON: Duration = Duration::from_secs(1);

#[test]
fn a_node_limit_ends_every_search_with_a_lower_bound_that_is_true_and_grows() {
    let (korf, state) = hard();
    let check = |heuristic: &dyn Fn(&Request<'_>) -> Option<Outcome>| {
        let mut at_least = 0;
        for most in [0, 1, 2, 3, 4, 5, 10, 100, 1_000, 10_000, 100_000, 1_000_000] {
            let request = Request::default().limits(Limits::default().nodes(most));
            let limited = limited(heuristic(&request));
            assert_eq!(limited.limit, Limit::Nodes);
            // The start and, where it is searched from, the goal are always there.
            assert!(limited.effort.generated <= most.max(2), "{limited:?}");
            assert!(limited.effort.generated + 4 > most, "{limited:?}");
            assert!(limited.effort.expanded <= limited.effort.generated, "{limited:?}");
            assert!(at_least <= limited.at_least && limited.at_least <= korf.length, "{limited:?}");
            at_least = limited.at_least;
        }
        at_least
    };
    let manhattan = Manhattan::new(size(4, 4));
    with_every_search!(|search| {
        let at_least = check(&|request| search.search(&manhattan, &state, request));
        assert!(at_least >= if search.about().uses_heuristic { korf.manhattan() } else { 10 });
    });
    for by_path in [false, true] {
        let forgetful = Forgetful::new(size(4, 4), by_path);
        check(&|request| Astar.search(&forgetful, &state, request));
        check(&|request| Nbs.search(&forgetful, &state, request));
        check(&|request| Rbfs.search(&forgetful, &state, request));
    }
    for weight in ["1.5", "1000"] {
        let limits = Limits::default().nodes(500);
        let request = Request::default().weight(weight.parse().unwrap()).limits(limits);
        for limited in
            [Astar.search(&manhattan, &state, &request), Rbfs.search(&manhattan, &state, &request)].map(limited)
        {
            assert!((korf.manhattan()..=korf.length).contains(&limited.at_least), "{limited:?}");
        }
    }
}

/// A search is solved with the nodes that it needs, and otherwise says what it has proven with those that it had. With few of
/// them it may even do with less, as fewer are expanded at a time.
#[test]
fn no_search_generates_more_nodes_than_it_may() {
    let known = distances(size(3, 3), Square(0), 12);
    let manhattan = Manhattan::new(size(3, 3));
    with_every_search!(|search| {
        for state in known.states().iter().rev().step_by(701) {
            let within = |nodes| {
                let limits = Limits::default().nodes(nodes);
                search.search(&manhattan, state, &Request::default().limits(limits)).unwrap()
            };
            let needed = within(None).effort().generated;
            for most in (2..=needed).rev().take(200) {
                match within(Some(most)) {
                    Outcome::Solved(solved) => assert_eq!(Some(solved.length), known.get(state)),
                    Outcome::Limited(limited) => assert!(Some(limited.at_least) <= known.get(state)),
                }
                assert!(within(Some(most)).effort().generated <= most);
            }
            assert!(within(Some(needed + 1000)).solved().is_some());
        }
    });
}

#[test]
fn no_time_and_a_flag_that_is_set_end_every_search_before_it_begins() {
    let (korf, state) = hard();
    let manhattan = Manhattan::new(size(4, 4));
    let set = AtomicBool::new(true);
    let cancelled = until(&set);
    with_every_search!(|search| {
        let no_time = Limits::default().time(Duration::ZERO);
        let (no_time, cancelled) = (Request::default().limits(no_time), Request::default().watch(&cancelled));
        for (request, limit) in [(no_time, Limit::Time), (cancelled, Limit::Cancelled)] {
            let limited = limited(search.search(&manhattan, &state, &request));
            assert_eq!((limited.limit, limited.effort.expanded), (limit, 0));
            assert!(limited.at_least <= korf.length && limited.effort.generated <= 2);
        }
        let limits = Limits::default().nodes(0).time(Duration::ZERO).memory(0);
        for wanted in [Wanted::First, Wanted::All, Wanted::Count] {
            let request = cancelled.limits(limits).wanted(wanted);
            let goal = State::solved(size(4, 4), state.home());
            let solved = search.search(&manhattan, &goal, &request).unwrap().solved().expect("it needs no search");
            assert_eq!((solved.length, solved.count, solved.effort.generated, solved.optimal), (0, 1, 1, true));
            assert_eq!(solved.solutions.len(), usize::from(wanted != Wanted::Count));
        }
    });
}

#[test]
fn every_search_ends_soon_after_its_time_is_over_or_it_is_cancelled() {
    let (korf, state) = hard();
    let manhattan = Manhattan::new(size(4, 4));
    with_every_search!(|search| {
        let time = Duration::from_millis(100);
        let request = Request::default().limits(Limits::default().time(time));
        let started = Instant::now();
        let ended = limited(search.search(&manhattan, &state, &request));
        assert!((time..time + SOON).contains(&started.elapsed()), "{:?}", started.elapsed());
        assert!(ended.limit == Limit::Time && ended.effort.time >= time && ended.at_least <= korf.length);

        // Cancelled from within, at the first sign of life, which has to be true.
        let (when, told) = (OnceLock::new(), AtomicU32::new(0));
        let watch = |event: &Event<'_>| {
            let Event::Searching(progress) = event else { return unwatched(event) };
            when.get_or_init(Instant::now);
            told.fetch_add(1, Ordering::Relaxed);
            assert!(progress.bound <= korf.length && progress.generated >= progress.generated_in_bound);
            assert!(progress.done.iter().all(|done| done.bound < progress.bound));
            assert!(progress.done.is_sorted_by(|before, after| before.bound < after.bound));
            if told.load(Ordering::Relaxed) > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let request = Request::default().watch(&watch);
        let ended = limited(search.search(&manhattan, &state, &request));
        assert_eq!((ended.limit, told.load(Ordering::Relaxed)), (Limit::Cancelled, 2));
        assert!(when.get().expect("it was watched").elapsed() < 2 * SOON);
    });
}

/// Memory that is not there is not taken, and what was proven stays proven.
fn check_memory<H: Heuristic>(search: &impl Algorithm, heuristic: &H, length: u32, state: &State) {
    let mut at_least = 0;
    for most in [0, 1_000, 50_000, 200_000, 1_000_000, 10_000_000] {
        let limits = Limits::default().memory(most);
        let limited = limited(search.search(heuristic, state, &Request::default().limits(limits)));
        assert_eq!(limited.limit, Limit::Memory);
        assert!(limited.effort.peak_bytes <= most, "{limited:?}");
        assert!(at_least <= limited.at_least && limited.at_least <= length, "{limited:?}");
        assert!(most < 1_000_000 || limited.effort.peak_bytes > most / 10 * 9, "{limited:?}");
        at_least = limited.at_least;
    }
}

#[test]
fn searches_that_keep_their_nodes_end_before_they_take_more_memory_than_they_may() {
    let (korf, state) = hard();
    let manhattan = Manhattan::new(size(4, 4));
    check_memory(&Astar, &manhattan, korf.length, &state);
    check_memory(&Nbs, &manhattan, korf.length, &state);
    check_memory(&Bfs, &manhattan, korf.length, &state);
    check_memory(&Astar, &Forgetful::new(size(4, 4), false), korf.length, &state);
}
