//! `tilebase lab`

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use serde_json::json;
use tilebase_lab::{LabError, Options, Paper};

use crate::session::counted;
use crate::{Exit, Failure, Result, Session, bars, interrupt, system};

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
    pub(crate) fn run(&self, session: &Session) -> Result {
        session.use_threads();
        interrupt::stop_when_asked();
        bars::watched(session, |watch| {
            let mut options = Options::new(self.out.clone());
            options.quick = self.quick;
            options.threads = session.threads();
            options.store = session.store();
            options.memory = system::available_memory();
            options.watch = watch;
            self.repeat(options, session)
        })
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

fn failure(error: LabError) -> Failure {
    let exit = if matches!(error, LabError::Interrupted { .. }) { Exit::Interrupted } else { Exit::Error };
    Failure::new(error).with_exit(exit)
}
