//! What searches say that they cost.

use proptest::prelude::*;
use rayon::prelude::*;
use tilebase_heuristics::Manhattan;
use tilebase_puzzle::known::korf15;
use tilebase_puzzle::{Frame, Square};
use tilebase_solve::{Algorithm, Astar, Bfs, Effort, Ids, Limits, Nbs, Outcome, Request, Wanted};
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
