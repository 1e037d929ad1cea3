//! `tilebase tables info`

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use tilebase::format::Header;
use tilebase::lookup::read_header;

use crate::commands::generate::tile_numbers;
use crate::session::bytes;
use crate::{Exit, Result, Session};

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
    pub(super) fn run(&self, session: &Session) -> Result {
        let mut exit = Exit::Done;
        for file in &self.files {
            match read_header(file) {
                Ok(header) => session.tell(json(file, &header), text(file, &header))?,
                Err(error) => {
                    exit = Exit::Error;
                    let json = json!({ "file": file.display().to_string(), "error": error.to_string() });
                    session.refuse(json, error)?;
                }
            }
        }
        Ok(exit)
    }
}

fn json(file: &Path, header: &Header) -> serde_json::Value {
    let pattern = header.pattern();
    json!({
        "file": file.display().to_string(), "version": format!("{}.{}", header.version().0, header.version().1),
        "board": pattern.size().to_string(), "blank": pattern.home().0, "tiles": tile_numbers(pattern),
        "encoding": header.kind().encoding(), "count": header.kind().count(),
        "blank_aware": header.kind().is_blank_aware(), "entries": header.entries(), "bytes": header.file_len(),
        "hash": header.hash_text(), "max": header.max(), "histogram": header.histogram(),
    })
}

fn text(file: &Path, header: &Header) -> String {
    let pattern = header.pattern();
    let (major, minor) = header.version();
    let blank = match header.kind() {
        kind if !kind.is_blank_aware() => "anywhere (collapsed)",
        kind if kind.counts_all_moves() => "told apart by square",
        _ => "told apart by region",
    };
    let fields = [
        ("file", file.display().to_string()),
        ("version", format!("{major}.{minor}")),
        ("board", pattern.size().to_string()),
        ("blank", format!("belongs on square {}; {blank}", pattern.home().0)),
        ("tiles", pattern.to_string()),
        ("encoding", header.kind().encoding().to_owned()),
        ("count", format!("{} moves", header.kind().count())),
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
