//! Heuristics that are computed and tables, put together while the program runs: they are searched the way that suits them.

use tilebase::{Search, Solver, TableSource, Tables};
use tilebase_heuristics::{Additive, AnyListed, Heuristic, Largest, SharedSums};
use tilebase_index::Kind;
use tilebase_lookup::{AdditiveTable, Store};
use tilebase_puzzle::known::korf15;
use tilebase_puzzle::{Partition, PatternError, Random, State};
use tilebase_solve::{Algorithm, Ida, Request};
use tilebase_tests::fixtures::{blank_first, drawn, tables};
use tilebase_tests::follow::after;

/// The largest of several heuristics of the list and tables.
fn solver(names: &str, search: Search) -> Solver {
    let source = TableSource::new(Store::compiled_in());
    let goal = *blank_first().goal();
    Solver::builder(&goal).tables(Tables::Named(names)).source(&source).search(search).open().unwrap()
}

#[test]
fn bounds_with_tables_are_searched_in_batches_and_computed_ones_depth_first() {
    let combined = |search| solver("walking-distance+6-6-3", search);
    let (fast, plain) = (combined(Search::default()), combined(Ida::PLAIN.into()));
    let computed = solver("manhattan+walking-distance", Search::default());
    let mut boards = korf15();
    boards.sort_by_key(|korf| korf.nodes);
    // Large enough that the stack is looked at.
    for korf in &boards[20..24] {
        let solved = |solver: &Solver| {
            let solved = solver.search(&korf.board, &Request::default()).unwrap().solved().expect("there is no limit");
            assert_eq!((solved.length, solved.optimal), (korf.length, true), "board {}", korf.id);
            solved.effort
        };
        // A depth-first search keeps one path; in batches each of the three stages has eight nodes beside the stack.
        let path = u64::from(korf.length) + 1;
        assert!(solved(&plain).peak_nodes <= path, "board {}", korf.id);
        assert!(solved(&computed).peak_nodes <= path, "board {}", korf.id);
        assert!(solved(&fast).peak_nodes > path, "board {}", korf.id);
    }
}

#[test]
fn no_heuristic_of_the_list_is_far_and_neither_is_the_largest_of_them() {
    let frame = blank_first();
    let listed = |name: &str| AnyListed::new(name, frame.size(), frame.home()).unwrap();
    for about in AnyListed::abouts() {
        assert!(!listed(about.name).is_far(), "{}", about.name);
        assert!(!Largest::<_, 2>::new(vec![listed(about.name), listed("manhattan")]).unwrap().is_far());
    }
}

/// Three partitions that share patterns: the first two have two in common, and the third has the mirror image of one.
const ALIKE: [&str; 3] = [".ABB/AABB/ACCB/CCCC", ".ABB/AABB/ACDB/CCCD", ".AAB/AABB/CCBB/CCDD"];

#[test]
fn sums_that_share_patterns_are_those_of_each_partition_by_itself() {
    let views = |partition: &Partition| partition.views();
    for kind in [Kind::Bit, Kind::Nibble] {
        let partitions: Vec<_> = ALIKE.iter().map(|drawing| tables(&drawn(drawing), kind)).collect();
        let ready = || AdditiveTable::ready_partitions(&partitions).unwrap();
        let each: Additive<_, 64> = Additive::of_partitions(ready(), views).unwrap();
        let shared: SharedSums<_, 32> = SharedSums::of_partitions(ready(), views).unwrap();
        assert!(shared.stages() < each.stages(), "{} stages, and {}", shared.stages(), each.stages());
        let mut random = Random::new(5);
        let goal = *blank_first().goal();
        for _ in 0..20 {
            let mut state: State = blank_first().state(&random.solvable_board(&goal)).unwrap();
            assert_eq!(shared.pattern_costs(&state), each.pattern_costs(&state));
            let mut nodes = (shared.root(&state).unwrap(), each.root(&state).unwrap());
            for _ in 0..100 {
                let Some(slide) = state.slide_in(tilebase_puzzle::Direction::ALL[random.below(4) as usize]) else {
                    continue;
                };
                state.make(slide);
                let (next, values) = after(&shared, &nodes.0, slide);
                // What a stage says is the largest of the sums that its pattern is part of.
                assert_eq!(values.into_iter().max(), Some(shared.cost(&next)));
                nodes = (next, after(&each, &nodes.1, slide).0);
                assert_eq!(shared.cost(&nodes.0), each.cost(&nodes.1));
                assert_eq!(shared.cost(&nodes.0), shared.cost(&shared.root(&state).unwrap()), "followed, and afresh");
            }
        }
        // To the last node of every complete iteration.
        let state = blank_first().state(&korf15()[78].board).unwrap();
        let request = Request::default().finish_bound(true);
        let nodes = |outcome: Option<tilebase_solve::Outcome>| outcome.unwrap().effort().generated;
        assert_eq!(
            nodes(Ida::FAST.search(&shared, &state, &request)),
            nodes(Ida::FAST.search(&each, &state, &request)),
            "{kind}"
        );
        let few = SharedSums::<_, 4>::of_partitions(ready(), views).map(drop);
        assert_eq!(few, Err(PatternError::TooMany(4)));
    }
}
