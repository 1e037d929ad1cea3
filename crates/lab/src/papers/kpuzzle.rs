//! Chan, Johanna, Low & Law: iterative deepening and A\* on boards of known distance.

use std::collections::HashSet;

use tilebase::Search;
use tilebase::puzzle::{Board, Goal, Random, Size};
use tilebase::solve::{Astar, Ids};
use tilebase_plot::{Axis, Chart, Series, Style};

use super::{About, Paper, QUICK, Setting, mean_of};
use crate::report::{Plot, Report};
use crate::results::Results;
use crate::run::{Done, How, Run};
use crate::table::{Cell, Column, Table};

pub(super) const ABOUT: About = About {
    name: "kpuzzle",
    title: "Uninformed and informed search on the k-puzzle",
    reference: "Dalis Chan, Johanna, Sean Low Chen Yi & Law Ann Liat Larry, An Evaluation of Uninformed and Informed Search \
                Algorithms on the k-puzzle Problem",
};

/// The largest distance in the paper; there are boards up to 31.
const PAPERS_LARGEST: u32 = 27;

/// Boards for each distance, where there are as many.
const BOARDS: usize = 30;
const QUICK_BOARDS: usize = 2;

/// Which boards.
const SEED: u64 = 3;

/// What is compared, the paper's names first.
const METHODS: [(&str, &str, &str, Search); 4] = [
    ("IDS", "iterative deepening", "manhattan", Search::Ids(Ids { graph: true })),
    ("E", "A*, Euclidean", "euclidean", Search::Astar(Astar)),
    ("M", "A*, Manhattan", "manhattan", Search::Astar(Astar)),
    ("L", "A*, linear conflict", "linear-conflict", Search::Astar(Astar)),
];

/// On larger boards: walks of this many moves, by side and method; further on a method takes too long.
const WALKS: [u32; 10] = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50];
const LARGER: [usize; 2] = [4, 5];

fn longest_walk(search: Search, quick: bool) -> u32 {
    match (search, quick) {
        (Search::Ids(_), true) => 10,
        (Search::Ids(_), false) => 20,
        (_, true) => 25,
        (_, false) => 50,
    }
}

/// Searches on larger boards are given up after this many nodes.
const MOST_NODES: u64 = 200_000_000;

/// Boards of 3×3 by their distance from the goal, each distance in an order that depends on the seed only.
fn boards(setting: &Setting<'_>) -> Vec<(u32, Vec<Board>)> {
    let size = Size::new(3, 3).expect("3×3 is a size");
    let goal = Goal::BlankLast.board(size).expect("it has this goal");
    let count = if setting.quick { QUICK_BOARDS } else { BOARDS };
    let mut random = Random::new(SEED);
    let mut seen: HashSet<Board> = [goal].into();
    let mut level = vec![goal];
    let mut all = Vec::new();
    for distance in 1.. {
        let mut next = Vec::new();
        for board in &level {
            for slide in board.slides() {
                let mut after = *board;
                after.slide(slide).expect("it was offered");
                if seen.insert(after) {
                    next.push(after);
                }
            }
        }
        if next.is_empty() {
            return all;
        }
        let mut drawn = next.clone();
        random.shuffle(&mut drawn);
        drawn.truncate(count);
        let is_taken = !setting.quick || distance % 3 == 1;
        if is_taken {
            all.push((distance, drawn));
        }
        level = next;
    }
    unreachable!("there is a last level")
}

fn run(board: Board, (_, _, heuristic, search): (&str, &str, &'static str, Search), distance: u32) -> Run {
    let growth: f64 = match (search, heuristic) {
        (Search::Ids(_), _) => 1.75,
        (_, "euclidean") => 1.45,
        _ => 1.38,
    };
    let nodes = if search == Search::Ids(Ids { graph: true }) { 3_000_000.0 } else { 100_000.0 };
    let run = Run::new(board, Goal::BlankLast, How::Listed(heuristic), search);
    run.expecting(growth.powi(distance as i32).min(nodes) as u64)
}

/// The boards of a larger side: walks of this many moves.
fn walks(setting: &Setting<'_>, width: usize) -> Vec<(u32, Vec<Board>)> {
    let size = Size::new(width, width).expect("it is a size");
    let goal = Goal::BlankLast.board(size).expect("it has this goal");
    let mut random = Random::new(SEED + width as u64);
    let count = if setting.quick { QUICK_BOARDS } else { BOARDS };
    let mut of = |moves: u32| -> Vec<Board> { (0..BOARDS).map(|_| random.walk(&goal, moves as usize)).collect() };
    WALKS.into_iter().map(|moves| (moves, of(moves).into_iter().take(count).collect())).collect()
}

fn larger_run(board: Board, (_, _, heuristic, search): (&str, &str, &'static str, Search), moves: u32) -> Run {
    let growth: f64 = match (search, heuristic, board.size().width()) {
        (Search::Ids(_), _, 4) => 2.18,
        (Search::Ids(_), _, _) => 2.44,
        (_, "euclidean", _) => 1.36,
        _ => 1.29,
    };
    let run = Run::new(board, Goal::BlankLast, How::Listed(heuristic), search).at_most(MOST_NODES);
    run.expecting(growth.powi(moves as i32).min(MOST_NODES as f64) as u64)
}

pub(super) fn runs(setting: &Setting<'_>) -> Vec<Run> {
    let mut runs = Vec::new();
    for (distance, boards) in boards(setting) {
        for method in METHODS {
            runs.extend(boards.iter().map(|&board| run(board, method, distance)));
        }
    }
    for side in LARGER {
        for (moves, boards) in walks(setting, side) {
            for method in METHODS.into_iter().filter(|method| moves <= longest_walk(method.3, setting.quick)) {
                runs.extend(boards.iter().map(|&board| larger_run(board, method, moves)));
            }
        }
    }
    runs
}

/// What the boards of a distance took, by method; nothing where a method was not tried.
struct Took<'a> {
    distance: u32,
    by_method: Vec<Option<Vec<&'a Done>>>,
}

impl Took<'_> {
    fn mean(&self, method: usize, what: fn(&Done) -> f64) -> f64 {
        self.by_method[method].as_ref().map_or(f64::NAN, |done| mean_of(done.iter().copied(), what))
    }
}

/// What is measured: the name of its files, its name, and how it is read.
type Measure = (&'static str, &'static str, fn(&Done) -> f64);

const MEASURES: [Measure; 3] = [
    ("generated", "nodes generated", |done| done.generated as f64),
    ("kept", "most nodes in memory", |done| done.peak_nodes as f64),
    ("time", "seconds", |done| done.seconds),
];

pub(super) fn report(setting: &Setting<'_>, results: &Results) -> Report {
    let three: Vec<Took<'_>> = boards(setting)
        .into_iter()
        .map(|(distance, boards)| Took {
            distance,
            by_method: METHODS
                .iter()
                .map(|&method| Some(boards.iter().map(|&board| results.of(&run(board, method, distance))).collect()))
                .collect(),
        })
        .collect();
    let mut words = vec![
        "Boards of 3×3 at every distance from the goal, found by a breadth-first search of all 181,440. The paper has distances up to \
         27; the farthest boards are at 31. It prints its results as a picture only, so that what can be compared is what it says about \
         it."
            .to_owned(),
    ];
    words.extend(setting.quick.then(|| QUICK.to_owned()));
    let mut plots: Vec<Plot> =
        MEASURES.iter().map(|measure| plot(3, &three, measure, "distance from the goal, moves")).collect();
    let mut tables = vec![claims(&three), distances(3, &three, "distance")];
    for side in LARGER {
        let took: Vec<Took<'_>> = walks(setting, side)
            .into_iter()
            .map(|(moves, boards)| Took {
                distance: moves,
                by_method: METHODS
                    .iter()
                    .map(|&method| {
                        let is_tried = moves <= longest_walk(method.3, setting.quick);
                        let done =
                            || boards.iter().map(|&board| results.of(&larger_run(board, method, moves))).collect();
                        is_tried.then(done)
                    })
                    .collect(),
            })
            .filter(|took| took.by_method.iter().any(Option::is_some))
            .collect();
        plots.extend(MEASURES.iter().map(|measure| plot(side, &took, measure, "random moves of the scramble")));
        tables.push(distances(side, &took, "random moves"));
    }
    Report { paper: Paper::Kpuzzle, words, plots, tables }
}

fn plot(side: usize, took: &[Took<'_>], &(file, name, what): &Measure, x: &str) -> Plot {
    let series = METHODS.iter().enumerate().map(|(method, (_, title, ..))| {
        let points = took.iter().map(|took| (f64::from(took.distance), took.mean(method, what)));
        Series::new(*title, Style::Line, points.filter(|(_, value)| value.is_finite()))
    });
    let boards = took.iter().filter_map(|took| took.by_method.iter().flatten().next().map(Vec::len)).max().unwrap_or(0);
    let chart = Chart {
        title: format!("{side}×{side}: {name}"),
        subtitle: Some(format!(
            "Means over up to {boards} boards each{}",
            if file == "time" { "; times vary" } else { "" }
        )),
        x: Axis::linear(x),
        y: Axis::log10(name),
        series: series.collect(),
    };
    Plot::chart(&format!("{side}x{side}-{file}"), chart)
}

/// The smallest distance from which on a method is better than another at every distance.
fn better_from(took: &[Took<'_>], better: usize, worse: usize, what: fn(&Done) -> f64) -> Option<u32> {
    let is_better = |took: &&Took<'_>| took.mean(better, what) < took.mean(worse, what);
    took.iter().rev().take_while(is_better).last().map(|took| took.distance)
}

fn claims(took: &[Took<'_>]) -> Table {
    let columns = ["claim", "paper", "here", "ratio"].map(Column::new);
    let mut table = Table::new("claims", "What the paper says about 3×3", columns);
    let (generated, kept, time) = (MEASURES[0].2, MEASURES[1].2, MEASURES[2].2);
    let [euclidean, manhattan, conflict] = [1, 2, 3];
    let from = |distance: Option<u32>| {
        distance.map_or(Cell::text("not at every distance"), |from| Cell::text(format!("from {from} on")))
    };
    let mut row =
        |claim: &str, paper: &str, here: Cell| table.row([Cell::text(claim), Cell::text(paper), here, Cell::Missing]);
    row("M generates fewer nodes than E", "above 15", from(better_from(took, manhattan, euclidean, generated)));
    row("L generates fewer nodes than E", "above 15", from(better_from(took, conflict, euclidean, generated)));
    row("M keeps fewer nodes than E", "above 15", from(better_from(took, manhattan, euclidean, kept)));
    row("L generates fewer nodes than M", "above 22", from(better_from(took, conflict, manhattan, generated)));
    row("L keeps fewer nodes than M", "above 22", from(better_from(took, conflict, manhattan, kept)));
    let far = || took.iter().filter(|took| (20..=PAPERS_LARGEST).contains(&took.distance));
    // A single search that had to wait for its core must not decide.
    let mut ratios: Vec<f64> = far().map(|took| took.mean(conflict, time) / took.mean(manhattan, time)).collect();
    ratios.sort_by(f64::total_cmp);
    let ratio = ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN);
    let here = format!("{} (times vary)", if ratio > 1.0 { "longer" } else { "shorter" });
    let cells = [Cell::text("time of L against M, distances 20 to 27"), Cell::text("longer"), Cell::text(here)];
    table.row(cells.into_iter().chain([Cell::Ratio(ratio)]));
    table.note(
        "The paper reads its distances off a picture. Here a method is better from the distance on after which its mean is lower at \
         every distance. The paper's Python computes conflicts anew for every node; here they are carried along from move to move.",
    );
    table.note(
        "The paper calls the space of its graph-based IDS O(bd); a search that remembers the states it has seen keeps them all.",
    );
    table
}

fn distances(side: usize, took: &[Took<'_>], what: &str) -> Table {
    let mut columns = vec![Column::new(what), Column::new("boards")];
    for (_, name, _) in MEASURES {
        let varies = name == "seconds";
        let group = if varies { "time" } else { name };
        for (short, ..) in METHODS {
            let column = Column::new(short).of(group);
            columns.push(if varies { column.varying() } else { column });
        }
    }
    let mut table = Table::new(&format!("{side}x{side}"), format!("{side}×{side}: means"), columns);
    let mut given_up = 0;
    for took in took {
        let boards = took.by_method.iter().flatten().next().map_or(0, Vec::len);
        let mut cells = vec![Cell::Count(took.distance.into()), Cell::Count(boards as u64)];
        for (_, name, what) in MEASURES {
            for method in 0..METHODS.len() {
                let value = took.mean(method, what);
                cells.push(match name {
                    _ if !value.is_finite() => Cell::Missing,
                    "seconds" => Cell::Seconds(value),
                    _ => Cell::mean(value),
                });
            }
        }
        table.row(cells);
        given_up += took.by_method.iter().flatten().flatten().filter(|done| !done.is_solved()).count();
    }
    table.note("IDS: graph-based iterative deepening. A* with E: Euclidean distance, M: Manhattan distance, L: linear conflict.");
    if given_up > 0 {
        table.note(format!(
            "{given_up} searches were given up, at a limit of nodes or of memory; they count as far as they went."
        ));
    }
    if side == 3 {
        table.note("The paper prints no numbers; its figure 1 is what the plots above repeat.");
    } else {
        table.note("The paper says that k is 3, 4 or 5, and shows results for 3.");
    }
    table
}
