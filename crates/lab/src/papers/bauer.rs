//! Bauer 1994: how many nodes pairs of tiles save.

use tilebase::Search;
use tilebase::heuristics::{AnyListed, Heuristic};
use tilebase::puzzle::known::{KnownBoard, korf15};
use tilebase::puzzle::{Frame, State};
use tilebase::solve::{Ida, Wanted};
use tilebase_plot::{Axis, Series, Style};

use super::{About, GOAL, Paper, Setting, by_nodes, goal, mean};
use crate::pairs::OnePartner;
use crate::report::{Plot, Report};
use crate::results::Results;
use crate::run::{Done, How, Run};
use crate::table::{Cell, Table};

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

/// The two cases of the paper, and the percentages that it says were saved in each: least, greatest, mean, standard deviation, and of
/// all nodes together.
const CASES: [(&str, [Option<f64>; 5]); 2] = [
    ("first solution", [Some(56.29), Some(96.52), Some(82.05), Some(9.02), None]),
    ("all solutions", [Some(55.45), Some(96.42), Some(82.12), Some(8.99), Some(88.12)]),
];

/// Their places.
const FIRST: usize = 0;
const ALL: usize = 1;

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

const TIME_SAVED: f64 = 0.5;

fn boards(setting: &Setting<'_>) -> Vec<KnownBoard> {
    if !setting.quick {
        return korf15();
    }
    by_nodes().into_iter().take(QUICK_BOARDS).chain([LEAST, GREATEST].map(problem)).collect()
}

/// The searches of a board for both cases: by the Manhattan distance, by Definition 4, and with one partner as in the paper's
/// program.
fn searches(korf: KnownBoard) -> [[Run; 2]; 3] {
    let bounds = [
        (How::Listed("manhattan"), 1.0),
        (How::Listed("pair-distance"), LEFT_BY_PAIRS),
        (How::OnePartner, LEFT_BY_PAIRS),
    ];
    bounds.map(|(how, share)| {
        let run =
            |share: f64| Run::new(korf.board, GOAL, how, Search::Ida(Ida::PLAIN), (korf.nodes as f64 * share) as u64);
        [run(share), Run { wanted: Wanted::Count, ..run(ALL_TO_FIRST * share) }]
    })
}

pub(super) fn runs(setting: &Setting<'_>) -> Vec<Run> {
    boards(setting).into_iter().flat_map(searches).flatten().collect()
}

/// What came of the searches of a board, each for both cases.
struct Found<'a> {
    id: u32,
    distance: [&'a Done; 2],
    pairs: [&'a Done; 2],
    one: [&'a Done; 2],
}

impl Found<'_> {
    fn saved(&self, case: usize) -> f64 {
        1.0 - self.one[case].generated as f64 / self.distance[case].generated as f64
    }

    fn nodes(&self) -> f64 {
        self.one[ALL].counts[..4].iter().sum::<u64>() as f64
    }

    /// The share of nodes with at least this many pairs.
    fn with_pairs(&self, at_least: usize) -> f64 {
        self.one[ALL].counts[at_least..4].iter().sum::<u64>() as f64 / self.nodes()
    }
}

pub(super) fn report(setting: &Setting<'_>, results: &Results) -> Report {
    let find = |korf: KnownBoard| {
        let [distance, pairs, one] = searches(korf).map(|both| both.map(|run| results.of(&run)));
        Found { id: korf.id, distance, pairs, one }
    };
    let found: Vec<Found<'_>> = boards(setting).into_iter().map(find).collect();
    let words = setting.words(
        "IDA* on Korf's hundred boards, once with the Manhattan distance (MD) and once with pairs added to it (MPD). Two tiles in \
         the line where they belong, but in the wrong order, are a pair: one has to leave and come back, two more moves. Savings are \
         1 − nodes(MPD) / nodes(MD), board by board.",
    );
    Report {
        paper: Paper::Bauer,
        words,
        plots: plots(&found),
        tables: vec![savings(&found), at_the_start(), with_pairs(&found), times(&found), every_board(&found)],
    }
}

fn plots(found: &[Found<'_>]) -> Vec<Plot> {
    let subtitle = |text: &str| format!("{text}; {} of Korf's boards", found.len());
    let percent_axis = |label: &str| Axis::linear(label).with_range(0.0, 100.0);
    let ranked = |name: &str, style, shares: Vec<f64>| {
        Series::new(name, style, shares.into_iter().zip(1u32..).map(|(share, rank)| (f64::from(rank), share * 100.0)))
    };
    let sorted = |case: usize, style| {
        let mut shares: Vec<f64> = found.iter().map(|board| board.saved(case)).collect();
        shares.sort_by(f64::total_cmp);
        ranked(CASES[case].0, style, shares)
    };
    let mut by_pairs: Vec<&Found<'_>> = found.iter().collect();
    by_pairs.sort_by(|a, b| a.with_pairs(1).total_cmp(&b.with_pairs(1)));
    let saved = by_pairs.iter().map(|board| board.saved(ALL)).collect();
    let with_pairs = by_pairs.iter().map(|board| board.with_pairs(1)).collect();
    let by_size = found.iter().map(|board| (board.distance[ALL].generated as f64, board.saved(ALL) * 100.0));
    let time_saved = |board: &Found<'_>| 1.0 - board.pairs[ALL].seconds / board.distance[ALL].seconds;
    let times = found.iter().map(|board| (board.saved(ALL) * 100.0, time_saved(board) * 100.0));
    vec![
        Plot::chart(
            "figure-4-savings",
            ("Nodes saved by pairs, boards in order of savings", subtitle("Figure 4 of the paper")),
            [Axis::linear("boards, least savings first"), percent_axis("nodes saved, %")],
            [sorted(ALL, Style::Points), sorted(FIRST, Style::Line)],
        ),
        Plot::chart(
            "figure-5-savings-by-size",
            ("Nodes saved by pairs, and the size of the problem", subtitle("Figure 5 of the paper: all solutions")),
            [Axis::log10("nodes with the Manhattan distance"), percent_axis("nodes saved, %")],
            [Series::new("board", Style::Points, by_size)],
        ),
        Plot::chart(
            "figure-6-pairs-and-savings",
            ("Pairs and savings", subtitle("Figure 6 of the paper: all solutions")),
            [Axis::linear("boards, fewest nodes with pairs first"), percent_axis("%")],
            [
                ranked("nodes saved", Style::Points, saved),
                ranked("nodes with at least one pair", Style::Line, with_pairs),
            ],
        ),
        Plot::chart(
            "time-saved",
            ("Time saved by pairs, and nodes saved", subtitle("All solutions; times vary")),
            [Axis::linear("nodes saved, %"), Axis::linear("time saved, %")],
            [Series::new("board", Style::Points, times)],
        ),
    ]
}

/// Savings over all boards, given the nodes of each with pairs and without: least, greatest, mean, standard deviation, and of
/// all nodes together.
fn summary(nodes: &[[u64; 2]]) -> [f64; 5] {
    let saved = |&[with, without]: &[u64; 2]| 1.0 - with as f64 / without as f64;
    let each: Vec<f64> = nodes.iter().map(saved).collect();
    let average = mean(each.iter().copied());
    let squares: f64 = each.iter().map(|value| (value - average).powi(2)).sum();
    [
        each.iter().copied().fold(f64::INFINITY, f64::min),
        each.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        average,
        (squares / (each.len() as f64 - 1.0)).sqrt(),
        saved(&[0, 1].map(|which| nodes.iter().map(|nodes| nodes[which]).sum())),
    ]
}

fn savings(found: &[Found<'_>]) -> Table {
    let mut rows = Vec::new();
    for case in [ALL, FIRST] {
        let nodes = |with: &dyn Fn(&Found<'_>) -> u64| {
            summary(&found.iter().map(|board| [with(board), board.distance[case].generated]).collect::<Vec<_>>())
        };
        let here = nodes(&|board| board.one[case].generated);
        let by_definition = nodes(&|board| board.pairs[case].generated);
        let [least, greatest] = [1.0, -1.0].map(|sign| {
            let key = |board: &&Found<'_>| board.saved(case) * sign;
            found.iter().min_by(|a, b| key(a).total_cmp(&key(b))).expect("there are boards").id
        });
        let names = [
            format!("least (paper: board {}, here: {least})", problem(LEAST).id),
            format!("greatest (paper: board {}, here: {greatest})", problem(GREATEST).id),
            "mean over the boards".to_owned(),
            "standard deviation".to_owned(),
            "of all nodes together".to_owned(),
        ];
        let (case, paper) = CASES[case];
        rows.extend((0..).zip(names).map(|(row, name)| (case, name, paper[row], here[row], by_definition[row])));
    }
    Table::of("savings", "Nodes saved by pairs", &rows)
        .column("case", |row| row.0)
        .column("nodes saved", |row| row.1.clone())
        .compared("", |row| (row.2.map(|percent| Cell::Percent(percent / 100.0, 2)), Cell::Percent(row.3, 2)))
        .column("by Definition 4", |row| Cell::Percent(row.4, 2))
        .notes([
            "Here: one partner for each tile, rows and columns together, as in the paper's program, which keeps partners in one array and \
             does \"not consider multiple pair relations of one tile\". Its Definition 4, in the last column, lets a tile have one in its \
             row and another in its column.",
            "Which partner a tile takes when several suit, and whether rows come before columns, is not said. Here it is the first from \
             the left, then from the top, which gives the pairs that the paper names beside figure 3a.",
        ])
        .note(format!(
            "The paper gives the least savings to problem {LEAST} and the greatest to problem {GREATEST}. Those are not Korf's numbers: \
             in the order of the nodes that the first solution takes, the {LEAST}rd board is Korf's {}, and the {GREATEST}th is {}.",
            problem(LEAST).id,
            problem(GREATEST).id
        ))
        .note(
            "What the paper calls mean deviation is the standard deviation of a sample, in points of a percent. The first solution \
             depends on the order in which moves are tried, which the paper does not say.",
        )
        .table
}

/// How many pairs each of the hundred boards has at the start, without a search: with one partner, and by Definition 4.
fn pairs_at_the_start() -> Vec<[u32; 2]> {
    let frame = Frame::new(&goal(&GOAL, 4));
    let heuristic = |name| AnyListed::new(name, frame.size(), frame.home()).expect("it suits every board");
    let (distance, pairs) = (heuristic("manhattan"), heuristic("pair-distance"));
    let one = OnePartner::new(frame.size(), frame.home()).expect("it suits 4×4");
    let of_board = |korf: KnownBoard| {
        let state = frame.state(&korf.board).expect("Korf's boards can be solved");
        let distance = bound(&distance, &state);
        [bound(&one, &state), bound(&pairs, &state)].map(|bound| (bound - distance) / 2)
    };
    korf15().into_iter().map(of_board).collect()
}

fn bound<H: Heuristic>(heuristic: &H, state: &State) -> u32 {
    heuristic.root(state).map_or(0, |node| heuristic.cost(&node))
}

fn at_the_start() -> Table {
    let boards = pairs_at_the_start();
    let most = boards.iter().flatten().copied().max().unwrap_or(0).max(3);
    let rows: Vec<u32> = (0..=most).collect();
    let count = |pairs: u32, rule: usize| Cell::from(boards.iter().filter(|found| found[rule] == pairs).count());
    Table::of("pairs-at-the-start", "Pairs at the start, all hundred boards", &rows)
        .column("pairs at the start", |&pairs| pairs)
        .compared("boards", |&pairs| (PAIRS_AT_THE_START.get(pairs as usize).copied().unwrap_or(0), count(pairs, 0)))
        .column("boards: by Definition 4", |&pairs| count(pairs, 1))
        .note("With one partner for each tile the paper's numbers come out exactly. By Definition 4 board 64 has two pairs that share a tile.")
        .table
}

fn with_pairs(found: &[Found<'_>]) -> Table {
    let shares = |at_least: usize| found.iter().map(move |board| board.with_pairs(at_least));
    let [average, least, most] = NODES_WITH_PAIRS.map(Some);
    let new = found.iter().map(|board| board.one[ALL].counts[4] as f64 / board.nodes());
    let rows = [
        ("with at least one pair, mean over the boards", average, mean(shares(1))),
        ("the same, board with the fewest", least, shares(1).fold(f64::INFINITY, f64::min)),
        ("the same, board with the most", most, shares(1).fold(0.0, f64::max)),
        ("with two or more pairs, mean over the boards", None, mean(shares(2))),
        ("with three or more pairs, mean over the boards", None, mean(shares(3))),
        ("new pairs a node (paper: every 11th)", Some(1.0 / 11.0), mean(new)),
    ];
    Table::of("nodes-with-pairs", "Nodes with pairs", &rows)
        .column("share of nodes", |row| row.0)
        .compared("", |row| (row.1.map(|share| Cell::Percent(share, 2)), Cell::Percent(row.2, 2)))
        .notes([
            "Counted in searches with pairs for all solutions. The paper does not say in which of its four searches it counted, nor \
             whether nodes over the bound count; here every generated node does.",
            "The paper says that about 8 % of the nodes have more than one pair, and in the next sentence that two or more pairs appear \
             in at most 1 %. Both cannot be meant; no number is set beside ours for it.",
        ])
        .table
}

fn times(found: &[Found<'_>]) -> Table {
    let saved = |case: usize| {
        let seconds = |of: fn(&Found<'_>) -> [f64; 2]| found.iter().map(|board| of(board)[case]).sum::<f64>();
        1.0 - seconds(|board| board.pairs.map(|done| done.seconds))
            / seconds(|board| board.distance.map(|done| done.seconds))
    };
    Table::of("time-saved", "Time saved by pairs", &[FIRST, ALL])
        .column("time saved", |&case| format!("{}, all boards together", CASES[case].0))
        .compared(" †", |&case| (Cell::Percent(TIME_SAVED, 0), Cell::Percent(saved(case), 1)))
        .note(
            "Taken with the faster program for Definition 4. Pairs cost time at every node: a machine, and a program, that is fast with \
             the Manhattan distance alone saves less. The paper says \"a 50 % CPU time reduction\" for its own.",
        )
        .table
}

fn every_board(found: &[Found<'_>]) -> Table {
    let mut table = Table::of("boards", "Every board", found)
        .column("board", |board| board.id)
        .column("moves", |board| board.distance[FIRST].length)
        .column("solutions", |board| board.distance[ALL].solutions)
        .column("pairs at the start", |board| (board.one[FIRST].bound - board.distance[FIRST].bound) / 2);
    for case in [ALL, FIRST] {
        let name = CASES[case].0;
        table = table
            .column(&format!("{name}: MD"), |board| board.distance[case].generated)
            .column(&format!("{name}: MPD"), |board| board.one[case].generated)
            .column(&format!("{name}: saved"), |board| Cell::Percent(board.saved(case), 2));
    }
    table.column("nodes with pairs", |board| Cell::Percent(board.with_pairs(1), 2)).table
}
