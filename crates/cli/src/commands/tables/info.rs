//! `tilebase tables info`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tilebase::format::Header;
use tilebase::index::Kind;

use super::given::{Given, Wanted};
use crate::builds::tile_numbers;
use crate::session::bytes;
use crate::{Exit, Result, Session};

/// Say what a table is: its board, pattern, entries, and how many entries have which cost
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # every table of a catalogue
  tilebase tables info 6-6-3
  tilebase generate 5-5-5 --out . \\
    && tilebase tables info 4x4-0-1.2.4.5.8.bit.tbl")]
pub(crate) struct Info {
    /// Table files, or catalogues such as 7-8 for their tables in the table directories
    #[arg(value_name = "TABLE", required = true)]
    tables: Vec<PathBuf>,
}

impl Info {
    pub(super) fn run(&self, session: &Session) -> Result {
        let mut exit = Exit::Done;
        for table in Given::all(&self.tables, Wanted::Tables, session)? {
            match table.header() {
                Ok(header) => session.tell(json(&table, &header), text(&table, &header))?,
                Err(error) => {
                    exit = Exit::Error;
                    let json = json!({ "file": table.file(), "error": error.to_string() });
                    session.refuse(json, error)?;
                }
            }
        }
        Ok(exit)
    }
}

fn json(table: &Given, header: &Header) -> serde_json::Value {
    let pattern = header.pattern();
    json!({
        "file": table.file(), "version": format!("{}.{}", header.version().0, header.version().1),
        "board": pattern.size().to_string(), "blank": pattern.home().0, "tiles": tile_numbers(pattern),
        "encoding": header.kind().encoding(), "count": header.kind().count(),
        "metric": header.kind().metric().to_string(), "blank_aware": header.kind().is_blank_aware(), "entries": header.entries(), "bytes": header.file_len(),
        "hash": header.hash_text(), "max": header.max(), "histogram": header.histogram(),
    })
}

fn text(table: &Given, header: &Header) -> String {
    let pattern = header.pattern();
    let (major, minor) = header.version();
    let blank = match header.kind() {
        kind if !kind.is_blank_aware() => "anywhere (collapsed)",
        Kind::Lines => "told apart by row and by column",
        kind if kind.counts_all_moves() => "told apart by square",
        _ => "told apart by region",
    };
    let fields = [
        ("file", table.name()),
        ("version", format!("{major}.{minor}")),
        ("board", pattern.size().to_string()),
        ("blank", format!("belongs on square {}; {blank}", pattern.home().0)),
        ("tiles", format!("{pattern} in the blank-first frame: 0 is the blank's corner")),
        ("encoding", header.kind().encoding().to_owned()),
        ("count", format!("{} moves, {}", header.kind().count(), header.kind().metric())),
        ("entries", header.entries().to_string()),
        ("bytes", format!("{} ({})", header.file_len(), bytes(header.file_len()))),
        ("hash", header.hash_text()),
        ("max", header.max().to_string()),
    ];
    let fields = fields.iter().map(|(name, value)| format!("{name:9} {value}"));
    let costs = header.histogram().iter().enumerate().map(|(cost, count)| format!("{cost:4} {count:12}"));
    let lines = fields.chain(["cost      entries".to_owned()]).chain(costs);
    lines.collect::<Vec<_>>().join("\n")
}
