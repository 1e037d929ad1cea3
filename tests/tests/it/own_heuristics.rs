//! Heuristics from outside: the search takes any that never exceeds the true distance.

use rayon::prelude::*;
use tilebase_heuristics::{Additive, Heuristic, Manhattan};
use tilebase_index::Kind;
use tilebase_lookup::{AdditiveTable, AnyBitTable, NibbleTable};
use tilebase_puzzle::{Frame, Goal, Partition, Size, Slide, Square, State, Symmetry};
use tilebase_solve::{Algorithm, Ida, Outcome, Request, Solver, Wanted};
use tilebase_tests::depth_first;
use tilebase_tests::fixtures::{drawn, frame, ready, size};
use tilebase_tests::follow::{after, bound};
use tilebase_tests::larger::Larger;
use tilebase_tests::naive::distances;

/// Knows nothing.
struct Nothing;

impl Heuristic for Nothing {
    type Node = ();
    type Step = ();

    fn root(&self, _state: &State) -> Option<()> {
        Some(())
    }

    fn cost(&self, (): &()) -> u32 {
        0
    }

    fn begin(&self, _stage: usize, (): &(), _slide: Slide) {}

    fn finish(&self, _stage: usize, (): &mut ()) -> u32 {
        0
    }

    fn apply(&self, _stage: usize, (): &mut (), (): &()) {}
}

/// The distances of all tiles along rows in one stage, along columns in another: two bounds, the larger of which counts.
struct RowsOrColumns(Size);

impl RowsOrColumns {
    fn distances(&self, tile: Square, square: Square) -> [u32; 2] {
        let ((row, column), (goal_row, goal_column)) = (self.0.row_column(square), self.0.row_column(tile));
        [row.abs_diff(goal_row) as u32, column.abs_diff(goal_column) as u32]
    }
}

impl Heuristic for RowsOrColumns {
    type Node = [u32; 2];
    type Step = u32;

    fn root(&self, state: &State) -> Option<[u32; 2]> {
        let tiles = state.size().squares().filter(|&square| square != state.blank());
        Some(tiles.fold([0; 2], |sums, square| {
            let distances = self.distances(state.tile(square).goal(), square);
            [sums[0] + distances[0], sums[1] + distances[1]]
        }))
    }

    fn cost(&self, node: &[u32; 2]) -> u32 {
        node[0].max(node[1])
    }

    fn stages(&self) -> usize {
        2
    }

    fn begin(&self, stage: usize, node: &[u32; 2], slide: Slide) -> u32 {
        let distance = |square| self.distances(slide.tile.goal(), square)[stage];
        node[stage] + distance(slide.to) - distance(slide.from)
    }

    fn finish(&self, _stage: usize, step: &mut u32) -> u32 {
        *step
    }

    fn apply(&self, stage: usize, node: &mut [u32; 2], step: &u32) {
        node[stage] = *step;
    }
}

/// Exact, for states that a plain search found.
fn check<H: Heuristic>(frame: &Frame, heuristic: H, most: u32, step: usize) {
    let known = distances(frame.size(), frame.home(), most);
    let paths = known.shortest_paths();
    let solver = Solver::new(frame.clone(), heuristic);
    known.states().par_iter().step_by(step).for_each(|state| {
        let board = solver.frame().board(state);
        let search = |wanted| match solver.solve(&board, &Request::default().wanted(wanted)) {
            Ok(Outcome::Solved(answer)) => answer,
            other => panic!("{board}: {other:?}"),
        };
        assert_eq!(Some(search(Wanted::First).length), known.get(state), "{board}");
        let all = search(Wanted::All);
        assert_eq!((Some(all.length), all.count), (known.get(state), paths[state]), "{board}");
    });
}

/// Where tile 0 exists, it must not be taken for the blank: a search that is never told that it is far from the goal looks
/// at every board closely.
#[test]
fn a_heuristic_that_knows_nothing_solves_boards_of_every_goal() {
    for (width, height) in [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 5), (2, 12)] {
        let size = size(width, height);
        for home in size.squares().step_by(size.count().div_ceil(6)) {
            check(&frame(size, home), Nothing, 7, 3);
        }
    }
}

#[test]
fn a_heuristic_with_two_stages_solves_boards_alone_and_with_others() {
    let snail = Frame::new(&Goal::Snail.board(size(3, 3)).unwrap());
    let last = Frame::new(&Goal::BlankLast.board(size(3, 3)).unwrap());
    for (frame, drawing) in [(snail, "AAB/A.B/ABB"), (last, ".AA/BAA/BBB")] {
        let own = || RowsOrColumns(frame.size());
        let any = ready(&drawn(drawing), Kind::Bit);
        let bits = ready(&drawn(drawing), Kind::Bit);
        check(&frame, own(), 14, 23);
        check(&frame, Larger(own(), Additive::<AnyBitTable, 16>::new(any).unwrap()), u32::MAX, 97);
        check(&frame, Larger(Additive::<AdditiveTable, 2>::one_view(bits).unwrap(), own()), u32::MAX, 97);
        check(&frame, Larger(Larger(Nothing, own()), Manhattan::new(frame.size())), 20, 97);
    }
}

/// The larger of two bounds prunes what either prunes.
#[test]
fn the_larger_of_two_generates_no_more_nodes_than_either() {
    let frame = frame(size(3, 3), Square(0));
    let known = distances(frame.size(), frame.home(), u32::MAX);
    let own = || RowsOrColumns(size(3, 3));
    let larger = Larger(own(), Manhattan::new(size(3, 3)));
    let far = known.states().iter().rev().step_by(10_007).take(5);
    for state in far.filter(|state| known.get(state) <= Some(24)) {
        let nodes = |bounds: depth_first::Searched| bounds.generated();
        let both = nodes(depth_first::search(&larger, state, None, usize::MAX));
        assert!(both <= nodes(depth_first::search(&larger.1, state, None, usize::MAX)));
        let request = Request::default().wanted(Wanted::Count);
        assert_eq!(Ida::default().search(&larger, state, &request).unwrap().effort().generated, both);
    }
}

/// Two partitions, each through one view and through all of its own.
#[test]
fn the_bound_of_several_partitions_is_the_largest_at_every_board() {
    let straight = |_: &Partition| vec![Symmetry::IDENTITY];
    for (first, second) in
        [(".AA/BAA/BBB", ".AB/AAB/ABB"), ("AAB/A.B/ABB", "AAA/B.A/BBB"), ("A.B/AAB/ABB", "A.A/BBB/CCC")]
    {
        let built = |drawing| ready(&drawn(drawing), Kind::Nibble);
        let of_both = || vec![built(first), built(second)];
        let one_view = Additive::<NibbleTable, 8>::of_partitions(of_both(), straight).unwrap();
        let all_views = Additive::<NibbleTable, 32>::of_partitions(of_both(), Partition::views).unwrap();
        let alone = [first, second].map(|drawing| Additive::<NibbleTable, 4>::one_view(built(drawing)).unwrap());
        let alone_all_views = [first, second].map(|drawing| Additive::<NibbleTable, 32>::new(built(drawing)).unwrap());
        let home = drawn(first).home();
        let known = distances(size(3, 3), home, u32::MAX);
        let better = known.states().par_iter().map(|state| {
            let [a, b] = [&alone[0], &alone[1]].map(|heuristic| bound(heuristic, state));
            assert_eq!(bound(&one_view, state), a.max(b), "{state:?}");
            let most = alone_all_views.iter().map(|heuristic| bound(heuristic, state)).max().unwrap();
            assert_eq!(bound(&all_views, state), most, "{state:?}");
            assert!(Some(most) <= known.get(state), "{state:?}");
            // One slide on.
            let slide = tilebase_puzzle::Direction::ALL.into_iter().find_map(|way| state.slide_in(way)).unwrap();
            let (next, _) = after(&all_views, &all_views.root(state).unwrap(), slide);
            let mut moved = *state;
            moved.make(slide);
            assert_eq!(all_views.cost(&next), bound(&all_views, &moved), "{state:?}");
            (u32::from(a > b), u32::from(b > a))
        });
        let (by_first, by_second) = better.reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
        assert!(by_first > 0 && by_second > 0, "each knows something that the other does not");
        check(&frame(size(3, 3), home), one_view, u32::MAX, 499);
        check(&frame(size(3, 3), home), all_views, u32::MAX, 499);
    }
}
