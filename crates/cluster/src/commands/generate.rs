//! `tilebase-cluster generate`

use std::path::{Path, PathBuf};
use std::sync::Mutex;
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
use crate::notes::Notes;
use crate::team::Team;

/// Build tables on many machines
///
/// As tilebase generate, with the same tables to the byte; but every process has only some of the rows. They go from
/// level to level in step, and the first one writes the tables.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  mpirun -n 2 tilebase-cluster generate 7-8
  # what each process would take
  mpirun -n 4 tilebase-cluster generate 8-8-7-1 --dry-run
  mpirun -n 64 tilebase-cluster generate --tiles 1,2,5,6,7,10,11,12,15 \\
    --size 5x5 --scratch /local/scratch

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

/// What the processes of a build have touched and sent, as all of them know it.
#[derive(Default)]
struct Took {
    touched: AtomicU64,
    /// Bytes sent by the end of each level, and in all.
    by_level: Mutex<Vec<u64>>,
    sent: AtomicU64,
}

impl Took {
    fn follow(&self, event: &Event<'_>) {
        match event {
            Event::Level(level) => {
                self.touched.store(level.touched, Ordering::Relaxed);
                self.sent.store(level.sent, Ordering::Relaxed);
                self.by_level.lock().expect("no thread panics with it").push(level.sent);
            }
            Event::Sent(bytes) => _ = self.sent.fetch_add(*bytes, Ordering::Relaxed),
            _ => {}
        }
    }

    /// Bytes sent at each level.
    fn by_level(&self) -> Vec<u64> {
        let by_level = self.by_level.lock().expect("no thread panics with it");
        by_level.windows(2).map(|ends| ends[1] - ends[0]).collect()
    }
}

impl Generate {
    /// What must be the same in all processes.
    pub(crate) fn common(&self) -> String {
        let kept = if self.scratch.is_some() { ", kept" } else { "" };
        let dry = if self.dry_run { ", as a dry run" } else { "" };
        format!("generate {:?}{kept}{dry}", self.what)
    }

    pub(crate) fn run(&self, session: &Session, team: &Team, roll: &Roll<'_>) -> Result {
        // The first process knows what is there; the others are told what is wanted, and what of that is to be built.
        let mut directory = PathBuf::new();
        let mut refusal = None;
        let told = roll.texts.of_first(|| match self.missing(session) {
            Ok((wanted, missing, into)) => {
                directory = into;
                format!("{}{BETWEEN}{}", builds_text(&wanted), builds_text(&missing))
            }
            Err(failure) => {
                refusal = Some(failure.to_string());
                BETWEEN.to_owned()
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
        let (wanted, builds) = told.split_once(BETWEEN).unwrap_or_default();
        let (wanted, builds) = (builds_of(wanted)?, builds_of(builds)?);
        if self.dry_run {
            return self.forecast(&builds, session, team, roll);
        }
        scratch.iter().for_each(|scratch| scratch.forget_all_but(&builds, &wanted));
        let refusal = builds.iter().find_map(|build| self.too_large(build, session, team, roll).transpose());
        if let Err(exit) = roll.all_can(session, refusal.transpose()?)? {
            return Ok(exit);
        }
        let is_new = team.is_first() && !directory.exists();
        let refusal = if team.is_first() { prepare_directory(&directory).err() } else { None };
        if let Err(exit) = roll.all_can(session, refusal.map(|error| error.to_string()))? {
            return Ok(exit);
        }
        interrupt::stop_when_asked();
        let job = Job { session, team, roll, directory: &directory, scratch: scratch.as_ref() };
        for build in &builds {
            if let Err(exit) = self.build(build, &job)? {
                if is_new {
                    // Only if it is empty, and only because nobody had made it before.
                    let _ = std::fs::remove_dir(&directory);
                }
                return Ok(exit);
            }
        }
        Ok(Exit::Done)
    }

    /// What is wanted, what of that is not there yet, and the directory where it goes.
    fn missing(&self, session: &Session) -> Result<(Vec<Build>, Vec<Build>, PathBuf)> {
        let wanted = self.what.builds()?;
        if self.dry_run {
            return Ok((wanted.clone(), wanted, PathBuf::new()));
        }
        let directory = session.new_tables(self.out.as_deref())?;
        let missing = builds::not_there_yet(&wanted, &directory, self.force, session)?;
        Ok((wanted, missing, directory))
    }

    /// Why a build does not fit into the memory of this process, or of its machine.
    fn too_large(&self, build: &Build, session: &Session, team: &Team, roll: &Roll<'_>) -> Result<Option<String>> {
        let threads = roll.threads(session);
        let plan = build.plan_together(team.count(), threads)?;
        let mut needed = plan[team.rank()].memory;
        if self.audit && team.is_first() {
            needed = needed.max(build.memory_of_audit(threads));
        }
        let share = tilebase::memory::available_to_each_of(team.on_machine as u64);
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

    /// What a build would take, by what is known of the machine.
    fn forecast_of(build: &Build, session: &Session, team: &Team, roll: &Roll<'_>) -> Result<Forecast> {
        let threads = roll.threads(session);
        let cores = (cores() as f64 / team.on_machine as f64).min(threads as f64);
        Ok(Forecast::of(build, team.count(), threads, Machine { threads: cores, ..Machine::OF_TODAY })?)
    }

    /// Says what the builds would take.
    fn forecast(&self, builds: &[Build], session: &Session, team: &Team, roll: &Roll<'_>) -> Result {
        let mut exit = Exit::Done;
        for build in builds.iter().filter(|_| team.is_first()) {
            let forecast = Generate::forecast_of(build, session, team, roll)?;
            exit = exit.max(plan::tell(build, &forecast, self.max_memory.map(|size| size.as_u64()), session)?);
        }
        Ok(exit)
    }

    /// Builds the tables of a pattern. The error is the exit code with which all processes end.
    fn build(&self, build: &Build, job: &Job<'_>) -> Result<std::result::Result<(), Exit>> {
        let Job { session, team, roll, directory, scratch } = *job;
        if team.is_first() {
            let forecast = Generate::forecast_of(build, session, team, roll)?;
            let (memory, sent) = (bytes(forecast.memory()), bytes(forecast.sent().0));
            let seconds = forecast.seconds();
            let processes = team.processes();
            session.note(format!(
                "{}: {processes}, at most {memory} of memory each, {sent} to send, roughly {seconds:.1} s",
                build.pattern()
            ));
        }
        job.tell_what_is_kept(build)?;
        system::forget_peak_memory();
        let started = Instant::now();
        let (took, notes) = (Took::default(), Notes::new(session));
        let ended = bars::watched(session, |watch| {
            let _ = watch(&Event::Begin { what: &build.pattern().to_string(), total: build.reachable() });
            build.run_together(team, roll.threads(session), &Directory(directory), scratch, &|event| {
                took.follow(event);
                if let Event::Level(level) = event {
                    job.warn_if_not_kept();
                    let percent = level.found as f64 / level.total as f64 * 100.0;
                    notes.tell(|time| format!("{}: {percent:.1}%  {}", build.pattern(), bars::level_text(level, time)));
                }
                watch(event)
            })
        });
        job.warn_if_not_kept();
        let tables = match ended {
            Ok(tables) => tables,
            // All processes have an error: each its own, or that another one has.
            Err(error @ BuildError::Kept(_)) => return roll.all_can(session, Some(error.to_string())),
            Err(BuildError::Elsewhere) => return roll.all_can(session, None),
            // All have found out the same; one says so.
            Err(error @ (BuildError::Overflow(..) | BuildError::TooDeep(_))) => {
                return roll.all_can(session, team.is_first().then(|| error.to_string()));
            }
            Err(error) => return Err(builds::not_built(error, build.pattern(), directory)),
        };
        self.finish(tables, build, job)?;
        let peaks = roll.texts.of_all(&system::peak_memory().unwrap_or(0).to_string())?;
        scratch.iter().for_each(|scratch| scratch.forget(build));
        if !team.is_first() {
            return Ok(Ok(()));
        }
        let peak = peaks.iter().filter_map(|peak| peak.parse::<u64>().ok()).max().unwrap_or(0);
        let seconds = started.elapsed().as_secs_f64();
        let (touched, sent) = (took.touched.load(Ordering::Relaxed), took.sent.load(Ordering::Relaxed));
        let json = json!({
            "tiles": tile_numbers(build.pattern()), "states": build.search_size(), "processes": team.count(),
            "threads": roll.threads(session), "seconds": seconds, "peak_memory": peak, "bytes_touched": touched,
            "bytes_sent": sent, "bytes_sent_by_level": took.by_level(),
        });
        let text = format!(
            "{}: {} {} by {} in {seconds:.2} s, at most {} of memory each, {} sent",
            build.pattern(),
            build.search_size(),
            plan::counted(build),
            team.processes(),
            bytes(peak),
            bytes(sent)
        );
        session.tell(json, text)?;
        Ok(Ok(()))
    }

    /// Verifies tables, proves them if that was asked for, and then gives all of them their names.
    fn finish(&self, mut tables: Vec<Built<Draft>>, build: &Build, job: &Job<'_>) -> Result<()> {
        let Job { session, directory, .. } = *job;
        let pattern = build.pattern();
        for table in &mut tables {
            let verified = bars::watched_on_threads(session, |watch| {
                let what = format!("verifying {pattern}");
                let _ = watch(&Event::Begin { what: &what, total: table.header.payload_len() });
                table.verify(watch)
            });
            verified.map_err(|error| builds::not_built(error, pattern, directory))?;
            if self.audit {
                let payload = builds::read_back(table, directory, session)?;
                builds::prove(&table.header, &payload, session)?;
            }
        }
        if interrupt::asked_to_stop() {
            return Err(builds::interrupted(pattern));
        }
        for table in tables {
            let header = table.header.clone();
            let cannot_write = |error: std::io::Error| DirectoryError { directory: directory.to_owned(), error };
            let file = interrupt::writing(|| table.seal()).map_err(cannot_write)?.display().to_string();
            let (kind, entries, max) = (header.kind(), header.entries(), header.max());
            let json = json!({
                "file": file, "tiles": tile_numbers(pattern), "encoding": kind.encoding(), "count": kind.count(),
                "entries": entries, "bytes": header.file_len(), "levels": header.histogram().len(),
                "hash": header.hash_text(),
            });
            session.tell(json, format!("{file}: {entries} entries, costs 0 to {max}, {}", bytes(header.file_len())))?;
        }
        Ok(())
    }
}

/// What all builds of a job have in common.
#[derive(Clone, Copy)]
struct Job<'a> {
    session: &'a Session,
    team: &'a Team,
    roll: &'a Roll<'a>,
    directory: &'a Path,
    scratch: Option<&'a Scratch>,
}

impl Job<'_> {
    /// Says whether a build goes on from what is kept. What some processes have lost is of no use to the others.
    fn tell_what_is_kept(&self, build: &Build) -> Result<()> {
        let Some(scratch) = self.scratch else { return Ok(()) };
        let has = if scratch.has(build) { "yes" } else { "no" };
        let count = self.roll.texts.of_all(has)?.iter().filter(|has| *has == "yes").count();
        let pattern = build.pattern();
        if count == self.team.count() {
            self.session.note(format!("going on with pattern {pattern} from what is kept of it"));
        } else if count > 0 && self.team.is_first() {
            let of = self.team.processes();
            self.session.warning(format!(
                "only {count} of {of} find what they have kept of pattern {pattern}, so that it begins anew: is the scratch directory the same?"
            ));
        }
        Ok(())
    }

    /// Says why the build could not be kept the last time, when that happens.
    fn warn_if_not_kept(&self) {
        if let Some(error) = self.scratch.and_then(Scratch::take_error) {
            self.session.warning(format!("{}: {error}", self.roll.name(self.team.rank())));
        }
    }
}

/// What stands between two lists of builds.
const BETWEEN: &str = "\n--\n";

/// Builds as text, for other processes.
fn builds_text(builds: &[Build]) -> String {
    let text = |build: &Build| {
        let (pattern, kinds) = (build.pattern(), build.kinds());
        let kinds: Vec<String> = kinds.iter().map(|kind| kind_number(*kind).to_string()).collect();
        format!("{} {} {} {}", pattern.size(), pattern.home().0, pattern.mask(), kinds.join(","))
    };
    builds.iter().map(text).collect::<Vec<_>>().join("\n")
}

fn kind_number(kind: Kind) -> usize {
    Kind::ALL.iter().position(|&known| known == kind).expect("these are all kinds")
}

fn builds_of(text: &str) -> Result<Vec<Build>> {
    let build = |line: &str| -> Option<Build> {
        let mut words = line.split(' ');
        let size: Size = words.next()?.parse().ok()?;
        let (home, mask) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let kinds: Option<Vec<Kind>> =
            words.next()?.split(',').map(|kind| Kind::ALL.get(kind.parse::<usize>().ok()?).copied()).collect();
        Build::new(&Pattern::from_mask(size, Square(home), mask).ok()?, &kinds?).ok()
    };
    let builds: Option<Vec<Build>> = text.lines().map(build).collect();
    builds.ok_or_else(|| {
        Failure::new("process 0 said something else than what to build: start the same program everywhere")
    })
}
