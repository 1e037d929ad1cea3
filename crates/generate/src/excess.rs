//! What a table knows that the Manhattan distance does not.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use tilebase_format::Header;
use tilebase_format::layout::UNREACHED_NIBBLE;
use tilebase_index::BuilderIndex;
use tilebase_memory::ones;
use tilebase_progress::threads::on_pool;
use tilebase_progress::{Event, Watch};

use crate::audit::AuditError;
use crate::build::Build;
use crate::error::BuildError;
use crate::manhattan::ManhattanRows;
use crate::replay::{FoundOnMap, Observer, Wrong, bytes_of_row, replay};
use crate::steps::words;

/// Bytes of a nibble table that are counted at a time.
const PART: usize = 1 << 16;

/// No cost is as large.
const COSTS: usize = 256;

/// How many entries exceed the Manhattan distance of their tiles by 0, 1, 2, … moves; on `threads` threads or, when that is
/// 0, on all cores. A nibble table is simply counted. The costs of a bit table are found by replaying its levels, which proves them
/// as well and takes the memory of an [audit](crate::Build::memory_of_audit).
pub fn excess(header: &Header, payload: &[u8], threads: usize, watch: Watch<'_>) -> Result<Vec<u64>, AuditError> {
    let mut counts = on_pool(threads, || {
        if header.kind().is_blank_aware() { of_bits(header, payload, watch) } else { Ok(of_nibbles(header, payload)) }
    })?;
    while counts.pop_if(|count| *count == 0).is_some() {}
    Ok(counts)
}

fn of_nibbles(header: &Header, payload: &[u8]) -> Vec<u64> {
    let count = |bytes: &[u8]| {
        let mut counts = vec![0; COSTS];
        for byte in bytes {
            counts[usize::from(byte & 15) * 2] += 1;
            counts[usize::from(byte >> 4) * 2] += 1;
        }
        counts
    };
    let mut counts = payload.par_chunks(PART).map(count).reduce(|| vec![0; COSTS], added);
    // The half byte behind an odd number of entries is 0.
    counts[0] = counts[0].saturating_sub(header.entries() % 2);
    counts[usize::from(UNREACHED_NIBBLE) * 2] = 0;
    counts
}

fn added(mut a: Vec<u64>, b: Vec<u64>) -> Vec<u64> {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
    a
}

fn of_bits(header: &Header, payload: &[u8], watch: Watch<'_>) -> Result<Vec<u64>, AuditError> {
    let what = format!("counting every entry of {}", header.pattern());
    let total = Build::new(header.pattern(), &[header.kind()])?.reachable();
    watch(&Event::Begin { what: &what, total }).continue_value().ok_or(AuditError::Stopped)?;
    let index = BuilderIndex::new(header.index().map_err(BuildError::from)?);
    let counted = Excess { index: &index, header, counts: (0..COSTS).map(|_| AtomicU64::new(0)).collect() };
    replay(&index, header, payload, &counted, watch)?;
    Ok(counted.counts.into_iter().map(AtomicU64::into_inner).collect())
}

/// Counts what the states of each level exceed the Manhattan distance by.
struct Excess<'a> {
    index: &'a BuilderIndex,
    header: &'a Header,
    counts: Vec<AtomicU64>,
}

impl Observer for Excess<'_> {
    type Desk = ManhattanRows;
    const LOOKS: bool = true;

    fn desk(&self) -> ManhattanRows {
        ManhattanRows::new(self.index.tiles())
    }

    fn look(&self, manhattan: &mut ManhattanRows, found: &FoundOnMap<'_>) -> Option<Wrong> {
        let distances = manhattan.of(self.index, self.header.pattern(), found.map);
        let mut counts = [0; COSTS];
        for row in found.new.chunks_exact(bytes_of_row(self.index.perms())) {
            // What is proved costs no less than its distance.
            ones(words(row)).for_each(|perm| {
                counts[(found.level - u32::from(distances[perm as usize])) as usize] += 1;
            });
        }
        let new = self.counts.iter().zip(counts).filter(|(_, new)| *new > 0);
        new.for_each(|(count, new)| {
            count.fetch_add(new, Ordering::Relaxed);
        });
        None
    }
}
