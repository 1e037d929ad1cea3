//! The builder of a solver: chooses its bounds, its search, and the source of its tables.

use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use tilebase_engine::{Bounds, BoundsError, Views};
use tilebase_heuristics::ListError;
use tilebase_lookup::OpenError;
use tilebase_progress::{Event, Watch, unwatched};
use tilebase_puzzle::forms::did_you_mean;
use tilebase_puzzle::{Board, Frame, Metric, PatternError, quoted, setters};
use tilebase_solve::Search;

use crate::catalogues::CatalogueError;
use crate::choice;
use crate::copies::{COPIED_AFTER, Copies};
use crate::improve::default_head_start;
use crate::solver::{Opened, Solver, TablesUsed};
use crate::source::{Step, TableSource, TablesError};

/// The source of a solver's bounds.
#[derive(Debug, Default)]
#[non_exhaustive]
pub enum Tables<'a> {
    /// The strongest tables that fit into memory, among those that exist or can be built in about a second.
    #[default]
    Auto,
    /// Bounds by name. A `+` joins several; the largest of their values is the bound. Each name is one of these:
    ///
    /// * a catalogue, by its name, file or drawing (`7-8`, `.ABB/AABB/AABB/AABB`); in the metric `mtm` the bound is the
    ///   largest value of its tables, not their sum;
    /// * a built-in heuristic (`walking-distance`);
    /// * `all:` and tiles, for a table that counts all moves (`all:fringe`, `all:3,7,11`).
    Named(&'a str),
    /// No tables. The bound is the Manhattan distance, or walking distance in `mtm`, which are ready at once.
    None,
    /// These bounds.
    Given(Bounds),
}

impl<'a> Tables<'a> {
    /// Parses the text of a user: `auto`, `none`, or the names of bounds.
    pub fn of(text: &'a str) -> Tables<'a> {
        match text {
            "auto" => Tables::Auto,
            "none" => Tables::None,
            names => Tables::Named(names),
        }
    }
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
        /// Sets the source of bounds; [`Tables::Auto`] by default.
        tables(tables: Tables<'a>) => tables: tables;
        /// Sets the symmetries through which sums of tables look up a board; all by default.
        views(views: Views) => views: Some(views);
        /// Sets the search; iterative-deepening A\* by default.
        search(search: Search) => search: search;
        /// Sets the metric: what counts as one move. By default, a slide of a single tile. Tables are those of the
        /// metric.
        metric(metric: Metric) => metric: metric;
        /// Sets where tables are found, unpacked and built; [the user's tables](TableSource::of_user) by default.
        source(source: &'a TableSource) => source: Some(source);
        /// Sets when a long search copies its tables. The solver opens large tables as maps if that is
        /// [allowed](tilebase_lookup::Store::allow_mapping). A search that has taken this long copies them onto huge
        /// pages, if they fit into memory, and restarts on the copies. Later searches use the copies from the start.
        ///
        /// The default is a few seconds. With [`Duration::ZERO`] the first search copies before anything else; with
        /// [`Duration::MAX`] no search copies. Copying takes as long as reading the files, and reports its progress to
        /// the watch of the search's request.
        copied_after(time: Duration) => copied_after: time;
        /// Sets how long the usual search runs alone before the solver also looks for [better and better
        /// solutions](Solver::improve). By default, a quarter of a second on boards of up to 16 squares, where the
        /// usual search has mostly ended by then, and no time on larger boards.
        head_start(time: Duration) => head_start: Some(time);
        /// Sets the watch for unpacking, verifying and building. It receives their progress, and is polled every few
        /// milliseconds. If it cancels, [`open`](SolverBuilder::open) fails.
        watch(watch: Watch<'a>) => watch: watch;
    }

    /// Opens the solver. This takes microseconds if the tables exist and have been verified before. Otherwise it takes
    /// the time to read every byte of the tables, up to a second to build small tables, or longer to unpack packed
    /// ones.
    pub fn open(self) -> Result<Solver, SolverError> {
        let of_user = self.source.is_none().then(TableSource::of_user);
        let source = self.source.or(of_user.as_ref()).expect("`of_user` is set when `source` is not");
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
            // A search that uses no heuristic needs no tables.
            Tables::Auto | Tables::None if !self.search.about().uses_heuristic => {
                let (bounds, tables) = choice::unasked(self.metric, &self.frame, source, self.watch)?;
                solver(bounds, tables)
            }
            Tables::None => {
                let name = choice::without_tables(self.metric);
                let (bounds, tables) = choice::by_name(name, self.metric, &self.frame, source, self.watch)?;
                solver(bounds, tables)
            }
            Tables::Named(text) => {
                let (bounds, tables) = choice::by_name(text, self.metric, &self.frame, source, self.watch)?;
                solver(bounds, tables)
            }
            Tables::Auto => {
                let mut steps = Vec::new();
                for candidate in choice::candidates(self.metric, &self.frame, source, &mut steps)? {
                    if let Some(shortage) = candidate.shortage(source) {
                        steps.push(Step::DoNotFit { name: candidate.name(), shortage, used: false });
                        continue;
                    }
                    let bounds = candidate.open(&self.frame, source, self.watch, &mut steps);
                    match bounds.and_then(|bounds| solver(bounds, TablesUsed::default())) {
                        Ok(solver) => {
                            let tables = candidate.used(&self.frame, source, steps);
                            return Ok(Solver { tables, ..solver });
                        }
                        Err(error) => steps.push(Step::PassedOver(candidate.name(), error)),
                    }
                    // If the watch has cancelled, do not fall back to weaker tables.
                    if (self.watch)(&Event::Poll).is_break() {
                        return Err(SolverError::Stopped);
                    }
                }
                // Build small tables in memory, so that damaged files cannot get in the way.
                let candidate = choice::on_the_spot(self.metric, &self.frame)?;
                match candidate.open(&self.frame, &source.without_files(), self.watch, &mut steps) {
                    Ok(bounds) => {
                        let used = candidate.used(&self.frame, source, steps);
                        solver(bounds, TablesUsed { stronger: None, ..used })
                    }
                    Err(_) => Err(SolverError::NoTables(steps)),
                }
            }
        }
    }
}

/// Why a solver cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// A name is neither a catalogue for these boards nor one of the heuristics, which are listed.
    #[error("{}; heuristics are {names}", no_such_name(.0, .1), names = .1.join(", "))]
    Name(#[source] CatalogueError, Vec<&'static str>),
    /// A heuristic does not support these boards.
    #[error("{0}")]
    Heuristic(#[from] ListError),
    /// A text does not name tiles.
    #[error("{text} are not tiles: expected all:fringe, or such as all:3,7,11", text = quoted(.0))]
    Tiles(String),
    /// Some tiles do not form a pattern.
    #[error("{0}")]
    Patterns(#[from] PatternError),
    /// The given or named tables cannot be combined, or there are none, or too many.
    #[error("{0}")]
    Bounds(#[from] BoundsError),
    /// The tables of a catalogue are not available.
    #[error("{}", without_tables(.name, .command, .error))]
    Tables {
        /// The name of the catalogue.
        name: String,
        /// The command that builds the tables.
        command: String,
        /// Why the tables are not available.
        #[source]
        error: Box<TablesError>,
    },
    /// No set of tables can be used. The steps say which were tried and why each was rejected.
    #[error("no tables can be used: mend or remove the damaged ones, or use --tables none")]
    NoTables(Vec<Step>),
    /// The watch cancelled.
    #[error("stopped before the tables were ready")]
    Stopped,
    /// The boards are too large for any table that can be built in about a second.
    #[error("no tables for this board can be built in a moment: use --tables none")]
    NothingOnTheSpot,
}

/// The message for an unknown name. Suggests the most similar heuristic first.
fn no_such_name(error: &CatalogueError, heuristics: &[&'static str]) -> String {
    let meant = match error {
        CatalogueError::Unknown(text) => did_you_mean(text, heuristics.iter().copied()),
        _ => String::new(),
    };
    format!("{meant}{error}")
}

/// The message for a catalogue whose tables are not available, with the command that builds them where it helps.
fn without_tables(name: &str, command: &str, error: &TablesError) -> String {
    match error {
        TablesError::TooLarge { .. } => format!("the tables of {name} are {error}: run {command}"),
        TablesError::Open(OpenError::NotWhole(..) | OpenError::Header { .. }) => {
            format!("{error}; {command} replaces it with an intact one")
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

    /// The fewest polls expected of a build that takes less than a second on one thread. The actual number is 6,821,
    /// one poll per fraction of a millisecond.
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
            // After it was cancelled, the builder polls a few more times to learn why there are no tables.
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
