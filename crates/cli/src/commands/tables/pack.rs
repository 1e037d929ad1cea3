//! `tilebase tables pack`

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::json;
use tilebase::format::{LEVELS, PACKED, WriteError, directory_of};
use tilebase::{DirectoryError, Event, prepare_directory};

use super::given::{Given, Wanted};
use super::verify;
use crate::session::bytes;
use crate::{Exit, Failure, Result, Session, bars};

/// Compress tables to ship them
///
/// Makes an ordinary .zst file of each table, which `tables unpack`, and any zstd program, turns into the same file again. A
/// table is verified before it is packed. The bytes depend on the level only.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase tables pack 7-8
  tilebase generate 5-5-5 --encoding nibble --out . \\
    && tilebase tables pack *.tbl")]
pub(crate) struct Pack {
    /// Table files, or catalogues such as 7-8 for their tables in the table directories
    #[arg(value_name = "TABLE", required = true)]
    tables: Vec<PathBuf>,
    /// How hard to try, from 1 (fast) to 22 (small)
    #[arg(long, value_name = "N", default_value_t = 19, allow_negative_numbers = true,
        value_parser = clap::value_parser!(i32).range(i64::from(*LEVELS.start())..=i64::from(*LEVELS.end())))]
    level: i32,
    /// Directory for the packed files [default: where the table is; of tables in the program, the table directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace packed files that are there
    #[arg(long)]
    force: bool,
}

impl Pack {
    pub(super) fn run(&self, session: &Session) -> Result {
        let tables = Given::all(&self.tables, Wanted::Tables, session)?;
        tables.iter().try_for_each(|table| self.pack(table, session))?;
        Ok(Exit::Done)
    }

    fn pack(&self, given: &Given, session: &Session) -> Result<()> {
        let started = Instant::now();
        let table = given.open()?;
        let header = table.header();
        let directory = match (&self.out, given) {
            (None, Given::File(file)) => directory_of(file).to_owned(),
            (out, _) => session.new_tables(out.as_deref())?,
        };
        let directory = directory.as_path();
        let target = directory.join(format!("{}.{PACKED}", header.file_name()));
        if target.exists() && !self.force {
            return Err(Failure::new(format!("{} is already there: use --force to replace it", target.display())));
        }
        prepare_directory(directory)?;
        verify::verify(&table, session).map_err(|failure| given.failure(failure))?;
        let packed = bars::watched(session, |watch| {
            let _ = watch(&Event::Begin { what: &header.file_name(), total: header.file_len() });
            tilebase::format::pack(directory, header, table.bytes().as_ref(), self.level, session.threads(), watch)
        });
        let packed = packed.map_err(|error| match error {
            WriteError::Io(error) => Failure::from(DirectoryError { directory: directory.to_owned(), error }),
            other => other.into(),
        })?;
        let seconds = started.elapsed().as_secs_f64();
        let (path, len) = (packed.path.display().to_string(), header.file_len());
        let json = json!({
            "file": header.file_name(), "encoding": header.kind().encoding(), "count": header.kind().count(),
            "entries": header.entries(), "bytes": len, "hash": header.hash_text(), "histogram": header.histogram(),
            "packed": path, "packed_bytes": packed.len, "packed_hash": packed.hash, "level": self.level,
            "seconds": seconds,
        });
        let share = packed.len as f64 / len as f64 * 100.0;
        let (len, packed) = (bytes(len), bytes(packed.len));
        Ok(session.tell(json, format!("{path}: {len} packed into {packed} ({share:.1} %) in {seconds:.2} s"))?)
    }
}
