//! `tilebase tables fetch`

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;
use tilebase::fetch::{DEFAULT_RETRIES, FetchError, Fetched, Offer, Plan};
use tilebase::index::Kind;

use crate::builds::encodings;
use crate::options::one_of;
use crate::session::bytes;
use crate::{Exit, Failure, Result, Session, bars, interrupt};

/// Fetch tables from a web server or a directory
///
/// The source is any place with table files, packed (.tbl.zst) or not (.tbl): what `scripts/release-tables` makes, or somebody's table
/// directory. Any web server that sends files will do; `python3 -m http.server` in the directory is enough. Of each table that is not
/// here yet the strongest form is fetched that the source has: a bit table, as `generate` makes them, rather than a nibble
/// table; packed rather than not.
///
/// A table gets its name only when every byte of it is what this program's own manifest says, whatever the source sends. What has come
/// stays beside the tables, under a name that ends with .part, when the connection breaks off or Ctrl-C is pressed, and the next run
/// goes on from there. No other command uses the network, but for `serve`, which listens.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase tables fetch 7-8 --from https://example.org/tables/
  # list what would be fetched
  tilebase tables fetch 7-8 --from https://example.org/tables/ --dry-run
  # 6 MB, not 90 MB, and weaker
  tilebase tables fetch 6-6-6-6 --encoding nibble --from http://host:8000/
  tilebase tables fetch 5-5-5 6-6-3 --from /mnt/stick/tables --out tables
  tilebase tables fetch 4x4-0-12.13.14.nibble.tbl --from pdb/packed

To be the source: scripts/release-tables DIR && cd DIR && python3 -m http.server

Proxies are those of ALL_PROXY, HTTPS_PROXY or HTTP_PROXY, the first that is set, but for the hosts in
NO_PROXY. Certificates are held against those that the system trusts, or those in SSL_CERT_FILE.")]
pub(crate) struct Fetch {
    /// Catalogues such as 7-8, files with drawings or drawings, or names of table files
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Where to fetch from: an address (http, https, file) or a directory
    #[arg(long, value_name = "SOURCE")]
    from: String,
    /// Directory for the tables [default: the table directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Fetch only tables of this kind [default: bit where the source has it, else nibble]
    #[arg(long, value_parser = one_of(encodings().into_iter().take(2)))]
    encoding: Option<&'static [Kind]>,
    /// Only say what would be fetched, and how many bytes that is
    #[arg(long)]
    dry_run: bool,
    /// Fetch and replace tables that are there
    #[arg(long)]
    force: bool,
    /// Fetch tables, too, that this program does not know: they are whole by their own hashes and of the right pattern, but that their
    /// costs are right is believed (`tables audit` proves it)
    #[arg(long)]
    trust_source: bool,
    /// Give up on a connection that brings nothing for this long, such as 500ms, 30s or 2m
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = timeout)]
    timeout: Duration,
    /// How many times in a row to try again when a connection breaks off or the server is in trouble
    #[arg(long, value_name = "N", default_value_t = DEFAULT_RETRIES, value_parser = clap::value_parser!(u32).range(0..=100))]
    retries: u32,
}

/// Reads a time-out.
fn timeout(text: &str) -> Result<Duration, String> {
    let time = crate::limits::time(text)?;
    if time.is_zero() { Err("nothing comes in no time: expected more than 0".to_owned()) } else { Ok(time) }
}

impl Fetch {
    pub(super) fn run(&self, session: &Session) -> Result {
        let mut fetch = tilebase::fetch::Fetch::new(&self.from)?
            .with_timeout(self.timeout)
            .with_retries(self.retries)
            .trusting_source(self.trust_source);
        if let Some(kinds) = self.encoding {
            fetch = fetch.of_kinds(kinds.to_vec());
        }
        let directory = session.new_tables(self.out.as_deref())?;
        interrupt::stop_when_asked();
        let store = session.store_with(&directory);
        let check = |file: &Path| bars::watched_on_threads(session, |watch| store.check_file(file, watch));
        let plan =
            bars::watched_in_bytes(session, |watch| fetch.plan(&self.names, &directory, self.force, &check, watch));
        let plan = plan.map_err(failure)?;
        for error in &plan.damaged {
            session.warning(format!("{error}; it is fetched again"));
        }
        if self.dry_run {
            return dry_run(&plan, &directory, session);
        }
        plan.check_room(&directory).map_err(failure)?;
        for (path, header) in &plan.there {
            let file = path.display().to_string();
            let json = json!({
                "file": file, "bytes": header.file_len(), "hash": header.hash_text(), "source": null,
                "fetched_bytes": 0, "resumed_from": 0, "already_there": true, "seconds": 0.0,
            });
            session.tell(json, format!("{file}: already there"))?;
        }
        let is_new = !directory.exists();
        for offer in &plan.offers {
            let started = Instant::now();
            if offer.kept > 0 {
                session.note(format!("going on with {} after {}", offer.source, bytes(offer.kept)));
            }
            let fetched = bars::watched_in_bytes(session, |watch| fetch.table(offer, &directory, watch));
            if is_new && fetched.is_err() {
                // Only if it is empty, and only because nobody had made it before.
                let _ = std::fs::remove_dir(&directory);
            }
            tell(offer, &fetched.map_err(failure)?, started.elapsed(), session)?;
        }
        Ok(Exit::Done)
    }
}

/// Tells of a table that was fetched.
fn tell(offer: &Offer, fetched: &Fetched, time: Duration, session: &Session) -> Result<()> {
    let (file, header, seconds) = (fetched.path.display().to_string(), &fetched.header, time.as_secs_f64());
    let json = json!({
        "file": file, "bytes": header.file_len(), "hash": header.hash_text(), "source": offer.source,
        "fetched_bytes": fetched.bytes, "resumed_from": fetched.resumed_from, "already_there": fetched.was_there,
        "seconds": seconds,
    });
    let text = if fetched.was_there {
        format!("{file}: already there, another program fetched it")
    } else {
        let resumed = match fetched.resumed_from {
            0 => String::new(),
            len => format!(" after {} of before", bytes(len)),
        };
        let (len, came, source) = (bytes(header.file_len()), bytes(fetched.bytes), &offer.source);
        format!("{file}: {len} from {source} ({came}{resumed}) in {seconds:.2} s")
    };
    Ok(session.tell(json, text)?)
}

/// Says what would be fetched.
fn dry_run(plan: &Plan, directory: &Path, session: &Session) -> Result {
    for (path, header) in &plan.there {
        let file = path.display().to_string();
        let json = json!({
            "file": file, "bytes": header.file_len(), "hash": header.hash_text(), "source": null,
            "source_bytes": null, "resumed_from": 0, "to_fetch": 0, "already_there": true,
        });
        session.tell(json, format!("{file}: already there"))?;
    }
    for offer in &plan.offers {
        let file = directory.join(&offer.table).display().to_string();
        let json = json!({
            "file": file, "bytes": offer.bytes, "hash": offer.hash, "source": offer.source,
            "source_bytes": offer.source_bytes, "resumed_from": offer.kept, "to_fetch": offer.to_fetch(),
            "already_there": false,
        });
        let kept = match offer.kept {
            0 => String::new(),
            len => format!(", of which {} are there", bytes(len)),
        };
        let came = offer.source_bytes.map_or_else(|| "of unknown length".to_owned(), |len| bytes(len).to_string());
        let text = format!("{file}: {} from {} ({came}{kept})", bytes(offer.bytes), offer.source);
        session.tell(json, text)?;
    }
    let to_fetch: u64 = plan.offers.iter().filter_map(Offer::to_fetch).sum();
    let tables: u64 = plan.offers.iter().map(|offer| offer.bytes).sum();
    session.note(format!("{} to fetch, {} on disk", bytes(to_fetch), bytes(tables)));
    plan.check_room(directory).map_err(failure)?;
    Ok(Exit::Done)
}

fn failure(error: FetchError) -> Failure {
    let exit = match &error {
        FetchError::Stopped(_) => Exit::Interrupted,
        error if error.is_damage() => Exit::Negative,
        _ => Exit::Error,
    };
    Failure::new(error).with_exit(exit)
}
