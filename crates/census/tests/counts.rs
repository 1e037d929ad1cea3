//! Counts against a plain search that remembers every board, and against the published ones.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use tilebase_census::{Census, CensusError, Source};
use tilebase_progress::{Event, unwatched};
use tilebase_puzzle::{Board, Goal, Random, Size};

/// Breadth-first search as everybody would write it.
fn plain(goal: &Board) -> Vec<u64> {
    let mut seen = HashSet::from([*goal]);
    let mut level = vec![*goal];
    let mut counts = Vec::new();
    while !level.is_empty() {
        counts.push(level.len() as u64);
        let mut next = Vec::new();
        for board in &level {
            for direction in board.slides() {
                let mut after = *board;
                after.slide(direction).unwrap();
                if seen.insert(after) {
                    next.push(after);
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

fn counted(goal: &Board) -> Vec<u64> {
    Census::count(goal, &unwatched).unwrap().counts().to_vec()
}

#[test]
fn every_home_of_the_blank_on_small_boards_counts_as_the_plain_search() {
    for (width, height) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)] {
        let size = size(width, height);
        for square in size.squares() {
            let goal = goal(size, square.0);
            assert_eq!(counted(&goal), plain(&goal), "{goal}");
        }
    }
}

#[test]
fn corner_edge_and_middle_of_3x3_count_as_the_plain_search() {
    for (blank, farthest, how_many) in [(0, 31, 2), (1, 31, 2), (3, 31, 2), (4, 30, 148), (8, 31, 2)] {
        let goal = goal(size(3, 3), blank);
        let counts = counted(&goal);
        assert_eq!(counts, plain(&goal), "{goal}");
        assert_eq!((counts.len() - 1, counts.last()), (farthest, Some(&how_many)), "{goal}");
    }
}

#[test]
fn boards_to_3x4_count_as_was_published_whichever_way_they_lie_and_on_any_number_of_threads() {
    for (width, height, threads) in [(3, 3, 1), (5, 2, 3), (2, 5, 1), (3, 4, 2), (4, 3, 3), (2, 6, 2)] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for name in [Goal::BlankLast, Goal::BlankFirst].iter().take(if width * height > 10 { 1 } else { 2 }) {
            let goal = name.board(size(width, height)).unwrap();
            let published = Census::published(&goal).unwrap();
            assert_eq!(published.source(), Source::Published);
            assert_eq!(pool.install(|| counted(&goal)), published.counts(), "{goal}");
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
        let census = Census::published(&Goal::BlankLast.board(size(width, height)).unwrap()).unwrap();
        assert_eq!((census.farthest(), census.counts().last()), (farthest, Some(&how_many)), "{width}x{height}");
        assert!((census.mean() - mean).abs() < 0.000_05, "{width}x{height}: {}", census.mean());
    }
}

#[test]
fn what_is_told_at_once_is_published_or_small_and_fits_the_goal() {
    let at_once = |width, height, blank| Census::at_once(&goal(size(width, height), blank));
    assert_eq!(at_once(4, 4, 3).map(|census| census.source()), Some(Source::Published));
    assert_eq!(at_once(3, 3, 4).map(|census| (census.source(), census.farthest())), Some((Source::Counted, 30)));
    assert!(at_once(4, 4, 5).is_none(), "nobody has published what is not in a corner");
    assert!(at_once(4, 4, 1).is_none());
    assert!(at_once(5, 5, 0).is_none());
}

#[test]
fn a_count_tells_how_far_it_is_and_stops_when_told() {
    let goal = Goal::BlankLast.board(size(3, 3)).unwrap();
    let (levels, last) = (AtomicU64::new(0), AtomicU64::new(0));
    let watch = |event: &Event<'_>| {
        if let Event::Level(level) = event {
            levels.fetch_add(1, Ordering::Relaxed);
            last.store(level.found, Ordering::Relaxed);
            assert_eq!(level.total, 181_440);
        }
        ControlFlow::Continue(())
    };
    Census::count(&goal, &watch).unwrap();
    assert_eq!((levels.into_inner(), last.into_inner()), (31, 181_440));
    let few = AtomicU64::new(0);
    let stop = |_: &Event<'_>| {
        if few.fetch_add(1, Ordering::Relaxed) < 20 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    assert!(matches!(Census::count(&goal, &stop), Err(CensusError::Stopped)));
    let huge = Goal::BlankLast.board(size(5, 5)).unwrap();
    assert!(matches!(Census::count(&huge, &unwatched), Err(CensusError::TooLarge(_))));
}

#[test]
fn memory_is_a_bit_a_board() {
    assert_eq!(Census::memory(size(3, 4)), Some(239_500_800 / 8));
    assert_eq!(Census::memory(size(5, 3)), Some(653_837_184_000 / 8));
    assert_eq!(Census::memory(size(5, 5)), None);
    assert_eq!(Census::boards(size(4, 4)), 10_461_394_944_000);
}
