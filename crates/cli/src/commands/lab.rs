//! `tilebase lab`

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use indicatif::HumanDuration;
use serde_json::{Value, json};
use tilebase::Event;
use tilebase_lab::{Anytime, AnytimeOptions, Finished, Korf24, Korf24Options, LabError, Options, Paper};

use crate::life::Life;
use crate::options::korf24_boards;
use crate::session::counted;
use crate::{Exit, Failure, Result, Session, bars, interrupt, solvers, system};

/// All papers together, but for the fifty boards, which take days.
const ALL: &str = "all";

/// The fifty boards of the 24-puzzle.
const KORF24: &str = "korf24";

/// Better and better solutions against time.
const ANYTIME: &str = "anytime";

/// Repeat a paper's experiments: tables and plots, side by side with the paper's figures
///
/// Says how long it will take before it starts. Every finished search is kept in DIR/runs.jsonl: Ctrl-C loses nothing, the
/// same command goes on where it was, and papers that ask the same thing have it searched once. The report is
/// DIR/PAPER/index.html, with README.md and a file for each plot and table beside it.
///
/// korf24 is the fifty boards of the 24-puzzle of Korf & Felner. It solves them one after the other on all threads, the easiest
/// first; each that is finished is a line in DIR/korf24/results.tsv, and DIR/korf24/README.md has all of them beside the nodes that others
/// needed. It is not part of all: it takes from seconds to hours for a board.
///
/// anytime is how soon a good solution of these and of Korf's hundred boards is there, and how good it is proven to be, beside weighted
/// searches: a quarter of an hour. It is kept and goes on as korf24 does, in DIR/anytime.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # everything in less than a minute, to see what it looks like
  tilebase lab all --quick
  # at the size of the paper
  tilebase lab bauer
  tilebase lab all --out results
  # three boards of the 24-puzzle, the easiest first
  tilebase lab korf24 --boards 40,38,25
  tilebase lab korf24 --tables small --out docs/lab
  tilebase lab anytime --tables 7-7-7-3 --out docs/lab

The same command gives the same nodes on every machine, but for korf24, where nodes to the first solution vary with threads; times \
vary, and are marked in the tables.")]
pub(crate) struct Lab {
    /// Which paper
    #[arg(value_name = "PAPER", value_parser = papers())]
    paper: String,
    /// Fewer and easier boards
    #[arg(long)]
    quick: bool,
    /// Where results and reports go
    #[arg(long, value_name = "DIR", default_value = "lab-results")]
    out: PathBuf,
    /// Of korf24: only these boards, such as 1,2,5-9
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = korf24_boards)]
    boards: Vec<RangeInclusive<u32>>,
    /// Of korf24 and anytime: the tables of the 24-puzzle, as for solve [default: the strongest there are that fit into memory]
    #[arg(long, value_name = "NAME")]
    tables: Option<String>,
    /// Of korf24: search the last iteration to its end, so that nodes do not depend on luck
    #[arg(long)]
    finish_bound: bool,
}

fn papers() -> PossibleValuesParser {
    let one = |paper: Paper| PossibleValue::new(paper.about().name).help(paper.about().reference);
    let all = PossibleValue::new(ALL).help("all of them, and a page that has everything");
    let korf24 = PossibleValue::new(KORF24).help("Korf & Felner 2002 and others: fifty boards of the 24-puzzle");
    let anytime =
        PossibleValue::new(ANYTIME).help("how soon a good solution is there, and how good it is proven to be");
    PossibleValuesParser::new(Paper::ALL.into_iter().map(one).chain([korf24, anytime, all]))
}

impl Lab {
    pub(crate) fn run(&self, session: &Session) -> Result {
        session.use_threads();
        interrupt::stop_when_asked();
        if self.paper == KORF24 {
            return self.korf24(session);
        }
        if !self.boards.is_empty() || self.finish_bound || (self.tables.is_some() && self.paper != ANYTIME) {
            let message = "--boards, --tables and --finish-bound are options of lab korf24, and --tables of lab anytime: leave them out";
            return Err(Failure::new(message));
        }
        if self.paper == ANYTIME {
            return self.anytime(session);
        }
        bars::watched(session, |watch| {
            let mut options = Options::new(self.out.clone());
            options.quick = self.quick;
            options.threads = session.threads();
            options.store = session.store_with(&options.table_directory());
            options.memory = system::available_memory();
            options.watch = watch;
            self.repeat(options, session)
        })
    }

    /// Solves boards of the 24-puzzle, the easiest first, until all that are wanted are solved or somebody says to stop.
    fn korf24(&self, session: &Session) -> Result {
        let source = session.source();
        let mut options = Korf24Options::new(self.out.clone(), &source);
        options.boards = self.boards.iter().cloned().flatten().collect();
        options.quick = self.quick;
        options.tables.clone_from(&self.tables);
        options.finish_bound = self.finish_bound;
        options.threads = NonZeroUsize::new(session.threads()).unwrap_or(NonZeroUsize::MIN);
        options.cpu_seconds = system::cpu_seconds;
        let mut lab = Korf24::open(options).map_err(failure)?;
        let solver = lab.solver(|builder| solvers::open(builder, &source, session))?;
        let left = lab.left(&solver);
        let (boards, threads) = (counted(left.len() as u64, "board"), counted(session.threads() as u64, "thread"));
        session.note(format!("{boards} to solve with {} on {threads}; {}", solver.name(), lab.summary()));
        let life = Life::new(session, "boards", true);
        let mut ended = Exit::Done;
        for &id in &left {
            let watch = |event: &Event<'_>| {
                life.follow(event);
                interrupt::go_on()
            };
            let Some(finished) = lab.solve(id, &solver, &watch).map_err(failure)? else {
                ended = Exit::Interrupted;
                break;
            };
            life.bar.suspend(|| session.tell(finished_json(&finished), finished_text(&finished)))?;
            // Written after each, so that whatever ends the rest, what is finished is told.
            interrupt::writing(|| lab.write()).map_err(failure)?;
        }
        life.bar.finish_and_clear();
        let page = interrupt::writing(|| lab.write()).map_err(failure)?;
        let json = json!({ "solved": lab.solved(), "boards": lab.boards(), "report": page });
        session.tell(json, format!("{}\nreport: {}", lab.summary(), page.display()))?;
        Ok(ended)
    }

    /// Measures how solutions get better, search by search, until all are made or somebody says to stop.
    fn anytime(&self, session: &Session) -> Result {
        let source = session.source();
        let mut options = AnytimeOptions::new(self.out.clone(), &source);
        options.quick = self.quick;
        options.tables.clone_from(&self.tables);
        options.threads = NonZeroUsize::new(session.threads()).unwrap_or(NonZeroUsize::MIN);
        let mut lab = Anytime::open(options).map_err(failure)?;
        let left = lab.left();
        let most = HumanDuration(Anytime::time_for(&left));
        let searches = counted(left.len() as u64, "search").replace("searchs", "searches");
        session.note(format!("{searches} to make, in {most} at most; results and page go to {}", self.out.display()));
        let bar = session.progress_bar(left.len() as u64, "{spinner} {pos} of {len} searches, {elapsed}");
        Session::keep_drawing(&bar, Duration::from_secs(1));
        let mut ended = Exit::Done;
        let mut made = 0;
        for task in &left {
            let began = Instant::now();
            let solver = lab.solver(task, |builder| solvers::open(builder, &source, session))?;
            let measured = lab.measure(task, &solver, began, &|_| interrupt::go_on()).map_err(failure)?;
            if measured.is_break() {
                ended = Exit::Interrupted;
                break;
            }
            made += 1;
            bar.inc(1);
        }
        bar.finish_and_clear();
        let page = interrupt::writing(|| lab.write()).map_err(failure)?;
        for table in lab.tables() {
            session.tell(table.json(), table.text())?;
        }
        session.tell(json!({ "searched": made, "report": page }), format!("report: {}", page.display()))?;
        Ok(ended)
    }

    fn repeat(&self, options: Options<'_>, session: &Session) -> Result {
        let papers: Vec<Paper> = self.paper.parse().map_or_else(|_| Paper::ALL.to_vec(), |paper| vec![paper]);
        let mut lab = tilebase_lab::Lab::open(options).map_err(failure)?;
        let passed_over = lab.results().passed_over();
        if passed_over > 0 {
            let (lines, file) = (counted(passed_over as u64, "line"), lab.results().path().display());
            let are_not = if passed_over == 1 { "is not" } else { "are not" };
            session.note(format!("{lines} of {file} {are_not} whole: searched again where needed"));
        }
        let plan = lab.plan(&papers);
        let searches = counted(plan.left() as u64, "search").replace("searchs", "searches");
        let before = if plan.done() > 0 { format!(", {} made before", plan.done()) } else { String::new() };
        let threads = counted(session.threads() as u64, "thread");
        let how_long = plan.how_long();
        session.note(format!("{}: {searches} to make{before}; expected to take {how_long} on {threads}", self.paper));
        session.note(format!("results and reports go to {}", self.out.display()));
        lab.search(&plan).map_err(failure)?;
        let mut reports = Vec::new();
        let mut pages = Vec::new();
        for paper in papers {
            let report = lab.report(paper).map_err(failure)?;
            pages.push(interrupt::writing(|| lab.write(&report)).map_err(failure)?);
            reports.push(report);
        }
        if self.paper == ALL {
            pages.push(interrupt::writing(|| lab.write_all(&reports)).map_err(failure)?);
        }
        let page = pages.last().expect("there is a paper");
        for report in &reports {
            for (number, table) in report.tables.iter().enumerate() {
                if session.json {
                    let mut line = json!({ "paper": report.paper.about().name });
                    let line_keys = line.as_object_mut().expect("it is an object");
                    line_keys.append(table.json().as_object_mut().expect("so is a table"));
                    session.answer(line)?;
                } else if number == 0 {
                    session.answer(table.text())?;
                }
            }
        }
        session.tell(json!({ "searched": plan.left(), "report": page }), format!("report: {}", page.display()))?;
        Ok(Exit::Done)
    }
}

fn finished_json(finished: &Finished) -> Value {
    json!({
        "board": finished.board, "length": finished.length, "nodes": finished.nodes,
        "complete_nodes": finished.complete_nodes, "last_bound_nodes": finished.last_bound_nodes,
        "seconds": finished.seconds, "cpu_seconds": finished.cpu_seconds, "threads": finished.threads,
        "tables": finished.tables,
    })
}

fn finished_text(finished: &Finished) -> String {
    let Finished { board, length, nodes, seconds, .. } = finished;
    format!("board {board}: {length} moves, {nodes} nodes in {seconds:.1} s")
}

fn failure(error: LabError) -> Failure {
    let exit = if matches!(error, LabError::Interrupted { .. }) { Exit::Interrupted } else { Exit::Error };
    Failure::new(error).with_exit(exit)
}
