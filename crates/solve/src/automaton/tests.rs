use std::collections::{HashMap, HashSet};

use tilebase_puzzle::{Direction, Size, Square};

use super::alphabet::Slides;
use super::build::{Machine, NONE};
use super::minimise::minimise;
use super::{Automaton, built_once};

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

/// The state after a move, if it is allowed.
fn step(automaton: &Automaton, state: u32, way: Direction) -> Option<u32> {
    Some(automaton.next(state)[way as usize]).filter(|&next| next != Automaton::FORBIDDEN)
}

/// All boards with the same tiles, by number, in the order of the first of the shortest strings that make them.
struct Boards {
    start: Square,
    moves: Vec<[Option<usize>; 4]>,
    distances: Vec<usize>,
}

impl Boards {
    /// From the board where each square has its own number and `start` is the blank.
    fn new(size: Size, start: Square) -> Boards {
        let first: Vec<u8> = size.squares().map(|square| square.0).collect();
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut boards = Boards { start, moves: Vec::new(), distances: vec![0] };
        let mut queue = vec![(first, start)];
        while let Some((board, blank)) = queue.get(boards.moves.len()).cloned() {
            let distance = boards.distances[boards.moves.len()];
            boards.moves.push(Direction::ALL.map(|way| {
                let to = size.neighbour(blank, way)?;
                let mut board = board.clone();
                board.swap(blank.index(), to.index());
                Some(*numbers.entry(board).or_insert_with_key(|board| {
                    queue.push((board.clone(), to));
                    boards.distances.push(distance + 1);
                    queue.len() - 1
                }))
            }));
        }
        boards
    }

    /// How many boards there are at each distance.
    fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.distances.last().unwrap() + 1];
        self.distances.iter().for_each(|&distance| counts[distance] += 1);
        counts
    }

    /// Follows the first of the shortest strings to each board.
    fn assert_first_strings_are_allowed(&self, automaton: &Automaton) {
        let mut states = vec![None; self.moves.len()];
        states[0] = Some(automaton.start(self.start));
        for (board, moves) in self.moves.iter().enumerate() {
            let state = states[board].unwrap_or_else(|| panic!("{automaton:?} from {:?} misses a board", self.start));
            for way in Direction::ALL {
                let Some(to) = moves[way as usize] else { continue };
                // It comes from there: shorter strings were first, and equally long ones in their order.
                if self.moves[to].iter().flatten().min() == Some(&board) && to > board {
                    states[to] = step(automaton, state, way);
                }
            }
        }
    }

    /// Searches boards and states at once, breadth first, and wants every board at its distance.
    fn assert_all_are_reached(&self, automaton: &Automaton) {
        let mut level = vec![(0, automaton.start(self.start))];
        let mut reached = vec![false; self.moves.len()];
        for distance in 0.. {
            level.iter().for_each(|&(board, _)| reached[board] = true);
            let mut next = Vec::new();
            for &(board, state) in &level {
                for way in Direction::ALL {
                    let after = self.moves[board][way as usize].zip(step(automaton, state, way));
                    next.extend(after.filter(|&(board, _)| self.distances[board] == distance + 1));
                }
            }
            if next.is_empty() {
                break;
            }
            next.sort_unstable();
            next.dedup();
            level = next;
        }
        assert!(reached.iter().all(|&reached| reached), "{automaton:?} from {:?} misses a board", self.start);
    }
}

/// The numbers of allowed strings of 0, 1, 2, … moves.
fn allowed_strings(automaton: &Automaton, start: Square, longest: usize) -> Vec<u64> {
    let mut strings = vec![0; automaton.states()];
    strings[automaton.start(start) as usize] = 1;
    let mut counts = vec![1];
    for _ in 0..longest {
        let mut next = vec![0; automaton.states()];
        for state in automaton.numbers() {
            for after in Direction::ALL.into_iter().filter_map(|way| step(automaton, state, way)) {
                next[after as usize] += strings[state as usize];
            }
        }
        counts.push(next.iter().sum());
        strings = next;
    }
    counts
}

/// All strings of moves from a square, shorter ones first and then in their order, with what they make of a board.
fn all_strings(size: Size, start: Square, longest: usize) -> Vec<(Vec<Direction>, Vec<u8>, Square)> {
    let mut strings = vec![(Vec::new(), size.squares().map(|square| square.0).collect::<Vec<u8>>(), start)];
    let mut done = 0;
    while strings[done].0.len() < longest {
        for way in Direction::ALL {
            let (mut moves, mut board, blank) = strings[done].clone();
            if let Some(to) = size.neighbour(blank, way) {
                moves.push(way);
                board.swap(blank.index(), to.index());
                strings.push((moves, board, to));
            }
        }
        done += 1;
    }
    strings
}

/// Compares with the definition, word by word, all strings of up to two moves more than the depth.
fn assert_follows_the_definition(size: Size, depth: usize) {
    let mut forbidden: HashMap<Square, HashSet<Vec<Direction>>> = HashMap::new();
    for start in size.squares() {
        let mut seen = HashSet::new();
        let strings = all_strings(size, start, depth).into_iter();
        let repeats = strings.filter_map(|(moves, board, _)| (!seen.insert(board)).then_some(moves));
        forbidden.insert(start, repeats.collect());
    }
    let automaton = Automaton::new(size, depth);
    for start in size.squares() {
        for (moves, _, _) in all_strings(size, start, depth + 2) {
            let mut state = Some(automaton.start(start));
            let mut part_is_forbidden = false;
            let mut blank = start;
            for (place, &way) in moves.iter().enumerate() {
                state = state.and_then(|state| step(&automaton, state, way));
                let longest = depth.min(moves.len() - place);
                part_is_forbidden |=
                    (1..=longest).any(|count| forbidden[&blank].contains(&moves[place..place + count]));
                blank = size.neighbour(blank, way).unwrap();
            }
            assert_eq!(state.is_none(), part_is_forbidden, "{moves:?} from {start:?}");
        }
    }
}

#[test]
fn exactly_the_strings_with_a_repeating_part_are_forbidden() {
    assert_follows_the_definition(size("3x3"), 8);
    assert_follows_the_definition(size("2x3"), 9);
    assert_follows_the_definition(size("4x4"), 6);
}

#[test]
fn the_first_shortest_string_to_every_board_of_3x3_is_allowed() {
    let automata: Vec<Automaton> = (2..=14).map(|depth| Automaton::new(size("3x3"), depth)).collect();
    for start in size("3x3").squares() {
        let boards = Boards::new(size("3x3"), start);
        assert_eq!(boards.moves.len(), 181_440);
        boards.assert_first_strings_are_allowed(Automaton::of(size("3x3")));
        automata.iter().for_each(|automaton| boards.assert_first_strings_are_allowed(automaton));
    }
}

#[test]
fn every_board_of_3x3_is_reached_at_its_distance_from_corner_edge_and_centre() {
    for start in [Square(0), Square(1), Square(4)] {
        let boards = Boards::new(size("3x3"), start);
        boards.assert_all_are_reached(Automaton::of(size("3x3")));
        for depth in [2, 6, 9, 14] {
            boards.assert_all_are_reached(&Automaton::new(size("3x3"), depth));
        }
    }
}

#[test]
fn every_board_of_two_rows_or_columns_is_reached_at_its_distance() {
    for size in [size("2x2"), size("3x2"), size("2x4"), size("4x2")] {
        let automata: Vec<Automaton> = (2..=14).map(|depth| Automaton::new(size, depth)).collect();
        for start in size.squares() {
            let boards = Boards::new(size, start);
            for automaton in automata.iter().chain([Automaton::of(size)]) {
                boards.assert_first_strings_are_allowed(automaton);
                boards.assert_all_are_reached(automaton);
            }
        }
    }
}

#[test]
fn strings_up_to_the_depth_are_as_many_as_boards_at_that_distance() {
    // From the corner: OEIS A089473, A089484 and A090164.
    let known: [(&str, usize, &[u64]); 3] = [
        ("3x3", 14, &[1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893]),
        ("4x4", 14, &[1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821]),
        ("5x5", 11, &[1, 2, 4, 10, 26, 64, 159, 366, 862, 1904, 4538, 10238]),
    ];
    for (text, depth, counts) in known {
        let built = Automaton::new(size(text), depth);
        assert_eq!(allowed_strings(&built, Square(0), depth), counts, "{text}");
        let last = Square(size(text).count() as u8 - 1);
        assert_eq!(allowed_strings(&built, last, depth), counts, "{text}");
    }
}

#[test]
fn an_automaton_as_deep_as_the_puzzle_allows_one_string_for_each_board() {
    for size in [size("2x2"), size("2x3"), size("3x2")] {
        for start in size.squares() {
            let mut counts = Boards::new(size, start).counts();
            let automaton = Automaton::new(size, counts.len());
            counts.push(0);
            assert_eq!(allowed_strings(&automaton, start, counts.len() - 1), counts);
        }
    }
}

#[test]
fn a_depth_of_two_forbids_to_take_back_the_last_move_and_nothing_else() {
    for size in [size("2x2"), size("3x4"), size("4x4"), size("5x5")] {
        let automaton = Automaton::new(size, 2);
        let on_board = |square, way| size.neighbour(square, way).is_some();
        for start in size.squares() {
            for first in Direction::ALL {
                let after = step(&automaton, automaton.start(start), first);
                assert_eq!(after.is_some(), on_board(start, first));
                let Some(after) = after else { continue };
                let blank = size.neighbour(start, first).unwrap();
                // The state depends on the square and the last move alone, so two moves stand for any number of them.
                for second in Direction::ALL {
                    let allowed = second != first.opposite() && on_board(blank, second);
                    assert_eq!(step(&automaton, after, second).is_some(), allowed);
                }
            }
        }
        let steps = size.squares().flat_map(|square| Direction::ALL.map(|way| on_board(square, way)));
        assert_eq!(automaton.states(), size.count() + steps.filter(|&on_board| on_board).count());
    }
}

#[test]
fn a_depth_below_two_forbids_only_to_leave_the_board() {
    for depth in [0, 1] {
        let automaton = Automaton::new(size("3x3"), depth);
        assert_eq!(automaton.states(), 9);
        for square in size("3x3").squares() {
            for way in Direction::ALL {
                let to = size("3x3").neighbour(square, way).map(|to| automaton.start(to));
                assert_eq!(step(&automaton, automaton.start(square), way), to);
            }
        }
    }
}

/// Walks both at once. Each state of the large one must meet one state of the small one, with the same moves.
fn assert_equivalent(large: &Machine<[u32; 4]>, small: &Machine<[u32; 4]>) {
    let mut partners = vec![NONE; large.rows.len()];
    let mut queue: Vec<(u32, u32)> = large.starts.iter().copied().zip(small.starts.iter().copied()).collect();
    while let Some((state, partner)) = queue.pop() {
        if partners[state as usize] != NONE {
            assert_eq!(partners[state as usize], partner);
            continue;
        }
        partners[state as usize] = partner;
        assert_eq!(large.kinds[state as usize], small.kinds[partner as usize]);
        let moves = large.rows[state as usize].into_iter().zip(small.rows[partner as usize]);
        for (next, next_partner) in moves {
            assert_eq!(next == NONE, next_partner == NONE);
            queue.extend((next != NONE).then_some((next, next_partner)));
        }
    }
    assert!(!partners.contains(&NONE), "all states can be reached");
}

#[test]
fn the_smallest_automaton_allows_the_same_strings_of_any_length() {
    for (text, depth) in [("3x3", 13), ("2x5", 14), ("4x4", 12), ("5x4", 10), ("5x5", 9)] {
        let large = Machine::new::<Slides>(size(text), depth, &|| true).unwrap();
        let small = minimise(&large, &|| true).unwrap();
        assert_equivalent(&large, &small);
        assert!(minimise(&small, &|| true).unwrap() == small, "{text}: nothing is left to join, and the order stays");
    }
}

#[test]
fn the_number_of_states_is_known() {
    let known =
        [("3x3", 10, 459, 386), ("4x4", 10, 4147, 3507), ("4x4", 12, 15_222, 12_757), ("5x5", 10, 10_573, 9074)];
    for (text, depth, before, after) in known {
        let machine = Machine::new::<Slides>(size(text), depth, &|| true).unwrap();
        assert_eq!(
            (machine.rows.len(), minimise(&machine, &|| true).unwrap().rows.len()),
            (before, after),
            "{text}, depth {depth}"
        );
    }
}

#[cfg(feature = "automaton")]
#[test]
fn the_file_is_the_automaton_of_4x4() {
    let size = size("4x4");
    let built = Automaton::new(size, Automaton::default_depth(size));
    assert!(
        built.to_bytes().as_deref() == Some(super::program::FILE),
        "renew it with cargo run --release --example write-automaton"
    );
    assert_eq!(Automaton::of(size).states(), built.states());
    assert!(built.numbers().all(|state| Automaton::of(size).next(state) == built.next(state)));
}

#[test]
fn an_automaton_of_many_states_is_the_machine_it_was_made_of() {
    let size = size("5x5");
    let machine = minimise(&Machine::new::<Slides>(size, 13, &|| true).unwrap(), &|| true).unwrap();
    let automaton = Automaton::new(size, 13);
    assert!(automaton.states() == machine.rows.len() && machine.rows.len() > 1 << 16, "{automaton:?}");
    // Both from the starts on, side by side.
    let mut numbers: Vec<Option<u32>> = vec![None; machine.rows.len()];
    let mut queue: Vec<u32> = machine.starts.clone();
    size.squares().for_each(|square| numbers[square.index()] = Some(automaton.start(square)));
    while let Some(state) = queue.pop() {
        let number = numbers[state as usize].unwrap();
        for (next, found) in machine.rows[state as usize].into_iter().zip(automaton.next(number)) {
            assert_eq!(next == NONE, found == Automaton::FORBIDDEN);
            if next != NONE {
                let known = numbers[next as usize].get_or_insert_with(|| {
                    queue.push(next);
                    found
                });
                assert_eq!(*known, found, "a state has one number");
            }
        }
    }
    let numbers: Option<HashSet<u32>> = numbers.into_iter().collect();
    assert_eq!(numbers, Some(automaton.numbers().collect()), "every state has a number of its own");
}

#[test]
fn every_size_has_an_automaton_of_its_own() {
    for (width, height) in (2..=12).flat_map(|width| (2..=12).map(move |height| (width, height))) {
        let Ok(size) = Size::new(width, height) else { continue };
        let automaton = Automaton::of(size);
        assert_eq!((automaton.size(), automaton.depth()), (size, Automaton::default_depth(size)));
        // Sixteen bits are enough with room to spare, and the table leaves room in a second-level cache.
        assert!(automaton.states() <= 45_000, "{automaton:?}");
    }
}

#[test]
fn building_stops_at_the_next_piece_when_told_to() {
    let asked = std::cell::Cell::new(0);
    let go_on = |most: u32| {
        asked.set(asked.get() + 1);
        asked.get() <= most
    };
    let size = size("3x3");
    let whole = Automaton::new_while(size, 10, &|| go_on(u32::MAX)).unwrap();
    assert_eq!(whole.states(), Automaton::new(size, 10).states());
    let pieces = asked.take();
    assert!(pieces > 10 * 9, "at least one for each square and length, found {pieces}");
    for most in [0, 1, 50, pieces - 1] {
        assert!(Automaton::new_while(size, 10, &|| go_on(most)).is_none());
        assert_eq!(asked.take(), most + 1);
    }
}

#[test]
fn a_thread_that_waits_for_what_another_one_builds_can_stop_and_the_next_one_builds_it() {
    let place = std::sync::OnceLock::new();
    let (begun, has_begun) = std::sync::mpsc::channel();
    let (go, gate) = std::sync::mpsc::channel();
    let gate = std::sync::Mutex::new(gate);
    std::thread::scope(|scope| {
        let place = &place;
        scope.spawn(move || {
            let stopped = built_once(place, &|| true, || {
                begun.send(()).unwrap();
                gate.lock().unwrap().recv().unwrap();
                None
            });
            assert_eq!(stopped, None::<&u32>);
        });
        has_begun.recv().unwrap();
        let asked = std::cell::Cell::new(0);
        let go_on = || asked.replace(asked.get() + 1) < 3;
        assert_eq!(built_once(place, &go_on, || panic!("another thread builds")), None);
        assert_eq!(asked.get(), 4);
        go.send(()).unwrap();
    });
    assert_eq!(built_once(&place, &|| true, || Some(7)), Some(&7));
    assert_eq!(built_once(&place, &|| false, || panic!("it is there")), Some(&7));
}
