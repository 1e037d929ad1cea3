//! The page about better and better solutions: what is known after some times, and the curves.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tilebase_plot::{Axis, Series, Style};

use super::ANYTIME;
use super::measured::Measured;
use crate::error::LabError;
use crate::report::{Plot, markdown_of, save, save_plot};
use crate::table::{Cell, Table};

/// The times that tables show.
const TIMES: [f64; 7] = [0.05, 0.1, 0.3, 1.0, 3.0, 10.0, 60.0];

/// Each kind of boards, and what it is called in words.
const BOARDS: [(&str, &str); 2] =
    [("korf24", "Korf & Felner's fifty boards of the 24-puzzle"), ("korf15", "Korf's hundred boards of the 15-puzzle")];

/// What some searches knew at a time, on average.
struct Known {
    label: String,
    boards: usize,
    solved: usize,
    proven: usize,
    /// Length over the shortest: on average and at most.
    mean: Option<f64>,
    most: Option<f64>,
    /// Length over what is proven.
    gap: Option<f64>,
    seconds: Option<f64>,
}

/// The mean of some numbers, if there are any.
fn mean(numbers: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let count = numbers.clone().count();
    (count > 0).then(|| numbers.sum::<f64>() / count as f64)
}

impl Known {
    /// What searches of different boards knew after some time.
    fn at(label: String, searches: &[&Measured], seconds: f64) -> Known {
        let known: Vec<_> = searches.iter().filter_map(|search| Some((*search, search.at(seconds)?))).collect();
        // A board of the quick lab has no shortest length that is known.
        let over = known.iter().map(|(search, now)| f64::from(now.length) / f64::from(search.shortest.max(1)));
        let gaps = known.iter().map(|(_, now)| f64::from(now.length) / f64::from(now.at_least.max(1)));
        Known {
            label,
            boards: searches.len(),
            solved: known.len(),
            proven: known.iter().filter(|(_, now)| now.length <= now.at_least).count(),
            mean: mean(over.clone()),
            most: over.fold(None, |most: Option<f64>, over| Some(most.map_or(over, |most| most.max(over)))),
            gap: mean(gaps),
            seconds: mean(known.iter().map(|(_, now)| now.seconds)),
        }
    }
}

fn of<'a>(all: &'a [Measured], boards: &str, search: &str) -> Vec<&'a Measured> {
    all.iter().filter(|measured| measured.boards == boards && measured.search == search).collect()
}

/// The weighted searches of some boards, in the order in which they were made.
fn weighted(all: &[Measured], boards: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for measured in all.iter().filter(|measured| measured.boards == boards && measured.search != ANYTIME) {
        if !names.contains(&measured.search) {
            names.push(measured.search.clone());
        }
    }
    names
}

fn ratio(number: Option<f64>) -> Cell {
    number.map_or(Cell::Missing, |number| Cell::Real(number, 4))
}

/// What is known after some times, and what weighted searches find, for each kind of boards.
pub(super) fn tables(all: &[Measured]) -> Vec<Table> {
    let mut tables = Vec::new();
    for (boards, title) in BOARDS {
        let searches = of(all, boards, ANYTIME);
        let longest = searches.iter().map(|search| search.limit).fold(0.0, f64::max);
        let times = TIMES.into_iter().filter(|&time| time <= longest.max(0.1));
        let rows: Vec<Known> = times.map(|time| Known::at(format!("{time} s"), &searches, time)).collect();
        let name = |what: &str| format!("{boards}-{what}");
        tables.push(
            Table::of(&name("times"), format!("{title}: better and better"), &rows)
                .column("after", |row| row.label.clone())
                .column("boards", |row| row.boards)
                .column("with a solution", |row| row.solved)
                .column("length over the shortest: mean †", |row| ratio(row.mean))
                .column("length over the shortest: most †", |row| ratio(row.most))
                .column("length over what is proven: mean †", |row| ratio(row.gap))
                .column("proven", |row| row.proven)
                .table,
        );
        let row = |name: String| {
            let searches = of(all, boards, &name);
            Known::at(name, &searches, f64::INFINITY)
        };
        let rows: Vec<Known> = weighted(all, boards).into_iter().map(row).collect();
        tables.push(
            Table::of(&name("weights"), format!("{title}: at fixed weights"), &rows)
                .column("search", |row| row.label.clone())
                .column("boards", |row| row.boards)
                .column("solved in time", |row| row.solved)
                .column("length over the shortest: mean", |row| ratio(row.mean))
                .column("length over the shortest: most", |row| ratio(row.most))
                .column("mean time †", |row| row.seconds.map_or(Cell::Missing, Cell::Seconds))
                .note("Means are over the boards that were solved in time, which are the easier ones.")
                .table,
        );
    }
    tables
}

/// Lengths and gaps against time, with the weighted searches as points.
fn plots(all: &[Measured]) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (boards, title) in BOARDS {
        let searches = of(all, boards, ANYTIME);
        let mut moments: Vec<f64> =
            searches.iter().flat_map(|search| search.moments.iter().map(|now| now.seconds)).collect();
        moments.sort_by(f64::total_cmp);
        // A curve of a few hundred points is as smooth as one of thousands.
        let step = (moments.len() / 300).max(1);
        let known: Vec<(f64, Known)> = moments
            .iter()
            .step_by(step)
            .chain(moments.last())
            .map(|&time| (time, Known::at(String::new(), &searches, time)))
            // Before every board has a solution, the mean is of others.
            .filter(|(_, known)| known.solved == known.boards)
            .collect();
        let curve = |value: fn(&Known) -> Option<f64>| {
            known.iter().filter_map(move |(time, known)| Some((*time, value(known)?))).collect::<Vec<_>>()
        };
        let points = |kind: &str| {
            let names = weighted(all, boards).into_iter().filter(|name| name.starts_with(kind));
            let known = names.map(|name| {
                let searches = of(all, boards, &name);
                Known::at(name, &searches, f64::INFINITY)
            });
            // Those that solved only the easier boards cannot be compared.
            let whole: Vec<Known> = known.filter(|known| known.solved == known.boards).collect();
            let weights = whole.iter().filter_map(|known| Some(known.label.split_once(" = ")?.1)).collect::<Vec<_>>();
            let label = format!("{kind}, W = {}", weights.join(", "));
            Series::new(label, Style::Points, whole.iter().filter_map(|known| Some((known.seconds?, known.mean?))))
        };
        let subtitle = format!("{title}, mean of {}", searches.len());
        // Where the first solution is the proof, there is no curve and no gap to be seen.
        let is_flat = known.iter().all(|(_, known)| known.proven == known.boards);
        let in_the_end = Known::at(String::new(), &searches, f64::INFINITY);
        let (anytime, length) = if is_flat {
            let proof = in_the_end.seconds.into_iter().zip(in_the_end.mean);
            let axis = Axis::linear("length over the shortest").with_range(0.9, 1.7);
            (Series::new("anytime: the proof", Style::Points, proof), axis)
        } else {
            let curve = curve(|known| known.mean);
            (Series::new("anytime", Style::Line, curve), Axis::linear("length over the shortest"))
        };
        plots.push(Plot::chart(
            format!("{boards}-length"),
            ("Length over the shortest against time", subtitle.clone()),
            [Axis::log10("seconds"), length],
            [anytime, points("weighted A*"), points("weighted IDA*")],
        ));
        if is_flat {
            continue;
        }
        plots.push(Plot::chart(
            format!("{boards}-gap"),
            ("The gap against time", subtitle),
            [Axis::log10("seconds"), Axis::linear("times")],
            [
                Series::new("length over what is proven", Style::Line, curve(|known| known.gap)),
                Series::new("length over the shortest", Style::Line, curve(|known| known.mean)),
            ],
        ));
    }
    plots
}

/// Writes the page, its plots, and its tables as files. Returns where the page is.
pub(super) fn write(all: &[Measured], quick: bool, directory: &Path) -> Result<PathBuf, LabError> {
    let about = if quick {
        "This is the quick lab: boards a few random moves from the goal, whose shortest solutions are not known, to see that everything works. \
         Without --quick they are those of Korf & Felner and of Korf."
    } else {
        "How soon a good solution is there, how good it is, and how good it is proven to be: wider and wider beams beside iterative-deepening \
         A\\* (`tilebase solve --anytime`), and weighted A\\* (Pohl 1970) and weighted IDA\\* at fixed weights, each on one thread."
    };
    let made = "Made by `tilebase lab anytime --out docs/lab`, which adds a line to `results.tsv` for each search and goes on where it was. Times \
                are from before the tables were opened; the files were in memory. What is worked out once for all boards, 30 ms for 7-7-7-3, is \
                not in them: `scripts/measure-anytime` starts a process for each board.";
    let used = used(all);
    let mut text = format!("# Better and better solutions\n\n{about}\n\n{made}\n\n{used}");
    for plot in plots(all) {
        save_plot(&plot, directory)?;
        _ = writeln!(text, "![{}]({}.svg)\n", plot.title, plot.name);
    }
    for table in tables(all) {
        text += &markdown_of(&table, 2);
    }
    save(directory, "README.md", (text.trim_end().to_owned() + "\n").as_bytes())
}

/// Which tables and threads the better and better solutions were found with.
fn used(all: &[Measured]) -> String {
    let mut used: Vec<String> = Vec::new();
    for (boards, title) in BOARDS {
        for measured in of(all, boards, ANYTIME) {
            let Measured { tables, threads, .. } = measured;
            let sentence = format!("* {title}: tables {tables}, {threads} threads.\n");
            if !used.contains(&sentence) {
                used.push(sentence);
            }
        }
    }
    used.concat() + if used.is_empty() { "" } else { "\n" }
}
