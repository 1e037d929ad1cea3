//! `tilebase tables pack`

use std::path::{Path, PathBuf};
use std::time::Instant;

use bytesize::ByteSize;
use clap::Args;
use serde_json::json;
use tilebase::format::{LEVELS, PACKED, WriteError, directory_of};
use tilebase::{DirectoryError, Event, prepare_directory};

use super::{open, verify};
use crate::bars;
use crate::failure::{Exit, Failure};
use crate::options::Common;
use crate::output::Output;

/// Compress tables to ship them
///
/// Makes an ordinary .zst file of each table, which `tables unpack`, and any zstd program, turns into the same file again. A
/// table is verified before it is packed. The bytes depend on the level only.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tilebase generate 5-5-5 --encoding nibble --out . && tilebase tables pack *.tbl")]
pub(crate) struct Pack {
    /// Table files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// How hard to try, from 1 (fast) to 22 (small)
    #[arg(long, value_name = "N", default_value_t = 19, allow_negative_numbers = true,
        value_parser = clap::value_parser!(i32).range(i64::from(*LEVELS.start())..=i64::from(*LEVELS.end())))]
    level: i32,
    /// Directory for the packed files [default: where the table is]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace packed files that are there
    #[arg(long)]
    force: bool,
}

impl Pack {
    pub(super) fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        self.files.iter().try_for_each(|file| self.pack(file, common.threads(), output))?;
        Ok(Exit::Done)
    }

    fn pack(&self, file: &Path, threads: usize, output: &Output) -> Result<(), Failure> {
        let started = Instant::now();
        let table = open(file)?;
        let header = table.header();
        let directory = self.out.as_deref().unwrap_or_else(|| directory_of(file));
        let target = directory.join(format!("{}.{PACKED}", header.file_name()));
        if target.exists() && !self.force {
            return Err(Failure::new(format!("{} is already there: use --force to replace it", target.display())));
        }
        prepare_directory(directory)?;
        verify::verify(&table, output).map_err(|failure| failure.about(file))?;
        let packed = bars::watched(output, |watch| {
            let _ = watch(&Event::Begin { what: &header.file_name(), total: header.file_len() });
            tilebase::format::pack(directory, header, table.bytes().as_ref(), self.level, threads, watch)
        });
        let packed = packed.map_err(|error| match error {
            WriteError::Io(error) => Failure::from(DirectoryError { directory: directory.to_owned(), error }),
            other => Failure::new(other),
        })?;
        let seconds = started.elapsed().as_secs_f64();
        if output.json {
            return Ok(output.json(&json!({
                "file": header.file_name(), "encoding": header.kind().encoding(), "count": header.kind().count(), "entries": header.entries(),
                "bytes": header.file_len(), "hash": header.hash_text(), "histogram": header.histogram(),
                "packed": packed.path.display().to_string(), "packed_bytes": packed.len,
                "packed_hash": packed.hash, "level": self.level, "seconds": seconds,
            }))?);
        }
        Ok(output.answer(format!(
            "{}: {} packed into {} ({:.1} %) in {seconds:.2} s",
            packed.path.display(),
            ByteSize(header.file_len()).display().si(),
            ByteSize(packed.len).display().si(),
            packed.len as f64 / header.file_len() as f64 * 100.0,
        ))?)
    }
}
