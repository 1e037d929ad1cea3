//! Any bytes as a table and as a packed table: opened, looked up, verified, unpacked into nothing. Nothing may panic.

#![no_main]

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use libfuzzer_sys::fuzz_target;
use tilebase_format::layout::HEADER_LEN;
use tilebase_format::{UnpackError, Unpacking};
use tilebase_fuzz::with_right_checksum;
use tilebase_index::{Kind, LineCosts, Map, PatternCosts, Perm, Place, Row, Standing};
use tilebase_lookup::{AdditiveTable, AllMovesTable, Bytes, LineTable, Table};
use tilebase_progress::{Event, unwatched};
use tilebase_puzzle::{Axis, Direction, State};

/// Unpacking is stopped here, by whoever watches its progress.
const MOST_UNPACKED: u64 = 1 << 26;

fuzz_target!(|bytes: &[u8]| {
    open(bytes.to_vec(), bytes);
    if bytes.len() >= HEADER_LEN {
        open(with_right_checksum(bytes), bytes);
    }
    unpack(bytes);
    // A frame with one stored block, so that the fuzzer need not find out how to write one.
    if bytes.len() <= 1 << 17 {
        unpack(&stored(bytes));
        if bytes.len() >= HEADER_LEN {
            unpack(&stored(&with_right_checksum(bytes)));
        }
    }
});

/// Opens a table, looks it up along a walk that the choices lead, and verifies it.
fn open(bytes: Vec<u8>, choices: &[u8]) {
    let Ok(table) = Table::new(Bytes::Owned(bytes)) else { return };
    if let Some(ready) = AdditiveTable::ready(std::slice::from_ref(&table)) {
        walk(&table, &ready[0], choices);
    }
    if let Some(ready) = AllMovesTable::ready(std::slice::from_ref(&table)) {
        walk(&table, &ready[0], choices);
    }
    let _ = table.verify(&unwatched);
    let solved = State::solved(table.pattern().size(), table.pattern().home());
    let place = table.locate(&solved);
    assert_eq!(place.is_some(), table.kind() != Kind::Lines);
    if let Some(place) = place {
        // Most numbers are those of another table's place.
        let number = |at: usize| choices.iter().skip(at).take(4).fold(0, |number, &byte| number << 8 | u32::from(byte));
        table.cost(&Place { map: Map(number(0)), row: Row(number(4)), perm: Perm(number(8)), ..place });
    }
    if let Some(lines) = LineTable::new(&table) {
        lines.cost(lines.view().line_of(lines.index(), Axis::Horizontal, &solved));
    }
}

fn walk(table: &Table, ready: &impl PatternCosts, choices: &[u8]) {
    let pattern = *table.pattern();
    let mut state = State::solved(pattern.size(), pattern.home());
    let Some(place) = table.locate(&state) else { return };
    let mut standing = Standing::from(&place);
    for choice in choices.iter().rev().take(100) {
        let Some(slide) = state.slide_in(Direction::ALL[usize::from(choice % 4)]) else { continue };
        state.make(slide);
        let Some(place) = table.locate(&state) else { return };
        let cost = table.cost(&place);
        assert_eq!(cost, ready.cost(&place));
        if table.kind() == Kind::AllMoves || pattern.contains(slide.tile) {
            let entry = ready.step(&mut standing, slide);
            assert_eq!((standing, Some(entry)), (Standing::from(&place), table.entry(&place)));
            ready.prefetch(entry);
            ready.cost_after(entry, ready.distance(&place), cost.map_or(*choice, |cost| cost as u8));
        }
    }
}

/// A zstd frame (RFC 8878) with one block that is stored as it is.
fn stored(content: &[u8]) -> Vec<u8> {
    let head = 1 | (content.len() as u32) << 3;
    [&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38], &head.to_le_bytes()[..3], content].concat()
}

/// Unpacks a packed table into nothing. No more may come out than its header declares.
fn unpack(packed: &[u8]) {
    let Ok(packed) = Unpacking::new(packed) else { return };
    let declared = packed.header().payload_len();
    let unpacked = AtomicU64::new(0);
    let verdict = packed.verify(&|event: &Event<'_>| {
        let Event::Advance(bytes) = event else { return ControlFlow::Continue(()) };
        let unpacked = unpacked.fetch_add(*bytes, Ordering::Relaxed) + bytes;
        assert!(unpacked <= declared);
        if unpacked > MOST_UNPACKED { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(verdict.is_err() || unpacked.into_inner() == declared);
    if let Err(UnpackError::Write(error)) = verdict {
        panic!("nothing is written: {error}");
    }
}
