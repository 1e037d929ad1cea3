//! `tilebase bench lookup`

use std::hint::black_box;
use std::time::Instant;

use clap::Args;
use serde_json::{Map, Value, json};
use tilebase::index::PatternCosts;
use tilebase::lookup::{AdditiveTable, Table};
use tilebase::puzzle::{Board, Frame, Random, State};
use tilebase::solve::{Limits, Request};
use tilebase::{Bounds, Solver, Tables, find_catalogue};

use super::{goal, loadings, open_all};
use crate::system::{COUNTED, Counters};
use crate::{Exit, Result, Session};

/// Look costs up at random and along searches, and say what one takes
///
/// At random: one access to the table of every pattern for each of many random boards, none depending on the last. Along
/// searches: IDA* on random boards with the same tables, so a lookup includes its share of the search. Each with tables that
/// are mapped, read into memory, and copied onto huge pages, in turns; the fastest round counts. Misses of the caches and of
/// the address translation are counted where the machine lets programs do that, page faults everywhere on Linux.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tilebase generate 7-8 && tilebase bench lookup 7-8")]
pub(crate) struct Lookup {
    /// A catalogue: a name, a file with a drawing, or a drawing
    #[arg(value_name = "CATALOGUE")]
    catalogue: String,
    /// Random boards to look up
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    boards: u64,
    /// Nodes to search
    #[arg(long, value_name = "N", default_value_t = 3_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How often
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
}

/// Entries to read for [`Reads`]: more than a cache holds.
const READS: u64 = 8_000_000;

struct Took {
    lookups: u64,
    seconds: f64,
    counted: [Option<u64>; 3],
}

impl Took {
    fn nanoseconds(&self) -> f64 {
        self.seconds * 1e9 / self.lookups as f64
    }
}

impl Lookup {
    pub(super) fn run(&self, session: &Session) -> Result {
        let catalogue = find_catalogue(&self.catalogue)?;
        let goal = goal(&catalogue)?;
        let frame = Frame::new(&goal);
        let mut random = Random::new(1);
        let boards: Vec<Board> = (0..self.boards).map(|_| random.solvable_board(&goal)).collect();
        let states = boards.iter().map(|board| frame.state(board)).collect::<Result<Vec<State>, _>>()?;
        let bar = session.progress_bar(u64::from(self.repeat) * 3, "{wide_bar} {pos} of {len} rounds  {elapsed}");
        let mut best: Vec<[Option<Took>; 2]> = loadings().iter().map(|_| [None, None]).collect();
        for _ in 0..self.repeat {
            for ((loading, _), best) in loadings().iter().zip(&mut best) {
                bar.tick();
                let tables = open_all(&session.store().with_loading(*loading), &catalogue)?;
                let at_random = at_random(&tables, &states);
                let along_searches = self.along_searches(&frame, tables, &boards)?;
                for (best, took) in best.iter_mut().zip([at_random, along_searches]) {
                    if best.as_ref().is_none_or(|best| took.seconds < best.seconds) {
                        *best = Some(took);
                    }
                }
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        for ((_, loading), best) in loadings().iter().zip(&best) {
            for (order, took) in ["at random", "along searches"].iter().zip(best.iter().flatten()) {
                report(&catalogue.name, loading, order, took, session)?;
            }
        }
        Ok(Exit::Done)
    }

    /// Searches random boards until enough nodes are seen.
    fn along_searches(&self, frame: &Frame, tables: Vec<Table>, boards: &[Board]) -> Result<Took> {
        let solver = Solver::builder(frame.goal()).tables(Tables::Given(Bounds::sum(tables))).open()?;
        let mut counters = Counters::start();
        let started = Instant::now();
        let mut nodes = 0;
        for board in boards {
            let limits = Limits::default().nodes(self.nodes - nodes);
            let outcome = solver.search(board, &Request::default().limits(limits))?;
            nodes += outcome.effort().generated;
            if nodes >= self.nodes {
                break;
            }
        }
        Ok(Took { lookups: nodes, seconds: started.elapsed().as_secs_f64(), counted: counters.stop() })
    }
}

/// Looks all states up in all tables.
fn at_random(tables: &[Table], states: &[State]) -> Took {
    let entry = |table: &Table, state| table.locate(state).and_then(|place| table.entry(&place));
    let of_table =
        |table| states.iter().map(|state| entry(table, state).expect("catalogues have tables of states")).collect();
    let entries: Vec<Vec<u64>> = tables.iter().map(of_table).collect();
    read(&ready(tables), &entries)
}

fn ready(tables: &[Table]) -> Vec<AdditiveTable> {
    AdditiveTable::ready(tables).expect("the tables of catalogues are to be added")
}

fn read(tables: &[AdditiveTable], entries: &[Vec<u64>]) -> Took {
    let mut counters = Counters::start();
    let started = Instant::now();
    let mut sum = 0;
    for (table, entries) in tables.iter().zip(entries) {
        sum += entries.iter().map(|&entry| u64::from(table.cost_after(entry, 0, 20))).sum::<u64>();
    }
    black_box(sum);
    let seconds = started.elapsed().as_secs_f64();
    Took { lookups: entries.iter().map(|entries| entries.len() as u64).sum(), seconds, counted: counters.stop() }
}

/// How many entries can be read a second, when none depends on the last: what the machine can do.
pub(super) struct Reads {
    /// Anywhere in the bytes of all tables.
    pub(super) all_over: f64,
    /// Anywhere in each table, as many of each: a search reads small tables as often as large ones, and they may stay in a cache.
    pub(super) in_equal_shares: f64,
}

impl Reads {
    /// The best of some rounds.
    pub(super) fn measure(tables: &[Table], rounds: u32) -> Reads {
        let bytes = |table: &Table| table.payload().len() as u64;
        let all_bytes = tables.iter().map(bytes).sum::<u64>().max(1);
        Reads {
            all_over: best_rate(tables, rounds, |table| (READS as f64 * bytes(table) as f64 / all_bytes as f64) as u64),
            in_equal_shares: best_rate(tables, rounds, |_| READS / tables.len() as u64),
        }
    }
}

/// Reads a number of entries of each table, and returns how many a second.
fn best_rate(tables: &[Table], rounds: u32, reads: impl Fn(&Table) -> u64) -> f64 {
    let mut random = Random::new(1);
    let of_table = |table| (0..reads(table)).map(|_| random.below(table.header().entries())).collect();
    let entries: Vec<Vec<u64>> = tables.iter().map(of_table).collect();
    let typed = ready(tables);
    let nanoseconds = (0..rounds).map(|_| read(&typed, &entries).nanoseconds());
    1e9 / nanoseconds.fold(f64::INFINITY, f64::min)
}

fn report(catalogue: &str, loading: &str, order: &str, took: &Took, session: &Session) -> Result<()> {
    let each = took.counted.map(|count| count.map(|count| count as f64 / took.lookups as f64));
    let per_lookup: Map<String, Value> =
        COUNTED.iter().zip(each).map(|((key, _), each)| ((*key).to_owned(), json!(each))).collect();
    let json = json!({
        "catalogue": catalogue, "loading": loading, "order": order, "lookups": took.lookups,
        "nanoseconds": took.nanoseconds(), "per_lookup": per_lookup,
    });
    let counted = COUNTED.iter().zip(each).map(|((_, name), each)| match each {
        Some(each) => format!("{each:.3} {name}"),
        None => format!("{name} not counted here"),
    });
    let counted = counted.collect::<Vec<_>>().join(", ");
    let unit = if order == "at random" { "a lookup" } else { "a node" };
    let text = format!("{loading:10} {order:14} {:7.1} ns {unit}; {counted}", took.nanoseconds());
    Ok(session.tell(json, format!("{catalogue}, {text}"))?)
}
