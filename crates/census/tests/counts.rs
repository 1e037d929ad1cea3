//! Counts against a plain search that remembers every board, and against the published ones.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use tilebase_census::{Census, CensusError, Source};
use tilebase_progress::{Event, unwatched};
use tilebase_puzzle::{Board, Goal, Metric, Random, Size};

/// Breadth-first search as everybody would write it.
fn plain(goal: &Board, metric: Metric, depth: usize) -> Vec<u64> {
    let mut seen = HashSet::from([*goal]);
    let mut level = vec![*goal];
    let mut counts = Vec::new();
    while !level.is_empty() && counts.len() <= depth {
        counts.push(level.len() as u64);
        let mut next = Vec::new();
        for board in &level {
            for direction in board.slides() {
                let mut after = *board;
                while after.slide(direction).is_ok() {
                    if seen.insert(after) {
                        next.push(after);
                    }
                    if metric == Metric::Stm {
                        break;
                    }
                }
            }
        }
        level = next;
    }
    counts
}

fn size(width: usize, height: usize) -> Size {
    Size::new(width, height).unwrap()
}

/// A goal with the blank on a square, the tiles in any order.
fn goal(size: Size, blank: u8) -> Board {
    let mut tiles: Vec<u64> = (1..size.count() as u64).collect();
    Random::new(u64::from(blank)).shuffle(&mut tiles);
    tiles.insert(blank.into(), 0);
    Board::new(size, &tiles).unwrap()
}

fn counted(goal: &Board, metric: Metric) -> Vec<u64> {
    Census::count(goal, metric, &unwatched).unwrap().counts().to_vec()
}

fn counted_to(goal: &Board, metric: Metric, depth: u32) -> Vec<u64> {
    Census::count_to(goal, metric, depth, None, &unwatched).unwrap().counts().to_vec()
}

#[test]
fn every_home_of_the_blank_on_small_boards_counts_as_the_plain_search() {
    for (width, height) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)] {
        let size = size(width, height);
        for square in size.squares() {
            let goal = goal(size, square.0);
            for metric in Metric::ALL {
                let expected = plain(&goal, metric, usize::MAX);
                assert_eq!(counted(&goal, metric), expected, "{goal} {metric}");
                assert_eq!(counted_to(&goal, metric, 99), expected, "{goal} {metric}");
            }
        }
    }
}

#[test]
fn corner_edge_and_middle_of_3x3_count_as_the_plain_search() {
    for (blank, farthest, how_many) in [(0, 31, 2), (1, 31, 2), (3, 31, 2), (4, 30, 148), (8, 31, 2)] {
        let goal = goal(size(3, 3), blank);
        let counts = counted(&goal, Metric::Stm);
        assert_eq!(counts, plain(&goal, Metric::Stm, usize::MAX), "{goal}");
        assert_eq!((counts.len() - 1, counts.last()), (farthest, Some(&how_many)), "{goal}");
    }
}

#[test]
fn every_home_of_3x3_counts_as_the_plain_search_and_the_literature_where_lines_of_tiles_are_one_move() {
    let size = size(3, 3);
    for square in size.squares() {
        let goal = goal(size, square.0);
        let counts = counted(&goal, Metric::Mtm);
        assert_eq!(counts, plain(&goal, Metric::Mtm, usize::MAX), "{goal}");
        let farthest = [1, 2, 1, 2, 4, 2, 1, 2, 1][square.index()];
        assert_eq!((counts.len() - 1, counts.last()), (24, Some(&farthest)), "{goal}");
    }
}

#[test]
fn boards_of_more_squares_than_a_block_has_count_the_same_both_ways_on_any_number_of_threads() {
    for (width, height, blank, threads) in [(2, 5, 3, 1), (5, 2, 4, 3), (2, 5, 9, 2)] {
        let goal = goal(size(width, height), blank);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (whole, near) = pool.install(|| (counted(&goal, Metric::Mtm), counted_to(&goal, Metric::Mtm, 99)));
        assert_eq!(whole.iter().sum::<u64>(), 1_814_400);
        assert_eq!(whole, near, "{goal}");
    }
}

#[test]
fn all_boards_of_3x4_are_counted_where_lines_of_tiles_are_one_move() {
    let (upright, flat) = (goal(size(3, 4), 4), goal(size(4, 3), 5));
    let counts = counted(&upright, Metric::Mtm);
    assert_eq!(counts.iter().sum::<u64>(), 239_500_800);
    assert_eq!(counts[..14], counted_to(&upright, Metric::Mtm, 13));
    assert_eq!(counts[..9], plain(&upright, Metric::Mtm, 8));
    assert_eq!(counted(&flat, Metric::Mtm)[..9], plain(&flat, Metric::Mtm, 8));
}

#[test]
fn boards_near_the_goal_count_as_was_published_and_as_the_plain_search() {
    let corner = Goal::BlankLast.board(size(4, 4)).unwrap();
    let census = Census::count_to(&corner, Metric::Mtm, 11, None, &unwatched).unwrap();
    assert_eq!(census.counts()[..10], [1, 6, 18, 54, 162, 486, 1457, 4334, 12568, 36046]);
    for metric in Metric::ALL {
        let published = Census::published(&corner, metric).unwrap();
        assert_eq!(counted_to(&corner, metric, 12), published.counts()[..13], "{metric}");
        for (width, height, blank, depth) in [(4, 4, 5, 7), (5, 5, 24, 6), (5, 5, 12, 5), (5, 4, 0, 7), (8, 3, 9, 5)] {
            let goal = goal(size(width, height), blank);
            assert_eq!(counted_to(&goal, metric, depth), plain(&goal, metric, depth as usize), "{goal} {metric}");
        }
    }
}

#[test]
fn a_census_of_some_boards_says_so() {
    let goal = Goal::BlankLast.board(size(4, 4)).unwrap();
    let near = Census::count_to(&goal, Metric::Mtm, 3, None, &unwatched).unwrap();
    assert_eq!((near.is_complete(), near.farthest(), near.farthest_boards(), near.mean()), (false, None, None, None));
    let keys = |census: &Census| census.json().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&near), "size goal metric complete counts source");
    assert_eq!((&near.json()["complete"], &near.json()["metric"]), (&false.into(), &"mtm".into()));
    let place = near.place(2).unwrap();
    assert_eq!((place.farther_than * 10_461_394_944_000.0, place.alike), (7.0, 18));
    assert!(near.place(4).is_none(), "nobody has counted these");

    let published = Census::published(&goal, Metric::Mtm).unwrap();
    assert_eq!((published.is_complete(), published.mean(), published.counts().len()), (false, None, 29));
    assert_eq!((published.farthest(), published.farthest_boards()), (Some(43), Some(16)));
    assert_eq!(keys(&published), "size goal metric complete counts farthest farthest_boards source");
    assert_eq!(published.place(43).map(|place| (place.alike, place.nearer_than)), Some((16, 0.0)));
    assert!(published.place(42).is_none() && published.place(44).is_none());

    let whole =
        Census::count_to(&Goal::BlankLast.board(size(2, 2)).unwrap(), Metric::Stm, 6, None, &unwatched).unwrap();
    assert_eq!((whole.is_complete(), whole.farthest(), whole.mean()), (true, Some(6), Some(3.0)));
    assert_eq!(keys(&whole), "size goal metric complete counts farthest mean source");
}

#[test]
fn a_count_to_a_depth_ends_where_the_memory_does() {
    let goal = Goal::BlankLast.board(size(5, 5)).unwrap();
    let counted = |memory| Census::count_to(&goal, Metric::Mtm, 5, Some(memory), &unwatched).unwrap().counts().len();
    // The 512 boards at distance 4 lead to 2048.
    assert_eq!(counted(16 * (512 + 2048)), 6);
    assert_eq!(counted(16 * (512 + 2048) - 1), 5);
    assert_eq!(counted(0), 1);
}

#[test]
fn boards_to_3x4_count_as_was_published_whichever_way_they_lie_and_on_any_number_of_threads() {
    for (width, height, threads) in [(3, 3, 1), (5, 2, 3), (2, 5, 1), (3, 4, 2), (4, 3, 3), (2, 6, 2)] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for name in [Goal::BlankLast, Goal::BlankFirst].iter().take(if width * height > 10 { 1 } else { 2 }) {
            let goal = name.board(size(width, height)).unwrap();
            let published = Census::published(&goal, Metric::Stm).unwrap();
            assert_eq!(published.source(), Source::Published);
            assert_eq!(pool.install(|| counted(&goal, Metric::Stm)), published.counts(), "{goal}");
        }
    }
}

#[test]
fn farthest_and_mean_are_those_of_the_literature() {
    for (width, height, farthest, how_many, mean) in [
        (2, 3, 21, 1, 12.6222),
        (2, 4, 36, 1, 22.6776),
        (2, 5, 55, 2, 34.7287),
        (2, 6, 80, 2, 48.9943),
        (3, 3, 31, 2, 21.9724),
        (3, 4, 53, 18, 35.1043),
        (3, 5, 84, 1, 51.4774),
        (4, 4, 80, 17, 52.5895),
    ] {
        let goal = Goal::BlankLast.board(size(width, height)).unwrap();
        let census = Census::published(&goal, Metric::Stm).unwrap();
        assert_eq!((census.farthest(), census.farthest_boards()), (Some(farthest), Some(how_many)), "{width}x{height}");
        assert_eq!(census.counts().last(), Some(&how_many));
        assert!((census.mean().unwrap() - mean).abs() < 0.000_05, "{width}x{height}: {:?}", census.mean());
    }
}

#[test]
fn what_is_told_at_once_is_published_or_small_and_fits_the_goal() {
    let at_once = |width, height, blank| Census::at_once(&goal(size(width, height), blank), Metric::Stm);
    assert_eq!(at_once(4, 4, 3).map(|census| census.source()), Some(Source::Published));
    assert_eq!(at_once(3, 3, 4).map(|census| (census.source(), census.farthest())), Some((Source::Counted, Some(30))));
    assert!(at_once(4, 4, 5).is_none(), "nobody has published what is not in a corner");
    assert!(at_once(4, 4, 1).is_none());
    assert!(at_once(5, 5, 0).is_none());
    let at_once = |width, height, blank| Census::at_once(&goal(size(width, height), blank), Metric::Mtm);
    let told = |census: Census| (census.metric(), census.source(), census.farthest());
    assert_eq!(at_once(4, 4, 3).map(told), Some((Metric::Mtm, Source::Published, Some(43))));
    assert_eq!(at_once(3, 3, 4).map(told), Some((Metric::Mtm, Source::Counted, Some(24))));
    assert!(at_once(3, 5, 0).is_none(), "in this metric nobody has published it");
}

#[test]
fn a_count_tells_how_far_it_is_and_stops_when_told() {
    let goal = Goal::BlankLast.board(size(3, 3)).unwrap();
    for (metric, farthest) in [(Metric::Stm, 31), (Metric::Mtm, 24)] {
        let (levels, last) = (AtomicU64::new(0), AtomicU64::new(0));
        let watch = |event: &Event<'_>| {
            if let Event::Level(level) = event {
                levels.fetch_add(1, Ordering::Relaxed);
                last.store(level.found, Ordering::Relaxed);
                assert_eq!(level.total, 181_440);
            }
            ControlFlow::Continue(())
        };
        Census::count(&goal, metric, &watch).unwrap();
        assert_eq!((levels.into_inner(), last.into_inner()), (farthest, 181_440));
        for goes_on in [0, 1, 5, 20, 50] {
            let few = AtomicU64::new(0);
            let stop = |_: &Event<'_>| match few.fetch_add(1, Ordering::Relaxed) {
                before if before < goes_on => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            };
            assert!(matches!(Census::count(&goal, metric, &stop), Err(CensusError::Stopped)), "{goes_on}");
            few.store(0, Ordering::Relaxed);
            let near = Census::count_to(&goal, metric, 31, None, &stop);
            assert!(matches!(near, Err(CensusError::Stopped)), "{goes_on}");
        }
        let huge = Goal::BlankLast.board(size(5, 5)).unwrap();
        assert!(matches!(Census::count(&huge, metric, &unwatched), Err(CensusError::TooLarge(_))));
    }
    let depths = AtomicU64::new(0);
    let watch = |event: &Event<'_>| {
        match event {
            Event::Begin { total, .. } => assert_eq!(*total, 7),
            Event::Advance(more) => drop(depths.fetch_add(*more, Ordering::Relaxed)),
            _ => {}
        }
        ControlFlow::Continue(())
    };
    Census::count_to(&goal, Metric::Mtm, 7, None, &watch).unwrap();
    assert_eq!(depths.into_inner(), 7);
}

#[test]
fn memory_is_a_bit_a_board_or_a_half_more() {
    let memory = |width, height, metric| Census::memory(size(width, height), metric);
    assert_eq!(memory(3, 4, Metric::Stm), Some(239_500_800 / 8));
    assert_eq!(memory(5, 3, Metric::Stm), Some(653_837_184_000 / 8));
    assert_eq!(memory(3, 4, Metric::Mtm), Some(239_500_800 * 18 / 12 / 8));
    assert_eq!(memory(4, 3, Metric::Mtm), memory(3, 4, Metric::Mtm));
    assert_eq!(memory(5, 5, Metric::Stm), None);
    assert_eq!(memory(5, 5, Metric::Mtm), None);
    assert_eq!(Census::boards(size(4, 4)), 10_461_394_944_000);
}
