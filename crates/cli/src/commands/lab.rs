//! `tilebase lab`

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use indicatif::ProgressBar;
use serde_json::json;
use tilebase_lab::{LabError, Options, Paper, Watcher};

use crate::failure::{Exit, Failure};
use crate::options::Common;
use crate::output::Output;
use crate::{interrupt, system};

/// All papers together.
const ALL: &str = "all";

/// Repeat a paper's experiments: tables and plots, side by side with the paper's figures
///
/// Says how long it will take before it starts. Every finished search is kept in DIR/runs.jsonl: Ctrl-C loses nothing, the
/// same command goes on where it was, and papers that ask the same thing have it searched once. The report is
/// DIR/PAPER/index.html, with README.md and a file for each plot and table beside it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase lab all --quick        everything in less than a minute, to see what it looks like
  tilebase lab bauer              at the size of the paper
  tilebase lab all --out results

The same command gives the same nodes on every machine; times vary, and are marked in the tables.")]
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
}

fn papers() -> PossibleValuesParser {
    let one = |paper: Paper| PossibleValue::new(paper.about().name).help(paper.about().reference);
    let all = PossibleValue::new(ALL).help("all of them, and a page that has everything");
    PossibleValuesParser::new(Paper::ALL.into_iter().map(one).chain([all]))
}

impl Lab {
    pub(crate) fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        common.use_threads();
        interrupt::stop_when_asked();
        let papers: Vec<Paper> = match self.paper.parse() {
            Ok(paper) => vec![paper],
            Err(_) => Paper::ALL.to_vec(),
        };
        let mut options = Options::new(self.out.clone(), interrupt::flag());
        options.quick = self.quick;
        options.threads = common.threads();
        options.table_directories = common.store().directories().to_vec();
        options.memory = system::available_memory();
        let mut lab = tilebase_lab::Lab::open(options).map_err(failure)?;
        let passed_over = lab.results().passed_over();
        if passed_over > 0 {
            output.note(format!(
                "{} of {} {} whole: searched again where needed",
                crate::output::counted(passed_over as u64, "line"),
                lab.results().path().display(),
                if passed_over == 1 { "is not" } else { "are not" },
            ));
        }
        let plan = lab.plan(&papers);
        let searches = crate::output::counted(plan.left() as u64, "search").replace("searchs", "searches");
        let before = if plan.done() > 0 { format!(", {} made before", plan.done()) } else { String::new() };
        output.note(format!(
            "{}: {searches} to make{before}; expected to take {} on {}",
            self.paper,
            plan.how_long(),
            crate::output::counted(common.threads() as u64, "thread"),
        ));
        output.note(format!("results and reports go to {}", self.out.display()));
        lab.search(&plan, &Bar { output, bar: Mutex::new(ProgressBar::hidden()) }).map_err(failure)?;
        let mut reports = Vec::new();
        let mut pages = Vec::new();
        for paper in &papers {
            let report = lab.report(*paper).map_err(failure)?;
            pages.push(interrupt::writing(|| lab.write(&report)).map_err(failure)?);
            reports.push(report);
        }
        if self.paper == ALL {
            pages.push(interrupt::writing(|| lab.write_all(&reports)).map_err(failure)?);
        }
        let page = pages.last().expect("there is a paper");
        if output.json {
            for report in &reports {
                for table in &report.tables {
                    let mut value = json!({ "paper": report.paper.about().name });
                    value
                        .as_object_mut()
                        .expect("it is an object")
                        .append(table.json().as_object_mut().expect("so is a table"));
                    output.json(&value)?;
                }
            }
            output.json(&json!({ "searched": plan.left(), "report": page }))?;
        } else {
            for table in reports.iter().filter_map(|report| report.tables.first()) {
                output.answer(table.text())?;
            }
            output.answer(format!("report: {}", page.display()))?;
        }
        Ok(Exit::Done)
    }
}

fn failure(error: LabError) -> Failure {
    let exit = if matches!(error, LabError::Interrupted { .. }) { Exit::Interrupted } else { Exit::Error };
    Failure::new(error).with_exit(exit)
}

/// Shows how far a lab is, on a terminal.
struct Bar<'a> {
    output: &'a Output,
    bar: Mutex<ProgressBar>,
}

impl Bar<'_> {
    fn bar(&self) -> ProgressBar {
        self.bar.lock().expect("no thread panics with the bar").clone()
    }
}

impl Watcher for Bar<'_> {
    fn begin(&self, what: &str, total: u64) {
        let template = if total == 0 {
            "{spinner} {msg}, {elapsed}"
        } else {
            "{msg} {wide_bar} {percent}%  {elapsed}, {eta} left"
        };
        let bar = self.output.progress_bar(total, template);
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        *self.bar.lock().expect("no thread panics with the bar") = bar;
    }

    fn advance(&self, done: u64) {
        self.bar().inc(done);
    }

    fn end(&self) {
        self.bar().finish_and_clear();
    }
}
