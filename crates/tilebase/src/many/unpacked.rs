//! Unpacked tables, a byte for each state: the entries of a board are computed for all patterns of all views at a time, directly from the
//! labels on the board.

use std::ops::Range;
use std::sync::Arc;

use tilebase_engine::Bounds;
use tilebase_index::{AnyFollower, Follow, Follower, SmallFollower, Standing};
use tilebase_lookup::{Table, UnpackError, UnpackedTable};
use tilebase_progress::Watch;
use tilebase_progress::threads::{join, spawn_scoped};
use tilebase_puzzle::{Board, Frame, MAX_SQUARES, Partition, Square, Symmetry, View};

use super::{ManyBoards, ManyError, WrongBoard};

/// For each sum its tables, and the symmetry through which they see a board, in the order of the searches.
pub(super) type Sums<'a> = Vec<(&'a [Table], Symmetry)>;

pub(super) fn sums_of(bounds: &Bounds) -> Sums<'_> {
    let views = |tables: &[Table]| {
        let partition = Partition::new(tables.iter().map(|table| *table.pattern()).collect());
        bounds.views.of(&partition.expect("a search was compiled for these tables"))
    };
    let sums = bounds.partitions.iter().flat_map(|tables| views(tables).into_iter().map(move |view| (&**tables, view)));
    sums.collect()
}

/// The different tables of all sums: mirror images share a file.
pub(super) fn different<'a>(sums: &Sums<'a>) -> Vec<&'a Table> {
    let mut tables: Vec<&Table> = Vec::new();
    for table in sums.iter().flat_map(|(tables, _)| *tables) {
        if !tables.iter().any(|known| is_same(known, table)) {
            tables.push(table);
        }
    }
    tables
}

fn is_same(a: &Table, b: &Table) -> bool {
    (a.header().pattern(), a.header().hash()) == (b.header().pattern(), b.header().hash())
}

/// A slot for each pattern of each sum.
#[derive(Debug)]
enum Slots {
    Small(Vec<Slot<SmallFollower>>),
    Any(Vec<Slot<AnyFollower>>),
}

/// Unpacked tables, and how to find a board's entries in them.
#[derive(Debug)]
pub(super) struct Unpacked {
    slots: Slots,
    /// The table of each slot.
    tables: Vec<Arc<UnpackedTable>>,
    /// The slots of each sum.
    sums: Vec<Range<usize>>,
}

impl Unpacked {
    /// The memory of the tables in bytes, each counted once.
    pub(super) fn bytes(&self) -> u64 {
        let is_first = |(number, table): &(usize, &Arc<UnpackedTable>)| {
            !self.tables[..*number].iter().any(|known| Arc::ptr_eq(known, table))
        };
        self.tables.iter().enumerate().filter(is_first).map(|(_, table)| table.own_memory()).sum()
    }

    pub(super) fn new(frame: &Frame, sums: &Sums<'_>, watch: Watch<'_>) -> Result<Unpacked, UnpackError> {
        let different = different(sums);
        let unpacked = std::thread::scope(|scope| {
            let unpack = |table| move || UnpackedTable::new(table, watch).map(Arc::new);
            let threads: Vec<_> = different.iter().map(|&table| spawn_scoped(scope, unpack(table))).collect();
            // Tables whose threads cannot start are unpacked here.
            let unpacked = threads.into_iter().map(|thread| thread.map_or_else(|unpack| unpack(), join));
            unpacked.collect::<Result<Vec<_>, _>>()
        })?;
        let tables = sums.iter().flat_map(|(tables, _)| *tables);
        let number = |table: &Table| different.iter().position(|known| is_same(known, table)).expect("all are there");
        let slots = match slots::<SmallFollower>(frame, sums) {
            Some(slots) => Slots::Small(slots),
            None => Slots::Any(slots(frame, sums).expect("this follower is for any pattern")),
        };
        let ranges = sums.iter().scan(0, |end, (tables, _)| {
            *end += tables.len();
            Some(*end - tables.len()..*end)
        });
        Ok(Unpacked {
            slots,
            tables: tables.map(|table| Arc::clone(&unpacked[number(table)])).collect(),
            sums: ranges.collect(),
        })
    }

    /// Looks up the boards from a number on, as many as `found` has places for, and computes the places of each from its costs.
    pub(super) fn look_up<B: ManyBoards + ?Sized, T>(
        &self,
        first: usize,
        boards: &B,
        frame: &Frame,
        (found, places): (&mut [T], usize),
        make: &impl Fn(&Costs<'_>, &mut [T]) -> Result<(), WrongBoard>,
    ) -> Result<(), ManyError<B::Error>> {
        let slots = self.tables.len();
        let mut entries = vec![0; found.len() / places * slots];
        for (entries, number) in entries.chunks_mut(slots).zip(first..) {
            let board = boards.board(number).map_err(|error| ManyError::Board(number, error))?;
            frame.check(&board).map_err(|error| ManyError::Frame(number, error))?;
            match &self.slots {
                Slots::Small(slots) => find(slots, &board, entries),
                Slots::Any(slots) => find(slots, &board, entries),
            }
            self.tables.iter().zip(&*entries).for_each(|(table, &entry)| table.prefetch(entry));
        }
        for ((entries, found), number) in entries.chunks(slots).zip(found.chunks_mut(places)).zip(first..) {
            let costs = Costs { entries, tables: &self.tables, sums: &self.sums };
            make(&costs, found).map_err(|wrong| ManyError::of_board(number, wrong))?;
        }
        Ok(())
    }
}

/// The costs of a board.
pub(super) struct Costs<'a> {
    entries: &'a [u64],
    tables: &'a [Arc<UnpackedTable>],
    pub(super) sums: &'a [Range<usize>],
}

impl Costs<'_> {
    pub(super) fn cost(&self, slot: usize) -> Result<u8, WrongBoard> {
        self.tables[slot].cost(self.entries[slot]).ok_or(WrongBoard::Damaged)
    }

    pub(super) fn sum(&self, sum: &Range<usize>) -> Result<u32, WrongBoard> {
        sum.clone().map(|slot| self.cost(slot).map(u32::from)).sum()
    }
}

/// Finds the entry of a board in the table of a pattern that sees it through a symmetry.
#[derive(Debug)]
struct Slot<F> {
    follower: Arc<F>,
    /// The labels of the pattern's tiles, in the order of the tiles as the table has them.
    labels: Vec<u8>,
    /// The table's square for each square of the board.
    image: [Square; 32],
}

/// A slot for each pattern of each sum, if all patterns have a follower of this type.
fn slots<F: Follower>(frame: &Frame, sums: &Sums<'_>) -> Option<Vec<Slot<F>>> {
    let of_sum = |(tables, symmetry): &(&[Table], Symmetry)| {
        let symmetry = *symmetry;
        tables.iter().map(|table| slot(frame, table, symmetry)).collect::<Vec<_>>()
    };
    sums.iter().flat_map(of_sum).collect()
}

fn slot<F: Follower>(frame: &Frame, table: &Table, symmetry: Symmetry) -> Option<Slot<F>> {
    let view = view_of(frame, table, symmetry);
    let mut image = [Square(0); 32];
    frame.size().squares().for_each(|square| image[square.index()] = view.tile(frame.square(square)).goal());
    Some(Slot { follower: F::of(table.index()?)?, labels: labels_of(frame, table, symmetry), image })
}

/// How a table sees the board.
fn view_of(frame: &Frame, table: &Table, symmetry: Symmetry) -> View {
    View::new(frame.size(), symmetry).then(frame.size(), table.reflection())
}

/// The labels of the tiles of a table's pattern that is seen through a symmetry, in the order in which the table has the tiles.
pub(super) fn labels_of(frame: &Frame, table: &Table, symmetry: Symmetry) -> Vec<u8> {
    let view = view_of(frame, table, symmetry);
    let tile = |label: u8| view.tile(frame.tile(label).goal());
    let pattern = table.header().pattern();
    let mut labels: Vec<u8> = (1..frame.size().count() as u8).filter(|&label| pattern.contains(tile(label))).collect();
    labels.sort_by_key(|&label| tile(label));
    labels
}

/// The entries of a board in the tables of all slots.
fn find<F: Follow>(slots: &[Slot<F>], board: &Board, entries: &mut [u64]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") {
        #[allow(unsafe_code)]
        // SAFETY: the processor has the instruction that the function is compiled for.
        return unsafe { find_with_newer_instructions(slots, board, entries) };
    }
    find_with_any_instructions(slots, board, entries);
}

/// The same code for processors that count bits in one instruction.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn find_with_newer_instructions<F: Follow>(slots: &[Slot<F>], board: &Board, entries: &mut [u64]) {
    find_with_any_instructions(slots, board, entries);
}

#[inline(always)]
fn find_with_any_instructions<F: Follow>(slots: &[Slot<F>], board: &Board, entries: &mut [u64]) {
    let square_of = board.squares_by_label();
    for (slot, entry) in slots.iter().zip(entries) {
        let mut tiles = [Square(0); MAX_SQUARES];
        let tiles = &mut tiles[..slot.labels.len()];
        // No closure: it would be compiled without these instructions.
        for (tile, &label) in tiles.iter_mut().zip(&slot.labels) {
            *tile = slot.image[square_of[usize::from(label)].index() % 32];
        }
        let standing = Standing::of_tiles(tiles);
        *entry = slot.follower.state_number(&standing, slot.image[board.blank().index() % 32]);
    }
}
