//! Searches whose units are searched elsewhere find the same, with the nodes of the same complete bounds.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tilebase_heuristics::runs::LineTables;
use tilebase_heuristics::{Heuristic, Manhattan};
use tilebase_progress::Event;
use tilebase_puzzle::known::korf15;
use tilebase_puzzle::{Metric, Pattern, Random, Size, Square, State};
use tilebase_solve::{
    Algorithm, Astar, Helpers, Ida, Limit, Limits, NotPossible, Outcome, Request, Runs, SharedBound, Solved, Space,
    UnitEffort, Units, Wanted, Weight,
};
use tilebase_tests::cluster::{self, Account, Each, Once, Process};
use tilebase_tests::fixtures::{KeptInMemory, blank_first, line_tables, random_states, sum_of_compiled_in, threads};
use tilebase_tests::naive_mtm::random_walk;

const NODES_OF_UNIT: u64 = 200;

fn alone<S: Space>(space: &S, state: &State, finish: bool) -> Solved {
    Ida::FAST.search(space, state, &Request::default().finish_bound(finish)).unwrap().solved().unwrap()
}

fn assert_same(found: &Solved, expected: &Solved) {
    assert_eq!((found.length, found.count, found.optimal), (expected.length, 1, true));
    assert_eq!(found.solutions[0].len() as u32, expected.length);
    assert_eq!(found.effort.generated_complete, expected.effort.generated_complete);
}

/// How a search that finishes its last bound ends when it has these helpers, and how without. It goes on in the first bound that is
/// cut when they are there: a busy machine might let them begin when nothing is left.
fn with_helpers(helpers: &dyn Helpers, are_there: &AtomicBool) -> (Outcome, Solved) {
    let heuristic = sum_of_compiled_in();
    let state = random_states(1, 3)[0];
    let expected = alone(&heuristic, &state, true);
    let kept = KeptInMemory::new(NODES_OF_UNIT);
    let polls = AtomicUsize::new(0);
    let watch = |_: &Event<'_>| {
        while kept.now().cut.is_some() && !are_there.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let is_long = are_there.load(Ordering::Relaxed) && polls.fetch_add(1, Ordering::Relaxed) > 100_000;
        if is_long { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let request = Request::default().finish_bound(true).keep(&kept).threads(threads(2)).watch(&watch);
    let outcome = Ida::FAST.search(&heuristic, &state, &request.helpers(helpers)).unwrap();
    (outcome, expected)
}

#[test]
fn any_number_of_followers_finds_the_same() {
    let heuristic = sum_of_compiled_in();
    let mut finished = 0;
    for (number, state) in random_states(6, 3).iter().enumerate() {
        for finish in [true, false] {
            let expected = alone(&heuristic, state, finish);
            let processes: Vec<Process> = (0..=number % 3).map(|more| Process::new(1 + (number + more) % 3)).collect();
            let kept = KeptInMemory::new(NODES_OF_UNIT);
            let told = AtomicU64::new(0);
            let watch = |event: &Event<'_>| {
                if let Event::Searching(searching) = event {
                    assert!(searching.units_done <= searching.units);
                    told.fetch_max(searching.generated, Ordering::Relaxed);
                }
                ControlFlow::Continue(())
            };
            let request = Request::default().finish_bound(finish).keep(&kept).threads(threads(1 + number % 2));
            let account = Account::default();
            let outcome = cluster::search(Ida::FAST, &heuristic, state, &request.watch(&watch), &processes, &account);
            let found = outcome.solved().unwrap();
            assert_same(&found, &expected);
            let effort = found.effort;
            // To within what threads had been allowed and did not use.
            assert!(told.into_inner() <= effort.generated + 2 * 4096);
            if finish {
                let nodes = (expected.effort.generated, expected.effort.expanded);
                assert_eq!((effort.generated, effort.expanded), nodes, "nobody was stopped");
                assert_eq!(account.put_back.into_inner(), 0);
            }
            finished += account.finished.into_inner();
        }
    }
    assert!(finished >= 100, "followers finished only {finished} units");
}

#[test]
fn any_number_of_followers_finds_the_same_by_runs_of_tiles() {
    let (size, home) = (Size::new(4, 4).unwrap(), Square(15));
    let tables = line_tables(&Pattern::new(size, home, &[0, 1, 2, 3, 7]).unwrap());
    let runs = Runs(LineTables::<_, 16>::new(tables).unwrap());
    let mut random = Random::new(4);
    let mut finished = 0;
    for number in 0..4 {
        let state = random_walk(&State::solved(size, home), 32, &mut random);
        for finish in [true, false] {
            let expected = alone(&runs, &state, finish);
            let processes: Vec<Process> = (0..=number % 3).map(|more| Process::new(1 + (number + more) % 3)).collect();
            let kept = KeptInMemory::new(NODES_OF_UNIT);
            let request = Request::default().finish_bound(finish).keep(&kept).threads(threads(1 + number % 2));
            let account = Account::default();
            let outcome = cluster::search(Ida::FAST, &runs, &state, &request, &processes, &account);
            let found = outcome.solved().unwrap();
            assert_eq!((found.length, found.optimal), (expected.length, true));
            assert_eq!(Metric::Mtm.length(&found.solutions[0]), expected.length);
            assert_eq!(found.effort.generated_complete, expected.effort.generated_complete);
            if finish {
                assert_eq!(found.effort.generated, expected.effort.generated, "nobody was stopped");
            }
            finished += account.finished.into_inner();
        }
    }
    assert!(finished >= 20, "followers finished only {finished} units");
}

#[test]
fn a_search_that_is_stopped_goes_on_with_other_followers_or_none() {
    let heuristic = sum_of_compiled_in();
    let mut random = Random::new(11);
    let account = Account::default();
    let mut stopped_in_units = 0;
    for state in random_states(4, 5) {
        for finish in [true, false] {
            let expected = alone(&heuristic, &state, finish);
            let kept = KeptInMemory::new(NODES_OF_UNIT);
            let mut solved = None;
            for turn in 0.. {
                assert!(turn < 10_000, "it goes on and on");
                // Longer and longer, so that it ends even if a unit takes long.
                let most = random.below(40 + 4 * turn);
                let polls = AtomicU64::new(0);
                let watch = |_: &Event<'_>| {
                    let goes_on = polls.fetch_add(1, Ordering::Relaxed) < most;
                    if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                };
                let request = Request::default().threads(threads(1 + random.below(2) as usize)).finish_bound(finish);
                let request = request.watch(&watch).keep(&kept);
                let followers = random.below(4);
                let processes: Vec<_> = (0..followers).map(|_| Process::new(1 + random.below(3) as usize)).collect();
                let outcome = if followers == 0 {
                    Ida::FAST.search(&heuristic, &state, &request).unwrap()
                } else {
                    cluster::search(Ida::FAST, &heuristic, &state, &request, &processes, &account)
                };
                match outcome {
                    Outcome::Solved(found) => {
                        solved = Some(found);
                        break;
                    }
                    Outcome::Limited(limited) => {
                        assert_eq!(limited.limit, Limit::Cancelled);
                        stopped_in_units += usize::from(kept.units_done() > 0);
                    }
                }
            }
            assert_same(&solved.unwrap(), &expected);
        }
    }
    assert!(stopped_in_units >= 10, "it was stopped only {stopped_in_units} times in the middle of a bound");
    let [finished, put_back] = [account.finished, account.put_back].map(AtomicUsize::into_inner);
    assert!(finished >= 30 && put_back >= 3, "followers finished {finished} units, and were stopped in {put_back}");
}

#[test]
fn what_a_follower_had_when_it_died_is_searched_by_others() {
    let heuristic = sum_of_compiled_in();
    let mut put_back = 0;
    for (number, state) in random_states(4, 3).iter().enumerate() {
        for finish in [true, false] {
            let expected = alone(&heuristic, state, finish);
            let dying = |dies_after| Process { threads: 1 + number % 3, dies_after: Some(dies_after) };
            let processes = [dying(1 + number), Process::new(1), dying(20)];
            let request = Request::default().finish_bound(finish);
            // Of three, one lives on; of one, none.
            for processes in [&processes[..], &processes[..1]] {
                let account = Account::default();
                let kept = KeptInMemory::new(NODES_OF_UNIT);
                let outcome = cluster::search(Ida::FAST, &heuristic, state, &request.keep(&kept), processes, &account);
                let found = outcome.solved().unwrap();
                assert_same(&found, &expected);
                if finish {
                    assert_eq!(found.effort.generated, expected.effort.generated, "nobody knows what the dead did");
                }
                put_back += account.put_back.into_inner();
            }
        }
    }
    assert!(put_back >= 8, "followers left only {put_back} units behind");
}

#[test]
fn helpers_need_nobody_who_keeps_the_search() {
    let manhattan = Manhattan::new(Size::new(4, 4).unwrap());
    // Bounds have to be large: units are those of searches that take hours.
    let is_large = |nodes: u64| (600_000_000..1_000_000_000).contains(&nodes);
    let korf = korf15().into_iter().find(|korf| is_large(korf.nodes)).unwrap();
    let state = blank_first().state(&korf.board).unwrap();
    let request = Request::default().limits(Limits::default().length(korf.length - 2));
    let expected = Ida::FAST.search(&manhattan, &state, &request).unwrap();
    let account = Account::default();
    let found = cluster::search(Ida::FAST, &manhattan, &state, &request, &[Process::new(1)], &account);
    let (Outcome::Limited(found), Outcome::Limited(expected)) = (found, expected) else { panic!("it is not so near") };
    assert_eq!((found.limit, found.at_least), (Limit::Length, korf.length));
    assert_eq!(found.effort.generated, expected.effort.generated);
    assert_eq!(found.effort.generated_complete, expected.effort.generated_complete);
    let (bounds, finished) = (account.bounds.into_inner(), account.finished.into_inner());
    assert!(bounds > 0 && finished >= 10, "followers were told {bounds} bounds and finished {finished} units");
}

#[test]
fn limits_hold_for_all_together() {
    let heuristic = sum_of_compiled_in();
    for state in random_states(3, 3) {
        let expected = alone(&heuristic, &state, false);
        let most = expected.effort.generated_complete * 3 / 4;
        let kept = KeptInMemory::new(NODES_OF_UNIT);
        let request = Request::default().keep(&kept).limits(Limits::default().nodes(most));
        let account = Account::default();
        let processes = [Process::new(2), Process::new(1)];
        let outcome = cluster::search(Ida::FAST, &heuristic, &state, &request, &processes, &account);
        let Outcome::Limited(limited) = outcome else { panic!("it found something in spite of the limit") };
        assert_eq!(limited.limit, Limit::Nodes);
        assert!(limited.at_least <= expected.length);
        // Three units were under way elsewhere, of which none is a tenth of the bound.
        let generated = limited.effort.generated;
        assert!(generated + 4096 >= most && generated < most * 13 / 10, "{generated} of {most} nodes");
        let found = Ida::FAST.search(&heuristic, &state, &Request::default().keep(&kept)).unwrap();
        assert_same(&found.solved().unwrap(), &expected);
    }
}

#[test]
fn a_search_that_waits_for_others_looks_at_its_limits() {
    let heuristic = sum_of_compiled_in();
    let state = random_states(1, 3)[0];
    let kept = KeptInMemory::new(NODES_OF_UNIT);
    let (is_waiting, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
    // Takes what there is, does nothing with it, and never asks whether the search goes on: only threads that wait can stop it.
    let helpers = Each(|_: &SharedBound, units: &dyn Units| {
        assert!(std::iter::from_fn(|| units.take()).count() > 0);
        is_waiting.store(true, Ordering::Relaxed);
        while !is_over.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    let polls = AtomicUsize::new(0);
    let watch = |_: &Event<'_>| {
        while kept.now().cut.is_some() && !is_waiting.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        if is_waiting.load(Ordering::Relaxed) && polls.fetch_add(1, Ordering::Relaxed) > 100 {
            is_over.store(true, Ordering::Relaxed);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    let request = Request::default().keep(&kept).helpers(&helpers).watch(&watch);
    assert_eq!(limit_of(&heuristic, &state, &request), Limit::Cancelled);
}

#[test]
fn what_helpers_forget_or_waste_or_make_up_does_not_change_the_bounds() {
    const WASTED: UnitEffort = UnitEffort { generated: 1000, expanded: 500, next: Some(1) };
    let wasted = AtomicU64::new(0);
    let forgotten = AtomicU64::new(0);
    let are_there = AtomicBool::new(false);
    let helpers = Each(|bound: &SharedBound, units: &dyn Units| {
        for turn in 0..20 {
            let Some(unit) = units.take() else { break };
            assert!(unit < bound.units);
            if turn % 2 == 0 {
                units.put_back(unit, &WASTED);
                wasted.fetch_add(1, Ordering::Relaxed);
                // It is no longer there.
                units.put_back(unit, &WASTED);
                units.finish(unit, &WASTED);
            } else {
                forgotten.fetch_add(1, Ordering::Relaxed);
            }
        }
        units.finish(usize::MAX, &WASTED);
        are_there.store(true, Ordering::Relaxed);
    });
    let (outcome, expected) = with_helpers(&helpers, &are_there);
    let found = outcome.solved().unwrap();
    assert_same(&found, &expected);
    let wasted = wasted.into_inner();
    assert!(wasted > 0 && forgotten.into_inner() > 0);
    assert_eq!(found.effort.generated, expected.effort.generated + wasted * WASTED.generated);
    assert_eq!(found.effort.expanded, expected.effort.expanded + wasted * WASTED.expanded);
}

#[test]
fn helpers_that_panic_end_the_search() {
    let are_there = AtomicBool::new(false);
    let helpers = Each(|_: &SharedBound, units: &dyn Units| {
        let unit = units.take();
        are_there.store(true, Ordering::Relaxed);
        assert_eq!(unit, None, "a helper panics with a unit in its hands");
    });
    let panic = catch_unwind(AssertUnwindSafe(|| with_helpers(&helpers, &are_there))).unwrap_err();
    let text: &String = panic.downcast_ref().unwrap();
    assert!(text.contains("a unit in its hands"), "{text}");
}

/// The first bound that a search cuts.
fn first_bound<H: Heuristic>(heuristic: &H, state: &State) -> SharedBound {
    let first = OnceLock::new();
    let helpers = Each(|bound: &SharedBound, _: &dyn Units| _ = first.set(*bound));
    let watch = |_: &Event<'_>| if first.get().is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let kept = KeptInMemory::new(NODES_OF_UNIT);
    let request = Request::default().finish_bound(true).keep(&kept).helpers(&helpers).watch(&watch);
    Ida::FAST.search(heuristic, state, &request).unwrap();
    first.into_inner().expect("some bound is large")
}

fn limit_of<H: Heuristic>(heuristic: &H, state: &State, request: &Request<'_>) -> Limit {
    match Ida::FAST.search(heuristic, state, request).unwrap() {
        Outcome::Limited(limited) => limited.limit,
        Outcome::Solved(_) => panic!("solved without a limit"),
    }
}

#[test]
fn a_follower_that_has_other_units_ends_and_says_so() {
    let heuristic = sum_of_compiled_in();
    let [state, other] = random_states(2, 3)[..] else { panic!("two states were asked for") };
    let bound = first_bound(&heuristic, &state);
    let follow = |bound, state| {
        let lead = Once::new(bound, bound.units);
        limit_of(&heuristic, state, &Request::default().lead(&lead))
    };
    let wrong = [
        SharedBound { units: bound.units + 1, ..bound },
        SharedBound { digest: bound.digest ^ 1, ..bound },
        SharedBound { generated_before: 0, ..bound },
        SharedBound { nodes_of_unit: 0, ..bound },
        SharedBound { bound: u32::MAX, ..bound },
    ];
    for wrong in wrong {
        assert_eq!(follow(wrong, &state), Limit::OtherUnits, "{wrong:?}");
    }
    assert_eq!(follow(bound, &other), Limit::OtherUnits, "another board");
    assert_eq!(follow(bound, &state), Limit::OtherUnits, "a unit that there is not");
    let manhattan = Manhattan::new(Size::new(4, 4).unwrap());
    let lead = Once::new(bound, 0);
    assert_eq!(limit_of(&manhattan, &state, &Request::default().lead(&lead)), Limit::OtherUnits, "another heuristic");
    let without_automaton = Ida { automaton: false, ..Ida::FAST };
    let lead = Once::new(bound, 0);
    let outcome = without_automaton.search(&heuristic, &state, &Request::default().lead(&lead)).unwrap();
    assert!(matches!(outcome, Outcome::Limited(limited) if limited.limit == Limit::OtherUnits));
}

/// Follows through a bound until the watch has been asked this often, and checks that it says which units are not done, and what
/// all of them took. Returns the nodes that were in vain.
fn follow_until<H: Heuristic>(heuristic: &H, state: &State, bound: SharedBound, most_polls: u64) -> u64 {
    let followed = |most_polls| {
        let lead = Once::new(bound, 0);
        let polls = AtomicU64::new(0);
        let watch = |_: &Event<'_>| {
            let goes_on = polls.fetch_add(1, Ordering::Relaxed) < most_polls;
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let request = Request::default().lead(&lead).threads(threads(2)).watch(&watch);
        let Some(Outcome::Limited(limited)) = Ida::FAST.search(heuristic, state, &request) else {
            panic!("a follower has no solution of its own")
        };
        assert_eq!(limited.limit, Limit::Cancelled);
        assert!((1..=2).contains(&lead.stopped.load(Ordering::Relaxed)), "one for each thread that had begun any");
        let wasted = lead.wasted.into_inner();
        (wasted, limited.effort.generated - wasted - lead.done.into_inner())
    };
    let (wasted, other) = followed(most_polls);
    assert_eq!(other, followed(0).1, "the nodes that are in no unit are those of cutting");
    wasted
}

#[test]
fn a_follower_ends_when_its_own_watch_says_so_and_tells_what_is_not_done() {
    let sum = sum_of_compiled_in();
    let manhattan = Manhattan::new(Size::new(4, 4).unwrap());
    let states = random_states(20, 3);
    let bound = first_bound(&sum, &states[0]);
    (0..40).for_each(|polls| _ = follow_until(&sum, &states[0], bound, polls));
    // Depth first, where the watch is asked in the middle of units only.
    let easiest = states.iter().min_by_key(|state| manhattan.cost(&manhattan.root(state).unwrap())).unwrap();
    let bound = first_bound(&manhattan, easiest);
    let wasted: u64 = (0..6).map(|polls| follow_until(&manhattan, easiest, bound, polls)).sum();
    assert!(wasted > 0);
}

#[test]
fn only_a_search_for_one_shortest_solution_is_shared_and_followers_keep_nothing() {
    let helpers = Each(|_: &SharedBound, _: &dyn Units| ());
    let kept = KeptInMemory::new(NODES_OF_UNIT);
    let lead = Once::new(SharedBound { bound: 0, generated_before: 0, nodes_of_unit: 0, units: 0, digest: 0 }, 0);
    let weight = Weight::new(3, 2).unwrap();
    for request in [Request::default().helpers(&helpers), Request::default().lead(&lead)] {
        assert_eq!(Ida::FAST.check(&request, true), Ok(()));
        for request in [request.wanted(Wanted::All), request.wanted(Wanted::Count)] {
            assert_eq!(Ida::FAST.check(&request, true), Err(NotPossible::Shared));
        }
        assert_eq!(Ida::PLAIN.check(&request.weight(weight), true), Err(NotPossible::Shared));
        assert_eq!(Astar.check(&request, true), Err(NotPossible::Bounds("astar")));
    }
    let follows = Request::default().lead(&lead);
    for request in [follows.keep(&kept), follows.helpers(&helpers)] {
        assert_eq!(Ida::FAST.check(&request, true), Err(NotPossible::Led));
    }
}
