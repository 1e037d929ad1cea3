//! No heuristic ever exceeds the true distance.

use rayon::prelude::*;
use tilebase_heuristics::{Additive, Manhattan};
use tilebase_index::Kind;
use tilebase_lookup::AdditiveTable;
use tilebase_puzzle::{Partition, Square, State};
use tilebase_tests::fixtures::{drawn, ready, size};
use tilebase_tests::follow::bound;
use tilebase_tests::naive::{Distances, distances};

/// Partitions of 3×3 with the blank in the corner, on an edge and in the middle.
const CORNER: [&str; 4] = [".AA/BAA/BBB", ".AB/AAB/BBB", ".AB/CDE/FGH", ".AA/ABB/CCC"];
const EDGE: [&str; 3] = ["A.B/AAB/ABB", "A.A/ABB/BBB", "A.B/CAB/CCC"];
const MIDDLE: [&str; 3] = ["AAA/B.A/BBB", "AAB/A.B/ABB", "AAC/B.C/BBC"];

/// What the sums of a partition's tables say about a state.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Bounds {
    bit: u32,
    bit_all_views: u32,
    nibble: u32,
    nibble_all_views: u32,
    manhattan: u32,
}

/// All heuristics that a partition gives.
struct Heuristics {
    bit: Additive<AdditiveTable, 32>,
    bit_all_views: Additive<AdditiveTable, 32>,
    nibble: Additive<AdditiveTable, 32>,
    nibble_all_views: Additive<AdditiveTable, 32>,
    manhattan: Manhattan,
}

impl Heuristics {
    fn new(partition: &Partition) -> Heuristics {
        let bit = || ready(partition, Kind::Bit);
        let nibble = || ready(partition, Kind::Nibble);
        Heuristics {
            bit: Additive::one_view(bit()).unwrap(),
            bit_all_views: Additive::new(bit()).unwrap(),
            nibble: Additive::one_view(nibble()).unwrap(),
            nibble_all_views: Additive::new(nibble()).unwrap(),
            manhattan: Manhattan::new(partition.size()),
        }
    }

    fn bounds(&self, state: &State) -> Bounds {
        Bounds {
            bit: bound(&self.bit, state),
            bit_all_views: bound(&self.bit_all_views, state),
            nibble: bound(&self.nibble, state),
            nibble_all_views: bound(&self.nibble_all_views, state),
            manhattan: bound(&self.manhattan, state),
        }
    }
}

/// Checks every state whose distance is known, and returns at how many the best sum is exact although Manhattan distance
/// is not.
fn check(partition: &Partition, known: &Distances) -> usize {
    let heuristics = Heuristics::new(partition);
    let better = known.states().par_iter().filter(|state| {
        let distance = known.get(state).unwrap();
        let bounds = heuristics.bounds(state);
        let Bounds { bit, bit_all_views, nibble, nibble_all_views, manhattan } = bounds;
        let context = || format!("{} at {state:?}: {bounds:?}, true distance {distance}", partition.drawing());
        assert!(bit_all_views <= distance, "not admissible: {}", context());
        assert!(bit <= bit_all_views && nibble <= nibble_all_views, "more views know less: {}", context());
        assert!(nibble <= bit && nibble_all_views <= bit_all_views, "the blank helps: {}", context());
        assert!(manhattan <= nibble, "below Manhattan distance: {}", context());
        let all = [bit, bit_all_views, nibble, nibble_all_views, manhattan];
        assert!(all.iter().all(|bound| bound % 2 == distance % 2), "another parity than the distance: {}", context());
        manhattan < bit_all_views && bit_all_views == distance
    });
    better.count()
}

#[test]
fn on_every_3x3_board_with_the_goal_in_the_corner() {
    let known = distances(size(3, 3), Square(0), u32::MAX);
    assert_eq!((known.states().len(), known.deepest()), (181_440, 31));
    let better = CORNER.map(|drawing| check(&drawn(drawing), &known));
    assert!(better[0] > 0 && better[1] > 0 && better[3] > 0, "{better:?}");
    assert_eq!(better[2], 0, "single tiles know no more than Manhattan distance");
}

#[test]
fn on_every_3x3_board_with_the_goal_on_an_edge() {
    let known = distances(size(3, 3), Square(1), u32::MAX);
    assert_eq!(known.states().len(), 181_440);
    assert!(EDGE.into_iter().all(|drawing| check(&drawn(drawing), &known) > 0));
}

#[test]
fn on_every_3x3_board_with_the_goal_in_the_middle() {
    let known = distances(size(3, 3), Square(4), u32::MAX);
    assert_eq!(known.states().len(), 181_440);
    assert!(MIDDLE.into_iter().all(|drawing| check(&drawn(drawing), &known) > 0));
}

#[test]
fn one_pattern_of_all_tiles_is_exact_everywhere() {
    for drawing in [".AA/AAA/AAA", "A.A/AAA/AAA", "AAA/A.A/AAA"] {
        let partition = drawn(drawing);
        let known = distances(partition.size(), partition.home(), u32::MAX);
        let exact = Additive::<AdditiveTable, 1>::one_view(ready(&partition, Kind::Bit)).unwrap();
        known.states().par_iter().step_by(3).for_each(|state| {
            assert_eq!(Some(bound(&exact, state)), known.get(state), "{drawing} at {state:?}");
        });
    }
}

#[test]
fn on_every_board_of_6_and_8_squares() {
    for drawing in
        [".AA/BBA", "A.A/BBB", ".A/BA/BB", "AB/.B/AA", ".A/AA/BB/BB", "AA/.B/AB/BB", ".AAB/ABBB", "A.BB/AABB"]
    {
        let partition = drawn(drawing);
        let known = distances(partition.size(), partition.home(), u32::MAX);
        let boards: usize = (3..=partition.size().count()).product();
        assert_eq!(known.states().len(), boards, "{drawing}: half of all boards can be solved");
        check(&partition, &known);
    }
}

#[test]
fn on_every_board_of_12_squares_near_the_goal() {
    for (drawing, moves) in
        [(".AA/BBA/BBC/CCC", 20), (".AAB/AABB/CCCB", 20), ("AAA/B.A/BBC/BCC", 16), ("A.BB/AABB/ACCC", 16)]
    {
        let partition = drawn(drawing);
        let known = distances(partition.size(), partition.home(), moves);
        assert_eq!(known.deepest(), moves);
        assert!(check(&partition, &known) > 0, "{drawing}");
    }
}

#[test]
fn on_every_board_of_16_squares_near_the_goal() {
    for partition in [drawn(".AAC/AACC/ABCC/BBBB"), Partition::winding(size(4, 4), Square(5), 5)] {
        let known = distances(partition.size(), partition.home(), 13);
        assert_eq!(known.deepest(), 13);
        check(&partition, &known);
    }
}
