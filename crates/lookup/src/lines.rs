//! Tables of lines, for the metric `mtm`.

use std::sync::Arc;

use tilebase_index::{LineCosts, LineIndex, LineView};
use tilebase_memory::prefetch;
use tilebase_puzzle::{Pattern, Symmetry};

use crate::entries::Entries;
use crate::table::{Numbering, Table};

/// A table of [lines](tilebase_index::Kind::Lines), ready for a search.
#[derive(Clone, Debug)]
pub struct LineTable {
    entries: Entries,
    index: Arc<LineIndex>,
    view: LineView,
    goals: [u64; 2],
    table: Arc<Table>,
}

impl LineTable {
    /// Makes a table ready. `None` when it is not one of lines.
    pub fn new(table: &Table) -> Option<LineTable> {
        let Numbering::Lines(index) = &table.numbering else { return None };
        let own = table.header().pattern();
        Some(LineTable {
            entries: table.entries.clone(),
            index: Arc::clone(index),
            view: LineView::new(index, own, table.reflection()),
            goals: index.goals(own),
            table: Arc::new(table.clone()),
        })
    }

    /// A table for each pattern that a symmetry of the puzzle turns into the one that a table was built for: a reflected board is as far
    /// from its goal. `None` when the table is not one of lines.
    pub fn views(table: &Table) -> Option<Vec<LineTable>> {
        let own = *table.header().pattern();
        let mut views: Vec<LineTable> = Vec::new();
        for symmetry in Symmetry::fixing(own.size(), own.home()) {
            let pattern = own.seen_through(symmetry.inverse());
            if !views.iter().any(|view| *view.pattern() == pattern) {
                views.push(LineTable::new(&table.clone().reflected(&pattern, symmetry))?);
            }
        }
        Some(views)
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }
}

impl LineCosts for LineTable {
    fn pattern(&self) -> &Pattern {
        self.table.pattern()
    }

    #[inline(always)]
    fn index(&self) -> &LineIndex {
        &self.index
    }

    #[inline(always)]
    fn view(&self) -> &LineView {
        &self.view
    }

    #[inline(always)]
    fn entry(&self, line: u64) -> u8 {
        self.entries[(line / 4) as usize] >> (line % 4 * 2) & 3
    }

    #[inline(always)]
    fn prefetch(&self, line: u64) {
        prefetch(&self.entries, (line / 4) as usize);
    }

    fn cost(&self, line: u64) -> Option<u32> {
        if line >= self.index.lines() {
            return None;
        }
        self.index.walk_down(self.goals, line, self.table.header().max(), |line| self.entry(line))
    }
}
