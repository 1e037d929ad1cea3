//! Searches with damaged tables that nobody verified: never a panic, always an end. And never an answer by those that were.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tilebase::format::layout::HEADER_LEN;
use tilebase::generate::{Build, Memory};
use tilebase::index::Kind;
use tilebase::lookup::{Bytes, Table};
use tilebase::{Bounds, Catalogue, Goal, Limits, Random, Request, Size, Solver, Tables, unwatched};

/// The tables of a partition of 3×3, of both kinds that are added.
static WHOLE: LazyLock<[Vec<Vec<u8>>; 2]> = LazyLock::new(|| {
    let partition = Catalogue::draw("drawn", ".AA/BAA/BBB").expect("a drawing").partitions.remove(0);
    [Kind::Bit, Kind::Nibble].map(|kind| {
        let build = |pattern| Build::new(pattern, &[kind]).and_then(|build| build.run(1, &Memory, &unwatched));
        let built = partition.patterns().iter().map(|pattern| build(pattern).expect("it can be built").remove(0));
        built.map(|table| table.into_bytes()).collect()
    })
});

fuzz_target!(|bytes: &[u8]| {
    let [choice, seed, damage @ ..] = bytes else { return };
    let mut tables = WHOLE[usize::from(choice % 2)].clone();
    // Three bytes each: where, and what is changed there.
    for change in damage.chunks_exact(3) {
        let table = &mut tables[usize::from(choice >> 1) % 2];
        let len = table.len() - HEADER_LEN;
        table[HEADER_LEN + usize::from(u16::from_le_bytes([change[0], change[1]])) % len] ^= change[2];
    }
    let is_damaged = tables != WHOLE[usize::from(choice % 2)];
    let tables: Vec<Table> = tables.into_iter().map(|table| Table::new(Bytes::Owned(table)).expect("its header is whole")).collect();
    let is_whole = tables.iter().all(|table| table.verify(&unwatched).is_ok());
    assert_eq!(is_whole, !is_damaged);
    let goal = Goal::BlankLast.board(Size::new(3, 3).expect("a size")).expect("a goal");
    let solver = Solver::builder(&goal).tables(Tables::Given(Bounds::sum(tables))).open().expect("they belong together");
    let board = Random::new((*seed).into()).solvable_board(&goal);
    let request = Request::default().limits(Limits::default().nodes(200_000));
    if let Ok(Some(solved)) = solver.search(&board, &request).map(|outcome| outcome.solved()) {
        assert_eq!(board.replay(&solved.solutions[0]).as_ref(), Ok(&goal), "a solution leads to the goal, long or short");
    }
});
