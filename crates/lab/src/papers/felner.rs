//! Felner, Korf & Hanan 2004: additive pattern databases on a thousand random boards.

use std::collections::BTreeSet;

use tilebase::Search;
use tilebase::heuristics::{AnyListed, Heuristic};
use tilebase::puzzle::known::korf15;
use tilebase::puzzle::{Board, Frame, Random};
use tilebase::solve::Ida;
use tilebase_plot::{Axis, Series, Style};

use super::{About, GOAL, Paper, Setting, by_nodes, generated, goal, mean, mean_of, seconds};
use crate::error::LabError;
use crate::report::{Plot, Report};
use crate::results::Results;
use crate::run::{Done, How, Run, Tables};
use crate::table::{Cell, Table};

pub(super) const ABOUT: About = About {
    name: "felner",
    title: "Additive pattern databases",
    reference: "Ariel Felner, Richard E. Korf & Sarit Hanan, Additive Pattern Database Heuristics, Journal of Artificial \
                Intelligence Research 22 (2004)",
};

const BOARDS: usize = 1000;
const QUICK_BOARDS: usize = 10;

/// Which boards.
const SEED: u64 = 1;

/// Boards of Korf's that the Manhattan distance is searched with: a thousand random ones take 4·10¹¹ nodes.
const QUICK_KORF: usize = 8;

/// The paper's row for it: mean bound, nodes, seconds, thousands of bytes.
struct Published {
    bound: f64,
    nodes: u64,
    seconds: Option<f64>,
    kilobytes: u64,
}

fn published(name: &str) -> Option<Published> {
    let line = include_str!("../../data/felner2004.tsv").lines().find(|line| line.split('\t').next() == Some(name))?;
    let cells: Vec<&str> = line.split('\t').collect();
    Some(Published {
        bound: cells[1].parse().ok()?,
        nodes: cells[2].parse().ok()?,
        seconds: cells[3].parse().ok(),
        kilobytes: cells[4].parse().ok()?,
    })
}

/// A row: its name, the paper's name for it if it has one, its bounds and search, whether Korf's boards are searched instead of random
/// ones, and the nodes to expect.
struct Row {
    name: &'static str,
    of_paper: Option<&'static str>,
    how: How,
    search: Search,
    korf: bool,
    expected: u64,
}

fn rows(setting: &Setting<'_>) -> Vec<Row> {
    let row = |name, how, expected| Row {
        name,
        of_paper: Some(name),
        how,
        search: Search::Ida(Ida::PLAIN),
        korf: false,
        expected,
    };
    let classic = |name, tables, expected| row(name, How::Tables(tables), expected);
    let ours = |name, catalogue, ida, expected| Row {
        of_paper: None,
        search: Search::Ida(ida),
        ..row(name, How::Tables(Tables::blank_aware(catalogue)), expected)
    };
    let mut rows = vec![
        Row { korf: true, ..row("manhattan", How::Listed("manhattan"), 400_000_000) },
        Row { korf: setting.quick, ..row("linear-conflict", How::Listed("linear-conflict"), 40_000_000) },
        classic("5-5-5", Tables::classic("5-5-5"), 3_000_000),
        // With the reflection the paper's numbers for it come out, and without it they do not.
        Row { of_paper: Some("6-6-3"), ..classic("6-6-3 + reflection", Tables::classic_reflected("6-6-3"), 600_000) },
        classic("7-8", Tables::classic("7-8"), 136_000),
        classic("7-8 + reflection", Tables::classic_reflected("7-8"), 37_000),
        Row { of_paper: None, ..classic("5-5-5 + reflection", Tables::classic_reflected("5-5-5"), 1_500_000) },
        Row { of_paper: None, ..classic("6-6-3", Tables::classic("6-6-3"), 1_800_000) },
        ours("5-5-5, blank-aware + reflection", "5-5-5", Ida::PLAIN, 900_000),
        ours("6-6-3, blank-aware + reflection", "6-6-3", Ida::PLAIN, 300_000),
        ours("7-8, blank-aware + reflection", "7-8", Ida::PLAIN, 20_000),
        ours("5-5-5, the same with the automaton", "5-5-5", Ida::FAST, 500_000),
        ours("6-6-3, the same with the automaton", "6-6-3", Ida::FAST, 220_000),
        ours("7-8, the same with the automaton", "7-8", Ida::FAST, 16_000),
    ];
    rows.retain(|row| setting.offers(row.how));
    rows
}

fn random_boards(setting: &Setting<'_>) -> Vec<Board> {
    let mut random = Random::new(SEED);
    let count = if setting.quick { QUICK_BOARDS } else { BOARDS };
    (0..count).map(|_| random.solvable_board(&goal(&GOAL, 4))).collect()
}

fn runs_of(setting: &Setting<'_>, row: &Row) -> Vec<Run> {
    let run = |board: Board, nodes| Run::new(board, GOAL, row.how, row.search, nodes);
    if !row.korf {
        return random_boards(setting).into_iter().map(|board| run(board, row.expected)).collect();
    }
    let boards = if setting.quick { by_nodes().into_iter().take(QUICK_KORF).collect() } else { korf15() };
    boards.into_iter().map(|korf| run(korf.board, korf.nodes)).collect()
}

pub(super) fn runs(setting: &Setting<'_>) -> Vec<Run> {
    rows(setting).iter().flat_map(|row| runs_of(setting, row)).collect()
}

/// The mean bound of a heuristic of the list on the random boards, without a search.
fn mean_bound(setting: &Setting<'_>, heuristic: &str) -> f64 {
    let frame = Frame::new(&goal(&GOAL, 4));
    let heuristic = AnyListed::new(heuristic, frame.size(), frame.home()).expect("it suits every board");
    let bound = |board: Board| {
        let state = frame.state(&board).ok()?;
        Some(f64::from(heuristic.cost(&heuristic.root(&state)?)))
    };
    mean(random_boards(setting).into_iter().filter_map(bound))
}

/// What came of a row: its searches, the mean bound, the bytes of its tables, and what the paper has for it.
struct Found<'a> {
    row: Row,
    number: u32,
    done: Vec<&'a Done>,
    bound: f64,
    bytes: u64,
    paper: Option<Published>,
}

pub(super) fn report(setting: &Setting<'_>, results: &Results) -> Result<Report, LabError> {
    let find = |(number, row): (u32, Row)| {
        let done: Vec<&Done> = runs_of(setting, &row).iter().map(|run| results.of(run)).collect();
        let bound = match row.how {
            // On the random boards, whichever were searched.
            How::Listed(heuristic) => mean_bound(setting, heuristic),
            _ => mean_of(&done, |done| done.bound.into()),
        };
        let bytes = match row.how {
            How::Tables(tables) => setting.tables.get(tables)?.iter().map(|table| table.header().payload_len()).sum(),
            _ => 0,
        };
        Ok(Found { number, done, bound, bytes, paper: row.of_paper.and_then(published), row })
    };
    let found: Vec<Found<'_>> = (1..).zip(rows(setting)).map(find).collect::<Result<_, LabError>>()?;
    let words = setting.words(format!(
        "IDA* on {} boards drawn at random, each solvable one equally likely. The paper drew a thousand others. Tables are \
         looked up as in the paper first: one entry for each way the tiles can stand, whatever the blank does. The rows below are ours: \
         tables that know which part of the board the blank is in, and moves left out that lead where others lead.",
        random_boards(setting).len()
    ));
    Ok(Report {
        paper: Paper::Felner,
        words,
        plots: plots(&found),
        tables: vec![comparison(setting, &found), spread(&found)],
    })
}

fn comparison(setting: &Setting<'_>, found: &[Found<'_>]) -> Table {
    let paper = |of: &Found<'_>, cell: fn(&Published) -> Cell| of.paper.as_ref().map(cell);
    let boards = |of: &Found<'_>| format!("{}{}", of.done.len(), if of.row.korf { " of Korf's" } else { "" });
    Table::of("felner", "Additive pattern databases, 15-puzzle", found)
        .column("bounds", |of| format!("{}. {}", of.number, of.row.name))
        .column("boards", boards)
        .compared("mean bound", |of| (paper(of, |paper| Cell::Real(paper.bound, 3)), Cell::Real(of.bound, 3)))
        .compared("mean nodes generated", |of| {
            (paper(of, |paper| paper.nodes.into()), Cell::Count(mean_of(&of.done, generated).round() as u64))
        })
        .compared("time a board †", |of| {
            (paper(of, |paper| paper.seconds.map(Cell::Seconds).into()), Cell::Seconds(mean_of(&of.done, seconds)))
        })
        .compared("table bytes", |of| (paper(of, |paper| Cell::Count(paper.kilobytes * 1000)), of.bytes.into()))
        .notes([
            "Other boards than the paper's: nodes vary so much from board to board that the mean of a thousand is known to a few percent \
             only. Mean bounds are known much better.",
            if setting.quick {
                "Manhattan distance and linear conflict are searched with Korf's easiest boards here: nodes are not to be compared. Their \
                 mean bounds are those of the random boards."
            } else {
                "The Manhattan distance is searched with Korf's hundred boards, because a thousand take 4·10¹¹ nodes. They are random boards, \
                 too; its mean bound is that of the thousand."
            },
            "The paper's bytes are 16⁵ for a pattern of five tiles and 16⁶ for one of six, impossible placements included, and one for \
             each placement for seven and eight. Here it is half a byte for each placement or, blank-aware, a bit for each placement and \
             region of the blank. Both are lossless.",
            "The paper's row for 6-6-3 is set beside ours with the reflection. Only its numbers were at hand, which do not say so; but \
             with the reflection bound and nodes come out as for the other rows, and without it, below, they do not.",
            "Partitions are the catalogues of this program. The paper's drawings were not at hand; that its numbers come out speaks for \
             the same ones.",
        ])
        .table
}

fn spread(found: &[Found<'_>]) -> Table {
    let sorted = |of: &Found<'_>| {
        let mut nodes: Vec<f64> = of.done.iter().map(|done| generated(done)).collect();
        nodes.sort_by(f64::total_cmp);
        (of.row.name, mean(nodes.iter().copied()), nodes)
    };
    let rows: Vec<_> = found.iter().map(sorted).collect();
    let standard_error = |average: f64, nodes: &[f64]| {
        let variance = nodes.iter().map(|nodes| (nodes - average).powi(2)).sum::<f64>() / (nodes.len() as f64 - 1.0);
        (variance / nodes.len() as f64).sqrt()
    };
    Table::of("spread", "How nodes vary from board to board", &rows)
        .column("bounds", |row| row.0)
        .column("boards", |row| row.2.len())
        .column("median", |row| Cell::mean(row.2[row.2.len() / 2]))
        .column("mean", |row| Cell::mean(row.1))
        .column("standard error", |row| Cell::mean(standard_error(row.1, &row.2)))
        .column("largest", |row| Cell::mean(row.2[row.2.len() - 1]))
        .note("The standard error says how far the mean of another draw of as many boards may well be from this one.")
        .table
}

fn plots(found: &[Found<'_>]) -> Vec<Plot> {
    // Nodes by the moves of the solution, for boards that are the same in every row: the paper's rows, and the best of ours.
    let drawn = |row: &Row| !row.korf && (row.of_paper.is_some() || row.search == Search::Ida(Ida::FAST));
    let by_length = found.iter().filter(|of| drawn(&of.row)).map(|of| {
        let lengths: BTreeSet<u32> = of.done.iter().filter_map(|done| done.length).collect();
        let points = lengths.into_iter().map(|length| {
            let of_length = of.done.iter().filter(|done| done.length == Some(length));
            (f64::from(length), mean(of_length.map(|done| generated(done))))
        });
        Series::new(of.row.name, Style::Line, points)
    });
    let here = found.iter().map(|of| (f64::from(of.number), mean_of(&of.done, generated)));
    let paper = found.iter().filter_map(|of| Some((f64::from(of.number), of.paper.as_ref()?.nodes as f64)));
    vec![
        Plot::chart(
            "nodes",
            ("Nodes, row by row of the table", "Rows have the numbers of the table"),
            [Axis::linear("row of the table"), Axis::log10("mean nodes generated")],
            [Series::new("paper", Style::Bars, paper), Series::new("here", Style::Bars, here)],
        ),
        Plot::chart(
            "nodes-by-length",
            ("Nodes and length of the solution", "Mean nodes generated, by moves of a shortest solution"),
            [Axis::linear("moves"), Axis::log10("nodes generated")],
            by_length,
        ),
    ]
}
