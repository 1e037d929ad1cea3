//! Any text as a drawing, on one line or as a catalogue's file. Nothing may panic, and what is drawn can be read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilebase_fuzz::short;
use tilebase_puzzle::Catalogue;

fuzz_target!(|text: &str| {
    if let Some(catalogue) = short(Catalogue::draw("drawn", text)) {
        let again = Catalogue::draw("again", &catalogue.partition.drawing()).expect("what is drawn can be read");
        assert!(again.partition.same_patterns(&catalogue.partition));
    }
});
