//! `tilebase tables`

use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::{Args, Subcommand};
use serde_json::json;
use tilebase_format::{Encoding, Header};
use tilebase_generate::{Build, Encodings};
use tilebase_lookup::{Table, read_header};

use crate::builds;
use crate::failure::{Exit, Failure};
use crate::interrupt;
use crate::options::Common;
use crate::output::Output;

/// Look at tables
#[derive(Subcommand, Debug)]
pub(crate) enum Tables {
    Info(Info),
    Verify(Verify),
    Audit(Audit),
}

impl Tables {
    pub(crate) fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        match self {
            Tables::Info(info) => info.run(output),
            Tables::Verify(verify) => verify.run(output),
            Tables::Audit(audit) => audit.run(common, output),
        }
    }
}

/// Say what a table is: its board, pattern, entries, and how many entries have which cost
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tilebase generate 5-5-5 --out . && tilebase tables info 4x4-0-1.2.4.5.8.bit.tbl")]
pub(crate) struct Info {
    /// Table files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

impl Info {
    fn run(&self, output: &Output) -> Result<Exit, Failure> {
        let mut exit = Exit::Done;
        for file in &self.files {
            match read_header(file) {
                Ok(header) if output.json => output.json(&json(file, &header))?,
                Ok(header) => output.answer(text(file, &header))?,
                Err(error) => {
                    exit = Exit::Error;
                    if output.json {
                        output.json(&json!({ "file": file.display().to_string(), "error": error.to_string() }))?;
                    } else {
                        output.error(error);
                    }
                }
            }
        }
        Ok(exit)
    }
}

/// Read every byte of a table and say whether it is whole, and where it is damaged
///
/// This finds what time and copying do to files. Whether the costs are right in the first place is what `tables audit` proves.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tilebase tables verify ~/.cache/tilebase/*.tbl")]
pub(crate) struct Verify {
    /// Table files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

impl Verify {
    fn run(&self, output: &Output) -> Result<Exit, Failure> {
        check_each(&self.files, output, ("whole", "whole"), |table| {
            let bar = output.progress_bar(table.header().payload_len(), "{wide_bar} {bytes} of {total_bytes}");
            let damage = table.verify(|bytes| bar.inc(bytes));
            bar.finish_and_clear();
            damage.map_err(|damage| Failure::new(damage).with_exit(Exit::Negative))
        })
    }
}

/// Prove that a table is right: every entry, without trusting how it was built
///
/// First every byte is read, as `tables verify` does. Then of every state it is shown that the goal costs 0, that neighbours differ by exactly 1, and that every other state has a
/// cheaper neighbour; only the true costs are like that. Takes a byte of memory for each state. A collapsed table is
/// compared with a blank-aware one that is built and proved for that.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tilebase generate 5-5-5 --out . && tilebase tables audit *.tbl")]
pub(crate) struct Audit {
    /// Table files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

impl Audit {
    fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        interrupt::stop_when_asked();
        check_each(&self.files, output, ("right", "every entry is right"), |table| {
            let (header, threads) = (table.header(), common.threads());
            let build = Build::new(header.pattern(), Encodings::only(header.encoding())).map_err(Failure::new)?;
            builds::check_memory(&build, None, |build| build.memory_of_audit(threads))?;
            table.verify(|_| ()).map_err(|damage| Failure::new(damage).with_exit(Exit::Negative))?;
            builds::prove(header, table.payload(), threads, output)
        })
    }
}

/// Opens and checks one file after the other, and says of each whether it is what it should be: the key for JSON, the verdict
/// for people.
fn check_each(
    files: &[PathBuf],
    output: &Output,
    (key, verdict): (&str, &str),
    check: impl Fn(&Table) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for file in files {
        let checked = Table::read(file)
            .map_err(Failure::new)
            .and_then(|table| check(&table).map_err(|failure| failure.about(file)));
        let name = file.display().to_string();
        match checked {
            Ok(()) if output.json => output.json(&json!({ "file": name, key: true }))?,
            Ok(()) => output.answer(format!("{name}: {verdict}"))?,
            Err(failure) if failure.exit() == Exit::Interrupted => return Err(failure),
            Err(failure) => {
                exit = exit.max(failure.exit());
                if output.json {
                    output.json(&json!({ "file": name, key: false, "error": failure.to_string() }))?;
                } else {
                    output.error(failure);
                }
            }
        }
    }
    Ok(exit)
}

fn json(file: &Path, header: &Header) -> serde_json::Value {
    let pattern = header.pattern();
    let (encoding, count) = builds::kind(header.encoding());
    json!({
        "file": file.display().to_string(),
        "version": format!("{}.{}", header.version().0, header.version().1),
        "board": pattern.size().to_string(),
        "blank": pattern.home().0,
        "tiles": pattern.tiles().map(|tile| tile.0).collect::<Vec<_>>(),
        "encoding": encoding,
        "count": count,
        "blank_aware": header.encoding().is_blank_aware(),
        "entries": header.entries(),
        "bytes": header.file_len(),
        "hash": header.hash_text(),
        "max": header.max(),
        "histogram": header.histogram(),
    })
}

fn text(file: &Path, header: &Header) -> String {
    let pattern = header.pattern();
    let (major, minor) = header.version();
    let (encoding, count) = builds::kind(header.encoding());
    let blank = match header.encoding() {
        Encoding::Bit => "told apart by region",
        Encoding::Nibble => "anywhere (collapsed)",
        Encoding::AllMoves => "told apart by square",
    };
    let fields = [
        ("file", file.display().to_string()),
        ("version", format!("{major}.{minor}")),
        ("board", pattern.size().to_string()),
        ("blank", format!("belongs on square {}; {blank}", pattern.home().0)),
        ("tiles", pattern.to_string()),
        ("encoding", encoding.to_owned()),
        ("count", format!("{count} moves")),
        ("entries", header.entries().to_string()),
        ("bytes", format!("{} ({})", header.file_len(), ByteSize(header.file_len()).display().si())),
        ("hash", header.hash_text()),
        ("max", header.max().to_string()),
    ];
    let fields = fields.iter().map(|(name, value)| format!("{name:9} {value}"));
    let costs = header.histogram().iter().enumerate().map(|(cost, count)| format!("{cost:4} {count:12}"));
    let lines = fields.chain(["cost      entries".to_owned()]).chain(costs);
    lines.collect::<Vec<_>>().join("\n")
}
