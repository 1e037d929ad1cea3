//! `tilebase bench korf15`, `random15`, `hardest15` and `korf24`: how fast boards are solved

#[cfg(feature = "plot")]
mod charts;

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
#[cfg(feature = "plot")]
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;
use tilebase::index::Kind;
use tilebase::lookup::{Loading, Table};
use tilebase::puzzle::known::{KnownBoard, MOST_MOVES_15, hardest15, korf15, korf24};
use tilebase::puzzle::{Board, Catalogue, Goal, Random, Size};
use tilebase::solve::{Effort, Ida, Limit, Limits, Order, Outcome, Request, Weight, batch};
use tilebase::{Bounds, Metric, Search, Solver, Tables, Views, find_catalogue};

use super::lookup::Reads;
use super::open_these;
use crate::algorithm::Algorithm;
use crate::builds::encodings;
use crate::options::{MetricOption, korf24_boards, one_of};
use crate::{Exit, Failure, Result, Session, solvers};

/// Solve Korf's hundred boards of the 15-puzzle
///
/// The tables are opened before the time is taken, and used once. Boards are spread over the threads; each is solved by one.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase generate 7-8 && tilebase bench korf15 --threads 1
  tilebase bench korf15 --tables 6-6-3 --json
  tilebase bench korf15 --heuristic linear-conflict --easiest 50
  # several tiles in a line are one move
  tilebase bench korf15 --metric mtm --threads 1
  # Korf's search of 1985, next to his node counts
  tilebase bench korf15 --heuristic manhattan --algorithm ida-plain")]
pub(crate) struct Korf15 {
    #[command(flatten)]
    how: How,
    /// Only this many boards, those for which Korf needed the fewest nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    easiest: Option<u32>,
}

/// Solve a thousand random boards of the 15-puzzle
///
/// Uniform over all solvable boards, always the same ones for a seed. Also reads entries of the same tables at random, none
/// depending on the last, as fast as the machine can: no search by tables can be faster than that.
#[derive(Args, Debug)]
#[command(after_help = if cfg!(feature = "plot") { "\
Examples:
  tilebase generate 7-8 && tilebase bench random15 --threads 1
  tilebase bench random15 --tables 7-8,6-6-3,5-5-5 --plot docs/figures"
} else { "\
Example:
  tilebase generate 7-8 && tilebase bench random15 --threads 1"
})]
pub(crate) struct Random15 {
    #[command(flatten)]
    how: How,
    /// How many boards
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    boards: u32,
    /// Which boards
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Draw nodes and time by length of the solution, and boards a second by threads, into this directory
    #[cfg(feature = "plot")]
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,
}

/// Solve the seventeen boards of the 15-puzzle that need 80 moves
///
/// One after the other, each by all threads: what more threads give a single board.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tilebase generate 7-8 && tilebase bench hardest15 --each")]
pub(crate) struct Hardest15 {
    #[command(flatten)]
    how: How,
}

/// Solve the easier ones of Korf & Felner's fifty boards of the 24-puzzle
///
/// One after the other, each by all threads. The figures of Korf & Felner 2002 are beside ours; theirs are nodes expanded.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase generate 6-6-6-6 && tilebase bench korf24
  tilebase bench korf24 --published-below 70000000 --threads 1
  # tables compared on all boards, in minutes
  tilebase bench korf24 --boards 1-50 --short-of 8 --tables 6-6-6-6,7-7-7-3")]
pub(crate) struct Korf24 {
    #[command(flatten)]
    how: How,
    /// Only boards for which fewer nodes were published
    #[arg(long, value_name = "N", default_value_t = 500_000_000)]
    published_below: u64,
    /// Only these boards, such as 1,2,5-9
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = korf24_boards, conflicts_with = "published_below")]
    boards: Vec<RangeInclusive<u32>>,
}

/// How to solve them.
#[derive(Args, Debug)]
struct How {
    /// Catalogues, names or drawings, with commas between them: each is measured by itself; with + between them: the largest
    /// sum of any counts. In mtm the largest of all tables counts, auto is what is there, and all:1.2.3.4.5.6.7 is the table of some tiles
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    tables: Vec<String>,
    /// Heuristics instead of tables, as for solve, with commas between them: each is measured by itself
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with_all = ["tables", "encoding", "one_view", "loading"])]
    heuristic: Vec<String>,
    #[command(flatten)]
    counting: MetricOption,
    /// The search
    #[arg(long, value_name = "NAME", default_value = "ida", value_parser = Algorithm::parser(), conflicts_with = "plain")]
    algorithm: Algorithm,
    /// Weight of the heuristic, 1 or more
    #[arg(long, value_name = "W", default_value_t = Weight::ONE)]
    weight: Weight,
    /// How the tables are loaded
    #[arg(long, value_name = "HOW", default_value = "map", value_parser = one_of([
        ("map", "Mapped: ready at once", ("map", Loading::Map)),
        ("read", "Read into memory", ("read", Loading::Read)),
        ("copy", "Copied onto huge pages, where the system has them", ("copy", Loading::Copy)),
    ]))]
    loading: (&'static str, Loading),
    /// Which tables to use where there are both [default: bit where there are such]
    #[arg(long, value_name = "KIND", value_parser = one_of(encodings().into_iter().take(2)))]
    encoding: Option<&'static [Kind]>,
    /// Do not look at the board through a reflection as well
    #[arg(long)]
    one_view: bool,
    /// Make moves that lead where other moves lead as well
    #[arg(long)]
    no_automaton: bool,
    /// Search the bound at which a solution is found to its end, so that nodes do not depend on luck
    #[arg(long)]
    finish_bound: bool,
    /// Search only the bounds that are this many moves or more below the known length: whole iterations of hard boards, without luck, in seconds
    #[arg(long, value_name = "MOVES", conflicts_with = "finish_bound")]
    short_of: Option<u32>,
    /// Search depth first, a node at a time: the nodes are those that papers count
    #[arg(long)]
    plain: bool,
    /// How often; the fastest time counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Say what each board took
    #[arg(long)]
    each: bool,
}

/// The strongest tables that are there.
const AUTO: &str = "auto";

/// A board to solve, and its length if that is known.
struct Task {
    id: u32,
    board: Board,
    length: Option<u32>,
    length_in_mtm: Option<u32>,
    published: Option<u64>,
}

impl From<KnownBoard> for Task {
    fn from(known: KnownBoard) -> Task {
        let KnownBoard { id, board, length, nodes, length_in_mtm, .. } = known;
        Task { id, board, length: Some(length), length_in_mtm, published: Some(nodes) }
    }
}

/// What a board took.
#[derive(Clone, Copy)]
struct Took {
    id: u32,
    length: u32,
    /// Whether the search says that it is shortest, and whether it is, as far as is known.
    is_promised: bool,
    optimal: bool,
    effort: Effort,
}

/// What all boards took.
struct Round {
    seconds: f64,
    boards: Vec<Took>,
}

impl Korf15 {
    pub(super) fn run(&self, session: &Session) -> Result {
        let mut tasks: Vec<Task> = korf15().into_iter().map(Task::from).collect();
        if let Some(easiest) = self.easiest {
            tasks.sort_by_key(|task| task.published);
            tasks.truncate(easiest as usize);
        }
        self.how.measure(&mut tasks, "7-8", size(4)?, Spread::Boards(session.threads()), session)
    }
}

impl Hardest15 {
    pub(super) fn run(&self, session: &Session) -> Result {
        let task =
            |(id, (board, _))| Task { id, board, length: Some(MOST_MOVES_15), length_in_mtm: None, published: None };
        let mut tasks: Vec<Task> = (1..).zip(hardest15()).map(task).collect();
        self.how.measure(&mut tasks, "7-8", size(4)?, Spread::OneBoard(session.threads()), session)
    }
}

impl Random15 {
    pub(super) fn run(&self, session: &Session) -> Result {
        if self.how.short_of.is_some() {
            return Err(Failure::new(
                "the lengths of random boards are not known: leave --short-of out, or use korf15",
            ));
        }
        let goal = Goal::BlankFirst.board(size(4)?)?;
        let mut random = Random::new(self.seed);
        let task =
            |id| Task { id, board: random.solvable_board(&goal), length: None, length_in_mtm: None, published: None };
        let tasks: Vec<Task> = (1..=self.boards).map(task).collect();
        #[cfg(feature = "plot")]
        if let Some(plot) = &self.plot {
            tilebase::prepare_directory(plot)?;
        }
        #[cfg(feature = "plot")]
        let mut measured = Vec::new();
        for given in self.how.given("7-8", goal.size())? {
            let solver = self.how.solver(&given, session)?;
            let round = self.how.best_round(&given, &solver, &tasks, Spread::Boards(session.threads()), session)?;
            let tables: Vec<Table> = self.how.tables(&given, session)?.into_iter().flatten().collect();
            let reads = (!tables.is_empty()).then(|| Reads::measure(&tables, self.how.repeat));
            drop(tables);
            self.how.report(&given, &round, &tasks, reads, session)?;
            #[cfg(feature = "plot")]
            if self.plot.is_some() {
                let mut by_threads = Vec::new();
                for threads in 1..=session.threads() {
                    let round = self.how.best_round(&given, &solver, &tasks, Spread::Boards(threads), session)?;
                    by_threads.push((threads as f64, tasks.len() as f64 / round.seconds));
                }
                measured.push(charts::Measured { name: given.name, round, by_threads });
            }
        }
        #[cfg(feature = "plot")]
        self.plot.as_deref().map_or(Ok(()), |plot| charts::draw(&measured, plot))?;
        Ok(Exit::Done)
    }
}

impl Korf24 {
    pub(super) fn run(&self, session: &Session) -> Result {
        let mut known = korf24();
        known.retain(|board| match self.boards[..] {
            [] => board.nodes < self.published_below,
            _ => self.boards.iter().any(|boards| boards.contains(&board.id)),
        });
        let mut tasks: Vec<Task> = known.into_iter().map(Task::from).collect();
        tasks.sort_by_key(|task| task.published);
        if tasks.is_empty() {
            return Err(Failure::new("no board has so few published nodes: give a larger number to --published-below"));
        }
        self.how.measure(&mut tasks, "6-6-6-6", size(5)?, Spread::OneBoard(session.threads()), session)
    }
}

fn size(side: usize) -> Result<Size> {
    Ok(Size::new(side, side)?)
}

/// What gives the bounds: catalogues that are used together, or heuristics.
struct Given {
    name: String,
    size: Size,
    /// None where heuristics are given.
    catalogues: Vec<Catalogue>,
}

/// What the threads do.
#[derive(Clone, Copy)]
enum Spread {
    /// Each solves boards of its own.
    Boards(usize),
    /// All work on the same board.
    OneBoard(usize),
}

impl How {
    /// Solves known boards with the tables of each catalogue, and tells what that took.
    fn measure(&self, tasks: &mut [Task], usual: &str, size: Size, spread: Spread, session: &Session) -> Result {
        if self.counting.metric == Metric::Mtm {
            if self.short_of.is_some() {
                return Err(Failure::new("the lengths that are known count single tiles: leave --short-of out in mtm"));
            }
            tasks.iter_mut().for_each(|task| task.length = task.length_in_mtm);
        }
        let tasks = &*tasks;
        for given in self.given(usual, size)? {
            let solver = self.solver(&given, session)?;
            let round = self.best_round(&given, &solver, tasks, spread, session)?;
            self.report(&given, &round, tasks, None, session)?;
        }
        Ok(Exit::Done)
    }

    /// What is asked for, all for boards of a size.
    fn given(&self, usual: &str, size: Size) -> Result<Vec<Given>> {
        self.algorithm.check(self.weight, !self.heuristic.is_empty() || !self.tables.is_empty())?;
        let or = |names: &[String], usual: &str| match names {
            [] => vec![usual.to_owned()],
            names => names.to_vec(),
        };
        let is_counted_by_tile = self.counting.metric == Metric::Stm;
        if !self.heuristic.is_empty() || is_counted_by_tile && !self.algorithm.search.about().uses_heuristic {
            // A search that asks no bounds gets some all the same.
            let names = or(&self.heuristic, "manhattan").into_iter();
            return Ok(names.map(|name| Given { name, size, catalogues: Vec::new() }).collect());
        }
        if !is_counted_by_tile {
            let names = or(&self.tables, AUTO).into_iter();
            return Ok(names.map(|name| Given { name, size, catalogues: Vec::new() }).collect());
        }
        let find = |name: &str| {
            let catalogue = find_catalogue(name)?;
            if (catalogue.size(), catalogue.home().0) != (size, 0) {
                return Err(Failure::new(format!("the tables of {name} are not for boards of {size}, blank first")));
            }
            Ok(catalogue)
        };
        let all_of = |name: String| {
            let catalogues = name.split('+').map(find).collect::<Result<_>>()?;
            Ok(Given { name, size, catalogues })
        };
        or(&self.tables, usual).into_iter().map(all_of).collect()
    }

    fn tables(&self, given: &Given, session: &Session) -> Result<Vec<Vec<Table>>> {
        let store = session.store().with_loading(self.loading.1);
        let store = match self.encoding {
            Some(kinds) => store.with_only(kinds[0]),
            None => store,
        };
        let partitions = given.catalogues.iter().flat_map(|catalogue| {
            catalogue.partitions.iter().map(|partition| (partition.patterns(), &*catalogue.name))
        });
        partitions.map(|(patterns, name)| open_these(&store, patterns, name)).collect()
    }

    /// A solver by these tables or heuristics.
    fn solver(&self, given: &Given, session: &Session) -> Result<Solver> {
        let goal = Goal::BlankFirst.board(given.size)?;
        let views = if self.one_view { Views::One } else { Views::All };
        let tables = if given.catalogues.is_empty() {
            Tables::of(&given.name)
        } else {
            Tables::Given(Bounds::sums(self.tables(given, session)?))
        };
        let builder =
            Solver::builder(&goal).search(self.search()).views(views).metric(self.counting.metric).tables(tables);
        solvers::open(builder, &session.source(), session)
    }

    /// The search; `ida` has options of its own here.
    fn search(&self) -> Search {
        if self.algorithm.search != Search::default() {
            return self.algorithm.search;
        }
        let order = if self.plain { Order::Plain } else { Order::Fast };
        Ida { order, automaton: !self.no_automaton }.into()
    }

    /// Whether boards are searched as Korf did in 1985, so that the nodes must be those that are known.
    fn is_as_published(&self) -> bool {
        self.heuristic == ["manhattan"] && self.algorithm.search == Ida::PLAIN.into() && self.weight == Weight::ONE
    }

    /// Solves all boards again and again; the fastest time counts.
    fn best_round(
        &self,
        Given { name, .. }: &Given,
        solver: &Solver,
        tasks: &[Task],
        spread: Spread,
        session: &Session,
    ) -> Result<Round> {
        let steps = u64::from(self.repeat) * tasks.len() as u64;
        let bar = session.progress_bar(steps, "{wide_bar} {pos} of {len} boards  {elapsed}");
        Session::keep_drawing(&bar, Duration::from_millis(500));
        let (at_once, threads) = match spread {
            Spread::Boards(threads) => (threads, None),
            Spread::OneBoard(threads) => (1, NonZeroUsize::new(threads)),
        };
        let request = Request::default().threads(threads.unwrap_or(NonZeroUsize::MIN)).weight(self.weight);
        let request = request.finish_bound(self.finish_bound);
        let search = |task: &Task| {
            let most = self.short_of.zip(task.length).map(|(moves, length)| length.saturating_sub(moves));
            let outcome = solver.search(&task.board, &request.limits(Limits::default().length(most))).ok()?;
            let effort = outcome.effort();
            if let Outcome::Limited(limited) = outcome {
                let optimal = limited.limit == Limit::Length && Some(limited.at_least) <= task.length;
                return Some(Took { id: task.id, length: limited.at_least, is_promised: true, optimal, effort });
            }
            let solution = outcome.solved()?;
            let as_known = task.length.is_none_or(|length| length == solution.length);
            let optimal = solution.optimal && as_known;
            Some(Took { id: task.id, length: solution.length, is_promised: solution.optimal, optimal, effort })
        };
        let mut best: Option<Round> = None;
        for _ in 0..self.repeat {
            let mut failed = false;
            let mut boards = Vec::with_capacity(tasks.len());
            let started = Instant::now();
            batch::run(at_once, true, tasks.iter(), search, |took| {
                failed |= took.is_none();
                boards.extend(took);
                bar.inc(1);
                true
            });
            let seconds = started.elapsed().as_secs_f64();
            if failed {
                let remedy = format!("run tilebase generate --force \"{name}\"");
                return Err(Failure::new(format!("a table of {name} is damaged: {remedy}")));
            }
            if best.as_ref().is_none_or(|best| seconds < best.seconds) {
                best = Some(Round { seconds, boards });
            }
        }
        bar.finish_and_clear();
        Ok(best.expect("there is a round at least"))
    }

    fn report(
        &self,
        Given { name, .. }: &Given,
        Round { seconds, boards }: &Round,
        tasks: &[Task],
        reads: Option<Reads>,
        session: &Session,
    ) -> Result<()> {
        let sum = |part: fn(&Effort) -> u64| boards.iter().map(|took| part(&took.effort)).sum::<u64>();
        let (nodes, expanded) = (sum(|effort| effort.generated), sum(|effort| effort.expanded));
        let (count, threads, rate) = (boards.len(), session.threads(), nodes as f64 / seconds);
        let each = |of_all: f64| of_all / count as f64;
        let all_optimal = boards.iter().all(|took| took.optimal);
        let is_promised = boards.iter().all(|took| took.is_promised);
        for (took, task) in boards.iter().zip(tasks).filter(|_| self.each) {
            let Took { id, length, optimal, effort, .. } = took;
            let (nodes, seconds) = (effort.generated, effort.time.as_secs_f64());
            let published = task.published.map(|published| format!(", published {published}")).unwrap_or_default();
            let json = json!({
                "id": id, "length": length, "nodes": nodes, "expanded": effort.expanded,
                "seconds": seconds, "optimal": optimal, "published_nodes": task.published,
            });
            session.tell(json, format!("{id:4}  {length:3} moves  {nodes:12} nodes{published}  {seconds:.4} s"))?;
        }
        let json = json!({
            "catalogue": name, "algorithm": self.algorithm.name, "loading": self.loading.0,
            "encoding": self.encoding.map(|kinds| kinds[0].encoding()), "plain": self.plain,
            "threads": threads, "automaton": !self.no_automaton, "one_view": self.one_view, "finish_bound": self.finish_bound,
            "short_of": self.short_of,
            "instances": count, "nodes": nodes, "expanded": expanded, "seconds": seconds,
            "nodes_per_second": rate, "nodes_per_instance": each(nodes as f64),
            "seconds_per_instance": each(*seconds), "all_optimal": all_optimal,
            "reads_per_second": reads.as_ref().map(|reads| reads.all_over),
            "reads_per_second_in_equal_shares": reads.as_ref().map(|reads| reads.in_equal_shares),
        });
        let reads = reads.map(|Reads { all_over, in_equal_shares }| {
            let [all, shares] = [all_over, in_equal_shares].map(|reads| (reads / 1e6, rate / reads));
            let all =
                format!("{:.1} million independent reads a second all over the tables, {:.2} nodes", all.0, all.1);
            format!("; {all} for each ({:.1} million in equal shares of the tables, {:.2})", shares.0, shares.1)
        });
        let of_each = format!("{:.3} ms and {:.1} nodes a board", each(seconds * 1e3), each(nodes as f64));
        let rate = format!("{:.2} million nodes a second, {threads} threads", rate / 1e6);
        let optimal = if all_optimal { ", all optimal" } else { "" };
        let reads = reads.unwrap_or_default();
        session.tell(json, format!("{name}: {count} boards in {seconds:.4} s, {of_each}, {rate}{optimal}{reads}"))?;
        let differs = boards.iter().zip(tasks).find(|(took, task)| Some(took.effort.generated) != task.published);
        if let Some((took, task)) = differs.filter(|(_, task)| self.is_as_published() && task.published.is_some()) {
            let (id, nodes, published) = (took.id, took.effort.generated, task.published);
            let differs = format!("board {id} took {nodes} nodes, but {published:?} are known");
            return Err(Failure::new(format!("{differs}: we are wrong")));
        }
        if !all_optimal && is_promised {
            let why = "some solution does not have the known length: a table is damaged, or we are wrong";
            return Err(Failure::new(why));
        }
        Ok(())
    }
}
