//! Hashes of the payload's blocks: they say where a file is damaged, not only that it is.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use crate::layout::{BLOCK_LEN, HASH_LEN};

/// The BLAKE3 hash of each block of a payload, as they stand behind it in the file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct BlockHashes(pub(crate) Vec<[u8; HASH_LEN]>);

impl BlockHashes {
    /// The hashes of a payload: reads every byte, on the threads of the current pool.
    pub fn of(payload: &[u8]) -> BlockHashes {
        BlockHashes(of_blocks(payload, |_, block| hash(block)))
    }

    /// Adds the hashes of the next part of a payload, on the threads of the current pool. Only the last part may end within a block.
    pub fn add(&mut self, part: &[u8]) {
        self.0.extend(BlockHashes::of(part).0);
    }

    /// Reads the hashes that stand in a file.
    pub fn parse(bytes: &[u8]) -> BlockHashes {
        BlockHashes(bytes.as_chunks().0.to_vec())
    }

    /// The hashes as they stand in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.concat()
    }

    /// The hash of all hashes, which stands for the whole payload.
    pub fn root(&self) -> [u8; HASH_LEN] {
        hash(&self.to_bytes())
    }

    /// The numbers of the blocks, from 0, that are not what they were. Reads them on the threads of the current pool, and
    /// calls `progress` with the length of each. `None` when that says to stop.
    pub fn damaged(&self, payload: &[u8], progress: impl Fn(u64) -> ControlFlow<()> + Sync) -> Option<Vec<usize>> {
        let damaged: Option<Vec<Option<usize>>> = of_blocks(payload, |number, block| {
            progress(block.len() as u64).is_continue().then(|| (!self.is_whole(number, block)).then_some(number))
        });
        damaged.map(|damaged| damaged.into_iter().flatten().collect())
    }

    /// The same on this thread alone, whatever pool it belongs to: one block after the other, `go_on` being asked before each. A stop
    /// does not hide damage: the damaged blocks found by then are returned, and `None` only when there are none.
    pub fn damaged_alone(&self, payload: &[u8], mut go_on: impl FnMut() -> ControlFlow<()>) -> Option<Vec<usize>> {
        let mut damaged = Vec::new();
        for (number, block) in payload.chunks(BLOCK_LEN).enumerate() {
            if go_on().is_break() {
                return (!damaged.is_empty()).then_some(damaged);
            }
            if !self.is_whole(number, block) {
                damaged.push(number);
            }
        }
        Some(damaged)
    }

    /// Whether a block, given by its number from 0, is what it was.
    pub fn is_whole(&self, number: usize, block: &[u8]) -> bool {
        self.0.get(number).is_some_and(|expected| hash(block) == *expected)
    }
}

/// What comes of every block of a payload, in their order; worked out on the threads of the current pool.
#[cfg(feature = "threads")]
fn of_blocks<T: Send, C: rayon::iter::FromParallelIterator<T>>(
    payload: &[u8],
    work: impl Fn(usize, &[u8]) -> T + Sync + Send,
) -> C {
    use rayon::prelude::*;
    tilebase_progress::threads::prepare_pool();
    payload.par_chunks(BLOCK_LEN).enumerate().map(|(number, block)| work(number, block)).collect()
}

/// What comes of every block of a payload, in their order.
#[cfg(not(feature = "threads"))]
fn of_blocks<T, C: FromIterator<T>>(payload: &[u8], work: impl Fn(usize, &[u8]) -> T) -> C {
    payload.chunks(BLOCK_LEN).enumerate().map(|(number, block)| work(number, block)).collect()
}

/// The BLAKE3 hash of some bytes, as text.
pub fn hash_text(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Hashes whatever is read or written through it.
#[derive(Debug)]
pub struct Hashing<S> {
    stream: S,
    hasher: blake3::Hasher,
}

impl<S> Hashing<S> {
    /// Nothing has been hashed yet.
    pub fn new(stream: S) -> Hashing<S> {
        Hashing { stream, hasher: blake3::Hasher::new() }
    }

    /// What was read or written through, and the BLAKE3 hash of that.
    pub fn finish(self) -> (S, [u8; HASH_LEN]) {
        (self.stream, *self.hasher.finalize().as_bytes())
    }
}

impl<S: Read> Read for Hashing<S> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let len = self.stream.read(bytes)?;
        self.hasher.update(&bytes[..len]);
        Ok(len)
    }
}

impl<S: Write> Write for Hashing<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.stream.write(bytes)?;
        self.hasher.update(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

pub(crate) fn hash(bytes: &[u8]) -> [u8; HASH_LEN] {
    *blake3::hash(bytes).as_bytes()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::layout::hashes_len;

    #[test]
    fn a_flipped_bit_is_found_in_its_block() {
        let mut payload = vec![7; 2 * BLOCK_LEN + 5];
        let hashes = BlockHashes::of(&payload);
        assert_eq!(hashes.to_bytes().len() as u64, hashes_len(payload.len() as u64));
        assert_eq!(BlockHashes::parse(&hashes.to_bytes()), hashes);
        assert_eq!(hashes.damaged(&payload, |_| ControlFlow::Continue(())), Some(Vec::new()));
        assert_eq!(hashes.damaged(&payload, |_| ControlFlow::Break(())), None);
        for (at, block) in [(0, 0), (BLOCK_LEN - 1, 0), (BLOCK_LEN, 1), (2 * BLOCK_LEN + 4, 2)] {
            payload[at] ^= 16;
            let read = AtomicU64::new(0);
            let count = |bytes| {
                read.fetch_add(bytes, Ordering::Relaxed);
                ControlFlow::Continue(())
            };
            assert_eq!(hashes.damaged(&payload, count), Some(vec![block]));
            assert_eq!(hashes.damaged_alone(&payload, || ControlFlow::Continue(())), Some(vec![block]));
            for (number, bytes) in payload.chunks(BLOCK_LEN).enumerate() {
                assert_eq!(hashes.is_whole(number, bytes), number != block);
                assert!(!hashes.is_whole(3, bytes), "there is no such hash");
            }
            assert_eq!(read.into_inner(), payload.len() as u64);
            assert_ne!(BlockHashes::of(&payload).root(), hashes.root());
            payload[at] ^= 16;
        }
    }

    #[test]
    fn comparing_on_one_thread_stops_before_the_next_block_and_does_not_hide_damage() {
        let mut payload = vec![7; 5 * BLOCK_LEN];
        let hashes = BlockHashes::of(&payload);
        let stopped_at = |payload: &[u8], last: usize| {
            let mut asked = 0;
            let found = hashes.damaged_alone(payload, || {
                asked += 1;
                if asked > last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            (found, asked)
        };
        assert_eq!(stopped_at(&payload, 2), (None, 3));
        assert_eq!(stopped_at(&payload, 5), (Some(Vec::new()), 5));
        payload[BLOCK_LEN] ^= 1;
        assert_eq!(stopped_at(&payload, 1), (None, 2), "the damage has not been seen");
        assert_eq!(stopped_at(&payload, 2), (Some(vec![1]), 3));
    }
}
