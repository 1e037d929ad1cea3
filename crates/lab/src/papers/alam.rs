//! Alam, Pacey & Nguyen 2022: A\* and recursive best-first search on scrambled boards.

use tilebase::Search;
use tilebase::puzzle::{Board, Goal, Random, Size};
use tilebase::solve::{Astar, Rbfs};
use tilebase_plot::{Axis, Chart, Series, Style};

use super::{About, Paper, QUICK, Setting, mean, mean_of};
use crate::report::{Plot, Report};
use crate::results::Results;
use crate::run::{Done, How, Run};
use crate::table::{Cell, Column, Table, compared};

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

/// By heuristic, search and moves.
const PUBLISHED: [[[Row; 5]; 2]; 2] = [
    [
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
    ],
    [
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
    ],
];

/// The boards of each number of moves.
fn boards(setting: &Setting<'_>) -> Vec<(u32, Vec<Board>)> {
    let count = if setting.quick { QUICK_BOARDS } else { BOARDS };
    let size = Size::new(4, 4).expect("4×4 is a size");
    let goal = Goal::BlankLast.board(size).expect("it has this goal");
    let mut random = Random::new(SEED);
    // The quick lab has the first of the same boards.
    let mut of = |moves: u32| -> Vec<Board> { (0..BOARDS).map(|_| random.walk(&goal, moves as usize)).collect() };
    MOVES.into_iter().map(|moves| (moves, of(moves).into_iter().take(count).collect())).collect()
}

fn run(board: Board, heuristic: &'static str, search: Search, moves: u32) -> Run {
    let nodes = 1.28f64.powi(moves as i32) * if search == Search::Rbfs(Rbfs) { 3.0 } else { 0.5 };
    Run::new(board, Goal::BlankLast, How::Listed(heuristic), search).expecting(nodes as u64)
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

/// What the boards of a number of moves took.
struct Took<'a> {
    moves: u32,
    done: Vec<&'a Done>,
}

impl Took<'_> {
    /// Those that are solved within the limit.
    fn within(&self) -> impl Iterator<Item = &Done> {
        self.done.iter().copied().filter(|done| done.expanded <= LIMIT)
    }

    /// Nodes up to the limit.
    fn nodes(&self) -> f64 {
        mean_of(self.done.iter().copied(), |done| done.expanded.min(LIMIT) as f64)
    }

    /// The time up to the limit.
    fn seconds(&self) -> f64 {
        mean_of(self.done.iter().copied(), |done| {
            done.seconds * done.expanded.min(LIMIT) as f64 / done.expanded.max(1) as f64
        })
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
        sum(|done| done.heuristic_seconds) / sum(|done| done.seconds)
    }
}

pub(super) fn report(setting: &Setting<'_>, results: &Results) -> Report {
    let boards = boards(setting);
    let took = |heuristic: &'static str, search: Search| -> Vec<Took<'_>> {
        let of = |(moves, boards): &(u32, Vec<Board>)| Took {
            moves: *moves,
            done: boards.iter().map(|&board| results.of(&run(board, heuristic, search, *moves))).collect(),
        };
        boards.iter().map(of).collect()
    };
    let mut words = vec![format!(
        "Boards are scrambled by random moves, none of which takes back the one before, {} for each number of moves. The paper gives \
         up after 50,000 nodes. Its averages show that these are expanded nodes, and that a board that was given up counts as 50,000: \
         so every search is made to its end here, and the tables with the limit are read off: a board with more expansions is not \
         solved, and counts 50,000 of them and their part of the time.",
        boards[0].1.len()
    )];
    words.extend(setting.quick.then(|| QUICK.to_owned()));
    let mut tables = Vec::new();
    for (number, (heuristic, title)) in HEURISTICS.into_iter().enumerate() {
        let by_search = SEARCHES.map(|(search, name)| (name, took(heuristic, search)));
        tables.push(limited(number, title, &by_search));
    }
    tables.push(unlimited(&took));
    let mut plots = Vec::new();
    for (search, name) in SEARCHES {
        let by_heuristic = HEURISTICS.map(|(heuristic, title)| (title, took(heuristic, search)));
        plots.extend(plots_of(name, &by_heuristic));
    }
    let chart = Chart {
        title: "Without the limit: every board is solved".into(),
        subtitle: Some("Mean nodes expanded".into()),
        x: Axis::linear("random moves of the scramble"),
        y: Axis::log10("nodes expanded"),
        series: SEARCHES
            .into_iter()
            .flat_map(|(search, name)| {
                HEURISTICS.map(|(heuristic, title)| {
                    let points = took(heuristic, search).into_iter().map(|took| {
                        (f64::from(took.moves), mean_of(took.done.iter().copied(), |done| done.expanded as f64))
                    });
                    Series::new(format!("{name}, {title}"), Style::Line, points.collect::<Vec<_>>())
                })
            })
            .collect(),
    };
    plots.push(Plot::chart("unlimited-nodes", chart));
    Report { paper: Paper::Alam, words, plots, tables }
}

fn limited(number: usize, title: &str, by_search: &[(&str, Vec<Took<'_>>)]) -> Table {
    let varying = |group: &str| {
        let [paper, here, ratio] = Column::compared(group);
        [paper, here.varying(), ratio.varying()]
    };
    let columns = [Column::new("search"), Column::new("moves")]
        .into_iter()
        .chain(Column::compared("nodes expanded"))
        .chain(Column::compared("length of solved"))
        .chain(Column::compared("solved"))
        .chain(varying("time"))
        .chain(varying("heuristic's part of the time"));
    let mut table = Table::new(
        &format!("{}-limited", title.replace(' ', "-")),
        format!("{}, at most 50,000 nodes (table {} of the paper)", capital(title), number + 1),
        columns,
    );
    for ((name, took), published) in by_search.iter().zip(&PUBLISHED[number]) {
        for (took, &[seconds, nodes, length, solved, of_heuristic]) in took.iter().zip(published) {
            let cells = [Cell::text(*name), Cell::Count(took.moves.into())]
                .into_iter()
                .chain(compared(Cell::Real(nodes, 0), Cell::Real(took.nodes(), 0)))
                .chain(compared(Cell::Real(length, 0), Cell::Real(took.length(), 1)))
                .chain(compared(Cell::Percent(solved / 100.0, 0), Cell::Percent(took.solved(), 0)))
                .chain(compared(Cell::Seconds(seconds), Cell::Seconds(took.seconds())))
                .chain(compared(Cell::Percent(of_heuristic / 100.0, 1), Cell::Percent(took.of_heuristic(), 1)));
            table.row(cells);
        }
    }
    table.note(
        "Other boards than the paper's: it names no seed. With ten boards a single hard one moves a mean by a tenth of the limit, so \
         that rows from 30 moves on agree in size only.",
    );
    table.note(
        "In the paper every board of 20 random moves needs all 20. Walks that only never take back the last move often need fewer, as \
         here, so the paper's scrambles were drawn in another way that it does not tell, and are harder for their number of moves.",
    );
    table.note(
        "The paper's program is written in Python and computes its heuristic from the whole board; here it is carried along from \
         move to move, so that its part of the time, estimated from samples, is another matter altogether.",
    );
    if let Some(shortest) = by_search.iter().find(|(name, _)| *name == "A*").and_then(|(_, took)| took.first()) {
        table.note(format!(
            "At 10 moves A* need not expand more than about as many nodes as the solution has moves. The paper's 35 are rather nodes \
             generated: here that is {:.0}.",
            mean_of(shortest.done.iter().copied(), |done| done.generated as f64)
        ));
    }
    if number == 0 {
        table.note(
            "The paper's A* expands 4,656 nodes at 20 moves in 0.0166 s, ten times as fast as in the rows above and below. The time \
             suits 465 nodes, so that the number may be a misprint.",
        );
    }
    table
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

fn unlimited<'a>(took: &impl Fn(&'static str, Search) -> Vec<Took<'a>>) -> Table {
    let columns = [
        Column::new("search"),
        Column::new("heuristic"),
        Column::new("moves"),
        Column::new("solved"),
        Column::new("mean length"),
        Column::new("mean expanded"),
        Column::new("most expanded"),
        Column::new("mean time").varying(),
    ];
    let mut table = Table::new("unlimited", "Without the limit", columns);
    for (search, name) in SEARCHES {
        for (heuristic, title) in HEURISTICS {
            for took in took(heuristic, search) {
                let done = || took.done.iter().copied();
                let solved = done().filter(|done| done.is_solved()).count() as f64 / took.done.len() as f64;
                table.row([
                    Cell::text(name),
                    Cell::text(title),
                    Cell::Count(took.moves.into()),
                    Cell::Percent(solved, 0),
                    Cell::Real(mean(done().filter_map(|done| done.length).map(f64::from)), 1),
                    Cell::mean(mean_of(done(), |done| done.expanded as f64)),
                    Cell::Count(done().map(|done| done.expanded).max().unwrap_or(0)),
                    Cell::Seconds(mean_of(done(), |done| done.seconds)),
                ]);
            }
        }
    }
    table.note("The paper has no such table: it gives up after 50,000 nodes.");
    table
}

/// A plot: its name, its axis, what is plotted, and the column of the paper's tables.
type Kind = (&'static str, Axis, fn(&Took<'_>) -> f64, usize);

/// The paper's plots of a search: time, nodes and length by moves.
fn plots_of(name: &str, by_heuristic: &[(&str, Vec<Took<'_>>)]) -> Vec<Plot> {
    let file = name.to_lowercase().replace('*', "star");
    let kinds: [Kind; 3] = [
        ("time", Axis::log10("seconds"), |took| took.seconds(), 0),
        ("nodes", Axis::log10("nodes expanded"), |took| took.nodes(), 1),
        ("length", Axis::linear("moves of the solution"), |took| took.length(), 2),
    ];
    let plot = |(what, axis, value, column): Kind| {
        let search = usize::from(name != "A*");
        let mut series = Vec::new();
        for (number, (title, took)) in by_heuristic.iter().enumerate() {
            let here = took.iter().map(|took| (f64::from(took.moves), value(took)));
            series.push(Series::new(format!("{title}, here"), Style::Line, here));
            let published = MOVES.iter().zip(&PUBLISHED[number][search]);
            let paper = published.map(|(&moves, row)| (f64::from(moves), row[column]));
            series.push(Series::new(format!("{title}, paper"), Style::Points, paper));
        }
        let title = match what {
            "time" => format!("{name}: time"),
            "nodes" => format!("{name}: nodes expanded"),
            _ => format!("{name}: length of the solutions found"),
        };
        let chart = Chart {
            title,
            subtitle: Some("Means, with the limit of 50,000 nodes".into()),
            x: Axis::linear("random moves of the scramble"),
            y: axis,
            series,
        };
        Plot::chart(&format!("{file}-{what}"), chart)
    };
    kinds.into_iter().map(plot).collect()
}
