//! The lab itself: plans the searches of papers, makes those that have not been made, and writes the reports.

use std::collections::HashSet;
use std::path::PathBuf;

use tilebase::lookup::Store;
use tilebase::progress::{Event, Watch, unwatched};
use tilebase::solve::batch;

use crate::bench::Bench;
use crate::error::LabError;
use crate::number;
use crate::papers::{Paper, Setting};
use crate::report::{self, Report};
use crate::results::Results;
use crate::run::{How, Run};
use crate::tables::PaperTables;

/// The part of the memory that searches may fill; the rest is for tables and for the queues that grow.
const SHARE_OF_MEMORY: f64 = 0.8;

/// What a lab is given.
#[derive(Clone)]
#[non_exhaustive]
pub struct Options<'a> {
    /// Where results and reports go.
    pub out: PathBuf,
    /// Fewer and easier boards: all papers together in less than a minute.
    pub quick: bool,
    /// How many searches are made at a time.
    pub threads: usize,
    /// Where tables are looked for, and how they are loaded.
    pub store: Store,
    /// Bytes of memory that may be used.
    pub memory: Option<u64>,
    /// Is told how far the lab is, and may stop it.
    pub watch: Watch<'a>,
}

impl<'a> Options<'a> {
    /// All boards, one search at a time, the tables in the program, unlimited memory, unwatched.
    pub fn new(out: PathBuf) -> Options<'a> {
        Options { out, quick: false, threads: 1, store: Store::compiled_in(), memory: None, watch: &unwatched }
    }

    /// Where tables are kept that are built for the lab. They are looked for in the store, and then here.
    pub fn table_directory(&self) -> PathBuf {
        self.out.join("tables")
    }
}

/// The searches that are to be made for some papers.
#[derive(Debug)]
pub struct Plan {
    /// Those that have not been made, the longest first.
    runs: Vec<Run>,
    total: usize,
    /// Roughly how long they will take, tables that have to be built included.
    seconds: f64,
}

impl Plan {
    /// Searches that are still to be made.
    pub fn left(&self) -> usize {
        self.runs.len()
    }

    /// Searches that were made before.
    pub fn done(&self) -> usize {
        self.total - self.runs.len()
    }

    /// Roughly how long it will take, in words.
    pub fn how_long(&self) -> String {
        number::roughly(self.seconds)
    }
}

/// A lab with its results.
pub struct Lab<'a> {
    options: Options<'a>,
    tables: PaperTables<'a>,
    results: Results,
}

impl<'a> Lab<'a> {
    /// Opens the results of a directory, which is made if it is not there.
    pub fn open(options: Options<'a>) -> Result<Lab<'a>, LabError> {
        std::fs::create_dir_all(&options.out).map_err(LabError::file(&options.out))?;
        let path = options.out.join("runs.jsonl");
        let results = Results::open(&path).map_err(LabError::file(&path))?;
        Ok(Lab { tables: PaperTables::new(&options), options, results })
    }

    /// Where results are kept, and what was found there.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The searches to be made for papers.
    pub fn plan(&self, papers: &[Paper]) -> Plan {
        let setting = self.setting();
        let mut seen = HashSet::new();
        let runs = papers.iter().flat_map(|paper| paper.runs(&setting));
        let mut runs: Vec<Run> = runs.filter(|run| seen.insert(run.key())).collect();
        let total = runs.len();
        runs.retain(|run| self.results.get(run).is_none());
        runs.sort_by(|a, b| b.expected_seconds().total_cmp(&a.expected_seconds()));
        let all: f64 = runs.iter().map(Run::expected_seconds).sum();
        let longest = runs.first().map_or(0.0, Run::expected_seconds);
        let searching = (all / self.options.threads.max(1) as f64).max(longest);
        let mut seen = HashSet::new();
        let tables = runs.iter().filter_map(|run| if let How::Tables(tables) = run.how { Some(tables) } else { None });
        let missing = tables.filter(|tables| seen.insert((tables.catalogue, tables.kind)));
        let building: f64 = missing.map(|tables| self.tables.seconds(tables)).sum();
        Plan { runs, total, seconds: searching + building }
    }

    /// Makes the searches of a plan and keeps what comes of each. Nodes do not depend on the number of threads.
    pub fn search(&mut self, plan: &Plan) -> Result<(), LabError> {
        let watch = self.options.watch;
        let mut bench = Bench::default();
        let _ = watch(&Event::Begin { what: "preparing", total: 0 });
        let prepared = plan.runs.iter().try_for_each(|run| bench.prepare(run, &self.tables));
        let _ = watch(&Event::End);
        prepared.map_err(|error| match error {
            LabError::Interrupted { .. } => LabError::Interrupted { left: plan.runs.len() },
            error => error,
        })?;
        let milliseconds = |run: &Run| (run.expected_seconds() * 1000.0).ceil() as u64;
        let _ = watch(&Event::Begin { what: "searching", total: plan.runs.iter().map(milliseconds).sum() });
        let threads = self.options.threads.max(1);
        let memory = self.options.memory.map(|bytes| (bytes as f64 * SHARE_OF_MEMORY) as u64 / threads as u64);
        let mut left = plan.runs.len();
        let mut ended = Ok(());
        let mut interrupted = false;
        let results = &mut self.results;
        batch::run(
            threads,
            false,
            plan.runs.iter(),
            |run| {
                let keeps = run.search.about().keeps_nodes;
                let stop = watch(&Event::Poll).is_break();
                let done = if stop { Ok(None) } else { bench.search(run, memory.filter(|_| keeps), watch) };
                (run, done)
            },
            |(run, done)| {
                ended = done.and_then(|done| {
                    // Those that are on their way may still come to an end of their own.
                    let Some(done) = done else {
                        interrupted = true;
                        return Ok(());
                    };
                    left -= 1;
                    let _ = watch(&Event::Advance(milliseconds(run)));
                    results.add(run, done).map_err(LabError::file(results.path()))
                });
                ended.is_ok()
            },
        );
        let _ = watch(&Event::End);
        if interrupted && ended.is_ok() { Err(LabError::Interrupted { left }) } else { ended }
    }

    /// The report of a paper whose searches have been made.
    pub fn report(&self, paper: Paper) -> Result<Report, LabError> {
        paper.report(&self.setting(), &self.results)
    }

    /// Writes the report of a paper: page, Markdown, plots and tables. Returns the page.
    pub fn write(&self, report: &Report) -> Result<PathBuf, LabError> {
        report::write(report, &self.options.out.join(report.paper.about().name))
    }

    /// Writes a page and Markdown for all papers. Returns the page.
    pub fn write_all(&self, reports: &[Report]) -> Result<PathBuf, LabError> {
        report::write_all(reports, &self.options.out)
    }

    fn setting(&self) -> Setting<'_> {
        Setting { quick: self.options.quick, tables: &self.tables }
    }
}
