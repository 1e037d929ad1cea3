//! Ota: A\* and IDA\* with pattern databases.

use tilebase::Search;
use tilebase::puzzle::Pattern;
use tilebase::puzzle::known::KnownBoard;
use tilebase::solve::{Astar, Ida};
use tilebase_plot::{Axis, Chart, Series, Style};

use super::{About, Paper, QUICK, Setting, mean_of};
use crate::error::LabError;
use crate::known::{GOAL, by_nodes, easiest};
use crate::report::{Plot, Report};
use crate::results::Results;
use crate::run::{Done, How, Run, Tables};
use crate::table::{Cell, Column, Table, compared};

pub(super) const ABOUT: About = About {
    name: "ota",
    title: "A* and IDA* with pattern databases",
    reference: "Matheus Jun Ota, Solving the 15-puzzle using Pattern Databases, University of New Hampshire",
};

/// Boards of the quick lab.
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

/// Ours: blank-aware, and reflected.
const OURS: [How; 3] = [
    How::Tables(Tables::blank_aware("5-5-5")),
    How::Tables(Tables::blank_aware("6-6-3")),
    How::Tables(Tables::blank_aware("7-8")),
];

/// What the paper has for a search: seconds, expanded and generated, for each of the bounds that it has.
struct Published {
    search: Search,
    name: &'static str,
    means: [[f64; 3]; 3],
}

const PUBLISHED: [Published; 2] = [
    Published {
        search: Search::Astar(Astar),
        name: "A*",
        means: [
            [12.154_277, 4_067_541.5, 7_518_747.2],
            [1.453_978, 212_166.9, 430_230.3],
            [5.809_331, 127_031.1, 250_090.3],
        ],
    },
    Published {
        search: Search::Ida(Ida::PLAIN),
        name: "IDA*",
        means: [
            [12.866_775, 12_995_446.2, 12_995_448.5],
            [1.990_139, 1_183_247.5, 1_183_253.7],
            [6.387_031, 911_386.5, 911_393.4],
        ],
    },
];

/// Seconds to load the tables.
const LOADING: [(&str, Option<f64>); 3] = [("5-5-5", Some(0.727_115)), ("6-6-3", Some(5.126_073)), ("7-8", None)];

/// Roughly what part of the nodes of IDA\* with the Manhattan distance is left.
fn expected(korf: &KnownBoard, how: How, search: Search) -> u64 {
    let share = match how {
        How::Tables(Tables { catalogue: "5-5-5", .. }) => 0.01,
        How::Tables(Tables { catalogue: "6-6-3", .. }) => 0.003,
        How::Tables(_) => 0.0005,
        _ => 1.0,
    };
    let share = if search == Search::Astar(Astar) { share * 0.15 } else { share };
    (korf.nodes as f64 * share) as u64
}

fn run(korf: &KnownBoard, how: How, search: Search) -> Run {
    Run::new(korf.board, GOAL, how, search).expecting(expected(korf, how, search))
}

/// The ten boards: neighbours in the order of difficulty, with the mean that is nearest to the paper's.
fn ten() -> Vec<KnownBoard> {
    let boards = by_nodes();
    let mean = |boards: &[KnownBoard]| boards.iter().map(|korf| korf.nodes).sum::<u64>() as f64 / boards.len() as f64;
    let away = |boards: &[KnownBoard]| (mean(boards) - PAPERS_MEAN).abs();
    let windows = boards.windows(PAPERS_BOARDS);
    windows.min_by(|a, b| away(a).total_cmp(&away(b))).expect("there are a hundred").to_vec()
}

fn boards(setting: &Setting<'_>) -> (Vec<KnownBoard>, Vec<KnownBoard>) {
    if setting.quick { (easiest(QUICK_BOARDS), Vec::new()) } else { (ten(), by_nodes()) }
}

/// The bounds that there are tables for.
fn offered(setting: &Setting<'_>, hows: &[How]) -> Vec<How> {
    let is_there = |how: &How| match how {
        How::Tables(tables) => setting.tables.offers(*tables),
        _ => true,
    };
    hows.iter().copied().filter(is_there).collect()
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
    let mut words = vec![which];
    words.extend(setting.quick.then(|| QUICK.to_owned()));
    let mut tables = Vec::new();
    for published in &PUBLISHED {
        tables.push(searched(setting, results, published, &ten, true));
    }
    tables.push(loading(setting)?);
    if !all.is_empty() {
        for published in &PUBLISHED {
            tables.push(searched(setting, results, published, &all, false));
        }
    }
    tables.push(ours(setting, results, if all.is_empty() { &ten } else { &all }));
    let mut plots = by_board(setting, results, if all.is_empty() { &ten } else { &all });
    let (histograms, facts) = histograms(setting)?;
    plots.extend(histograms);
    tables.push(facts);
    Ok(Report { paper: Paper::Ota, words, plots, tables })
}

fn named(how: How) -> String {
    match how {
        How::Tables(Tables { catalogue, .. }) => catalogue.to_owned(),
        _ => "MD".to_owned(),
    }
}

/// Tables 2 and 3 of the paper.
fn searched(
    setting: &Setting<'_>,
    results: &Results,
    published: &Published,
    boards: &[KnownBoard],
    is_compared: bool,
) -> Table {
    let Published { search, name, means } = published;
    let title = if is_compared {
        format!(
            "{name}, {} boards (table {} of the paper)",
            boards.len(),
            if *search == Search::Astar(Astar) { 2 } else { 3 }
        )
    } else {
        format!("{name}, all {} boards of Korf", boards.len())
    };
    let file = format!("{}-{}", short(*search), if is_compared { "ten" } else { "all" });
    let fit = (*search == Search::Astar(Astar)).then(|| Column::new("boards that fit"));
    let [paper, here, ratio] = Column::compared("mean time");
    let columns = [Column::new("bounds")]
        .into_iter()
        .chain(fit.clone())
        .chain(Column::compared("mean expanded"))
        .chain(Column::compared("mean generated"))
        .chain(Column::compared("expanded, fewer than MD"))
        .chain([paper, here.varying(), ratio.varying()]);
    let mut table = Table::new(&file, title, columns);
    let hows = offered(setting, &HOWS);
    let done_of = |how: How| -> Vec<&Done> { boards.iter().map(|korf| results.of(&run(korf, how, *search))).collect() };
    // Only boards that every one of the bounds could solve are compared.
    let fits: Vec<bool> =
        (0..boards.len()).map(|board| hows.iter().all(|&how| done_of(how)[board].is_solved())).collect();
    let mut by_distance = f64::NAN;
    for (number, &how) in hows.iter().enumerate() {
        let all = done_of(how);
        let done = || all.iter().zip(&fits).filter(|(_, fits)| **fits).map(|(done, _)| *done);
        let expanded = mean_of(done(), |done| done.expanded as f64);
        if number == 0 {
            by_distance = expanded;
        }
        let paper = means.get(number).filter(|_| is_compared);
        let of_paper = |which: usize| paper.map_or(Cell::Missing, |means| Cell::Real(means[which], 1));
        let reduction =
            |expanded: f64, of: f64| if number == 0 { Cell::Missing } else { Cell::Percent(1.0 - expanded / of, 1) };
        let fitting = all.iter().filter(|done| done.is_solved()).count();
        let cells = [Cell::text(named(how))]
            .into_iter()
            .chain(fit.as_ref().map(|_| Cell::text(format!("{fitting} of {}", all.len()))))
            .chain(compared(of_paper(1), Cell::Real(expanded, 1)))
            .chain(compared(of_paper(2), Cell::Real(mean_of(done(), |done| done.generated as f64), 1)))
            .chain(compared(
                paper.map_or(Cell::Missing, |means_of| reduction(means_of[1], means[0][1])),
                reduction(expanded, by_distance),
            ))
            .chain(compared(
                paper.map_or(Cell::Missing, |means| Cell::Seconds(means[0])),
                Cell::Seconds(mean_of(done(), |done| done.seconds)),
            ));
        table.row(cells);
    }
    notes(&mut table, published, &fits, is_compared, hows.len() < HOWS.len());
    table
}

fn notes(table: &mut Table, published: &Published, fits: &[bool], is_compared: bool, is_short: bool) {
    let missing = fits.iter().filter(|fits| !**fits).count();
    if missing > 0 {
        table.note(format!(
            "{missing} of {} boards did not fit into the memory with some of the bounds; means are over the others.",
            fits.len()
        ));
    }
    if is_compared && published.search == Search::Ida(Ida::PLAIN) {
        table.note(
            "The paper's IDA* counts as many nodes expanded as generated; here a node is generated when it is looked at, and \
             expanded when it is within the bound and its successors are generated.",
        );
        if fits.len() == PAPERS_BOARDS {
            table.note(
                "The boards were chosen by the nodes of IDA* with MD, so that its generated nodes agree with the paper's by \
                 construction. By the tables they are easier than the paper's ten, which therefore are others.",
            );
            table.note(
                "In the paper 6-6-3 needs three quarters of the nodes of 5-5-5; here it is much the same over all hundred boards, \
                 below. Felner, Korf & Hanan report a fifth, but seem to have looked at 6-6-3 through its reflection as well, and at \
                 5-5-5 not: see tilebase lab felner.",
            );
        }
    }
    if is_compared && published.search == Search::Astar(Astar) && fits.len() == PAPERS_BOARDS {
        table.note(
            "Fewer nodes than in the paper by every bound: these boards agree with the paper's in the nodes of IDA* with MD only, \
             and how many of those nodes are the same states, which A* expands once, differs from board to board.",
        );
    }
    if is_compared && published.search == Search::Astar(Astar) {
        table.note(
            "The paper's times include loading the tables into a hash table; ours are mapped files, and loading is in a table of \
             its own.",
        );
    }
    table.note(
        "Tables as in the paper: one view, the least cost over all places of the blank. Its partitions are those of this \
         program's catalogues 5-5-5 and 6-6-3.",
    );
    if is_short {
        table.note("7-8 is left out: its tables are not here, and the quick lab does not build them (tilebase generate 7-8 --encoding both).");
    }
}

/// Table 1 of the paper.
fn loading(setting: &Setting<'_>) -> Result<Table, LabError> {
    let [paper, here, ratio] = Column::compared("read from disk");
    let columns = [
        Column::new("tables"),
        Column::new("bytes"),
        paper,
        here.varying(),
        ratio.varying(),
        Column::new("mapped").varying(),
    ];
    let mut table = Table::new("loading", "Loading the tables (table 1 of the paper)", columns);
    for (catalogue, paper) in LOADING {
        let tables = Tables::classic(catalogue);
        if !setting.tables.offers(tables) {
            continue;
        }
        let bytes: u64 = setting.tables.get(tables)?.iter().map(|table| table.header().file_len()).sum();
        let loaded = setting.tables.time_loading(tables)?;
        let cells = [Cell::text(catalogue), Cell::Count(bytes)]
            .into_iter()
            .chain(compared(paper.map_or(Cell::Missing, Cell::Seconds), Cell::Seconds(loaded.read)))
            .chain([loaded.mapped.map_or(Cell::Missing, Cell::Seconds)]);
        table.row(cells);
    }
    table.note("From the system's cache, best of three. The paper fills a hash table from its files; here an entry is found by its number.");
    Ok(table)
}

/// What blank-aware, reflected tables and the move automaton add.
fn ours(setting: &Setting<'_>, results: &Results, boards: &[KnownBoard]) -> Table {
    let columns = [
        Column::new("bounds"),
        Column::new("mean generated"),
        Column::new("mean expanded"),
        Column::new("mean time").varying(),
    ];
    let mut table = Table::new(
        "ours",
        format!("Ours: blank-aware, reflected, with the move automaton; {} boards", boards.len()),
        columns,
    );
    for how in offered(setting, &OURS) {
        let done: Vec<&Done> = boards.iter().map(|korf| results.of(&run(korf, how, Search::Ida(Ida::FAST)))).collect();
        table.row([
            Cell::text(named(how)),
            Cell::mean(mean_of(done.iter().copied(), |done| done.generated as f64)),
            Cell::mean(mean_of(done.iter().copied(), |done| done.expanded as f64)),
            Cell::Seconds(mean_of(done.iter().copied(), |done| done.seconds)),
        ]);
    }
    table
}

/// A picture for each search, because the curves of both would cross everywhere.
fn by_board(setting: &Setting<'_>, results: &Results, boards: &[KnownBoard]) -> Vec<Plot> {
    let plot = |published: &Published| {
        let series = offered(setting, &HOWS).into_iter().map(|how| {
            let solved = boards.iter().zip(1u32..).filter_map(|(korf, rank)| {
                let done = results.of(&run(korf, how, published.search));
                done.is_solved().then_some((f64::from(rank), done.expanded as f64))
            });
            Series::new(named(how), Style::Line, solved)
        });
        Plot::chart(
            &format!("nodes-by-board-{}", short(published.search)),
            Chart {
                title: format!("{}: nodes expanded, board by board", published.name),
                subtitle: Some(format!("{} of Korf's boards", boards.len())),
                x: Axis::linear("boards, easiest for IDA* with the Manhattan distance first"),
                y: Axis::log10("nodes expanded"),
                series: series.collect(),
            },
        )
    };
    PUBLISHED.iter().map(plot).collect()
}

fn short(search: Search) -> &'static str {
    if search == Search::Astar(Astar) { "astar" } else { "ida" }
}

fn tiles(pattern: &Pattern) -> String {
    pattern.tiles().map(|tile| tile.0.to_string()).collect::<Vec<_>>().join(", ")
}

/// Figures 6 to 12 of the paper.
fn histograms(setting: &Setting<'_>) -> Result<(Vec<Plot>, Table), LabError> {
    let columns = ["catalogue", "tiles", "entries", "mean", "largest"].map(Column::new);
    let mut facts = Table::new("histograms", "Values of the tables", columns);
    let mut plots = Vec::new();
    // The paper compares what it calls the best of each.
    let best = ["3, 6, 7, 10, 11", "1, 2, 4, 5, 8, 9"];
    let mut comparison = Vec::new();
    for (catalogue, _) in LOADING {
        let tables = Tables::classic(catalogue);
        if !setting.tables.offers(tables) {
            continue;
        }
        for table in setting.tables.get(tables)? {
            let header = table.header();
            let tiles = tiles(header.pattern());
            let total: u64 = header.histogram().iter().sum();
            facts.row([
                Cell::text(catalogue),
                Cell::text(tiles.clone()),
                Cell::Count(header.entries()),
                Cell::Real(header.mean(), 3),
                Cell::Count(header.max().into()),
            ]);
            let points = || header.histogram().iter().enumerate().map(|(cost, &count)| (cost as f64, count as f64));
            let chart = Chart {
                title: format!("Table of tiles {tiles}"),
                subtitle: Some(format!("{catalogue}: moves of the tiles, for every way they can stand")),
                x: Axis::linear("moves"),
                y: Axis::linear("entries"),
                series: vec![Series::new("entries", Style::Bars, points())],
            };
            plots.push(Plot::chart(&format!("histogram-{}", tiles.replace(", ", "-")), chart));
            if best.contains(&tiles.as_str()) || catalogue == "7-8" {
                let share = points().map(|(cost, count)| (cost, count / total as f64));
                comparison.push(Series::new(format!("{catalogue}: {tiles}"), Style::Steps, share));
            }
        }
    }
    let chart = Chart {
        title: "Tables compared, each with an area of one".into(),
        subtitle: Some("Figure 12 of the paper: the best of 5-5-5 and of 6-6-3".into()),
        x: Axis::linear("moves"),
        y: Axis::linear("share of entries"),
        series: comparison,
    };
    plots.insert(0, Plot::chart("figure-12-comparison", chart));
    facts.note(
        "Entries are ways in which the tiles can stand, whatever the blank does. The paper finds its histograms \"close to a gaussian\" \
         and prints no numbers.",
    );
    Ok((plots, facts))
}
