//! The legend: which look is which series.

use std::fmt::Write;

use crate::chart::{Chart, Series, Style};
use crate::look::{self, number_of};
use crate::text::{self, Ruler};

const ROW_HEIGHT: f64 = 20.0;
const TEXT_SIZE: f64 = 12.5;
const SAMPLE_GAP: f64 = 7.0;
const ENTRY_GAP: f64 = 22.0;
const MAX_ROWS: usize = 12;

/// The names of the series, laid out in rows.
#[derive(Default)]
pub(crate) struct Legend {
    entries: Vec<Entry>,
    sample_width: f64,
}

struct Entry {
    text: String,
    /// From the left and top of the legend.
    x: f64,
    row: usize,
    /// Which series it is for; `None` for the remark about those that are not listed.
    series: Option<usize>,
}

impl Legend {
    /// The legend of a chart in a given width; it has no rows if there is nothing to tell apart.
    pub(crate) fn new(chart: &Chart, width: f64) -> Legend {
        if chart.series.len() < 2 {
            return Legend::default();
        }
        let ruler = Ruler::new(text::REGULAR, TEXT_SIZE);
        let sample_width = chart.series.iter().map(|series| sample_width(series.style)).fold(0.0, f64::max);
        let room = width / 2.0 - sample_width - SAMPLE_GAP - ENTRY_GAP;
        let shorten = |series: &Series| ruler.shorten(&series.name, room);
        let names: Vec<String> = chart.series.iter().take(1000).map(shorten).collect();
        let taken = |name: &String| sample_width + SAMPLE_GAP + ruler.width(name) * 1.06 + ENTRY_GAP;

        let widths: Vec<f64> = names.iter().map(taken).collect();
        let in_one_row = widths.iter().sum::<f64>() - ENTRY_GAP <= width;
        let widest = widths.iter().copied().fold(1.0, f64::max);
        let columns = if in_one_row { names.len() } else { (((width + ENTRY_GAP) / widest) as usize).max(1) };
        let shown = if names.len() > columns * MAX_ROWS { columns * MAX_ROWS - 1 } else { names.len() };

        let mut entries = Vec::new();
        let mut x = 0.0;
        for (index, name) in names.into_iter().take(shown).enumerate() {
            let (row, column) = (index / columns, index % columns);
            let left = if in_one_row { x } else { widest * column as f64 };
            x += widths[index];
            entries.push(Entry { text: name, x: left, row, series: Some(index) });
        }
        if shown < chart.series.len() {
            let text = format!("… and {} more", chart.series.len() - shown);
            let (row, column) = (shown / columns, shown % columns);
            entries.push(Entry { text, x: widest * column as f64, row, series: None });
        }
        Legend { entries, sample_width }
    }

    pub(crate) fn height(&self) -> f64 {
        self.entries.last().map_or(0.0, |entry| (entry.row + 1) as f64 * ROW_HEIGHT)
    }

    pub(crate) fn draw(&self, chart: &Chart, left: f64, top: f64) -> String {
        if self.entries.is_empty() {
            return String::new();
        }
        let mut svg = format!("<g font-size=\"{TEXT_SIZE}\" fill=\"{}\">\n", look::INK);
        for entry in &self.entries {
            let (x, middle) = (left + entry.x, top + (entry.row as f64 + 0.5) * ROW_HEIGHT);
            if let Some(index) = entry.series {
                svg += &sample(chart.series[index].style, index, x + self.sample_width / 2.0, middle);
            }
            let (x, y) = (number_of(x + self.sample_width + SAMPLE_GAP), number_of(middle + 4.5));
            _ = writeln!(svg, r#"<text x="{x}" y="{y}">{}</text>"#, text::escape(&entry.text));
        }
        svg + "</g>\n"
    }
}

/// The width of the small picture of a series.
fn sample_width(style: Style) -> f64 {
    match style {
        Style::Bars => 16.0,
        Style::Points => 10.0,
        Style::Line | Style::Steps => 26.0,
    }
}

/// A small picture of how a series looks, around a place.
fn sample(style: Style, index: usize, x: f64, y: f64) -> String {
    let width = sample_width(style);
    let left = number_of(x - width / 2.0);
    let colour = look::colour(index);
    match style {
        Style::Bars => {
            let (top, fill) = (number_of(y - 5.5), look::fill(index));
            let place = format!("x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"11\"");
            format!("<rect {place} fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"0.8\"/>\n")
        }
        Style::Points => format!("<path fill=\"{colour}\" d=\"{}\"/>\n", look::marker(index, x, y, 3.8)),
        Style::Line | Style::Steps => {
            format!("<path {} d=\"M{left} {}h{width}\"/>\n", look::stroke(index), number_of(y))
        }
    }
}
