//! Tables that count all moves, tables of mirror images, and whole catalogues proved.

use rayon::prelude::*;
use tilebase_generate::{Build, Directory, Memory, audit};
use tilebase_heuristics::{Additive, AllMoves, Manhattan};
use tilebase_index::{BuilderIndex, Kind, PatternCosts, Place, Standing};
use tilebase_lookup::{AdditiveTable, AllMovesTable, AnyBitTable, Bytes, Store, Table};
use tilebase_progress::unwatched;
use tilebase_puzzle::{Catalogue, Pattern, PatternError, Random, Size, Square, State, Symmetry};
use tilebase_solve::{Algorithm, Ida, Request};
use tilebase_tests::fixtures::{frame, size};
use tilebase_tests::follow::{Followed, bound};
use tilebase_tests::larger::Larger;
use tilebase_tests::naive::{self, Placement};

fn pattern(size: Size, home: u8, tiles: &[u64]) -> Pattern {
    Pattern::new(size, Square(home), tiles).unwrap()
}

/// Where a placement is in a table that counts all moves.
fn place(index: &BuilderIndex, placement: Placement) -> Place {
    let squares: Vec<Square> = (0..index.tiles()).map(|number| placement.tile(number)).collect();
    let mask = squares.iter().fold(0, |mask, square| mask | square.bit());
    let mut in_order: Vec<(Square, u8)> = squares.iter().copied().zip(0..).collect();
    in_order.sort_unstable();
    let order: Vec<u8> = in_order.iter().map(|(_, tile)| *tile).collect();
    let map = index.map(mask);
    let perm = tilebase_index::perms::rank(&order);
    Place { squares: mask, map, row: index.row(map, placement.blank()), perm, manhattan: 0 }
}

#[test]
fn tables_that_count_all_moves_equal_a_naive_search() {
    let mut patterns: Vec<Pattern> = Vec::new();
    for home in [0, 1, 4] {
        let all = (1..512).filter_map(|tiles| Pattern::from_mask(size(3, 3), Square(home), tiles).ok());
        patterns.extend(all.filter(|pattern| pattern.len() <= 4));
    }
    patterns.push(pattern(size(3, 3), 0, &[1, 2, 3, 4, 5, 6, 7, 8]));
    patterns.push(pattern(size(3, 3), 4, &[0, 1, 2, 3, 5, 6, 7]));
    patterns.push(pattern(size(2, 5), 3, &[0, 1, 4, 9]));
    patterns.push(pattern(size(5, 2), 0, &[1, 2, 3, 4, 5]));
    patterns.push(pattern(size(4, 3), 1, &[0, 5, 6, 11]));
    patterns.push(pattern(size(4, 4), 0, &[3, 7, 11, 15]));
    patterns.into_par_iter().for_each(|pattern| {
        let plan = Build::new(&pattern, &[Kind::AllMoves]).unwrap();
        let built = &plan.run(1, &Memory, &unwatched).unwrap()[0];
        assert_eq!(built.header.kind(), Kind::AllMoves);
        let table = Table::new(Bytes::Owned(built.bytes().to_vec())).unwrap();
        let index = BuilderIndex::new(table.header().index().unwrap());
        let ready = AllMovesTable::ready(std::slice::from_ref(&table)).unwrap().remove(0);
        let costs = naive::pattern_costs(&pattern, Kind::AllMoves);
        assert_eq!(costs.len() as u64, plan.reachable(), "{pattern}");
        let mut histogram = vec![0; built.header.max() as usize + 1];
        for (count, (&placement, &cost)) in costs.iter().enumerate() {
            histogram[cost as usize] += 1;
            let at = place(&index, placement);
            let number = table.entry(&at).unwrap();
            let bit = table.payload()[(number / 8) as usize] >> (number % 8);
            assert_eq!(u32::from(bit & 1), cost >> 1 & 1, "{pattern}");
            // Walking down is slow; a few hundred walks for each pattern will do.
            if count % (costs.len() / 300 + 1) == 0 {
                assert_eq!((table.cost(&at), ready.cost(&at)), (Some(cost), Some(cost)), "{pattern}");
                for blank in naive::neighbours(pattern.size(), placement.blank()) {
                    let next = placement.after(blank, pattern.len());
                    let entry = table.entry(&place(&index, next)).unwrap();
                    assert_eq!(u32::from(ready.cost_after(entry, (), cost as u8)), costs[&next], "{pattern}");
                }
            }
        }
        assert_eq!(built.header.histogram(), histogram, "{pattern}");
    });
}

#[test]
fn the_maximum_of_tables_that_count_all_moves_is_admissible_and_solves() {
    let all_moves = |home: u8, patterns: &[&[u64]]| {
        let tables = patterns.iter().map(|tiles| {
            let built =
                Build::new(&pattern(size(3, 3), home, tiles), &[Kind::AllMoves]).unwrap().run(2, &Memory, &unwatched);
            Table::new(Bytes::Owned(built.unwrap()[0].bytes().to_vec())).unwrap()
        });
        let tables: Vec<Table> = tables.collect();
        AllMoves::<AllMovesTable>::of_all_moves(AllMovesTable::ready(&tables).unwrap()).unwrap()
    };
    for (home, patterns) in
        [(0, &[&[2, 5, 6, 7, 8][..], &[1, 2, 3]][..]), (4, &[&[0, 1, 2, 3]]), (1, &[&[0, 2], &[6, 7, 8]])]
    {
        let maximum = all_moves(home, patterns);
        let larger = Larger(Manhattan::new(size(3, 3)), all_moves(home, patterns));
        let distances = naive::distances(size(3, 3), Square(home), u32::MAX);
        let mut better_than_manhattan = 0;
        for (number, state) in distances.states().iter().enumerate() {
            let distance = distances.get(state).unwrap();
            let all_moves = bound(&maximum, state);
            let manhattan = bound(&larger.0, state);
            assert!(all_moves <= distance, "{state:?}");
            assert_eq!(bound(&larger, state), all_moves.max(manhattan));
            better_than_manhattan += u32::from(all_moves > manhattan);
            if number % 997 == 0 {
                let solved = Ida::default().search(&larger, state, &Request::default()).unwrap().solved().unwrap();
                assert_eq!(solved.length, distance);
                let alone = Ida::default().search(&maximum, state, &Request::default()).unwrap().solved().unwrap();
                assert_eq!(alone.length, distance);
            }
        }
        assert!(better_than_manhattan > 0);
    }
}

#[test]
fn tables_are_neither_added_nor_compared_where_that_would_be_wrong() {
    let built = |encodings| {
        let tables =
            Build::new(&pattern(size(2, 2), 0, &[1, 2, 3]), encodings).unwrap().run(1, &Memory, &unwatched).unwrap();
        vec![Table::new(Bytes::Owned(tables[0].bytes().to_vec())).unwrap()]
    };
    let all_moves = AllMovesTable::ready(&built(&[Kind::AllMoves])).unwrap();
    assert_eq!(Additive::<AllMovesTable>::new(all_moves).unwrap_err(), PatternError::NotAdditive);
    let own_moves = AnyBitTable::ready(&built(&[Kind::Bit])).unwrap();
    assert_eq!(AllMoves::<AnyBitTable>::of_all_moves(own_moves).unwrap_err(), PatternError::NotAllMoves);
    assert!(AdditiveTable::ready(&built(&[Kind::AllMoves])).is_none());
    assert!(AllMovesTable::ready(&built(&[Kind::Bit])).is_none());
    assert_eq!(AllMoves::<AllMovesTable>::of_all_moves(Vec::new()).unwrap_err(), PatternError::Empty);
}

#[test]
fn a_mirror_image_is_served_by_the_table_of_the_other() {
    let directory = tempfile::tempdir().unwrap();
    for (size, home, tiles) in [
        (size(3, 3), 0, &[1, 2, 5][..]),
        (size(4, 4), 0, &[1, 2, 3, 6]),
        (size(3, 3), 4, &[0, 1, 2]),
        (size(3, 4), 1, &[0, 3, 4, 7]),
    ] {
        let built_for = pattern(size, home, tiles);
        for encodings in [&[Kind::Bit], &[Kind::Nibble]] {
            let into = Directory(directory.path());
            let mut built = Build::new(&built_for, encodings).unwrap().run(2, &into, &unwatched).unwrap();
            let file = built.remove(0).seal().unwrap();
            for symmetry in Symmetry::fixing(size, Square(home)) {
                let asked = built_for.seen_through(symmetry);
                let found = Store::new(vec![directory.path().to_owned()])
                    .find_unverified(&asked)
                    .unwrap()
                    .expect("it is there");
                assert_eq!(found.pattern(), &asked);
                let own = &Build::new(&asked, encodings).unwrap().run(2, &Memory, &unwatched).unwrap()[0];
                let own = Table::new(Bytes::Owned(own.bytes().to_vec())).unwrap();
                let frame = frame(size, Square(home));
                let mut random = Random::new(u64::from(home));
                let mut state = frame.state(&random.solvable_board(frame.goal())).unwrap();
                let ready = AdditiveTable::ready(&[found.clone(), own.clone()]).unwrap();
                let (mut here, mut there) = (Followed::new(&ready[0], &state), Followed::new(&ready[1], &state));
                let cost = |state: &State| own.cost(&own.locate(state).unwrap()).unwrap();
                for _ in 0..200 {
                    let before = cost(&state);
                    let place = found.locate(&state).unwrap();
                    assert_eq!(found.cost(&place), Some(before), "{asked} by the table of {built_for}");
                    let slides: Vec<_> = tilebase_puzzle::Direction::ALL
                        .into_iter()
                        .filter_map(|direction| state.slide_in(direction))
                        .collect();
                    let slide = slides[random.below(slides.len() as u64) as usize];
                    state.make(slide);
                    let entries = (here.slide(slide), there.slide(slide));
                    assert_eq!(here.standing(), Standing::from(&found.locate(&state).unwrap()));
                    let (Some(entry), Some(own_entry)) = entries else {
                        assert_eq!(entries, (None, None), "{slide:?} counts for both or for none");
                        continue;
                    };
                    assert_eq!(Some(entry), found.entry(&found.locate(&state).unwrap()));
                    assert_eq!(Some(own_entry), own.entry(&own.locate(&state).unwrap()));
                    let after = cost(&state) as u8;
                    assert_eq!(here.cost_after(entry, before as u8), after, "{asked} by the table of {built_for}");
                    assert_eq!(there.cost_after(own_entry, before as u8), after, "{asked}");
                }
            }
            std::fs::remove_file(file).unwrap();
        }
    }
}

#[test]
fn every_entry_of_5_5_5_and_6_6_3_is_proved() {
    for name in ["5-5-5", "6-6-3"] {
        for pattern in Catalogue::known(name).unwrap().patterns() {
            for table in Build::new(&pattern, &[Kind::Bit, Kind::Nibble]).unwrap().run(0, &Memory, &unwatched).unwrap()
            {
                let verdict = audit(&table.header, table.payload(), 0, &unwatched);
                assert!(verdict.is_ok(), "{name}: {pattern}: {verdict:?}");
            }
        }
    }
}
