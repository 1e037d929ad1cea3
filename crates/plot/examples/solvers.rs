//! Draws the README's comparison of solvers, `docs/figures/solvers.svg` and `.png`, from `docs/figures/solvers.tsv`:
//!
//! ```sh
//! cargo run -p tilebase-plot --features png --example solvers
//! ```

use std::error::Error;
use std::path::Path;

use tilebase_plot::{Axis, Chart, Series, Style};

/// Width of the PNG, twice that of the SVG so that it is sharp on small pixels.
const WIDTH: u32 = 1440;

fn main() -> Result<(), Box<dyn Error>> {
    let figures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/figures");
    let text = std::fs::read_to_string(figures.join("solvers.tsv"))?;
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = lines.next().ok_or("solvers.tsv is empty")?.split('\t').collect();
    let column = |name: &str| header.iter().position(|&column| column == name).ok_or(format!("no column {name}"));
    let (solver, tables) = (column("solver")?, column("tables")?);
    let (bytes, milliseconds) = (column("table_megabytes")?, column("milliseconds")?);

    // A series for each solver: its name with its tables, and a point for each of them.
    let mut series: Vec<Series> = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let point = (fields[bytes].parse()?, fields[milliseconds].parse()?);
        let name = format!("{}: ", fields[solver]);
        if let Some(known) = series.iter_mut().find(|known| known.name.starts_with(&name)) {
            known.name.push_str(", ");
            known.name.push_str(fields[tables]);
            known.points.push(point);
        } else {
            series.push(Series::new(name + fields[tables], Style::Points, [point]));
        }
    }
    let chart = Chart {
        title: "Korf's hundred 15-puzzles: time and size of the tables".into(),
        subtitle: Some("Mean of all boards, solved optimally on one thread of the same machine".into()),
        x: Axis::log10("size of the tables, MB"),
        y: Axis::log10("milliseconds per board"),
        series,
    };
    std::fs::write(figures.join("solvers.svg"), chart.svg())?;
    std::fs::write(figures.join("solvers.png"), chart.png(WIDTH)?)?;
    Ok(())
}
