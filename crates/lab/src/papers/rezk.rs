//! Rezk: one board, IDA\*, and what weights do.

use tilebase::Search;
use tilebase::puzzle::{Board, Goal, MoveForm};
use tilebase::solve::{Astar, Effort, Ida, Weight};
use tilebase_plot::{Axis, Chart, Series, Style};

use super::{About, Paper, Setting};
use crate::animation::animation;
use crate::report::{Picture, Plot, Report};
use crate::results::Results;
use crate::run::{Done, How, Run};
use crate::table::{Cell, Column, Table, compared};

pub(super) const ABOUT: About = About {
    name: "rezk",
    title: "One board, IDA*, and weights",
    reference: "Mohamed Rezk, The Fifteen Puzzle, with its program at github.com/mohamedrezk122/fifteen-puzzle-solver",
};

/// The board, the blank being 16.
const BOARD: &str = "15 16 14 13 / 1 3 2 4 / 7 8 6 5 / 11 9 10 12";

/// The article's weight of the heuristic against the moves made.
const WEIGHT: &str = "81/19";

/// Weights of the curve.
const WEIGHTS: [&str; 16] =
    ["1", "1.1", "1.2", "1.3", "1.4", "1.5", "1.75", "2", "2.5", "3", "3.5", "4", "5", "6", "8", "10"];

/// A weighted search that is not over by then is given up.
const MOST_NODES: u64 = 2_000_000_000;
const MOST_NODES_QUICK: u64 = 4_000_000;

/// A row of the article's table: what it is, seconds, depth, "expanded nodes".
const PUBLISHED: [(&str, f64, u32, u64); 3] = [
    ("vanilla", 261.1907, 51, 7_530_405),
    ("with duplicate nodes lookup tables", 110.2581, 51, 7_530_405),
    ("WIDA* with weights 81/19", 0.3435, 165, 12_536),
];

/// The searches of the curve.
const CURVES: [(Search, &str); 3] = [
    (Search::Ida(Ida::PLAIN), "IDA*, successors in a fixed order"),
    (Search::Ida(Ida::FAST), "IDA*, nearest first, with the automaton"),
    (Search::Astar(Astar), "A*"),
];

fn board() -> Board {
    BOARD.parse().expect("it is a board")
}

fn weight(text: &str) -> Weight {
    text.parse().expect("it is a weight")
}

fn run(how: How, search: Search) -> Run {
    Run::new(board(), Goal::BlankLast, how, search).expecting(3_000_000)
}

/// The program of the article, without and with its weights.
fn article_program(weights: &str) -> Run {
    let nodes = if weights == "1" { PUBLISHED[0].3 } else { PUBLISHED[2].3 };
    run(How::ArticleProgram, Search::Ida(Ida::PLAIN)).weighted(weight(weights)).expecting(nodes)
}

/// A point of a curve.
fn weighted(setting: &Setting<'_>, search: Search, text: &str) -> Run {
    let most = if setting.quick { MOST_NODES_QUICK } else { MOST_NODES };
    let run = run(How::Listed("manhattan"), search);
    if text == "1" { run } else { run.weighted(weight(text)).at_most(most) }
}

/// Ours without weights.
const OURS: [(&str, How, Search); 8] = [
    ("IDA*, Manhattan distance, last move not taken back", How::Listed("manhattan"), Search::Ida(Ida::PLAIN)),
    ("the same with the move automaton", How::Listed("manhattan"), Search::Ida(Ida::FAST)),
    ("A*, Manhattan distance: no state twice", How::Listed("manhattan"), Search::Astar(Astar)),
    ("IDA*, linear conflict", How::Listed("linear-conflict"), Search::Ida(Ida::PLAIN)),
    ("IDA*, corner tiles", How::Listed("corner-tiles"), Search::Ida(Ida::PLAIN)),
    ("IDA*, walking distance", How::Listed("walking-distance"), Search::Ida(Ida::PLAIN)),
    ("A*, walking distance", How::Listed("walking-distance"), Search::Astar(Astar)),
    (
        "IDA*, 6-6-3, blank-aware, reflected, automaton",
        How::Tables(crate::run::Tables::blank_aware("6-6-3")),
        Search::Ida(Ida::FAST),
    ),
];

pub(super) fn runs(setting: &Setting<'_>) -> Vec<Run> {
    let mut runs = vec![article_program("1"), article_program(WEIGHT)];
    runs.extend(OURS.map(|(_, how, search)| run(how, search)));
    for (search, _) in CURVES {
        runs.extend(WEIGHTS.iter().chain([&WEIGHT]).map(|text| weighted(setting, search, text)));
    }
    runs
}

fn factor(done: &Done, nodes: u64) -> Cell {
    let effort = Effort { expanded: nodes, ..Effort::default() };
    done.length.and_then(|length| effort.branching_factor(length)).map_or(Cell::Missing, |factor| Cell::Real(factor, 4))
}

fn moves_of(done: &Done) -> Cell {
    done.length.map_or(Cell::Missing, |length| Cell::Count(length.into()))
}

pub(super) fn report(setting: &Setting<'_>, results: &Results) -> Report {
    let words = vec![
        format!(
            "The board {BOARD}, where 16 is the blank. The article's \"expanded nodes\" can be had exactly, by retelling its program: it \
             counts calls of its search, so nodes generated; it leaves out successors that are on the path; it tries neighbours in the \
             order in which Python lists a set; and its Manhattan distance has the blank among the tiles."
        ),
        "That last point makes its heuristic inadmissible: 46 at the start, where the Manhattan distance of the tiles is 41. The 51 \
         moves that it finds are the fewest all the same, but the article's method does not prove it; the searches below do."
            .to_owned(),
    ];
    let solution = results.of(&run(How::Listed("manhattan"), Search::Ida(Ida::PLAIN)));
    let slides = MoveForm::Tile.parse(&solution.moves, &board()).expect("solutions are written as they are read");
    let title = format!("A shortest solution: {} moves", slides.len());
    let moving = Plot {
        name: "solution".into(),
        picture: Picture::Animation(title.clone(), animation(&board(), &slides, &title)),
    };
    let mut plots = curves(setting, results);
    plots.push(moving);
    Report {
        paper: Paper::Rezk,
        words,
        plots,
        tables: vec![repeated(results), without_weights(results), with_weights(setting, results)],
    }
}

fn repeated(results: &Results) -> Table {
    let [paper, here, ratio] = Column::compared("time");
    let columns = [Column::new("article")]
        .into_iter()
        .chain(Column::compared("\"expanded nodes\""))
        .chain(Column::compared("moves"))
        .chain([paper, here.varying(), ratio.varying()])
        .chain(["nodes expanded", "effective branching factor"].map(Column::new));
    let mut table = Table::new("article", "The article's table, by its program retold", columns);
    for (name, seconds, moves, nodes) in PUBLISHED {
        let done = results.of(&article_program(if name.starts_with("WIDA*") { WEIGHT } else { "1" }));
        let cells = [Cell::text(name)]
            .into_iter()
            .chain(compared(Cell::Count(nodes), Cell::Count(done.generated)))
            .chain(compared(Cell::Count(moves.into()), moves_of(done)))
            .chain(compared(Cell::Seconds(seconds), Cell::Seconds(done.seconds)))
            .chain([Cell::Count(done.expanded), factor(done, done.generated)]);
        table.row(cells);
    }
    table.note("The article's second row remembers the neighbours of states, which saves time and no nodes; here both rows are one search.");
    table.note(
        "The effective branching factor b solves N + 1 = 1 + b + b² + … + b^depth, N being the article's \"expanded nodes\". The \
         article defines it and prints none.",
    );
    table.note("The article's program is in Python, ours is compiled.");
    table
}

fn without_weights(results: &Results) -> Table {
    let columns =
        ["search", "bound at the start", "moves", "generated", "expanded", "branching factor"].map(Column::new);
    let columns = columns
        .into_iter()
        .chain([Column::new("generated, to the article's").of("ratio"), Column::new("time").varying()]);
    let mut table = Table::new("shortest", "Shortest solutions, proved", columns);
    for (name, how, search) in OURS {
        let done = results.of(&run(how, search));
        table.row([
            Cell::text(name),
            Cell::Count(done.bound.into()),
            moves_of(done),
            Cell::Count(done.generated),
            Cell::Count(done.expanded),
            factor(done, done.expanded),
            Cell::Ratio(done.generated as f64 / PUBLISHED[0].3 as f64),
            Cell::Seconds(done.seconds),
        ]);
    }
    table
}

fn with_weights(setting: &Setting<'_>, results: &Results) -> Table {
    let mut columns = vec![Column::new("weight")];
    for (_, name) in CURVES {
        columns.extend(["moves", "generated"].map(|column| Column::new(column).of(name)));
    }
    columns.push(Column::new("most moves possible"));
    let mut table = Table::new("weights", "Weights, moves and nodes", columns);
    let mut texts: Vec<&str> = WEIGHTS.iter().copied().chain([WEIGHT]).collect();
    let value = |text: &str| f64::from(weight(text).of_bound()) / f64::from(weight(text).of_move());
    texts.sort_by(|a, b| value(a).total_cmp(&value(b)));
    let shortest = results.of(&run(How::Listed("manhattan"), Search::Ida(Ida::PLAIN))).length.unwrap_or(0);
    let mut given_up = 0;
    for text in texts {
        let mut cells = vec![Cell::text(text)];
        for (search, _) in CURVES {
            let done = results.of(&weighted(setting, search, text));
            given_up += usize::from(!done.is_solved());
            cells.extend([moves_of(done), Cell::Count(done.generated)]);
        }
        cells.push(Cell::Count(weight(text).longest(shortest).into()));
        table.row(cells);
    }
    table.note(
        "With f = g + W·h and an admissible h no solution has more than W times the fewest moves. The article's 165 moves at 81/19 are \
         within that, and far from the best: a fixed order of successors wanders.",
    );
    if given_up > 0 {
        table.note(format!("{given_up} searches were given up at a limit of nodes: they have no moves."));
    }
    table
}

fn curves(setting: &Setting<'_>, results: &Results) -> Vec<Plot> {
    let value = |text: &str| f64::from(weight(text).of_bound()) / f64::from(weight(text).of_move());
    let points = |search: Search, what: fn(&Done) -> f64| -> Vec<(f64, f64)> {
        let solved = WEIGHTS.iter().map(|text| (value(text), results.of(&weighted(setting, search, text))));
        solved.filter(|(_, done)| done.is_solved()).map(|(weight, done)| (weight, what(done))).collect()
    };
    let length = |done: &Done| done.length.map_or(f64::NAN, f64::from);
    let nodes = |done: &Done| done.generated as f64;
    let article = [(value("1"), PUBLISHED[0]), (value(WEIGHT), PUBLISHED[2])];
    let with_article = |what: fn(&Done) -> f64, of_article: fn(&(&str, f64, u32, u64)) -> f64| {
        let mut series: Vec<Series> =
            CURVES.iter().map(|&(search, name)| Series::new(name, Style::Line, points(search, what))).collect();
        series.push(Series::new(
            "article",
            Style::Points,
            article.iter().map(|(weight, row)| (*weight, of_article(row))),
        ));
        series
    };
    let mut trade: Vec<Series> = CURVES
        .iter()
        .map(|&(search, name)| {
            let lengths = points(search, length).into_iter().map(|(_, length)| length);
            let nodes = points(search, nodes).into_iter().map(|(_, nodes)| nodes);
            Series::new(name, Style::Points, lengths.zip(nodes))
        })
        .collect();
    trade.push(Series::new("article", Style::Points, article.iter().map(|(_, row)| (f64::from(row.2), row.3 as f64))));
    let chart = |title: &str, x: Axis, y: Axis, series: Vec<Series>| Chart {
        title: title.into(),
        subtitle: Some("The article's board, Manhattan distance".into()),
        x,
        y,
        series,
    };
    vec![
        Plot::chart(
            "trade",
            chart(
                "What moves cost in nodes",
                Axis::linear("moves of the solution"),
                Axis::log10("nodes generated"),
                trade,
            ),
        ),
        Plot::chart(
            "weight-and-moves",
            chart(
                "Weight and moves",
                Axis::linear("weight of the heuristic"),
                Axis::linear("moves of the solution"),
                with_article(length, |row| f64::from(row.2)),
            ),
        ),
        Plot::chart(
            "weight-and-nodes",
            chart(
                "Weight and nodes",
                Axis::linear("weight of the heuristic"),
                Axis::log10("nodes generated"),
                with_article(nodes, |row| row.3 as f64),
            ),
        ),
    ]
}
