//! Opening a solver: which bounds, which search, and where tables come from.

use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use tilebase_engine::{Bounds, BoundsError, Views};
use tilebase_heuristics::ListError;
use tilebase_lookup::OpenError;
use tilebase_progress::{Event, Watch, unwatched};
use tilebase_puzzle::forms::did_you_mean;
use tilebase_puzzle::{Board, Catalogue, Frame, Metric, PatternError, quoted, setters};
use tilebase_solve::Search;

use crate::catalogues::CatalogueError;
use crate::choice;
use crate::copies::{COPIED_AFTER, Copies};
use crate::improve::default_head_start;
use crate::mtm;
use crate::solver::{Opened, Solver, TablesUsed};
use crate::source::{Step, TableSource, TablesError};

/// Where a solver gets its bounds.
#[derive(Debug, Default)]
#[non_exhaustive]
pub enum Tables<'a> {
    /// The strongest tables that are there, or can be built on the spot, and fit into memory.
    #[default]
    Auto,
    /// By name; several with `+` between them: then the largest counts. Each is a catalogue by name, file or drawing (`7-8`,
    /// `.ABB/AABB/AABB/AABB`), a heuristic of the list (`walking-distance`), or `all:` and tiles for a table that counts all
    /// moves (`all:fringe`, `all:3,7,11`). In the metric `mtm` the tables of a catalogue's patterns are compared, not added.
    Named(&'a str),
    /// These.
    Given(Bounds),
}

/// Options of a solver, before it is [opened](SolverBuilder::open).
pub struct SolverBuilder<'a> {
    frame: Frame,
    tables: Tables<'a>,
    views: Option<Views>,
    search: Search,
    metric: Metric,
    source: Option<&'a TableSource>,
    copied_after: Duration,
    head_start: Option<Duration>,
    watch: Watch<'a>,
}

impl fmt::Debug for SolverBuilder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolverBuilder")
            .field("goal", &self.frame.goal().to_string())
            .field("tables", &self.tables)
            .field("views", &self.views)
            .field("search", &self.search)
            .field("metric", &self.metric)
            .finish_non_exhaustive()
    }
}

impl<'a> SolverBuilder<'a> {
    pub(crate) fn new(goal: &Board) -> SolverBuilder<'a> {
        SolverBuilder {
            frame: Frame::new(goal),
            tables: Tables::Auto,
            views: None,
            search: Search::default(),
            metric: Metric::Stm,
            source: None,
            copied_after: COPIED_AFTER,
            head_start: None,
            watch: &unwatched,
        }
    }

    setters! {
        /// Where bounds come from; [`Tables::Auto`] by default.
        tables(tables: Tables<'a>) => tables: tables;
        /// Through which symmetries sums of tables see a board; all by default.
        views(views: Views) => views: Some(views);
        /// The search; iterative-deepening A\* by default.
        search(search: Search) => search: search;
        /// What counts as one move: single tiles by default. Tables are those of the metric.
        metric(metric: Metric) => metric: metric;
        /// Where tables are found, unpacked and built; [those of the user](TableSource::of_user) by default.
        source(source: &'a TableSource) => source: Some(source);
        /// Large tables are mapped when the solver is opened, if that is [allowed](tilebase_lookup::Store::allow_mapping). A search that has
        /// taken this long has them copied onto huge pages, if they fit into memory, and begins anew with the copies; all later
        /// searches use them too. A few seconds by default; with none, the first search begins with it; with [`Duration::MAX`] nothing is ever copied. It takes as long as reading
        /// the files, and is told to the watch of that search's request.
        copied_after(time: Duration) => copied_after: time;
        /// How long the usual search has a board to itself before [better and better solutions](Solver::improve) are looked for beside
        /// it. By default a quarter of a second on boards of up to 16 squares, where it is mostly done by then, and nothing on larger
        /// ones.
        head_start(time: Duration) => head_start: Some(time);
        /// Is told how unpacking, verifying and building get on, and can stop them: it is asked before each piece of that work, which takes
        /// some milliseconds. Then [`open`](SolverBuilder::open) fails.
        watch(watch: Watch<'a>) => watch: watch;
    }

    /// Opens the solver: microseconds where tables are there and have been verified before; the time to read every byte of them
    /// when they have not; up to a second where small ones have to be built, longer where packed ones have to be unpacked.
    pub fn open(self) -> Result<Solver, SolverError> {
        let of_user = self.source.is_none().then(TableSource::of_user);
        let source = self.source.or(of_user.as_ref()).expect("without a source there is that of the user");
        let solver = |mut bounds: Bounds, tables: TablesUsed| -> Result<Solver, SolverError> {
            bounds.views = self.views.unwrap_or(bounds.views);
            let copies = Copies::of(&bounds, &self.frame, (self.search, self.metric), source, self.copied_after);
            let opened = Opened::new(self.frame.clone(), bounds, self.search, self.metric)?;
            let copies = copies.map(Box::new);
            let head_start = self.head_start.unwrap_or(default_head_start(self.frame.size()));
            Ok(Solver { opened, search: self.search, tables, copies, head_start, many: Mutex::default() })
        };
        match self.tables {
            Tables::Given(bounds) => solver(bounds, TablesUsed::default()),
            Tables::Named(text) => {
                let by_name = if self.metric == Metric::Mtm { mtm::by_name } else { choice::by_name };
                let (bounds, tables) = by_name(text, &self.frame, source, self.watch)?;
                solver(bounds, tables)
            }
            Tables::Auto if self.metric == Metric::Mtm => {
                let (bounds, tables) = mtm::strongest(&self.frame, source, self.watch)?;
                solver(bounds, tables)
            }
            Tables::Auto => {
                let mut steps = Vec::new();
                for catalogue in choice::candidates(source.store(), &self.frame)? {
                    if let Some(shortage) = source.shortage(&catalogue.patterns()) {
                        steps.push(Step::DoNotFit { name: catalogue.name, shortage, used: false });
                        continue;
                    }
                    let tables = choice::tables(&catalogue, source, self.watch, &mut steps);
                    let Catalogue { name, mut partitions } = catalogue;
                    let partition = partitions.remove(0);
                    match tables.and_then(|tables| solver(Bounds::sums(tables), TablesUsed::default())) {
                        Ok(solver) => {
                            let stronger = choice::stronger_than(source, &partition);
                            let tables = TablesUsed { name, partition: Some(partition), stronger, steps };
                            return Ok(Solver { tables, ..solver });
                        }
                        Err(error) => steps.push(Step::PassedOver(name, error)),
                    }
                    // Tables that were not made ready because of that are not to be replaced by weaker ones.
                    if (self.watch)(&Event::Poll).is_break() {
                        return Err(SolverError::Stopped);
                    }
                }
                // Damaged files keep nobody from building what can be built in a moment.
                let catalogue = choice::on_the_spot(&self.frame)?;
                match choice::tables(&catalogue, &source.without_files(), self.watch, &mut steps) {
                    Ok(tables) => {
                        let Catalogue { name, mut partitions } = catalogue;
                        let used = TablesUsed { name, partition: Some(partitions.remove(0)), stronger: None, steps };
                        solver(Bounds::sums(tables), used)
                    }
                    Err(_) => Err(SolverError::NoTables(steps)),
                }
            }
        }
    }
}

/// A solver that cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// A name is no catalogue for the boards, nor one of these, which are those of all heuristics.
    #[error("{}; heuristics are {names}", no_such_name(.0, .1), names = .1.join(", "))]
    Name(#[source] CatalogueError, Vec<&'static str>),
    /// A heuristic does not suit the boards.
    #[error("{0}")]
    Heuristic(#[from] ListError),
    /// This text does not name tiles.
    #[error("{text} are not tiles: expected all:fringe, or such as all:3,7,11", text = quoted(.0))]
    Tiles(String),
    /// Tiles that are no pattern.
    #[error("{0}")]
    Patterns(#[from] PatternError),
    /// The tables that were given or named do not belong together, or there are none, or too many.
    #[error("{0}")]
    Bounds(#[from] BoundsError),
    /// The tables of a catalogue cannot be had.
    #[error("{}", without_tables(.name, .command, .error))]
    Tables {
        /// The catalogue.
        name: String,
        /// The command that builds them.
        command: String,
        /// What is wrong.
        #[source]
        error: Box<TablesError>,
    },
    /// Every set of tables that was tried, in these steps, had to be passed over.
    #[error("no tables can be used: mend or remove the damaged ones, or use --tables none")]
    NoTables(Vec<Step>),
    /// The watch said to stop.
    #[error("stopped before the tables were ready")]
    Stopped,
    /// The boards are too large for any table that can be built on the spot.
    #[error("no tables for this board can be built in a moment: use --tables none")]
    NothingOnTheSpot,
}

/// Why there is no catalogue, after the heuristic that was probably meant.
fn no_such_name(error: &CatalogueError, heuristics: &[&'static str]) -> String {
    let meant = match error {
        CatalogueError::Unknown(text) => did_you_mean(text, heuristics.iter().copied()),
        _ => String::new(),
    };
    format!("{meant}{error}")
}

fn without_tables(name: &str, command: &str, error: &TablesError) -> String {
    match error {
        TablesError::TooLarge { .. } => format!("the tables of {name} are {error}: run {command}"),
        TablesError::Open(OpenError::NotWhole(..) | OpenError::Header { .. }) => {
            format!("{error}; {command} puts a whole one in its place")
        }
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tilebase_lookup::Store;
    use tilebase_puzzle::Goal;

    use super::*;
    use crate::Analyser;

    /// The fewest polls of a build of less than a second on one thread: it has 6,821, so they are a fraction of a millisecond apart.
    const FEWEST_POLLS: usize = 2_000;

    #[test]
    fn building_on_the_spot_polls_thousands_of_times_and_stops_at_any_poll() {
        let source = TableSource::new(Store::compiled_in()).with_threads(1);
        let goal = Goal::BlankLast.board("5x5".parse().unwrap()).unwrap();
        let open = |most: usize| {
            let polls = AtomicUsize::new(0);
            let watch = |_: &Event<'_>| {
                let is_over = polls.fetch_add(1, Ordering::Relaxed) + 1 >= most;
                if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            (Solver::builder(&goal).source(&source).watch(&watch).open(), polls.into_inner())
        };
        let (built, all) = open(usize::MAX);
        assert!(matches!(built.unwrap().steps(), [Step::Built(..), ..]));
        assert!(all >= FEWEST_POLLS, "{all} polls");
        for most in [1, 2, all / 2, all / 10 * 9] {
            let (stopped, polls) = open(most);
            assert!(matches!(stopped, Err(SolverError::Stopped)), "{stopped:?}");
            // The builder polls again to learn why there are no tables.
            assert!((most..=most + 3).contains(&polls), "{polls} polls, {most} until it was cancelled");
        }
    }

    #[test]
    fn opening_a_solver_and_making_its_heuristics_stop_when_told_to() {
        let source = TableSource::new(Store::compiled_in());
        let asked = AtomicUsize::new(0);
        let watch = |_: &Event<'_>| {
            let is_over = asked.fetch_add(1, Ordering::Relaxed) >= 20;
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let goal = |size: &str| Goal::BlankLast.board(size.parse().unwrap()).unwrap();
        let open = |size, tables, metric| {
            asked.store(0, Ordering::Relaxed);
            let builder = Solver::builder(&goal(size)).tables(tables).metric(metric).source(&source);
            builder.watch(&watch).open()
        };
        // Tables that take a second, and a heuristic that takes a tenth.
        let built = open("5x5", Tables::Auto, Metric::Stm);
        assert!(matches!(built, Err(SolverError::Stopped)), "{built:?}");
        for metric in Metric::ALL {
            let made = open("5x3", Tables::Named("walking-distance"), metric);
            assert!(matches!(made, Err(SolverError::Heuristic(ListError::Stopped { .. }))), "{made:?}");
            assert_eq!(asked.swap(0, Ordering::Relaxed), 21);
        }
        let solver = Solver::builder(&goal("5x2")).tables(Tables::Named("manhattan")).open().unwrap();
        assert!(Analyser::watched(solver, &watch).is_none());
    }
}
