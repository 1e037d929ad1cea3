//! `tilebase-cluster generate`

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use clap::Args;
use serde_json::json;
use tilebase::format::Draft;
use tilebase::generate::{Build, BuildError, Built, Directory, Peers, Scratch};
use tilebase::index::Kind;
use tilebase::progress::Event;
use tilebase::puzzle::{Pattern, Size, Square};
use tilebase::{DirectoryError, prepare_directory};
use tilebase_cli::builds::{self, ToBuild, tile_numbers};
use tilebase_cli::failure::{Exit, Failure, Result};
use tilebase_cli::session::{Session, bytes, cores};
use tilebase_cli::{bars, interrupt, limits, system};

use super::{Roll, plan};
use crate::model::{Forecast, Machine};
use crate::team::Team;

/// Build tables on many machines
///
/// As tilebase generate, with the same tables to the byte; but every process has only some of the rows. They go from
/// level to level in step, and the first one writes the tables.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  mpirun -n 2 tilebase-cluster generate 7-8
  mpirun -n 4 tilebase-cluster generate 8-8-7-1 --dry-run      what each process would take
  mpirun -n 64 tilebase-cluster generate --tiles 1,2,5,6,7,10,11,12,15 --size 5x5 --scratch /local/scratch

A process has one thread that carries messages and --threads that work: by default as many as its machine has cores
for each of its processes. One process for each machine is best.")]
pub(crate) struct Generate {
    #[command(flatten)]
    what: ToBuild,
    /// Directory for the tables, as the first process sees it [default: the table directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Keep what is done of a build in this directory, each process its own rows, and go on from there when the same command is run
    /// again with as many processes. It may be a directory that all share, or one on each machine; each process needs room for
    /// two files as large as its memory
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// With --scratch: keep it after the first level that ends so long after the last time, such as 30s, 10m or 1h
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = limits::time, requires = "scratch")]
    keep_every: Duration,
    /// Refuse builds of which a process needs more memory, such as 600MB or 2GiB [default: its share of what its machine has free]
    #[arg(long, value_name = "SIZE", value_parser = limits::memory)]
    max_memory: Option<ByteSize>,
    /// Prove every entry before a table gets its name; the first process does, and needs the memory for the whole of it
    #[arg(long)]
    audit: bool,
    /// Replace tables that are there
    #[arg(long)]
    force: bool,
    /// Only say what it would take
    #[arg(long)]
    dry_run: bool,
}

/// What a build took, as all processes know it.
#[derive(Default)]
struct Took {
    touched: AtomicU64,
    sent: AtomicU64,
}

impl Generate {
    /// What must be the same in all processes.
    pub(crate) fn common(&self) -> String {
        let kept = if self.scratch.is_some() { ", kept" } else { "" };
        let dry = if self.dry_run { ", as a dry run" } else { "" };
        format!("generate {:?}{kept}{dry}", self.what)
    }

    pub(crate) fn run(&self, session: &Session, team: &Team, roll: &Roll<'_>) -> Result {
        // The first process knows what is there; the others are told what to build.
        let mut directory = PathBuf::new();
        let mut refusal = None;
        let told = roll.texts.of_first(|| match self.missing(session) {
            Ok((builds, into)) => {
                directory = into;
                builds_text(&builds)
            }
            Err(failure) => {
                refusal = Some(failure.to_string());
                String::new()
            }
        })?;
        let scratch = self.scratch.as_ref().map(|directory| {
            let scratch = Scratch::new(directory.clone(), self.keep_every);
            scratch.map(|scratch| scratch.of_process(team.rank(), team.count()))
        });
        let scratch = scratch.transpose().map_err(|error| refusal.get_or_insert(error.to_string())).ok().flatten();
        if let Err(exit) = roll.all_can(session, refusal)? {
            return Ok(exit);
        }
        let builds = builds_of(&told)?;
        if let Some(scratch) = &scratch {
            scratch.forget_all_but(&builds, &self.what.builds()?);
        }
        if self.dry_run {
            return self.forecast(&builds, session, team);
        }
        let refusal = builds.iter().find_map(|build| self.too_large(build, session, team).transpose());
        if let Err(exit) = roll.all_can(session, refusal.transpose()?)? {
            return Ok(exit);
        }
        let is_new = team.is_first() && !directory.exists();
        let refusal = if team.is_first() { prepare_directory(&directory).err() } else { None };
        if let Err(exit) = roll.all_can(session, refusal.map(|error| error.to_string()))? {
            return Ok(exit);
        }
        for build in &builds {
            if let Err(exit) = self.build(build, &directory, scratch.as_ref(), session, team, roll)? {
                if is_new {
                    // Only if it is empty, and only because nobody had made it before.
                    let _ = std::fs::remove_dir(&directory);
                }
                return Ok(exit);
            }
        }
        Ok(Exit::Done)
    }

    /// What is not there yet, and the directory where it goes.
    fn missing(&self, session: &Session) -> Result<(Vec<Build>, PathBuf)> {
        let wanted = self.what.builds()?;
        if self.dry_run {
            return Ok((wanted, PathBuf::new()));
        }
        let directory = session.new_tables(self.out.as_deref())?;
        let missing = builds::not_there_yet(&wanted, &directory, self.force, session)?;
        Ok((missing, directory))
    }

    /// Why a build does not fit into the memory of this process, or of its machine.
    fn too_large(&self, build: &Build, session: &Session, team: &Team) -> Result<Option<String>> {
        let threads = threads(session, team);
        let plan = build.plan_together(team.count(), threads)?;
        let mut needed = plan[team.rank()].memory;
        if self.audit && team.is_first() {
            needed = needed.max(build.memory_of_audit(threads));
        }
        let (_, here) = team.on_machine;
        let share = tilebase::memory::available_to_each_of(here as u64);
        let Some(most) = self.max_memory.map(|size| size.as_u64()).or(share).filter(|most| needed > *most) else {
            return Ok(None);
        };
        Ok(Some(format!(
            "pattern {} needs {} of memory here, but only {} may be used: use more processes, or fewer on a machine",
            build.pattern(),
            bytes(needed),
            bytes(most)
        )))
    }

    /// Says what the builds would take.
    fn forecast(&self, builds: &[Build], session: &Session, team: &Team) -> Result {
        let mut exit = Exit::Done;
        for build in builds.iter().filter(|_| team.is_first()) {
            let threads = threads(session, team);
            let (_, here) = team.on_machine;
            let cores = (cores() as f64 / here as f64).min(threads as f64);
            let machine = Machine { threads: cores, ..Machine::OF_TODAY };
            let forecast = Forecast::of(build, team.count(), threads, machine)?;
            exit = exit.max(plan::tell(build, &forecast, self.max_memory.map(|size| size.as_u64()), session)?);
        }
        Ok(exit)
    }

    fn build(
        &self,
        build: &Build,
        directory: &Path,
        scratch: Option<&Scratch>,
        session: &Session,
        team: &Team,
        roll: &Roll<'_>,
    ) -> Result<std::result::Result<(), Exit>> {
        system::forget_peak_memory();
        interrupt::stop_when_asked();
        let started = Instant::now();
        let took = Took::default();
        let ended = bars::watched(session, |watch| {
            let _ = watch(&Event::Begin { what: &build.pattern().to_string(), total: build.reachable() });
            build.run_together(team, threads(session, team), &Directory(directory), scratch, &|event| {
                if let Event::Level(level) = event {
                    took.touched.store(level.touched, Ordering::Relaxed);
                    took.sent.store(level.sent, Ordering::Relaxed);
                }
                watch(event)
            })
        });
        if let Some(error) = scratch.and_then(Scratch::take_error) {
            session.warning(error);
        }
        let tables = match ended {
            Ok(tables) => tables,
            // All processes have an error, each its own, or that another one has.
            Err(error @ (BuildError::Kept(_) | BuildError::Overflow(..) | BuildError::TooDeep(_))) => {
                return roll.all_can(session, Some(error.to_string()));
            }
            Err(BuildError::Elsewhere) => return roll.all_can(session, None),
            Err(error) => return Err(builds::not_built(error, build.pattern(), directory)),
        };
        for table in tables {
            self.finish(table, build, directory, session)?;
        }
        let peak = system::peak_memory().unwrap_or(0);
        let peaks = roll.texts.of_all(&peak.to_string())?;
        if let Some(scratch) = scratch {
            scratch.forget(build);
        }
        if team.is_first() {
            let peak = peaks.iter().filter_map(|peak| peak.parse::<u64>().ok()).max().unwrap_or(0);
            let seconds = started.elapsed().as_secs_f64();
            let [touched, sent] = [&took.touched, &took.sent].map(|bytes| bytes.load(Ordering::Relaxed));
            let json = json!({
                "tiles": tile_numbers(build.pattern()), "states": build.states(),
                "processes": team.count(), "threads": threads(session, team), "seconds": seconds,
                "peak_memory": peak, "bytes_touched": touched, "bytes_sent": sent,
            });
            let text = format!(
                "{}: {} states by {} in {seconds:.2} s, at most {} of memory each, {} sent",
                build.pattern(),
                build.states(),
                team.processes(),
                bytes(peak),
                bytes(sent)
            );
            session.tell(json, text)?;
        }
        Ok(Ok(()))
    }

    /// Verifies a table, proves it if that was asked for, and gives it its name.
    fn finish(&self, mut table: Built<Draft>, build: &Build, directory: &Path, session: &Session) -> Result<()> {
        let pattern = build.pattern();
        let verified = bars::watched_on_threads(session, |watch| {
            let what = format!("verifying {pattern}");
            let _ = watch(&Event::Begin { what: &what, total: table.header.payload_len() });
            table.verify(watch)
        });
        verified.map_err(|error| builds::not_built(error, pattern, directory))?;
        if self.audit {
            let payload = builds::read_back(&mut table, directory, session)?;
            builds::prove(&table.header, &payload, session)?;
        }
        if interrupt::asked_to_stop() {
            return Err(builds::interrupted(pattern));
        }
        let header = table.header.clone();
        let cannot_write = |error: std::io::Error| DirectoryError { directory: directory.to_owned(), error };
        let file = interrupt::writing(|| table.seal()).map_err(cannot_write)?.display().to_string();
        let (kind, entries, max) = (header.kind(), header.entries(), header.max());
        let json = json!({
            "file": file, "tiles": tile_numbers(pattern), "encoding": kind.encoding(), "count": kind.count(),
            "entries": entries, "bytes": header.file_len(), "levels": header.histogram().len(), "hash": header.hash_text(),
        });
        session.tell(json, format!("{file}: {entries} entries, costs 0 to {max}, {}", bytes(header.file_len())))?;
        Ok(())
    }
}

/// Threads that work in each process: as many as were asked for, or its share of the machine's cores.
pub(crate) fn threads(session: &Session, team: &Team) -> usize {
    session.common.threads.map_or_else(|| team.cores(), usize::from)
}

/// Builds as text, for other processes.
fn builds_text(builds: &[Build]) -> String {
    let text = |build: &Build| {
        let (pattern, kinds) = (build.pattern(), build.kinds());
        let kinds: Vec<String> = kinds.iter().map(|kind| kind_number(*kind).to_string()).collect();
        format!("{} {} {} {}", pattern.size(), pattern.home().0, pattern.mask(), kinds.join(","))
    };
    builds.iter().map(text).collect::<Vec<_>>().join("\n")
}

const KINDS: [Kind; 3] = [Kind::Bit, Kind::Nibble, Kind::AllMoves];

fn kind_number(kind: Kind) -> usize {
    KINDS.iter().position(|&known| known == kind).expect("these are all kinds")
}

fn builds_of(text: &str) -> Result<Vec<Build>> {
    let build = |line: &str| -> Option<Build> {
        let mut words = line.split(' ');
        let size: Size = words.next()?.parse().ok()?;
        let (home, mask) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let kinds: Option<Vec<Kind>> =
            words.next()?.split(',').map(|kind| KINDS.get(kind.parse::<usize>().ok()?).copied()).collect();
        Build::new(&Pattern::from_mask(size, Square(home), mask).ok()?, &kinds?).ok()
    };
    let builds: Option<Vec<Build>> = text.lines().map(build).collect();
    builds.ok_or_else(|| {
        Failure::new("process 0 said something else than what to build: start the same program everywhere")
    })
}
