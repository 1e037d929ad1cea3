//! Rezk: one board, IDA\*, and what weights do.

use tilebase::Search;
use tilebase::puzzle::{Board, Goal, MoveForm};
use tilebase::solve::{Astar, Effort, Ida, Weight};
use tilebase_plot::{Axis, Series, Style};

use super::{About, Paper, Setting, generated};
use crate::animation::animation;
use crate::report::{Plot, Report};
use crate::results::Results;
use crate::run::{Done, How, Run, Tables};
use crate::table::{Cell, Table};

pub(super) const ABOUT: About = About {
    name: "rezk",
    title: "One board, IDA*, and weights",
    reference: "Mohamed Rezk, The Fifteen Puzzle, with its program at github.com/mohamedrezk122/fifteen-puzzle-solver",
};

/// The board, the blank being 16.
const BOARD: &str = "15 16 14 13 / 1 3 2 4 / 7 8 6 5 / 11 9 10 12";

/// The article's weight of the heuristic against the moves made.
const WEIGHT: &str = "81/19";

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

/// What it makes of a bound, against a move.
fn value(text: &str) -> f64 {
    f64::from(weight(text).of_bound()) / f64::from(weight(text).of_move())
}

fn run(how: How, search: Search) -> Run {
    Run::new(board(), Goal::BlankLast, how, search, 3_000_000)
}

/// The program of the article, without and with its weights.
fn article_program(weights: &str) -> Run {
    let expected = if weights == "1" { PUBLISHED[0].3 } else { PUBLISHED[2].3 };
    Run { weight: weight(weights), expected, ..run(How::ArticleProgram, Search::Ida(Ida::PLAIN)) }
}

fn weighted(setting: &Setting<'_>, search: Search, text: &str) -> Run {
    let most = if setting.quick { MOST_NODES_QUICK } else { MOST_NODES };
    let run = run(How::Listed("manhattan"), search);
    if text == "1" { run } else { Run { weight: weight(text), most_nodes: Some(most), ..run } }
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
        How::Tables(Tables::blank_aware("6-6-3")),
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

fn factor(done: &Done, nodes: u64) -> Option<Cell> {
    let effort = Effort { expanded: nodes, ..Effort::default() };
    effort.branching_factor(done.length?).map(|factor| Cell::Real(factor, 4))
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
    let svg = animation(&board(), &slides, &title);
    let mut plots = curves(setting, results);
    plots.push(Plot { name: "solution".into(), title, svg, chart: None });
    let tables = vec![repeated(results), without_weights(results), with_weights(setting, results)];
    Report { paper: Paper::Rezk, words, plots, tables }
}

fn repeated(results: &Results) -> Table {
    let search = |name: &str| results.of(&article_program(if name.starts_with("WIDA*") { WEIGHT } else { "1" }));
    let rows = PUBLISHED.map(|paper| (paper, search(paper.0)));
    Table::of("article", "The article's table, by its program retold", &rows)
        .column("article", |row| row.0.0)
        .compared("\"expanded nodes\"", |(paper, done)| (paper.3, done.generated.into()))
        .compared("moves", |(paper, done)| (paper.2, done.length.into()))
        .compared("time †", |(paper, done)| (Cell::Seconds(paper.1), Cell::Seconds(done.seconds)))
        .column("nodes expanded", |row| row.1.expanded)
        .column("effective branching factor", |row| factor(row.1, row.1.generated))
        .notes([
            "The article's second row remembers the neighbours of states, which saves time and no nodes; here both rows are one search.",
            "The effective branching factor b solves N + 1 = 1 + b + b² + … + b^depth, N being the article's \"expanded nodes\". The \
             article defines it and prints none.",
            "The article's program is in Python, ours is compiled.",
        ])
        .table
}

fn without_weights(results: &Results) -> Table {
    let rows = OURS.map(|(name, how, search)| (name, results.of(&run(how, search))));
    Table::of("shortest", "Shortest solutions, proved", &rows)
        .column("search", |row| row.0)
        .column("bound at the start", |row| row.1.bound)
        .column("moves", |row| row.1.length)
        .column("generated", |row| row.1.generated)
        .column("expanded", |row| row.1.expanded)
        .column("branching factor", |row| factor(row.1, row.1.expanded))
        .column("ratio: generated, to the article's", |row| Cell::Ratio(generated(row.1) / PUBLISHED[0].3 as f64))
        .column("time †", |row| Cell::Seconds(row.1.seconds))
        .table
}

fn with_weights(setting: &Setting<'_>, results: &Results) -> Table {
    let mut texts: Vec<&str> = WEIGHTS.iter().copied().chain([WEIGHT]).collect();
    texts.sort_by(|a, b| value(a).total_cmp(&value(b)));
    let shortest = results.of(&run(How::Listed("manhattan"), Search::Ida(Ida::PLAIN))).length.unwrap_or(0);
    let mut table = Table::of("weights", "Weights, moves and nodes", &texts).column("weight", |&text| text);
    let mut given_up = 0;
    for (search, name) in CURVES {
        let done = |text: &str| results.of(&weighted(setting, search, text));
        given_up += texts.iter().filter(|text| !done(text).is_solved()).count();
        table = table
            .column(&format!("{name}: moves"), |text| done(text).length)
            .column(&format!("{name}: generated"), |text| done(text).generated);
    }
    table
        .column("most moves possible", |text| weight(text).longest(shortest))
        .note(
            "With f = g + W·h and an admissible h no solution has more than W times the fewest moves. The article's 165 moves at 81/19 are \
             within that, and far from the best: a fixed order of successors wanders.",
        )
        .notes((given_up > 0).then(|| format!("{given_up} searches were given up at a limit of nodes: they have no moves.")))
        .table
}

fn curves(setting: &Setting<'_>, results: &Results) -> Vec<Plot> {
    /// Weight, moves and nodes of a search.
    type Point = [f64; 3];
    let solved = |search: Search| -> Vec<Point> {
        let done = WEIGHTS.iter().map(|text| (text, results.of(&weighted(setting, search, text))));
        done.filter_map(|(text, done)| Some([value(text), done.length?.into(), generated(done)])).collect()
    };
    let curves = CURVES.map(|(search, name)| (name, solved(search)));
    let article = [("1", PUBLISHED[0]), (WEIGHT, PUBLISHED[2])];
    let article = article.map(|(text, (_, _, moves, nodes))| [value(text), f64::from(moves), nodes as f64]);
    let chart = |name: &str, title: &str, style, axes, [x, y]: [usize; 2]| {
        let series = |name: &str, style, points: &[Point]| {
            Series::new(name, style, points.iter().map(|point| (point[x], point[y])))
        };
        let ours = curves.iter().map(|(name, points)| series(name, style, points));
        let all = ours.chain([series("article", Style::Points, &article)]);
        Plot::chart(name, (title, "The article's board, Manhattan distance"), axes, all)
    };
    let weight = || Axis::linear("weight of the heuristic");
    let moves = || Axis::linear("moves of the solution");
    let nodes = || Axis::log10("nodes generated");
    vec![
        chart("trade", "What moves cost in nodes", Style::Points, [moves(), nodes()], [1, 2]),
        chart("weight-and-moves", "Weight and moves", Style::Line, [weight(), moves()], [0, 1]),
        chart("weight-and-nodes", "Weight and nodes", Style::Line, [weight(), nodes()], [0, 2]),
    ]
}
