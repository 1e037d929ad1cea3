//! What `tilebase bench random15 --plot` draws.

use std::collections::BTreeMap;
use std::path::Path;

use tilebase_plot::{Axis, Chart, Series, Style};

use super::{Round, Took};
use crate::Result;
use crate::picture::draw_into;

/// What was measured with the tables of one catalogue.
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) round: Round,
    /// Boards a second, by the number of threads.
    pub(super) by_threads: Vec<(f64, f64)>,
}

/// Draws nodes and time by the length of the solution, and boards a second by threads.
pub(super) fn draw(measured: &[Measured], directory: &Path) -> Result<()> {
    let boards = measured.first().map_or(0, |measured| measured.round.boards.len());
    let picture = |name: &str, chart: &Chart| draw_into(directory, &format!("random15-{name}"), chart);
    let nodes: fn(&Took) -> f64 = |took| took.effort.generated as f64;
    let milliseconds: fn(&Took) -> f64 = |took| took.effort.time.as_secs_f64() * 1e3;
    for (name, label, value) in
        [("nodes", "nodes generated a board", nodes), ("time", "milliseconds a board", milliseconds)]
    {
        let series = measured.iter().map(|Measured { name, round, .. }| {
            let mut by_length: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
            for took in &round.boards {
                by_length.entry(took.length).or_default().push(value(took));
            }
            let means = by_length
                .into_iter()
                .map(|(length, values)| (f64::from(length), values.iter().sum::<f64>() / values.len() as f64));
            Series::new(name.clone(), Style::Line, means)
        });
        let chart = Chart {
            title: format!("Random boards of the 15-puzzle: {name} by length"),
            subtitle: Some(format!("{boards} boards, mean of those with a length")),
            x: Axis::linear("moves of a shortest solution"),
            y: Axis::log10(label),
            series: series.collect(),
        };
        picture(name, &chart)?;
    }
    let series = measured
        .iter()
        .map(|measured| Series::new(measured.name.clone(), Style::Line, measured.by_threads.iter().copied()));
    let most = measured.iter().flat_map(|measured| &measured.by_threads).map(|(_, rate)| *rate).fold(1.0, f64::max);
    let chart = Chart {
        title: "Random boards of the 15-puzzle: boards a second by threads".into(),
        subtitle: Some(format!("{boards} boards, each solved by one thread")),
        x: Axis::linear("threads"),
        y: Axis::linear("boards a second").with_range(0.0, most),
        series: series.collect(),
    };
    picture("threads", &chart)
}
