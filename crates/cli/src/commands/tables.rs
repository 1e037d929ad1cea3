//! `tilebase tables`

use std::path::PathBuf;

use bytesize::ByteSize;
use clap::{Args, Subcommand};
use serde_json::json;
use tilebase_lookup::Table;

use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Look at tables
#[derive(Subcommand, Debug)]
pub(crate) enum Tables {
    Info(Info),
}

impl Tables {
    pub(crate) fn run(&self, output: &Output) -> Result<Exit, Failure> {
        match self {
            Tables::Info(info) => info.run(output),
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
            match Table::read(file) {
                Ok(table) if output.json => output.json(&json(file, &table))?,
                Ok(table) => output.answer(text(file, &table))?,
                Err(error) => {
                    exit = Exit::Error;
                    output.error(error);
                }
            }
        }
        Ok(exit)
    }
}

fn json(file: &std::path::Path, table: &Table) -> serde_json::Value {
    let header = table.header();
    let pattern = header.pattern();
    json!({
        "file": file.display().to_string(),
        "version": format!("{}.{}", header.version().0, header.version().1),
        "board": pattern.size().to_string(),
        "blank": pattern.home().0,
        "tiles": pattern.tiles().map(|tile| tile.0).collect::<Vec<_>>(),
        "encoding": header.encoding().to_string(),
        "blank_aware": header.encoding().is_blank_aware(),
        "entries": header.entries(),
        "bytes": header.file_len(),
        "hash": header.hash_text(),
        "max": header.max(),
        "histogram": header.histogram(),
    })
}

fn text(file: &std::path::Path, table: &Table) -> String {
    let header = table.header();
    let pattern = header.pattern();
    let (major, minor) = header.version();
    let blank = if header.encoding().is_blank_aware() { "told apart by region" } else { "anywhere (collapsed)" };
    let fields = [
        ("file", file.display().to_string()),
        ("version", format!("{major}.{minor}")),
        ("board", pattern.size().to_string()),
        ("blank", format!("belongs on square {}; {blank}", pattern.home().0)),
        ("tiles", pattern.to_string()),
        ("encoding", header.encoding().to_string()),
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
