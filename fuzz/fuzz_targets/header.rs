//! Any bytes as the header of a table, with the checksum that they should have. Nothing may panic, and what is written can be
//! read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilebase_format::Header;
use tilebase_format::layout::HEADER_LEN;
use tilebase_fuzz::{short, with_right_checksum};

fuzz_target!(|bytes: &[u8]| {
    short(Header::parse(bytes));
    if bytes.len() < HEADER_LEN {
        return;
    }
    let bytes = with_right_checksum(&bytes[..HEADER_LEN]);
    if let Some(header) = short(Header::parse(&bytes)) {
        // But for the bytes that later versions may give a meaning.
        assert_eq!(Header::parse(&header.to_bytes()).as_ref(), Ok(&header));
        short(header.clone().of_file_len(header.file_len())).expect("its own length");
        assert!(header.file_name().len() < 200);
    }
});
