//! Draws the points of a series: bars, lines, markers and steps.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::chart::{Chart, Series, Style};
use crate::clip::{self, Point};
use crate::look::{self, number_of};
use crate::view::{self, View};

/// The rectangle of the plot in the picture, and what it shows.
pub(crate) struct Plot {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) x: View,
    pub(crate) y: View,
}

impl Plot {
    pub(crate) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// The horizontal coordinate of a place.
    pub(crate) fn column(&self, place: f64) -> f64 {
        self.left + self.width * self.x.fraction(place)
    }

    /// The vertical coordinate of a place.
    pub(crate) fn line(&self, place: f64) -> f64 {
        self.bottom() - self.height * self.y.fraction(place)
    }

    /// A place in the unit square.
    fn fractions(&self, (x, y): (f64, f64)) -> Point {
        (self.x.fraction(x), self.y.fraction(y))
    }

    /// The coordinates of a point of the unit square.
    fn pixel(&self, (x, y): Point) -> (f64, f64) {
        (self.left + x * self.width, self.bottom() - y * self.height)
    }
}

/// More outlines than this hide each other if they are filled.
const FILLED_OUTLINES: usize = 3;

/// The shapes of the series with this index; empty if nothing of it can be seen.
pub(crate) fn shapes(chart: &Chart, index: usize, plot: &Plot) -> String {
    let series = &chart.series[index];
    match series.style {
        Style::Bars => bars(chart, index, plot),
        Style::Line => line(&view::placed(chart, series), index, plot),
        Style::Points => points(&view::placed(chart, series), index, plot),
        Style::Steps => {
            let outlines = chart.series.iter().filter(|series| series.style == Style::Steps).count();
            steps(chart, series, index, plot, outlines <= FILLED_OUTLINES)
        }
    }
}

fn bars(chart: &Chart, index: usize, plot: &Plot) -> String {
    let is_bars = |series: &&Series| series.style == Style::Bars;
    let gap = view::least_gap(plot.x.scale, view::places(chart, |style| style == Style::Bars, |(x, _)| x));
    let groups = chart.series.iter().filter(is_bars).count() as f64;
    let place_in_group = chart.series[..index].iter().filter(is_bars).count() as f64;

    let gap = gap / (plot.x.high - plot.x.low) * plot.width;
    let group = if gap < 4.0 { gap.max(1.0) } else { (gap * 0.8).min(90.0) };
    let width = group / groups;
    let mut path = String::new();
    for (x, y) in view::placed(chart, &chart.series[index]).into_iter().flatten() {
        let left = plot.column(x) - group / 2.0 + place_in_group * width;
        let (left, right) = (left.max(plot.left), (left + width).min(plot.right()));
        let (base, end) = (plot.line(plot.y.base()), plot.line(y).clamp(plot.top, plot.bottom()));
        if left < right && base.to_bits() != end.to_bits() {
            let [left, base, right, end] = [left, base, right, end].map(number_of);
            _ = write!(path, "M{left} {base}V{end}H{right}V{base}z");
        }
    }
    let outline = format!(r#" stroke="{}" stroke-width="0.8""#, look::colour(index));
    let outline = if index > 0 && width > 4.0 { &outline } else { "" };
    element(&path, &format!(r#"fill="{}"{outline}"#, look::fill(index)))
}

fn line(places: &[Option<(f64, f64)>], index: usize, plot: &Plot) -> String {
    let mut path = String::new();
    let mut lone = String::new();
    // Where the pen is; a segment that begins there needs no move.
    let mut pen = None;
    for run in places.split(Option::is_none) {
        let run: Vec<Point> = run.iter().flatten().map(|&place| plot.fractions(place)).collect();
        if let [point] = run[..]
            && clip::contains(point)
        {
            let (x, y) = plot.pixel(point);
            lone += &look::marker(0, x, y, 1.8);
        }
        for pair in run.windows(2) {
            let Some((from, to)) = clip::segment(pair[0], pair[1]) else { continue };
            let write = |(x, y)| format!("{} {}", number_of(x), number_of(y));
            let (from, to) = (write(plot.pixel(from)), write(plot.pixel(to)));
            if pen.as_ref() != Some(&from) {
                _ = write!(path, "M{from}");
            } else if from == to {
                continue;
            }
            _ = write!(path, "L{to}");
            pen = Some(to);
        }
        pen = None;
    }
    element(&path, &look::stroke(index)) + &element(&lone, &format!(r#"fill="{}""#, look::colour(index)))
}

fn points(places: &[Option<(f64, f64)>], index: usize, plot: &Plot) -> String {
    let inside = places.iter().flatten().map(|&place| plot.fractions(place)).filter(|&point| clip::contains(point));
    // A tenth of a pixel apart cannot be told apart: a million points take no more room than what is seen of them.
    let coarse = |(x, y): (f64, f64)| ((x * 10.0).round() as i32, (y * 10.0).round() as i32);
    let pixels: BTreeSet<(i32, i32)> = inside.map(|point| coarse(plot.pixel(point))).collect();
    let radius = if pixels.len() > 400 { 2.2 } else { 3.2 };
    let marker = |(x, y)| look::marker(index, f64::from(x) / 10.0, f64::from(y) / 10.0, radius);
    let path: String = pixels.into_iter().map(marker).collect();
    element(&path, &format!(r##"fill="{}" stroke="#fff" stroke-width="0.5""##, look::colour(index)))
}

fn steps(chart: &Chart, series: &Series, index: usize, plot: &Plot, filled: bool) -> String {
    let mut places: Vec<(f64, f64)> = view::placed(chart, series).into_iter().flatten().collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (Some(first), Some(last)) = (places.first(), places.last()) else { return String::new() };
    let half = view::least_gap(plot.x.scale, places.iter().map(|place| place.0).collect()) / 2.0;

    let mut edges = vec![first.0 - half];
    edges.extend(places.windows(2).map(|pair| f64::midpoint(pair[0].0, pair[1].0)));
    edges.push(last.0 + half);

    let column = |place: f64| plot.column(place).clamp(plot.left, plot.right());
    let base = number_of(plot.line(plot.y.base()));
    let mut path = format!("M{} {base}", number_of(column(edges[0])));
    let mut seen = false;
    for (edges, (_, y)) in edges.windows(2).zip(&places) {
        let (from, to) = (column(edges[0]), column(edges[1]));
        if from < to {
            let level = plot.line(*y).clamp(plot.top, plot.bottom());
            _ = write!(path, "V{}H{}", number_of(level), number_of(to));
            seen = true;
        }
    }
    if !seen {
        return String::new();
    }
    _ = write!(path, "V{base}");
    let area = element(&path, &format!(r#"fill="{}" fill-opacity="0.12""#, look::colour(index)));
    let area = if filled { area } else { String::new() };
    area + &element(&path, &look::stroke(index))
}

/// A path with these attributes; nothing if it has no parts.
fn element(path: &str, attributes: &str) -> String {
    if path.is_empty() { String::new() } else { format!("<path {attributes} d=\"{path}\"/>\n") }
}
