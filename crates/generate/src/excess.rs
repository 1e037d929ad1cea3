//! What a table knows that the Manhattan distance does not.

use rayon::prelude::*;
use tilebase_format::Header;
use tilebase_format::layout::UNREACHED_NIBBLE;
use tilebase_index::{Map, Row};
use tilebase_progress::Watch;

use crate::audit::{AuditError, Costs, UNREACHED, added};
use crate::build::thread_pool;
use crate::manhattan::ManhattanRows;

/// Bytes of a nibble table that are counted at a time.
const PART: usize = 1 << 16;

/// How many entries exceed the Manhattan distance of their tiles by 0, 1, 2, … moves; on `threads` threads or, when that is
/// 0, on all cores. A nibble table is simply counted. A bit table takes a byte of memory for each state, because its costs
/// have to be made absolute first.
pub fn excess(header: &Header, payload: &[u8], threads: usize, watch: Watch<'_>) -> Result<Vec<u64>, AuditError> {
    let mut counts = thread_pool(threads)?.install(|| {
        if header.kind().is_blank_aware() { of_bits(header, payload, watch) } else { Ok(of_nibbles(header, payload)) }
    })?;
    while counts.pop_if(|count| *count == 0).is_some() {}
    Ok(counts)
}

fn of_nibbles(header: &Header, payload: &[u8]) -> Vec<u64> {
    let count = |bytes: &[u8]| {
        let mut counts = vec![0; 256];
        for byte in bytes {
            counts[usize::from(byte & 15) * 2] += 1;
            counts[usize::from(byte >> 4) * 2] += 1;
        }
        counts
    };
    let mut counts = payload.par_chunks(PART).map(count).reduce(|| vec![0; 256], |a, b| added(a, &b));
    // The half byte behind an odd number of entries is 0.
    counts[0] = counts[0].saturating_sub(header.entries() % 2);
    counts[usize::from(UNREACHED_NIBBLE) * 2] = 0;
    counts
}

fn of_bits(header: &Header, payload: &[u8], watch: Watch<'_>) -> Result<Vec<u64>, AuditError> {
    let costs = Costs::of(header, payload, watch)?;
    let index = &costs.index;
    let maps = (0..index.maps() as u32).into_par_iter().map(Map);
    let counted = maps.map_init(
        || ManhattanRows::new(index.tiles()),
        |manhattan, map| {
            let mut counts = vec![0; 256];
            let distances = manhattan.of(index, header.pattern(), map);
            for row in index.rows_of(map).map(Row) {
                for (&cost, &distance) in costs.row(row).iter().zip(distances) {
                    if cost != UNREACHED {
                        // A damaged table may say anything.
                        counts[usize::from(cost.saturating_sub(distance))] += 1;
                    }
                }
            }
            counts
        },
    );
    Ok(counted.reduce(|| vec![0; 256], |a, b| added(a, &b)))
}
