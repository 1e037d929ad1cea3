//! Breadth-first search over all boards, by the way that suits the metric.

use tilebase_progress::threads::prepare_pool;
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Metric, Size, Square};

use crate::census::CensusError;
use crate::index::{Layout, factorial};
use crate::{lines, single};

/// Blocks that a thread works on at a time.
pub(crate) const BLOCKS_AT_A_TIME: usize = 64;

/// The size that is searched: boards that are higher than wide, where tiles that slide up or down go past fewer others.
fn upright(size: Size, home: Square) -> (Size, Square) {
    if size.width() <= size.height() {
        return (size, home);
    }
    let turned = Size::new(size.height(), size.width()).expect("a board turned on its side is a board");
    let (row, column) = size.row_column(home);
    (turned, turned.square(column, row))
}

/// Bytes of the sets of boards; `None` if their number does not fit into 64 bits.
pub(crate) fn memory(size: Size, metric: Metric) -> Option<u64> {
    let layout = Layout::new(size.count() - 1)?;
    let (size, _) = upright(size, Square(0));
    let sets = if metric == Metric::Stm { single::sets(size) } else { lines::sets(size) };
    (layout.words() as u64).checked_mul(8 * sets as u64)
}

/// How many boards are 0, 1, 2 … moves from the goal that has the blank on `home`.
pub(crate) fn counts(size: Size, home: Square, metric: Metric, watch: Watch<'_>) -> Result<Vec<u64>, CensusError> {
    let (Some(layout), Some(boards)) = (Layout::new(size.count() - 1), factorial(size.count())) else {
        return Err(CensusError::TooLarge(size));
    };
    let (what, total) = (format!("counting the boards of {size}"), boards / 2);
    if watch(&Event::Begin { what: &what, total }).is_break() {
        return Err(CensusError::Stopped);
    }
    prepare_pool();
    let (size, home) = upright(size, home);
    let search = if metric == Metric::Stm { single::counts } else { lines::counts };
    let counts = search(size, home, &layout, total, watch)?;
    let _ = watch(&Event::End);
    Ok(counts)
}
