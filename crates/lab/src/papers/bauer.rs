//! Bauer 1994: how many nodes pairs of tiles save.

use tilebase::Search;
use tilebase::heuristics::{AnyListed, Heuristic};
use tilebase::puzzle::known::{KnownBoard, korf15};
use tilebase::puzzle::{Frame, State};
use tilebase::solve::Ida;
use tilebase_plot::{Axis, Chart, Series, Style};

use super::{About, Paper, QUICK, Setting, mean};
use crate::known::{GOAL, by_nodes, easiest};
use crate::pairs::OnePartner;
use crate::report::{Plot, Report};
use crate::results::Results;
use crate::run::{Done, How, Run};
use crate::table::{Cell, Column, Table, compared};

pub(super) const ABOUT: About = About {
    name: "bauer",
    title: "The Manhattan pair distance",
    reference: "Bernard Bauer, The Manhattan Pair Distance Heuristic for the 15-Puzzle, Technical Report PC²/TR-001-94, \
                Paderborn 1994",
};

/// Boards of the quick lab: the easiest, and the two that the paper names.
const QUICK_BOARDS: usize = 6;

/// All solutions take about this many times the nodes of the first with the Manhattan distance; pairs save most of them.
const ALL_TO_FIRST: f64 = 2.7;
const LEFT_BY_PAIRS: f64 = 0.15;

/// What the paper says of a case: first solution, or all.
struct Published {
    case: &'static str,
    /// Savings in percent.
    least: f64,
    greatest: f64,
    mean: f64,
    deviation: f64,
    total: Option<f64>,
}

const ALL_SOLUTIONS: Published = Published {
    case: "all solutions",
    least: 55.45,
    greatest: 96.42,
    mean: 82.12,
    deviation: 8.99,
    total: Some(88.12),
};

const FIRST_SOLUTION: Published =
    Published { case: "first solution", least: 56.29, greatest: 96.52, mean: 82.05, deviation: 9.02, total: None };

/// The problems with the least and the greatest savings in the paper, in both cases. It numbers them by the nodes of the first
/// solution with the Manhattan distance, fewest first: savings agree then, and by Korf's numbers they do not.
const LEAST: usize = 23;
const GREATEST: usize = 57;

/// The board that the paper means by a problem.
fn problem(number: usize) -> KnownBoard {
    by_nodes()[number - 1]
}

/// How many of the hundred boards have no pair, one, two and three pairs at the start.
const PAIRS_AT_THE_START: [u64; 4] = [29, 47, 20, 4];

/// Nodes with pairs: on average over the boards, and the boards with the fewest and the most.
const NODES_WITH_PAIRS: [f64; 3] = [0.4245, 0.1415, 0.8614];

/// The CPU time that was saved.
const TIME_SAVED: f64 = 0.5;

fn boards(setting: &Setting<'_>) -> Vec<KnownBoard> {
    if !setting.quick {
        return korf15();
    }
    easiest(QUICK_BOARDS).into_iter().chain([LEAST, GREATEST].map(problem)).collect()
}

/// The six searches of a board: by the Manhattan distance, by Definition 4, and with one partner as in the paper's program.
struct Board {
    korf: KnownBoard,
    distance_first: Run,
    distance_all: Run,
    pairs_first: Run,
    pairs_all: Run,
    one_first: Run,
    one_all: Run,
}

impl Board {
    fn new(korf: KnownBoard) -> Board {
        let run = |how: How, share: f64| {
            Run::new(korf.board, GOAL, how, Search::Ida(Ida::PLAIN)).expecting((korf.nodes as f64 * share) as u64)
        };
        Board {
            korf,
            distance_first: run(How::Listed("manhattan"), 1.0),
            distance_all: run(How::Listed("manhattan"), ALL_TO_FIRST).counting_all(),
            pairs_first: run(How::Listed("pair-distance"), LEFT_BY_PAIRS),
            pairs_all: run(How::Listed("pair-distance"), ALL_TO_FIRST * LEFT_BY_PAIRS).counting_all(),
            one_first: run(How::OnePartner, LEFT_BY_PAIRS),
            one_all: run(How::OnePartner, ALL_TO_FIRST * LEFT_BY_PAIRS).counting_all(),
        }
    }
}

pub(super) fn runs(setting: &Setting<'_>) -> Vec<Run> {
    let boards = boards(setting).into_iter().map(Board::new);
    boards
        .flat_map(|board| {
            let Board { distance_first, distance_all, pairs_first, pairs_all, one_first, one_all, .. } = board;
            [distance_first, distance_all, pairs_first, pairs_all, one_first, one_all]
        })
        .collect()
}

/// What came of a board.
struct Found<'a> {
    id: u32,
    distance_first: &'a Done,
    distance_all: &'a Done,
    pairs_first: &'a Done,
    pairs_all: &'a Done,
    one_first: &'a Done,
    one_all: &'a Done,
}

impl Found<'_> {
    fn saved_all(&self) -> f64 {
        1.0 - self.one_all.generated as f64 / self.distance_all.generated as f64
    }

    fn saved_first(&self) -> f64 {
        1.0 - self.one_first.generated as f64 / self.distance_first.generated as f64
    }

    fn nodes(&self) -> f64 {
        self.one_all.counts[..4].iter().sum::<u64>() as f64
    }

    /// The share of nodes with at least this many pairs.
    fn with_pairs(&self, at_least: usize) -> f64 {
        self.one_all.counts[at_least..4].iter().sum::<u64>() as f64 / self.nodes()
    }

    fn pairs_at_the_start(&self) -> u32 {
        (self.one_first.bound - self.distance_first.bound) / 2
    }
}

pub(super) fn report(setting: &Setting<'_>, results: &Results) -> Report {
    let boards: Vec<Board> = boards(setting).into_iter().map(Board::new).collect();
    let found: Vec<Found<'_>> = boards
        .iter()
        .map(|board| Found {
            id: board.korf.id,
            distance_first: results.of(&board.distance_first),
            distance_all: results.of(&board.distance_all),
            pairs_first: results.of(&board.pairs_first),
            pairs_all: results.of(&board.pairs_all),
            one_first: results.of(&board.one_first),
            one_all: results.of(&board.one_all),
        })
        .collect();
    let mut words = vec![
        "IDA* on Korf's hundred boards, once with the Manhattan distance (MD) and once with pairs added to it (MPD). Two tiles in \
         the line where they belong, but in the wrong order, are a pair: one has to leave and come back, two more moves. Savings are \
         1 − nodes(MPD) / nodes(MD), board by board."
            .to_owned(),
    ];
    words.extend(setting.quick.then(|| QUICK.to_owned()));
    Report {
        paper: Paper::Bauer,
        words,
        plots: plots(&found),
        tables: vec![savings(&found), at_the_start(), with_pairs(&found), times(&found), every_board(&found)],
    }
}

fn percent_axis(label: &str) -> Axis {
    Axis::linear(label).with_range(0.0, 100.0)
}

fn plots(found: &[Found<'_>]) -> Vec<Plot> {
    let subtitle = |text: &str| Some(format!("{text}; {} of Korf's boards", found.len()));
    let ranked = |values: Vec<f64>| -> Vec<(f64, f64)> {
        values.into_iter().zip(1u32..).map(|(value, rank)| (f64::from(rank), value * 100.0)).collect()
    };
    let sorted = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        ranked(values)
    };
    let figure4 = Chart {
        title: "Nodes saved by pairs, boards in order of savings".into(),
        subtitle: subtitle("Figure 4 of the paper"),
        x: Axis::linear("boards, least savings first"),
        y: percent_axis("nodes saved, %"),
        series: vec![
            Series::new("all solutions", Style::Points, sorted(found.iter().map(Found::saved_all).collect())),
            Series::new("first solution", Style::Line, sorted(found.iter().map(Found::saved_first).collect())),
        ],
    };
    let by_size = found.iter().map(|board| (board.distance_all.generated as f64, board.saved_all() * 100.0));
    let figure5 = Chart {
        title: "Nodes saved by pairs, and the size of the problem".into(),
        subtitle: subtitle("Figure 5 of the paper: all solutions"),
        x: Axis::log10("nodes with the Manhattan distance"),
        y: percent_axis("nodes saved, %"),
        series: vec![Series::new("board", Style::Points, by_size)],
    };
    let mut by_pairs: Vec<&Found<'_>> = found.iter().collect();
    by_pairs.sort_by(|a, b| a.with_pairs(1).total_cmp(&b.with_pairs(1)));
    let figure6 = Chart {
        title: "Pairs and savings".into(),
        subtitle: subtitle("Figure 6 of the paper: all solutions"),
        x: Axis::linear("boards, fewest nodes with pairs first"),
        y: percent_axis("%"),
        series: vec![
            Series::new("nodes saved", Style::Points, ranked(by_pairs.iter().map(|board| board.saved_all()).collect())),
            Series::new(
                "nodes with at least one pair",
                Style::Line,
                ranked(by_pairs.iter().map(|board| board.with_pairs(1)).collect()),
            ),
        ],
    };
    let time_saved = |board: &Found<'_>| 1.0 - board.pairs_all.seconds / board.distance_all.seconds;
    let time = Chart {
        title: "Time saved by pairs, and nodes saved".into(),
        subtitle: subtitle("All solutions; times vary"),
        x: Axis::linear("nodes saved, %"),
        y: Axis::linear("time saved, %"),
        series: vec![Series::new(
            "board",
            Style::Points,
            found.iter().map(|board| (board.saved_all() * 100.0, time_saved(board) * 100.0)),
        )],
    };
    vec![
        Plot::chart("figure-4-savings", figure4),
        Plot::chart("figure-5-savings-by-size", figure5),
        Plot::chart("figure-6-pairs-and-savings", figure6),
        Plot::chart("time-saved", time),
    ]
}

/// The board with the least savings or, with the sign −1, the greatest.
fn board_with_least<'f>(found: &'f [Found<'f>], saved: impl Fn(&Found<'_>) -> f64, sign: f64) -> &'f Found<'f> {
    let key = |board: &&Found<'_>| saved(board) * sign;
    found.iter().min_by(|a, b| key(a).total_cmp(&key(b))).expect("there are boards")
}

/// The savings of a board.
type Saved = fn(&Found<'_>) -> f64;

/// Savings over all boards, given the nodes of each with pairs and without: least, greatest, mean, standard deviation, and of
/// all nodes together.
fn summary(found: &[Found<'_>], nodes: fn(&Found<'_>) -> [u64; 2]) -> [f64; 5] {
    let saved = |[with, without]: [u64; 2]| 1.0 - with as f64 / without as f64;
    let each: Vec<f64> = found.iter().map(|board| saved(nodes(board))).collect();
    let average = mean(each.iter().copied());
    let total = found.iter().map(nodes).fold([0, 0], |[a, b], [with, without]| [a + with, b + without]);
    [
        each.iter().copied().fold(f64::INFINITY, f64::min),
        each.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        average,
        deviation(&each, average),
        saved(total),
    ]
}

/// The standard deviation of a sample with this mean.
fn deviation(sample: &[f64], mean: f64) -> f64 {
    let squares: f64 = sample.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (sample.len() as f64 - 1.0)).sqrt()
}

fn savings(found: &[Found<'_>]) -> Table {
    let columns = [Column::new("case"), Column::new("nodes saved")].into_iter().chain(Column::compared(""));
    let columns = columns.chain([Column::new("by Definition 4")]);
    let mut table = Table::new("savings", "Nodes saved by pairs", columns);
    for published in [&ALL_SOLUTIONS, &FIRST_SOLUTION] {
        let (saved, here, by_definition): (Saved, _, _) = if published.total.is_some() {
            (
                |board| board.saved_all(),
                summary(found, |board| [board.one_all.generated, board.distance_all.generated]),
                summary(found, |board| [board.pairs_all.generated, board.distance_all.generated]),
            )
        } else {
            (
                |board| board.saved_first(),
                summary(found, |board| [board.one_first.generated, board.distance_first.generated]),
                summary(found, |board| [board.pairs_first.generated, board.distance_first.generated]),
            )
        };
        let [least, greatest] = [1.0, -1.0].map(|sign| board_with_least(found, saved, sign).id);
        let names = [
            format!("least (paper: board {}, here: {least})", problem(LEAST).id),
            format!("greatest (paper: board {}, here: {greatest})", problem(GREATEST).id),
            "mean over the boards".to_owned(),
            "standard deviation".to_owned(),
            "of all nodes together".to_owned(),
        ];
        let paper = [
            Some(published.least),
            Some(published.greatest),
            Some(published.mean),
            Some(published.deviation),
            published.total,
        ];
        for (row, name) in names.into_iter().enumerate() {
            let paper = paper[row].map_or(Cell::Missing, |percent| Cell::Percent(percent / 100.0, 2));
            let cells = [Cell::text(published.case), Cell::text(name)];
            let cells = cells.into_iter().chain(compared(paper, Cell::Percent(here[row], 2)));
            table.row(cells.chain([Cell::Percent(by_definition[row], 2)]));
        }
    }
    table.note(
        "Here: one partner for each tile, rows and columns together, as in the paper's program, which keeps partners in one array and \
         does \"not consider multiple pair relations of one tile\". Its Definition 4, in the last column, lets a tile have one in its \
         row and another in its column.",
    );
    table.note(
        "Which partner a tile takes when several suit, and whether rows come before columns, is not said. Here it is the first from the \
         left, then from the top, which gives the pairs that the paper names beside figure 3a.",
    );
    table.note(format!(
        "The paper gives the least savings to problem {LEAST} and the greatest to problem {GREATEST}. Those are not Korf's numbers: in \
         the order of the nodes that the first solution takes, the {LEAST}rd board is Korf's {}, and the {GREATEST}th is {}.",
        problem(LEAST).id,
        problem(GREATEST).id
    ));
    table.note(
        "What the paper calls mean deviation is the standard deviation of a sample, in points of a percent. The first solution depends \
         on the order in which moves are tried, which the paper does not say.",
    );
    table
}

/// How many pairs each of the hundred boards has at the start, without a search: with one partner, and by Definition 4.
fn pairs_at_the_start() -> Vec<[u32; 2]> {
    let boards = korf15();
    let frame = Frame::new(&GOAL.board(boards[0].board.size()).expect("it has this goal"));
    let heuristic = |name| AnyListed::new(name, frame.size(), frame.home()).expect("it suits every board");
    let (distance, pairs) = (heuristic("manhattan"), heuristic("pair-distance"));
    let one = OnePartner::new(frame.size(), frame.home()).expect("it suits 4×4");
    let states = boards.iter().map(|korf| frame.state(&korf.board).expect("Korf's boards can be solved"));
    states
        .map(|state| {
            let distance = bound(&distance, &state);
            [bound(&one, &state), bound(&pairs, &state)].map(|bound| (bound - distance) / 2)
        })
        .collect()
}

fn bound<H: Heuristic>(heuristic: &H, state: &State) -> u32 {
    heuristic.root(state).map_or(0, |node| heuristic.cost(&node))
}

fn at_the_start() -> Table {
    let columns = [Column::new("pairs at the start")].into_iter().chain(Column::compared("boards"));
    let columns = columns.chain([Column::new("by Definition 4").of("boards")]);
    let mut table = Table::new("pairs-at-the-start", "Pairs at the start, all hundred boards", columns);
    let boards = pairs_at_the_start();
    let most = boards.iter().flatten().copied().max().unwrap_or(0).max(3);
    for pairs in 0..=most {
        let paper = PAIRS_AT_THE_START.get(pairs as usize).map_or(Cell::Count(0), |&boards| Cell::Count(boards));
        let [one, by_definition] =
            [0, 1].map(|rule: usize| Cell::Count(boards.iter().filter(|found| found[rule] == pairs).count() as u64));
        table.row([Cell::Count(pairs.into())].into_iter().chain(compared(paper, one)).chain([by_definition]));
    }
    table.note("With one partner for each tile the paper's numbers come out exactly. By Definition 4 board 64 has two pairs that share a tile.");
    table
}

fn with_pairs(found: &[Found<'_>]) -> Table {
    let columns = [Column::new("share of nodes")].into_iter().chain(Column::compared(""));
    let mut table = Table::new("nodes-with-pairs", "Nodes with pairs", columns);
    let mut row = |what: &str, paper: Option<f64>, here: f64| {
        let paper = paper.map_or(Cell::Missing, |share| Cell::Percent(share, 2));
        table.row([Cell::text(what)].into_iter().chain(compared(paper, Cell::Percent(here, 2))));
    };
    let shares = || found.iter().map(|board| board.with_pairs(1));
    let [average, least, most] = NODES_WITH_PAIRS;
    row("with at least one pair, mean over the boards", Some(average), mean(shares()));
    row("the same, board with the fewest", Some(least), shares().fold(f64::INFINITY, f64::min));
    row("the same, board with the most", Some(most), shares().fold(0.0, f64::max));
    row("with two or more pairs, mean over the boards", None, mean(found.iter().map(|board| board.with_pairs(2))));
    row("with three or more pairs, mean over the boards", None, mean(found.iter().map(|board| board.with_pairs(3))));
    row(
        "new pairs a node (paper: every 11th)",
        Some(1.0 / 11.0),
        mean(found.iter().map(|board| board.one_all.counts[4] as f64 / board.nodes())),
    );
    table.note(
        "Counted in searches with pairs for all solutions. The paper does not say in which of its four searches it counted, nor \
         whether nodes over the bound count; here every generated node does.",
    );
    table.note(
        "The paper says that about 8 % of the nodes have more than one pair, and in the next sentence that two or more pairs appear \
         in at most 1 %. Both cannot be meant; no number is set beside ours for it.",
    );
    table
}

fn times(found: &[Found<'_>]) -> Table {
    let [paper, here, ratio] = Column::compared("");
    let columns = [Column::new("time saved"), paper, here.varying(), ratio.varying()];
    let mut table = Table::new("time-saved", "Time saved by pairs", columns);
    let seconds = |what: fn(&Found<'_>) -> f64| found.iter().map(what).sum::<f64>();
    let first = 1.0 - seconds(|board| board.pairs_first.seconds) / seconds(|board| board.distance_first.seconds);
    let all = 1.0 - seconds(|board| board.pairs_all.seconds) / seconds(|board| board.distance_all.seconds);
    for (what, here) in [("first solution, all boards together", first), ("all solutions, all boards together", all)] {
        let cells = compared(Cell::Percent(TIME_SAVED, 0), Cell::Percent(here, 1));
        table.row([Cell::text(what)].into_iter().chain(cells));
    }
    table.note(
        "Taken with the faster program for Definition 4. Pairs cost time at every node: a machine, and a program, that is fast with the Manhattan distance alone saves less. The \
         paper says \"a 50 % CPU time reduction\" for its own.",
    );
    table
}

fn every_board(found: &[Found<'_>]) -> Table {
    let group = |group: &str, names: [&str; 3]| names.map(|name| Column::new(name).of(group));
    let columns =
        [Column::new("board"), Column::new("moves"), Column::new("solutions"), Column::new("pairs at the start")]
            .into_iter()
            .chain(group("all solutions", ["MD", "MPD", "saved"]))
            .chain(group("first solution", ["MD", "MPD", "saved"]))
            .chain([Column::new("nodes with pairs")]);
    let mut table = Table::new("boards", "Every board", columns);
    for board in found {
        table.row([
            Cell::Count(board.id.into()),
            board.distance_first.length.map_or(Cell::Missing, |length| Cell::Count(length.into())),
            Cell::Count(board.distance_all.solutions),
            Cell::Count(board.pairs_at_the_start().into()),
            Cell::Count(board.distance_all.generated),
            Cell::Count(board.one_all.generated),
            Cell::Percent(board.saved_all(), 2),
            Cell::Count(board.distance_first.generated),
            Cell::Count(board.one_first.generated),
            Cell::Percent(board.saved_first(), 2),
            Cell::Percent(board.with_pairs(1), 2),
        ]);
    }
    table
}
