//! How far the costs of a table exceed the Manhattan distance.

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

/// The number of entries that exceed the Manhattan distance of their tiles by 0, 1, 2, … moves; on `threads` threads or, if that is
/// 0, on all cores. The entries of a nibble table are counted, and `watch` is polled for each 64 KiB. The costs of a bit table are found by
/// replaying its levels, which proves them as well and takes the memory of an [audit](crate::Build::memory_of_audit).
///
/// # Errors
/// [`AuditError`] if a bit table is wrong or has no room in memory; [`AuditError::Stopped`] if cancelled.
pub fn excess(header: &Header, payload: &[u8], threads: usize, watch: Watch<'_>) -> Result<Vec<u64>, AuditError> {
    let mut counts = on_pool(threads, || {
        if header.kind().is_blank_aware() {
            of_bits(header, payload, watch)
        } else {
            of_nibbles(header, payload, watch)
        }
    })?;
    while counts.pop_if(|count| *count == 0).is_some() {}
    Ok(counts)
}

fn of_nibbles(header: &Header, payload: &[u8], watch: Watch<'_>) -> Result<Vec<u64>, AuditError> {
    let count = |bytes: &[u8]| -> Result<Vec<u64>, AuditError> {
        watch(&Event::Poll).continue_value().ok_or(AuditError::Stopped)?;
        let mut counts = vec![0; COSTS];
        for byte in bytes {
            counts[usize::from(byte & 15) * 2] += 1;
            counts[usize::from(byte >> 4) * 2] += 1;
        }
        Ok(counts)
    };
    let mut counts = payload.par_chunks(PART).map(count).try_reduce(|| vec![0; COSTS], |a, b| Ok(added(a, b)))?;
    // The half byte after an odd number of entries is 0.
    counts[0] = counts[0].saturating_sub(header.entries() % 2);
    counts[usize::from(UNREACHED_NIBBLE) * 2] = 0;
    Ok(counts)
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

/// Counts by how many moves the states of each level exceed the Manhattan distance.
struct Excess<'a> {
    index: &'a BuilderIndex,
    header: &'a Header,
    counts: Vec<AtomicU64>,
}

impl Observer for Excess<'_> {
    type Buffers = ManhattanRows;
    const LOOKS: bool = true;

    fn buffers(&self) -> ManhattanRows {
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

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicUsize;

    use tilebase_index::Kind;
    use tilebase_progress::unwatched;
    use tilebase_puzzle::{Pattern, Size, Square};

    use super::*;

    /// A nibble table of six tiles of 4x4 whose entries are all 1, and its bytes.
    fn table() -> (Header, Vec<u8>) {
        let pattern = Pattern::new(Size::new(4, 4).unwrap(), Square(0), &[1, 2, 3, 4, 5, 6]).unwrap();
        let entries: u64 = (11..=16).product();
        let payload = vec![0x11; (entries / 2) as usize];
        (Header::new(pattern, Kind::Nibble, vec![1, 2, 1], &payload).unwrap(), payload)
    }

    #[test]
    fn counting_a_nibble_table_polls_before_each_part_and_stops_when_cancelled() {
        let (header, payload) = table();
        let parts = payload.len().div_ceil(PART);
        assert!(parts > 40);
        let polls = AtomicUsize::new(0);
        let watch = |_: &Event<'_>| {
            polls.fetch_add(1, Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        let counted = excess(&header, &payload, 1, &watch).unwrap();
        assert_eq!(counted, [0, 0, header.entries()]);
        assert_eq!(polls.swap(0, Ordering::Relaxed), parts);
        for threads in [1, 3] {
            polls.store(0, Ordering::Relaxed);
            let stop = |_: &Event<'_>| {
                let is_over = polls.fetch_add(1, Ordering::Relaxed) >= 3;
                if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            assert!(matches!(excess(&header, &payload, threads, &stop), Err(AuditError::Stopped)));
            // Each thread may be at a part of its own.
            assert!((4..=3 + 2 * threads).contains(&polls.load(Ordering::Relaxed)), "{polls:?} polls");
        }
        assert_eq!(excess(&header, &payload, 3, &unwatched).unwrap(), counted);
    }
}
