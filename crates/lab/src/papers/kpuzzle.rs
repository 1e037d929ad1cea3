//! Chan, Johanna, Low & Law: iterative deepening and A\* on boards of known distance.

use std::collections::HashSet;

use tilebase::Search;
use tilebase::puzzle::{Board, Goal, Random};
use tilebase::solve::{Astar, Ids};
use tilebase_plot::{Axis, Series, Style};

use super::{About, Paper, Setting, generated, goal, mean_of, seconds};
use crate::report::{Plot, Report};
use crate::results::Results;
use crate::run::{Done, How, Run};
use crate::table::{Cell, Table};

pub(super) const ABOUT: About = About {
    name: "kpuzzle",
    title: "Uninformed and informed search on the k-puzzle",
    reference: "Dalis Chan, Johanna, Sean Low Chen Yi & Law Ann Liat Larry, An Evaluation of Uninformed and Informed Search \
                Algorithms on the k-puzzle Problem",
};

/// The largest distance in the paper; there are boards up to 31.
const PAPERS_LARGEST: u32 = 27;

/// Sides of boards; the paper shows results for the first.
const SIDES: [usize; 3] = [3, 4, 5];

/// Boards for each distance, where there are as many.
const BOARDS: usize = 30;
const QUICK_BOARDS: usize = 2;

/// Which boards.
const SEED: u64 = 3;

/// What is compared: the paper's name for it, its own, its heuristic and its search.
type Method = (&'static str, &'static str, &'static str, Search);

const METHODS: [Method; 4] = [
    ("IDS", "iterative deepening", "manhattan", Search::Ids(Ids { graph: true })),
    ("E", "A*, Euclidean", "euclidean", Search::Astar(Astar)),
    ("M", "A*, Manhattan", "manhattan", Search::Astar(Astar)),
    ("L", "A*, linear conflict", "linear-conflict", Search::Astar(Astar)),
];

/// On larger boards: walks of this many moves.
const WALKS: [u32; 10] = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50];

/// Searches on larger boards are given up after this many nodes.
const MOST_NODES: u64 = 200_000_000;

/// Boards by their distance from the goal: of 3×3 by a search of all, each distance in an order that depends on the seed only, and of
/// larger sides by walks.
fn boards(setting: &Setting<'_>, side: usize) -> Vec<(u32, Vec<Board>)> {
    if side > 3 {
        return setting.walks(SEED + side as u64, side, &WALKS, BOARDS, QUICK_BOARDS);
    }
    let goal = goal(&Goal::BlankLast, side);
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
        drawn.truncate(if setting.quick { QUICK_BOARDS } else { BOARDS });
        if !setting.quick || distance % 3 == 1 {
            all.push((distance, drawn));
        }
        level = next;
    }
    unreachable!("there is a last level")
}

/// The search of a board by a method; nothing where that would take too long.
fn run(setting: &Setting<'_>, board: Board, (_, _, heuristic, search): Method, distance: u32) -> Option<Run> {
    let side = board.size().width();
    let growth: f64 = match (search, heuristic, side) {
        (Search::Ids(_), _, 3) => 1.75,
        (Search::Ids(_), _, 4) => 2.18,
        (Search::Ids(_), ..) => 2.44,
        (_, "euclidean", 3) => 1.45,
        (_, "euclidean", _) => 1.36,
        (_, _, 3) => 1.38,
        _ => 1.29,
    };
    let most = match search {
        _ if side > 3 => MOST_NODES,
        Search::Ids(_) => 3_000_000,
        _ => 100_000,
    };
    let nodes = growth.powi(distance as i32).min(most as f64) as u64;
    let run = Run::new(board, Goal::BlankLast, How::Listed(heuristic), search, nodes);
    let longest = match (search, setting.quick) {
        _ if side == 3 => u32::MAX,
        (Search::Ids(_), true) => 10,
        (Search::Ids(_), false) => 20,
        (_, true) => 25,
        (_, false) => 50,
    };
    (distance <= longest).then_some(Run { most_nodes: (side > 3).then_some(MOST_NODES), ..run })
}

pub(super) fn runs(setting: &Setting<'_>) -> Vec<Run> {
    let mut runs = Vec::new();
    for (distance, boards) in SIDES.into_iter().flat_map(|side| boards(setting, side)) {
        for method in METHODS {
            runs.extend(boards.iter().filter_map(|&board| run(setting, board, method, distance)));
        }
    }
    runs
}

/// What the boards of a distance took, by method; nothing where a method was not tried.
struct Took<'a> {
    distance: u32,
    by_method: [Vec<&'a Done>; METHODS.len()],
}

impl Took<'_> {
    fn mean(&self, method: usize, what: fn(&Done) -> f64) -> f64 {
        mean_of(&self.by_method[method], what)
    }

    fn boards(&self) -> usize {
        self.by_method.iter().map(Vec::len).max().unwrap_or(0)
    }
}

fn took<'a>(setting: &Setting<'_>, results: &'a Results, side: usize) -> Vec<Took<'a>> {
    let by_distance = boards(setting, side).into_iter().map(|(distance, boards)| {
        let runs = |method| boards.iter().filter_map(move |&board| run(setting, board, method, distance));
        Took { distance, by_method: METHODS.map(|method| runs(method).map(|run| results.of(&run)).collect()) }
    });
    by_distance.filter(|took| took.boards() > 0).collect()
}

/// What is measured: the name of its files, its name, and how it is read.
type Measure = (&'static str, &'static str, fn(&Done) -> f64);

const MEASURES: [Measure; 3] = [
    ("generated", "nodes generated", generated),
    ("kept", "most nodes in memory", |done| done.peak_nodes as f64),
    ("time", "seconds", seconds),
];

pub(super) fn report(setting: &Setting<'_>, results: &Results) -> Report {
    let words = setting.words(
        "Boards of 3×3 at every distance from the goal, found by a breadth-first search of all 181,440. The paper has distances up to \
         27; the farthest boards are at 31. It prints its results as a picture only, so that what can be compared is what it says about \
         it.",
    );
    let (mut plots, mut tables) = (Vec::new(), Vec::new());
    for side in SIDES {
        let took = took(setting, results, side);
        let (x, what) = match side {
            3 => ("distance from the goal, moves", "distance"),
            _ => ("random moves of the scramble", "random moves"),
        };
        plots.extend(MEASURES.iter().map(|measure| plot(side, &took, measure, x)));
        tables.extend((side == 3).then(|| claims(&took)));
        tables.push(distances(side, &took, what));
    }
    Report { paper: Paper::Kpuzzle, words, plots, tables }
}

fn plot(side: usize, took: &[Took<'_>], &(file, name, what): &Measure, x: &str) -> Plot {
    let series = METHODS.iter().enumerate().map(|(method, (_, title, ..))| {
        let points = took.iter().map(|took| (f64::from(took.distance), took.mean(method, what)));
        Series::new(*title, Style::Line, points.filter(|(_, value)| value.is_finite()))
    });
    let boards = took.iter().map(Took::boards).max().unwrap_or(0);
    let vary = if file == "time" { "; times vary" } else { "" };
    Plot::chart(
        format!("{side}x{side}-{file}"),
        (format!("{side}×{side}: {name}"), format!("Means over up to {boards} boards each{vary}")),
        [Axis::linear(x), Axis::log10(name)],
        series,
    )
}

fn claims(took: &[Took<'_>]) -> Table {
    let [generated, kept, time] = MEASURES.map(|measure| measure.2);
    let [euclidean, manhattan, conflict] = [1, 2, 3];
    // From the smallest distance on from which a method is better than another at every distance.
    let better = |better: usize, worse: usize, what: fn(&Done) -> f64| {
        let is_better = |took: &&Took<'_>| took.mean(better, what) < took.mean(worse, what);
        let first = took.iter().rev().take_while(is_better).last();
        first.map_or("not at every distance".to_owned(), |took| format!("from {} on", took.distance))
    };
    let far = took.iter().filter(|took| (20..=PAPERS_LARGEST).contains(&took.distance));
    // A single search that had to wait for its core must not decide.
    let mut ratios: Vec<f64> = far.map(|took| took.mean(conflict, time) / took.mean(manhattan, time)).collect();
    ratios.sort_by(f64::total_cmp);
    let ratio = ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN);
    let times = format!("{} (times vary)", if ratio > 1.0 { "longer" } else { "shorter" });
    let rows = [
        ("M generates fewer nodes than E", "above 15", better(manhattan, euclidean, generated), None),
        ("L generates fewer nodes than E", "above 15", better(conflict, euclidean, generated), None),
        ("M keeps fewer nodes than E", "above 15", better(manhattan, euclidean, kept), None),
        ("L generates fewer nodes than M", "above 22", better(conflict, manhattan, generated), None),
        ("L keeps fewer nodes than M", "above 22", better(conflict, manhattan, kept), None),
        ("time of L against M, distances 20 to 27", "longer", times, Some(Cell::Ratio(ratio))),
    ];
    Table::of("claims", "What the paper says about 3×3", &rows)
        .column("claim", |row| row.0)
        .column("paper", |row| row.1)
        .column("here", |row| row.2.clone())
        .column("ratio", |row| row.3.clone())
        .notes([
            "The paper reads its distances off a picture. Here a method is better from the distance on after which its mean is lower at \
             every distance. The paper's Python computes conflicts anew for every node; here they are carried along from move to move.",
            "The paper calls the space of its graph-based IDS O(bd); a search that remembers the states it has seen keeps them all.",
        ])
        .table
}

fn distances(side: usize, took: &[Took<'_>], what: &str) -> Table {
    let mut table = Table::of(&format!("{side}x{side}"), format!("{side}×{side}: means"), took)
        .column(what, |took| took.distance)
        .column("boards", Took::boards);
    for (file, name, what) in MEASURES {
        let is_time = file == "time";
        let (group, mark) = if is_time { (file, " †") } else { (name, "") };
        for (method, (short, ..)) in METHODS.iter().enumerate() {
            table = table.column(&format!("{group}: {short}{mark}"), |took| {
                let value = Some(took.mean(method, what)).filter(|value| value.is_finite());
                value.map(if is_time { Cell::Seconds } else { Cell::mean })
            });
        }
    }
    let all = took.iter().flat_map(|took| &took.by_method).flatten();
    let given_up = all.filter(|done| !done.is_solved()).count();
    table
        .note("IDS: graph-based iterative deepening. A* with E: Euclidean distance, M: Manhattan distance, L: linear conflict.")
        .notes((given_up > 0).then(|| {
            format!("{given_up} searches were given up, at a limit of nodes or of memory; they count as far as they went.")
        }))
        .note(if side == 3 {
            "The paper prints no numbers; its figure 1 is what the plots above repeat."
        } else {
            "The paper says that k is 3, 4 or 5, and shows results for 3."
        })
        .table
}
