//! What searches say that they cost.

use proptest::prelude::*;
use rayon::prelude::*;
use tilebase_heuristics::{Heuristic, Manhattan};
use tilebase_puzzle::known::korf15;
use tilebase_puzzle::{Frame, Square, State};
use tilebase_solve::{
    Algorithm, Astar, Bfs, Effort, Greedy, Ids, Limits, Nbs, Outcome, Request, UniformCost, Wanted, Weight,
};
use tilebase_tests::fixtures::{blank_first, frame, size};
use tilebase_tests::naive::{FixedSet, distances, successors};
use tilebase_tests::textbook;

fn corner() -> Frame {
    frame(size(3, 3), Square(0))
}

#[test]
fn astar_expands_the_states_that_it_has_to_and_no_others() {
    let known = distances(size(3, 3), corner().home(), u32::MAX);
    let manhattan = Manhattan::new(size(3, 3));
    known.states().par_iter().skip(1).step_by(709).for_each(|state| {
        let expected = textbook::astar(&manhattan, state);
        let effort = |wanted| {
            let outcome = Astar.search(&manhattan, state, &Request::default().wanted(wanted)).unwrap();
            let solved = outcome.solved().unwrap();
            assert_eq!(solved.length, expected.length);
            solved.effort
        };
        let first = effort(Wanted::First);
        assert!((expected.below..=expected.up_to).contains(&first.expanded), "{first:?}, {expected:?}");
        assert_eq!(first.reexpanded, 0, "the Manhattan distance is consistent");
        assert_eq!(effort(Wanted::Count).expanded, expected.up_to);
    });
}

#[test]
fn breadth_first_search_expands_all_states_that_are_nearer_than_the_one_before_the_goal() {
    let known = distances(size(3, 3), corner().home(), 16);
    let manhattan = Manhattan::new(size(3, 3));
    for state in known.states().iter().skip(1).step_by(613) {
        let solved = Bfs.search(&manhattan, state, &Request::default()).unwrap().solved().unwrap();
        let mut seen: FixedSet<_> = [*state].into_iter().collect();
        let mut level = vec![*state];
        let mut nearer = 0;
        for _ in 1..solved.length {
            nearer += level.len() as u64;
            level = level.iter().flat_map(successors).filter(|next| seen.insert(*next)).collect();
        }
        let expanded = solved.effort.expanded;
        assert!(nearer < expanded && expanded <= nearer + level.len() as u64, "{nearer} {expanded}");
        assert_eq!(solved.effort.heuristic_time, std::time::Duration::ZERO);
    }
    assert!(!Bfs.about().uses_heuristic && !Ids::default().about().uses_heuristic && Astar.about().uses_heuristic);
}

#[test]
fn uniform_cost_search_expands_all_states_that_are_nearer_than_the_goal_and_no_others() {
    let known = distances(size(3, 3), corner().home(), 16);
    let manhattan = Manhattan::new(size(3, 3));
    for state in known.states().iter().skip(1).step_by(613) {
        let solved = UniformCost.search(&manhattan, state, &Request::default()).unwrap().solved().unwrap();
        let mut seen: FixedSet<_> = [*state].into_iter().collect();
        let mut level = vec![*state];
        let mut nearer = 0;
        for _ in 0..solved.length {
            nearer += level.len() as u64;
            level = level.iter().flat_map(successors).filter(|next| seen.insert(*next)).collect();
        }
        assert!(solved.optimal && level.iter().any(State::is_solved));
        assert_eq!((solved.effort.expanded, solved.effort.reexpanded), (nearer, 0));
        assert_eq!(solved.effort.peak_nodes, seen.len() as u64, "they and their neighbours are kept");
        assert_eq!(solved.effort.heuristic_time, std::time::Duration::ZERO);
    }
    assert!(!UniformCost.about().uses_heuristic && UniformCost.about().finds_shortest);
}

/// How many states the textbook's search expands: the smallest bound first, then most moves made; each state once.
fn greedy_expansions(manhattan: &Manhattan, start: &State) -> u64 {
    let bound = |state: &State| manhattan.cost(&manhattan.root(state).unwrap());
    let mut open = vec![(*start, 0_u32)];
    let mut seen: FixedSet<_> = FixedSet::default();
    loop {
        let best = (0..open.len()).min_by_key(|&at| (bound(&open[at].0), std::cmp::Reverse(open[at].1))).unwrap();
        let (state, moves) = open.swap_remove(best);
        if !seen.insert(state) {
            continue;
        }
        for next in successors(&state).filter(|next| !seen.contains(next)) {
            if next.is_solved() {
                return seen.len() as u64;
            }
            open.push((next, moves + 1));
        }
    }
}

#[test]
fn greedy_search_takes_the_smallest_bound_expands_no_state_twice_and_promises_nothing() {
    let known = distances(size(3, 3), corner().home(), u32::MAX);
    let manhattan = Manhattan::new(size(3, 3));
    let (mut expanded, mut textbook, mut astar, mut longer) = (0, 0, 0, 0);
    for state in known.states().iter().skip(1).step_by(709) {
        let solved = Greedy.search(&manhattan, state, &Request::default()).unwrap().solved().unwrap();
        let shortest = known.get(state).unwrap();
        assert!(!solved.optimal && solved.length >= shortest && solved.length % 2 == shortest % 2, "{state:?}");
        assert_eq!((solved.effort.reexpanded, solved.solutions[0].len() as u32), (0, solved.length));
        // A weight says nothing to it, and no solution but the first is looked for.
        let request = Request::default().weight(Weight::new(3, 1).unwrap()).wanted(Wanted::All);
        assert_eq!(Greedy.search(&manhattan, state, &request).unwrap().effort().expanded, solved.effort.expanded);
        expanded += solved.effort.expanded;
        textbook += greedy_expansions(&manhattan, state);
        astar += Astar.search(&manhattan, state, &Request::default()).unwrap().effort().expanded;
        longer += u32::from(solved.length > shortest);
    }
    // States that cannot be told apart come in another order.
    assert!(expanded * 4 > textbook * 3 && expanded * 3 < textbook * 4, "{expanded} {textbook}");
    assert!(expanded * 2 < astar && longer > 100, "{expanded} {astar} {longer}");
}

#[test]
fn greedy_search_ends_at_a_limit_with_nothing_proven_but_the_first_bound() {
    let state = blank_first().state(&korf15()[87].board).unwrap();
    let manhattan = Manhattan::new(size(4, 4));
    let bound = manhattan.cost(&manhattan.root(&state).unwrap());
    for most in [1, 10, 100] {
        let request = Request::default().limits(Limits::default().nodes(most));
        let Some(Outcome::Limited(limited)) = Greedy.search(&manhattan, &state, &request) else { panic!("solved") };
        assert_eq!(limited.at_least, bound);
    }
    let solved = Greedy.search(&manhattan, &state, &Request::default()).unwrap().solved().unwrap();
    assert!(solved.length > korf15()[87].length && solved.effort.expanded < 1_000_000, "{solved:?}");
}

#[test]
fn the_graph_form_of_iterative_deepening_expands_fewer_nodes_than_the_tree_form() {
    let known = distances(size(3, 3), corner().home(), 17);
    let manhattan = Manhattan::new(size(3, 3));
    for state in known.states().iter().rev().step_by(1013) {
        let effort = |graph| Ids { graph }.search(&manhattan, state, &Request::default()).unwrap().effort();
        let (tree, graph) = (effort(false), effort(true));
        assert!(graph.expanded < tree.expanded && graph.peak_nodes > tree.peak_nodes, "{tree:?} {graph:?}");
        assert_eq!(tree.reexpanded, 0, "it cannot know");
        // With next to no memory, the one is the other.
        let limits = Limits::default().memory(1000);
        let request = Request::default().limits(limits);
        let forgetful = Ids { graph: true }.search(&manhattan, state, &request).unwrap().effort();
        assert_eq!((forgetful.expanded, forgetful.generated), (tree.expanded, tree.generated));
    }
}

/// The promise of a state in memory: its node, its slot, its place in the queue, and what is not used of all three.
#[test]
fn a_node_of_the_15_puzzle_takes_at_most_24_bytes() {
    let hardest = korf15().into_iter().max_by_key(|korf| korf.nodes).unwrap();
    let state = blank_first().state(&hardest.board).unwrap();
    let manhattan = Manhattan::new(size(4, 4));
    for most in [2_500_000, 4_000_000, 6_000_000] {
        let request = Request::default().limits(Limits::default().nodes(most));
        let astar = Astar.search(&manhattan, &state, &request).unwrap().effort();
        let nbs = Nbs.search(&manhattan, &state, &request).unwrap().effort();
        for effort in [astar, nbs] {
            assert!(effort.peak_nodes > 1_000_000, "{effort:?}");
            let bytes = effort.peak_bytes as f64 / effort.peak_nodes as f64;
            assert!((18.0..=24.0).contains(&bytes), "{bytes} bytes a node");
        }
    }
}

#[test]
fn the_heuristic_takes_some_but_not_all_of_the_time() {
    let boards = korf15();
    let state = blank_first().state(&boards[78].board).unwrap();
    let outcome = Astar.search(&Manhattan::new(size(4, 4)), &state, &Request::default()).unwrap();
    let Outcome::Solved(solved) = outcome else { panic!("there is no limit") };
    assert_eq!(solved.length, boards[78].length);
    assert!(solved.effort.heuristic_time < solved.effort.time, "{:?}", solved.effort);
}

proptest! {
    #[test]
    fn the_effective_branching_factor_solves_its_equation(depth in 1_u32..120, surplus in 0_u64..1_000_000_000_000) {
        let expanded = u64::from(depth) + surplus;
        let factor = Effort { expanded, ..Effort::default() }.branching_factor(depth).unwrap();
        let nodes = |factor: f64| (1..=depth).map(|power| factor.powi(power as i32)).sum::<f64>();
        let (below, above) = (factor * (1.0 - 1e-9), factor * (1.0 + 1e-9));
        prop_assert!(nodes(below) <= expanded as f64 * (1.0 + 1e-12), "{factor}");
        prop_assert!(nodes(above) >= expanded as f64 * (1.0 - 1e-12), "{factor}");
    }
}
