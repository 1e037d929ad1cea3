//! What several targets have in common.

use std::fmt::Display;

use tilebase_format::BlockHashes;
use tilebase_format::layout::at;

/// What a message may have, whatever it quotes.
const MOST: usize = 1000;

/// What was read, if its message is short otherwise.
pub fn short<T, E: Display>(read: Result<T, E>) -> Option<T> {
    read.inspect_err(|error| assert!(error.to_string().len() < MOST, "{error}")).ok()
}

/// The same header with the checksum that it should have.
pub fn with_right_checksum(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    // The hash of a single block is the plain hash of its bytes.
    let sum = BlockHashes::of(&bytes[..at::CHECKSUM.offset]).to_bytes();
    bytes[at::CHECKSUM.offset..][..at::CHECKSUM.len].copy_from_slice(&sum);
    bytes
}
