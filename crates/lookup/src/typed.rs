//! Tables made ready for searches.

use std::sync::Arc;

use tilebase_index::{
    AllMovesFollower, AnyFollower, Follow, Follower, Index, Kind, Map, PatternCosts, Place, SmallFollower, Standing,
};
use tilebase_memory::prefetch;
use tilebase_puzzle::{Pattern, Size, Slide, Square, State, Symmetry};

use crate::coding::{Bits, BitsOrNibbles, Coding, Nibbles};
use crate::entries::Entries;
use crate::table::Table;

/// A table of a kind that is known when a search is compiled, with what follows its states. A search that would find out
/// with every node what kind its tables are takes half as many instructions again.
///
/// What a search needs of it with every node comes first, so that it is together in one line of the nearest cache.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct TypedTable<C> {
    entries: Entries,
    coding: C,
    table: Arc<Table>,
    /// That of the table, which has one: its entries are for states.
    index: Arc<Index>,
}

/// A table of bits for a pattern of few tiles on a board of few squares, which a [`SmallFollower`] can follow.
pub type SmallBitTable = TypedTable<Bits<SmallFollower>>;

/// A table of bits for any pattern.
pub type AnyBitTable = TypedTable<Bits<AnyFollower>>;

/// A table of nibbles.
pub type NibbleTable = TypedTable<Nibbles>;

/// A table of bits or of nibbles: for sums in which there are both.
pub type AdditiveTable = TypedTable<BitsOrNibbles>;

/// A table that counts all moves.
pub type AllMovesTable = TypedTable<Bits<AllMovesFollower>>;

/// What tables that can share a follower have in common: the boards' size, the number of tiles, and whether all moves count.
type Shared = (Size, usize, bool);

impl<C: Coding> TypedTable<C> {
    /// Makes tables ready for a search. `None` when one of them is not of this type.
    ///
    /// Tables of equally large patterns share a [follower](Follower), which is made here. That takes 0.4 ms for 7 tiles of 4×4 and
    /// as much for 8, 8 ms for 6 tiles of 5×5, and 44 ms for 8; whoever asks for the same index again has it at once.
    pub fn ready(tables: &[Table]) -> Option<Vec<TypedTable<C>>> {
        TypedTable::ready_partitions(&[tables]).map(|mut partitions| partitions.remove(0))
    }

    /// The same for the tables of several partitions, among all of which followers are shared.
    pub fn ready_partitions(partitions: &[impl AsRef<[Table]>]) -> Option<Vec<Vec<TypedTable<C>>>> {
        let mut tables = partitions.iter().flat_map(AsRef::as_ref);
        if !tables.all(|table| C::suits(table.kind())) {
            return None;
        }
        let mut followers: Vec<(Shared, Arc<C::Follower>)> = Vec::new();
        let mut ready = |table: &Table| {
            let (index, _) = table.index_and_goal()?;
            let shared = (index.size(), index.tiles(), index.kind().counts_all_moves());
            if !followers.iter().any(|(known, _)| *known == shared) {
                followers.push((shared, C::Follower::of(index)?));
            }
            let (_, follower) = followers.iter().find(|(known, _)| *known == shared)?;
            let coding = C::new(table, Arc::clone(follower));
            let (entries, index) = (table.entries.clone(), Arc::clone(index));
            Some(TypedTable { entries, coding, table: Arc::new(table.clone()), index })
        };
        partitions.iter().map(|tables| tables.as_ref().iter().map(&mut ready).collect()).collect()
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }
}

impl<C: Coding> PatternCosts for TypedTable<C> {
    const MOST_SQUARES: usize = <C::Follower as Follow>::MOST_SQUARES;
    const IS_NEAR: bool = <C::Follower as Follow>::IS_NEAR;

    type Distance = C::Distance;

    fn pattern(&self) -> &Pattern {
        self.table.pattern()
    }

    fn kind(&self) -> Kind {
        self.table.kind()
    }

    fn reflection(&self) -> Symmetry {
        self.table.reflection()
    }

    fn locate(&self, state: &State) -> Place {
        self.index.locate(self.table.header().pattern(), &state.seen_through(self.table.reflection()))
    }

    fn cost(&self, place: &Place) -> Option<u32> {
        self.coding.cost(&self.table, place)
    }

    #[inline(always)]
    fn follow(&self, standing: &mut Standing, slide: Slide) -> Map {
        self.coding.follow(standing, slide)
    }

    #[inline(always)]
    fn entry(&self, standing: &Standing, map: Map, blank: Square) -> u64 {
        self.coding.entry(standing, map, blank)
    }

    #[inline(always)]
    fn prefetch(&self, entry: u64) {
        prefetch(&self.entries, self.coding.byte(entry));
    }

    fn distance(&self, place: &Place) -> C::Distance {
        self.coding.distance(place)
    }

    #[inline(always)]
    fn distance_after(&self, before: C::Distance, slide: Slide) -> C::Distance {
        self.coding.distance_after(before, slide)
    }

    #[inline(always)]
    fn cost_after(&self, entry: u64, distance: C::Distance, before: u8) -> u8 {
        self.coding.cost_after(&self.entries, entry, distance, before)
    }
}
