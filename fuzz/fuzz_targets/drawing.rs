//! Any text as a drawing, on one line or as a catalogue's file. Nothing may panic, and what is drawn can be read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilebase_fuzz::short;
use tilebase_puzzle::Catalogue;

fuzz_target!(|text: &str| {
    if let Some(catalogue) = short(Catalogue::draw("drawn", text)) {
        let drawings: Vec<String> = catalogue.partitions.iter().map(|partition| partition.drawing()).collect();
        let again = Catalogue::draw("again", &drawings.join("\n\n")).expect("what is drawn can be read");
        assert_eq!(again.partitions.len(), catalogue.partitions.len());
        let mut pairs = again.partitions.iter().zip(&catalogue.partitions);
        assert!(pairs.all(|(again, partition)| again.same_patterns(partition)));
    }
});
