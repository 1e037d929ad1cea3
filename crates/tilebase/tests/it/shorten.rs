//! Shortened sequences end where they ended, are never longer, and have no window that a plain search makes shorter.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;

use tilebase::{Board, Direction, Event, Metric, Random, Size, Solver, Tables, shorten, unwatched};

/// A board, and random moves from it that often turn back.
fn walk(random: &mut Random, size: Size, moves: usize) -> (Board, Vec<Direction>) {
    let start = random.any_board(size);
    let mut board = start;
    let mut slides = Vec::new();
    for _ in 0..moves {
        let choices: Vec<Direction> = board.slides().collect();
        slides.push(choices[random.below(choices.len() as u64) as usize]);
        board.slide(slides[slides.len() - 1]).unwrap();
    }
    (start, slides)
}

/// How far all boards within some moves are from one, by the plainest search.
fn distances(from: &Board, most: usize) -> HashMap<Board, usize> {
    let mut all = HashMap::from([(*from, 0)]);
    let mut level = vec![*from];
    for distance in 1..=most {
        let mut next = Vec::new();
        for board in level {
            for direction in board.slides() {
                let mut after = board;
                after.slide(direction).unwrap();
                if let Entry::Vacant(place) = all.entry(after) {
                    place.insert(distance);
                    next.push(after);
                }
            }
        }
        level = next;
    }
    all
}

#[test]
fn no_window_of_what_is_left_can_be_made_shorter() {
    const WINDOW: usize = 10;
    let mut random = Random::new(1);
    for (width, height) in [(2, 2), (2, 3), (3, 3), (4, 3), (4, 4), (5, 5)] {
        for moves in [0, 1, 2, 5, 40, 70] {
            let (start, slides) = walk(&mut random, Size::new(width, height).unwrap(), moves);
            let shortened = shorten(&start, &slides, Metric::Stm, WINDOW, &unwatched).unwrap();
            assert_eq!((shortened.before as usize, shortened.after as usize), (moves, shortened.slides.len()));
            assert!(shortened.slides.len() <= moves && !shortened.is_stopped && shortened.undecided == 0);
            assert_eq!(start.replay(&shortened.slides).unwrap(), start.replay(&slides).unwrap(), "{start}");
            let mut board = start;
            for at in 0..shortened.slides.len() {
                let window = &shortened.slides[at..shortened.slides.len().min(at + WINDOW)];
                let end = board.replay(window).unwrap();
                assert_eq!(distances(&board, window.len())[&end], window.len(), "move {at} of {start}");
                board.slide(shortened.slides[at]).unwrap();
            }
        }
    }
}

#[test]
fn a_window_of_all_moves_gives_a_shortest_way() {
    let mut random = Random::new(2);
    for _ in 0..20 {
        let (start, slides) = walk(&mut random, Size::new(3, 3).unwrap(), 60);
        let end = start.replay(&slides).unwrap();
        let shortened = shorten(&start, &slides, Metric::Stm, slides.len(), &unwatched).unwrap();
        assert_eq!(Some(&shortened.slides.len()), distances(&start, 31).get(&end), "{start} to {end}");
    }
}

#[test]
fn a_window_of_all_moves_gives_a_shortest_way_in_mtm() {
    let mut random = Random::new(4);
    for _ in 0..10 {
        let (start, slides) = walk(&mut random, Size::new(3, 3).unwrap(), 60);
        let end = start.replay(&slides).unwrap();
        let shortened = shorten(&start, &slides, Metric::Mtm, slides.len(), &unwatched).unwrap();
        assert_eq!(start.replay(&shortened.slides), Ok(end));
        assert_eq!(
            (shortened.before, shortened.after),
            (Metric::Mtm.length(&slides), Metric::Mtm.length(&shortened.slides))
        );
        let solver =
            Solver::builder(&end).metric(Metric::Mtm).tables(Tables::Named("walking-distance")).open().unwrap();
        assert_eq!(shortened.after, solver.solve(&start).unwrap().length, "{start} to {end}");
    }
}

#[test]
fn whoever_stops_it_gets_what_there_is() {
    let (start, slides) = walk(&mut Random::new(3), Size::new(4, 4).unwrap(), 200);
    let stop = |_: &Event<'_>| ControlFlow::Break(());
    let stopped = shorten(&start, &slides, Metric::Stm, 20, &stop).unwrap();
    assert!(stopped.is_stopped);
    assert_eq!(start.replay(&stopped.slides).unwrap(), start.replay(&slides).unwrap());
    assert!(stopped.slides.windows(2).all(|pair| pair[0] != pair[1].opposite()), "that much is done at once");
}

#[test]
fn moves_that_cannot_be_made_are_refused() {
    let board: Board = "1 2 / 3 0".parse().unwrap();
    let error = shorten(&board, &[Direction::Right, Direction::Right], Metric::Stm, 10, &unwatched).unwrap_err();
    assert!(error.to_string().starts_with("move 2: no tile can slide right"), "{error}");
}
