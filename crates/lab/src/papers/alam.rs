//! Alam, Pacey & Nguyen 2022: A\* and recursive best-first search on scrambled boards.

use tilebase::Search;
use tilebase::puzzle::{Board, Goal};
use tilebase::solve::{Astar, Rbfs};
use tilebase_plot::{Axis, Series, Style};

use super::{About, Paper, Setting, expanded, generated, mean, mean_of, seconds};
use crate::report::{Plot, Report};
use crate::results::Results;
use crate::run::{Done, How, Run};
use crate::table::{Cell, Table};

pub(super) const ABOUT: About = About {
    name: "alam",
    title: "A* and recursive best-first search",
    reference: "Wadood Alam, Matthew Pacey & Joe Nguyen, 15 Puzzle, 2022",
};

/// Random moves of the scrambles.
const MOVES: [u32; 5] = [10, 20, 30, 40, 50];

/// Boards for each of them.
const BOARDS: usize = 10;
const QUICK_BOARDS: usize = 4;

/// Which boards.
const SEED: u64 = 2022;

/// The paper gives up after this many nodes.
const LIMIT: u64 = 50_000;

const SEARCHES: [(Search, &str); 2] = [(Search::Astar(Astar), "A*"), (Search::Rbfs(Rbfs), "RBFS")];

const HEURISTICS: [(&str, &str); 2] = [("manhattan", "city block"), ("linear-conflict", "linear conflict")];

/// A row of the paper's tables: seconds, nodes expanded, length, solved in percent, the heuristic's part of the time in percent.
type Row = [f64; 5];

/// By heuristic and search, and by moves.
const PUBLISHED: [[Row; 5]; 4] = [
    [
        [0.0013, 35.0, 10.0, 100.0, 13.3],
        [0.0166, 4656.0, 20.0, 100.0, 11.346],
        [1.2772, 11289.0, 28.0, 100.0, 6.5851],
        [5.8670, 28028.0, 27.0, 50.0, 5.2937],
        [9.5943, 45651.0, 23.0, 10.0, 2.7554],
    ],
    [
        [0.0008, 15.0, 10.0, 100.0, 22.0289],
        [0.1192, 2161.0, 20.0, 100.0, 21.6843],
        [2.2653, 39486.0, 28.0, 50.0, 21.5568],
        [1.8341, 32458.0, 26.0, 40.0, 21.5926],
        [2.6700, 47098.0, 32.0, 10.0, 21.7928],
    ],
    [
        [0.0017, 35.0, 10.0, 100.0, 58.0209],
        [0.0014, 259.0, 20.0, 100.0, 50.085],
        [0.4371, 4595.0, 28.0, 100.0, 42.2862],
        [3.8120, 19004.0, 27.0, 70.0, 32.76],
        [9.2476, 39926.0, 23.0, 40.0, 18.907],
    ],
    [
        [0.0018, 15.0, 10.0, 100.0, 74.6375],
        [0.0547, 459.0, 20.0, 100.0, 72.931],
        [3.6482, 28631.0, 28.0, 60.0, 72.1275],
        [3.7285, 32023.0, 26.0, 40.0, 72.4587],
        [5.0885, 45072.0, 32.0, 10.0, 72.5811],
    ],
];

fn boards(setting: &Setting<'_>) -> Vec<(u32, Vec<Board>)> {
    setting.walks(SEED, 4, &MOVES, BOARDS, QUICK_BOARDS)
}

fn run(board: Board, heuristic: &'static str, search: Search, moves: u32) -> Run {
    let nodes = 1.28f64.powi(moves as i32) * if search == Search::Rbfs(Rbfs) { 3.0 } else { 0.5 };
    Run::new(board, Goal::BlankLast, How::Listed(heuristic), search, nodes as u64)
}

pub(super) fn runs(setting: &Setting<'_>) -> Vec<Run> {
    let mut runs = Vec::new();
    for (moves, boards) in boards(setting) {
        for (heuristic, _) in HEURISTICS {
            for (search, _) in SEARCHES {
                runs.extend(boards.iter().map(|&board| run(board, heuristic, search, moves)));
            }
        }
    }
    runs
}

/// What the boards of a number of moves took with a search and a heuristic, by their places in the lists above.
struct Took<'a> {
    search: usize,
    heuristic: usize,
    moves: u32,
    done: Vec<&'a Done>,
    paper: &'static Row,
}

impl Took<'_> {
    fn within(&self) -> impl Iterator<Item = &Done> {
        self.done.iter().copied().filter(|done| done.expanded <= LIMIT)
    }

    /// Nodes up to the limit.
    fn nodes(&self) -> f64 {
        mean_of(&self.done, |done| done.expanded.min(LIMIT) as f64)
    }

    /// The time up to the limit.
    fn seconds(&self) -> f64 {
        mean_of(&self.done, |done| done.seconds * done.expanded.min(LIMIT) as f64 / done.expanded.max(1) as f64)
    }

    fn length(&self) -> f64 {
        mean(self.within().filter_map(|done| done.length).map(f64::from))
    }

    fn solved(&self) -> f64 {
        self.within().count() as f64 / self.done.len() as f64
    }

    /// The part of the time that the heuristic took.
    fn of_heuristic(&self) -> f64 {
        let sum = |what: fn(&Done) -> f64| self.done.iter().map(|done| what(done)).sum::<f64>();
        sum(|done| done.heuristic_seconds) / sum(seconds)
    }
}

pub(super) fn report(setting: &Setting<'_>, results: &Results) -> Report {
    let boards = boards(setting);
    let mut all = Vec::new();
    for (search, (by, _)) in SEARCHES.into_iter().enumerate() {
        for (heuristic, (name, _)) in HEURISTICS.into_iter().enumerate() {
            all.extend(boards.iter().zip(&PUBLISHED[2 * heuristic + search]).map(|(&(moves, ref boards), paper)| {
                let done = boards.iter().map(|&board| results.of(&run(board, name, by, moves))).collect();
                Took { search, heuristic, moves, done, paper }
            }));
        }
    }
    let words = setting.words(format!(
        "Boards are scrambled by random moves, none of which takes back the one before, {} for each number of moves. The paper gives \
         up after 50,000 nodes. Its averages show that these are expanded nodes, and that a board that was given up counts as 50,000: \
         so every search is made to its end here, and the tables with the limit are read off: a board with more expansions is not \
         solved, and counts 50,000 of them and their part of the time.",
        boards[0].1.len()
    ));
    Report {
        paper: Paper::Alam,
        words,
        plots: plots(&all),
        tables: vec![limited(&all, 0), limited(&all, 1), unlimited(&all)],
    }
}

fn limited(all: &[Took<'_>], heuristic: usize) -> Table {
    let rows: Vec<&Took<'_>> = all.iter().filter(|took| took.heuristic == heuristic).collect();
    let title = HEURISTICS[heuristic].1;
    let (initial, rest) = title.split_at(1);
    let percent = |share: f64, decimals| Cell::Percent(share / 100.0, decimals);
    Table::of(
        &format!("{}-limited", title.replace(' ', "-")),
        format!("{}{rest}, at most 50,000 nodes (table {} of the paper)", initial.to_uppercase(), heuristic + 1),
        &rows,
    )
    .column("search", |row| SEARCHES[row.search].1)
    .column("moves", |row| row.moves)
    .compared("nodes expanded", |row| (Cell::Real(row.paper[1], 0), Cell::Real(row.nodes(), 0)))
    .compared("length of solved", |row| (Cell::Real(row.paper[2], 0), Cell::Real(row.length(), 1)))
    .compared("solved", |row| (percent(row.paper[3], 0), Cell::Percent(row.solved(), 0)))
    .compared("time †", |row| (Cell::Seconds(row.paper[0]), Cell::Seconds(row.seconds())))
    .compared("heuristic's part of the time †", |row| {
        (percent(row.paper[4], 1), Cell::Percent(row.of_heuristic(), 1))
    })
    .notes([
        "Other boards than the paper's: it names no seed. With ten boards a single hard one moves a mean by a tenth of the limit, so \
         that rows from 30 moves on agree in size only.",
        "In the paper every board of 20 random moves needs all 20. Walks that only never take back the last move often need fewer, as \
         here, so the paper's scrambles were drawn in another way that it does not tell, and are harder for their number of moves.",
        "The paper's program is written in Python and computes its heuristic from the whole board; here it is carried along from \
         move to move, so that its part of the time, estimated from samples, is another matter altogether.",
    ])
    .note(format!(
        "At 10 moves A* need not expand more than about as many nodes as the solution has moves. The paper's 35 are rather nodes \
         generated: here that is {:.0}.",
        mean_of(&rows[0].done, generated)
    ))
    .notes((heuristic == 0).then_some(
        "The paper's A* expands 4,656 nodes at 20 moves in 0.0166 s, ten times as fast as in the rows above and below. The time \
             suits 465 nodes, so that the number may be a misprint.",
    ))
    .table
}

fn unlimited(all: &[Took<'_>]) -> Table {
    let solved = |took: &Took<'_>| took.done.iter().filter(|done| done.is_solved()).count() as f64;
    let lengths = |took: &Took<'_>| mean(took.done.iter().filter_map(|done| done.length).map(f64::from));
    Table::of("unlimited", "Without the limit", all)
        .column("search", |took| SEARCHES[took.search].1)
        .column("heuristic", |took| HEURISTICS[took.heuristic].1)
        .column("moves", |took| took.moves)
        .column("solved", |took| Cell::Percent(solved(took) / took.done.len() as f64, 0))
        .column("mean length", |took| Cell::Real(lengths(took), 1))
        .column("mean expanded", |took| Cell::mean(mean_of(&took.done, expanded)))
        .column("most expanded", |took| took.done.iter().map(|done| done.expanded).max().unwrap_or(0))
        .column("mean time †", |took| Cell::Seconds(mean_of(&took.done, seconds)))
        .note("The paper has no such table: it gives up after 50,000 nodes.")
        .table
}

/// A plot: the name of its file, its title, its axis, what is plotted, and the column of the paper's tables.
type Kind = (&'static str, &'static str, Axis, fn(&Took<'_>) -> f64, usize);

/// The paper's plots of each search, time, nodes and length by moves; and all nodes without the limit.
fn plots(all: &[Took<'_>]) -> Vec<Plot> {
    let moves = || Axis::linear("random moves of the scramble");
    let series = |name: String, style, of: [usize; 2], value: &dyn Fn(&Took<'_>) -> f64| {
        let rows = all.iter().filter(|took| [took.search, took.heuristic] == of);
        Series::new(name, style, rows.map(|took| (f64::from(took.moves), value(took))))
    };
    let mut plots = Vec::new();
    let mut unlimited = Vec::new();
    for (search, (_, name)) in SEARCHES.into_iter().enumerate() {
        let kinds: [Kind; 3] = [
            ("time", "time", Axis::log10("seconds"), |took| took.seconds(), 0),
            ("nodes", "nodes expanded", Axis::log10("nodes expanded"), |took| took.nodes(), 1),
            ("length", "length of the solutions found", Axis::linear("moves of the solution"), |took| took.length(), 2),
        ];
        for (file, what, axis, value, column) in kinds {
            let both = HEURISTICS.iter().enumerate().flat_map(|(heuristic, (_, title))| {
                let of = [search, heuristic];
                [
                    series(format!("{title}, here"), Style::Line, of, &value),
                    series(format!("{title}, paper"), Style::Points, of, &|took| took.paper[column]),
                ]
            });
            plots.push(Plot::chart(
                format!("{}-{file}", name.to_lowercase().replace('*', "star")),
                (format!("{name}: {what}"), "Means, with the limit of 50,000 nodes"),
                [moves(), axis],
                both,
            ));
        }
        unlimited.extend(HEURISTICS.iter().enumerate().map(|(heuristic, (_, title))| {
            let nodes = |took: &Took<'_>| mean_of(&took.done, expanded);
            series(format!("{name}, {title}"), Style::Line, [search, heuristic], &nodes)
        }));
    }
    plots.push(Plot::chart(
        "unlimited-nodes",
        ("Without the limit: every board is solved", "Mean nodes expanded"),
        [moves(), Axis::log10("nodes expanded")],
        unlimited,
    ));
    plots
}
