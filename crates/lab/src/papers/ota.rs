//! Ota: A\* and IDA\* with pattern databases.

use tilebase::Search;
use tilebase::puzzle::known::KnownBoard;
use tilebase::solve::{Astar, Ida};
use tilebase_plot::{Axis, Series, Style};

use super::{About, GOAL, Paper, Setting, by_nodes, expanded, generated, mean, mean_of, seconds};
use crate::error::LabError;
use crate::report::{Plot, Report};
use crate::results::Results;
use crate::run::{Done, How, Run, Tables};
use crate::table::{Cell, Columns, Table};

pub(super) const ABOUT: About = About {
    name: "ota",
    title: "A* and IDA* with pattern databases",
    reference: "Matheus Jun Ota, Solving the 15-puzzle using Pattern Databases, University of New Hampshire",
};

const QUICK_BOARDS: usize = 4;

/// How many boards the paper solves, and the mean nodes of IDA\* with the Manhattan distance over them.
const PAPERS_BOARDS: usize = 10;
const PAPERS_MEAN: f64 = 12_995_448.5;

/// Bounds of the experiment, the last of which the paper could not build.
const HOWS: [How; 4] = [
    How::Listed("manhattan"),
    How::Tables(Tables::classic("5-5-5")),
    How::Tables(Tables::classic("6-6-3")),
    How::Tables(Tables::classic("7-8")),
];

const OURS: [How; 3] = [
    How::Tables(Tables::blank_aware("5-5-5")),
    How::Tables(Tables::blank_aware("6-6-3")),
    How::Tables(Tables::blank_aware("7-8")),
];

/// What the paper has for a search: seconds, expanded and generated, for each of the bounds that it has.
struct Published {
    search: Search,
    name: &'static str,
    file: &'static str,
    means: [[f64; 3]; 3],
}

const PUBLISHED: [Published; 2] = [
    Published {
        search: Search::Astar(Astar),
        name: "A*",
        file: "astar",
        means: [
            [12.154_277, 4_067_541.5, 7_518_747.2],
            [1.453_978, 212_166.9, 430_230.3],
            [5.809_331, 127_031.1, 250_090.3],
        ],
    },
    Published {
        search: Search::Ida(Ida::PLAIN),
        name: "IDA*",
        file: "ida",
        means: [
            [12.866_775, 12_995_446.2, 12_995_448.5],
            [1.990_139, 1_183_247.5, 1_183_253.7],
            [6.387_031, 911_386.5, 911_393.4],
        ],
    },
];

/// Seconds to load the tables.
const LOADING: [(&str, Option<f64>); 3] = [("5-5-5", Some(0.727_115)), ("6-6-3", Some(5.126_073)), ("7-8", None)];

/// A search, expected to take roughly some part of the nodes of IDA\* with the Manhattan distance.
fn run(korf: &KnownBoard, how: How, search: Search) -> Run {
    let share = match how {
        How::Tables(Tables { catalogue: "5-5-5", .. }) => 0.01,
        How::Tables(Tables { catalogue: "6-6-3", .. }) => 0.003,
        How::Tables(_) => 0.0005,
        _ => 1.0,
    };
    let share = if search == Search::Astar(Astar) { share * 0.15 } else { share };
    Run::new(korf.board, GOAL, how, search, (korf.nodes as f64 * share) as u64)
}

/// The ten boards: neighbours in the order of difficulty, with the mean that is nearest to the paper's.
fn ten() -> Vec<KnownBoard> {
    let boards = by_nodes();
    let away = |boards: &[KnownBoard]| (mean(boards.iter().map(|korf| korf.nodes as f64)) - PAPERS_MEAN).abs();
    let windows = boards.windows(PAPERS_BOARDS);
    windows.min_by(|a, b| away(a).total_cmp(&away(b))).expect("there are a hundred").to_vec()
}

/// The boards that are compared with the paper's, and all.
fn boards(setting: &Setting<'_>) -> (Vec<KnownBoard>, Vec<KnownBoard>) {
    if setting.quick { (by_nodes()[..QUICK_BOARDS].to_vec(), Vec::new()) } else { (ten(), by_nodes()) }
}

/// The bounds that there are tables for.
fn offered(setting: &Setting<'_>, hows: &[How]) -> Vec<How> {
    hows.iter().copied().filter(|&how| setting.offers(how)).collect()
}

pub(super) fn runs(setting: &Setting<'_>) -> Vec<Run> {
    let (ten, all) = boards(setting);
    let mut runs = Vec::new();
    for korf in ten.iter().chain(&all) {
        for how in offered(setting, &HOWS) {
            runs.extend(PUBLISHED.iter().map(|published| run(korf, how, published.search)));
        }
        runs.extend(offered(setting, &OURS).into_iter().map(|how| run(korf, how, Search::Ida(Ida::FAST))));
    }
    runs
}

pub(super) fn report(setting: &Setting<'_>, results: &Results) -> Result<Report, LabError> {
    let (ten, all) = boards(setting);
    let ids: Vec<String> = ten.iter().map(|korf| korf.id.to_string()).collect();
    let which = format!(
        "The paper solves \"10 random instances of Korf's test suite\" and does not say which. {} of Korf's boards stand for \
         them here: numbers {}.{}",
        ten.len(),
        ids.join(", "),
        if setting.quick {
            ""
        } else {
            " They are neighbours in the order of difficulty, and the mean of their nodes with IDA* and the Manhattan distance is \
             as near to the paper's as any such ten's."
        }
    );
    let mut tables: Vec<Table> =
        PUBLISHED.iter().map(|published| searched(setting, results, published, &ten, true)).collect();
    tables.push(loading(setting)?);
    let most = if all.is_empty() { &ten } else { &all };
    if !all.is_empty() {
        tables.extend(PUBLISHED.iter().map(|published| searched(setting, results, published, &all, false)));
    }
    tables.push(ours(setting, results, most));
    let mut plots = by_board(setting, results, most);
    let (histograms, facts) = histograms(setting)?;
    plots.extend(histograms);
    tables.push(facts);
    Ok(Report { paper: Paper::Ota, words: setting.words(which), plots, tables })
}

fn named(how: How) -> &'static str {
    if let How::Tables(Tables { catalogue, .. }) = how { catalogue } else { "MD" }
}

/// Tables 2 and 3 of the paper.
fn searched(
    setting: &Setting<'_>,
    results: &Results,
    published: &Published,
    boards: &[KnownBoard],
    is_compared: bool,
) -> Table {
    let Published { search, name, file, means } = published;
    let is_astar = *search == Search::Astar(Astar);
    let (title, which) = if is_compared {
        let number = if is_astar { 2 } else { 3 };
        (format!("{name}, {} boards (table {number} of the paper)", boards.len()), "ten")
    } else {
        (format!("{name}, all {} boards of Korf", boards.len()), "all")
    };
    let hows = offered(setting, &HOWS);
    let done_of =
        |&how: &How| -> Vec<&Done> { boards.iter().map(|korf| results.of(&run(korf, how, *search))).collect() };
    let all: Vec<Vec<&Done>> = hows.iter().map(done_of).collect();
    // Only boards that every one of the bounds could solve are compared.
    let fits: Vec<bool> = (0..boards.len()).map(|board| all.iter().all(|done| done[board].is_solved())).collect();
    let rows: Vec<(usize, Vec<&Done>)> = all
        .iter()
        .map(|done| done.iter().zip(&fits).filter(|(_, fits)| **fits).map(|(done, _)| *done).collect())
        .enumerate()
        .collect();
    let paper = |bounds: usize| means.get(bounds).filter(|_| is_compared);
    let compare = |&(bounds, ref done): &(usize, Vec<&Done>), which: usize, what: fn(&Done) -> f64| {
        (paper(bounds).map(|means| Cell::Real(means[which], 1)), Cell::Real(mean_of(done, what), 1))
    };
    let by_distance = mean_of(&rows[0].1, expanded);
    let reduction = |bounds: usize, expanded: f64, of: f64| (bounds > 0).then(|| Cell::Percent(1.0 - expanded / of, 1));
    let mut table = Table::of(&format!("{file}-{which}"), title, &rows).column("bounds", |row| named(hows[row.0]));
    if is_astar {
        let solved = |bounds: usize| all[bounds].iter().filter(|done| done.is_solved()).count();
        table = table.column("boards that fit", |row| format!("{} of {}", solved(row.0), boards.len()));
    }
    let table = table
        .compared("mean expanded", |row| compare(row, 1, expanded))
        .compared("mean generated", |row| compare(row, 2, generated))
        .compared("expanded, fewer than MD", |&(bounds, ref done)| {
            let of_paper = paper(bounds).and_then(|of| reduction(bounds, of[1], means[0][1]));
            (of_paper, reduction(bounds, mean_of(done, expanded), by_distance).into())
        })
        .compared("mean time †", |row| {
            (paper(row.0).map(|means| Cell::Seconds(means[0])), Cell::Seconds(mean_of(&row.1, seconds)))
        });
    notes(table, published, &fits, is_compared, hows.len() < HOWS.len())
}

/// The notes of such a table, each if it is true.
fn notes<R>(table: Columns<'_, R>, published: &Published, fits: &[bool], is_compared: bool, is_short: bool) -> Table {
    let missing = fits.iter().filter(|fits| !**fits).count();
    let is_astar = is_compared && published.search == Search::Astar(Astar);
    let is_ida = is_compared && !is_astar;
    let is_full = fits.len() == PAPERS_BOARDS;
    table
        .notes((missing > 0).then(|| {
            let all = fits.len();
            format!("{missing} of {all} boards did not fit into the memory with some of the bounds; means are over the others.")
        }))
        .notes(is_ida.then_some(
            "The paper's IDA* counts as many nodes expanded as generated; here a node is generated when it is looked at, and \
             expanded when it is within the bound and its successors are generated.",
        ))
        .notes((is_ida && is_full).then_some(
            "The boards were chosen by the nodes of IDA* with MD, so that its generated nodes agree with the paper's by \
             construction. By the tables they are easier than the paper's ten, which therefore are others.",
        ))
        .notes((is_ida && is_full).then_some(
            "In the paper 6-6-3 needs three quarters of the nodes of 5-5-5; here it is much the same over all hundred boards, \
             below. Felner, Korf & Hanan report a fifth, but seem to have looked at 6-6-3 through its reflection as well, and at \
             5-5-5 not: see tilebase lab felner.",
        ))
        .notes((is_astar && is_full).then_some(
            "Fewer nodes than in the paper by every bound: these boards agree with the paper's in the nodes of IDA* with MD only, \
             and how many of those nodes are the same states, which A* expands once, differs from board to board.",
        ))
        .notes(is_astar.then_some(
            "The paper's times include loading the tables into a hash table; ours are mapped files, and loading is in a table of \
             its own.",
        ))
        .note(
            "Tables as in the paper: one view, the least cost over all places of the blank. Its partitions are those of this \
             program's catalogues 5-5-5 and 6-6-3.",
        )
        .notes(is_short.then_some(
            "7-8 is left out: its tables are not here, and the quick lab does not build them (tilebase generate 7-8 --encoding both).",
        ))
        .table
}

/// Table 1 of the paper.
fn loading(setting: &Setting<'_>) -> Result<Table, LabError> {
    let mut rows = Vec::new();
    for (catalogue, paper) in LOADING {
        let tables = Tables::classic(catalogue);
        if setting.tables.offers(tables) {
            let bytes: u64 = setting.tables.get(tables)?.iter().map(|table| table.header().file_len()).sum();
            rows.push((catalogue, bytes, paper, setting.tables.time_loading(tables)?));
        }
    }
    Ok(Table::of("loading", "Loading the tables (table 1 of the paper)", &rows)
        .column("tables", |row| row.0)
        .column("bytes", |row| row.1)
        .compared("read from disk †", |row| (row.2.map(Cell::Seconds), Cell::Seconds(row.3.0)))
        .column("mapped †", |row| row.3.1.map(Cell::Seconds))
        .note("From the system's cache, best of three. The paper fills a hash table from its files; here an entry is found by its number.")
        .table)
}

/// What blank-aware, reflected tables and the move automaton add.
fn ours(setting: &Setting<'_>, results: &Results, boards: &[KnownBoard]) -> Table {
    let done = |how: How| boards.iter().map(|korf| results.of(&run(korf, how, Search::Ida(Ida::FAST)))).collect();
    let rows: Vec<(How, Vec<&Done>)> = offered(setting, &OURS).into_iter().map(|how| (how, done(how))).collect();
    let title = format!("Ours: blank-aware, reflected, with the move automaton; {} boards", boards.len());
    Table::of("ours", title, &rows)
        .column("bounds", |row| named(row.0))
        .column("mean generated", |row| Cell::mean(mean_of(&row.1, generated)))
        .column("mean expanded", |row| Cell::mean(mean_of(&row.1, expanded)))
        .column("mean time †", |row| Cell::Seconds(mean_of(&row.1, seconds)))
        .table
}

/// A picture for each search, because the curves of both would cross everywhere.
fn by_board(setting: &Setting<'_>, results: &Results, boards: &[KnownBoard]) -> Vec<Plot> {
    let plot = |published: &Published| {
        let series = offered(setting, &HOWS).into_iter().map(|how| {
            let solved = boards.iter().zip(1u32..).filter_map(|(korf, rank)| {
                let done = results.of(&run(korf, how, published.search));
                done.is_solved().then_some((f64::from(rank), expanded(done)))
            });
            Series::new(named(how), Style::Line, solved)
        });
        Plot::chart(
            format!("nodes-by-board-{}", published.file),
            (
                format!("{}: nodes expanded, board by board", published.name),
                format!("{} of Korf's boards", boards.len()),
            ),
            [Axis::linear("boards, easiest for IDA* with the Manhattan distance first"), Axis::log10("nodes expanded")],
            series,
        )
    };
    PUBLISHED.iter().map(plot).collect()
}

/// Figures 6 to 12 of the paper.
fn histograms(setting: &Setting<'_>) -> Result<(Vec<Plot>, Table), LabError> {
    let mut rows = Vec::new();
    for (catalogue, _) in LOADING {
        let tables = Tables::classic(catalogue);
        if setting.tables.offers(tables) {
            rows.extend(setting.tables.get(tables)?.into_iter().map(|table| {
                let tiles: Vec<String> = table.header().pattern().tiles().map(|tile| tile.0.to_string()).collect();
                (catalogue, tiles.join(", "), table)
            }));
        }
    }
    let facts = Table::of("histograms", "Values of the tables", &rows)
        .column("catalogue", |row| row.0)
        .column("tiles", |row| row.1.clone())
        .column("entries", |row| row.2.header().entries())
        .column("mean", |row| Cell::Real(row.2.header().mean(), 3))
        .column("largest", |row| row.2.header().max())
        .note(
            "Entries are ways in which the tiles can stand, whatever the blank does. The paper finds its histograms \"close to a \
             gaussian\" and prints no numbers.",
        );
    // The paper compares what it calls the best of each.
    let best = ["3, 6, 7, 10, 11", "1, 2, 4, 5, 8, 9"];
    let mut plots = Vec::new();
    let mut comparison = Vec::new();
    for (catalogue, tiles, table) in &rows {
        let histogram = table.header().histogram();
        let points = || histogram.iter().enumerate().map(|(cost, &count)| (cost as f64, count as f64));
        plots.push(Plot::chart(
            format!("histogram-{}", tiles.replace(", ", "-")),
            (
                format!("Table of tiles {tiles}"),
                format!("{catalogue}: moves of the tiles, for every way they can stand"),
            ),
            [Axis::linear("moves"), Axis::linear("entries")],
            [Series::new("entries", Style::Bars, points())],
        ));
        if best.contains(&tiles.as_str()) || *catalogue == "7-8" {
            let total = histogram.iter().sum::<u64>() as f64;
            let share = points().map(|(cost, count)| (cost, count / total));
            comparison.push(Series::new(format!("{catalogue}: {tiles}"), Style::Steps, share));
        }
    }
    let comparison = Plot::chart(
        "figure-12-comparison",
        ("Tables compared, each with an area of one", "Figure 12 of the paper: the best of 5-5-5 and of 6-6-3"),
        [Axis::linear("moves"), Axis::linear("share of entries")],
        comparison,
    );
    plots.insert(0, comparison);
    Ok((plots, facts.table))
}
