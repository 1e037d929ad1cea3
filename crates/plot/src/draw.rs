//! Lays a chart out and writes it as SVG.
//!
//! From top to bottom: title, subtitle, legend, plot, tick labels, name of the horizontal axis. The width is fixed, the
//! plot keeps its height, and the picture is as high as its texts need. Lengths are pixels of the SVG.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::chart::{Chart, Series, Style};
use crate::legend::Legend;
use crate::look::{self, number_of};
use crate::marks::{self, Plot};
use crate::text::{self, Ruler, escape};
use crate::ticks::Tick;
use crate::view;

const WIDTH: f64 = 720.0;
const PLOT_HEIGHT: f64 = 340.0;
const MARGIN: f64 = 20.0;

const TITLE_SIZE: f64 = 17.0;
const SUBTITLE_SIZE: f64 = 13.0;
const AXIS_SIZE: f64 = 13.0;
const TICK_SIZE: f64 = 12.0;
const EXPONENT_SIZE: f64 = 9.0;

/// Lines are this many times as far apart as their text is high.
const LEADING: f64 = 1.35;
/// A browser's font may be this much wider than ours.
const SLACK: f64 = 1.06;
/// Labels of neighbouring ticks are at least this far apart.
const LABEL_GAP: f64 = 14.0;
const TICK_LENGTH: f64 = 5.0;

/// The SVG of a chart and its size.
pub(crate) fn picture(chart: &Chart) -> (String, (f64, f64)) {
    let body_width = WIDTH - 2.0 * MARGIN;
    let lines = |text: &str, font, size, count| Ruler::new(font, size * SLACK).wrap(text, body_width, count);
    let title = lines(&chart.title, text::BOLD, TITLE_SIZE, 3);
    let subtitle = lines(chart.subtitle.as_deref().unwrap_or_default(), text::REGULAR, SUBTITLE_SIZE, 4);
    let axis_ruler = Ruler::new(text::REGULAR, AXIS_SIZE * SLACK);
    let y_name = axis_ruler.wrap(&chart.y.label, PLOT_HEIGHT, 2);

    let (x, y) = (view::horizontal(chart), view::vertical(chart));
    let y_ticks = y.vertical_ticks();
    let y_labels = y_ticks.iter().map(label_width).fold(0.0, f64::max);

    let left = MARGIN + y_name.len() as f64 * AXIS_SIZE * LEADING + y_labels + TICK_LENGTH + 6.0;
    let width = (WIDTH - MARGIN - 4.0 - left).max(WIDTH / 3.0);
    let legend = Legend::new(chart, WIDTH - MARGIN - left);
    let head = MARGIN - 4.0
        + title.len() as f64 * TITLE_SIZE * LEADING
        + subtitle.len() as f64 * SUBTITLE_SIZE * LEADING
        + if title.is_empty() && subtitle.is_empty() { 0.0 } else { 8.0 };
    let top = head + legend.height() + 10.0;
    let plot = Plot { left, top, width, height: PLOT_HEIGHT, x, y };
    let x_ticks = fitting_ticks(&plot);
    let x_name = axis_ruler.wrap(&chart.x.label, width, 2);
    let names_top = plot.bottom() + TICK_LENGTH + TICK_SIZE * LEADING + 6.0;
    let height = (names_top + x_name.len() as f64 * AXIS_SIZE * LEADING + MARGIN * 0.7).ceil();

    let mut svg = opening(chart, height);
    let mut baseline = MARGIN - 4.0;
    for (lines, size, look) in [
        (&title, TITLE_SIZE, format!(r#"font-weight="bold" fill="{}""#, look::INK)),
        (&subtitle, SUBTITLE_SIZE, format!(r#"fill="{}""#, look::FAINT_INK)),
    ] {
        for line in lines {
            baseline += size * LEADING;
            let y = number_of(baseline - size * 0.25);
            _ = writeln!(svg, r#"<text x="{MARGIN}" y="{y}" font-size="{size}" {look}>{}</text>"#, escape(line));
        }
    }
    svg += &legend.draw(chart, left, head);
    svg += &grid(chart, &plot, &x_ticks, &y_ticks);
    svg += &series(chart, &plot);
    svg += &axes(&plot, &x_ticks, &y_ticks);
    svg += &names(&plot, &x_name, &y_name, names_top);
    svg += "</svg>\n";
    (svg, (WIDTH, height))
}

/// The first lines of the file: size, what a screen reader says, background, fills.
fn opening(chart: &Chart, height: f64) -> String {
    let name = |series: &Series| match series.points.len() {
        1 => format!("{} (1 point)", series.name),
        count => format!("{} ({count} points)", series.name),
    };
    let series: Vec<String> = chart.series.iter().map(name).collect();
    let description = format!("{} against {}: {}.", chart.y.label, chart.x.label, series.join(", "));
    let title = escape(&chart.title);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}" font-family="'Noto Sans', system-ui, sans-serif">
<title>{title}</title>
<desc>{}</desc>
<rect width="{WIDTH}" height="{height}" fill="#fff"/>
"##,
        escape(&description)
    );
    let bars = chart.series.iter().enumerate().filter(|(_, series)| series.style == Style::Bars);
    let hatches: BTreeSet<String> = bars.filter_map(|(index, _)| look::hatch(index)).collect();
    if !hatches.is_empty() {
        _ = writeln!(svg, "<defs>{}</defs>", hatches.into_iter().collect::<String>());
    }
    svg
}

/// As many ticks of the horizontal axis as there is room for their labels.
fn fitting_ticks(plot: &Plot) -> Vec<Tick> {
    let fits = |ticks: &[Tick]| {
        let ends = |tick: &Tick| {
            let (middle, half) = (label_column(plot, tick), label_width(tick) / 2.0);
            (middle - half, middle + half)
        };
        ticks.windows(2).all(|pair| ends(&pair[0]).1 + LABEL_GAP <= ends(&pair[1]).0)
    };
    let ticks = (2..=12).rev().map(|parts| plot.x.ticks(parts)).find(|ticks| fits(ticks));
    ticks.unwrap_or_else(|| plot.x.ticks(1))
}

/// Where the middle of a label below the plot is: at its tick, but inside of the picture.
fn label_column(plot: &Plot, tick: &Tick) -> f64 {
    let half = label_width(tick) / 2.0;
    plot.column(tick.at).min(WIDTH - 4.0 - half)
}

fn label_width(tick: &Tick) -> f64 {
    let width = |text, size| Ruler::new(text::REGULAR, size).width(text);
    SLACK * (width(&tick.label, TICK_SIZE) + tick.exponent.as_deref().map_or(0.0, |text| width(text, EXPONENT_SIZE)))
}

/// Light lines behind the data. Bars alone need no vertical ones.
fn grid(chart: &Chart, plot: &Plot, x_ticks: &[Tick], y_ticks: &[Tick]) -> String {
    let mut path = String::new();
    for tick in y_ticks {
        _ = write!(path, "M{} {}H{}", number_of(plot.left), number_of(plot.line(tick.at)), number_of(plot.right()));
    }
    if chart.series.iter().any(|series| series.style != Style::Bars) {
        for tick in x_ticks {
            let (x, top, bottom) = (number_of(plot.column(tick.at)), number_of(plot.top), number_of(plot.bottom()));
            _ = write!(path, "M{x} {top}V{bottom}");
        }
    }
    if path.is_empty() { path } else { format!("<path fill=\"none\" stroke=\"{}\" d=\"{path}\"/>\n", look::GRID) }
}

fn series(chart: &Chart, plot: &Plot) -> String {
    let mut svg = String::new();
    for (index, series) in chart.series.iter().enumerate() {
        let shapes = marks::shapes(chart, index, plot);
        if !shapes.is_empty() {
            _ = write!(svg, "<g>\n<title>{}</title>\n{shapes}</g>\n", escape(&series.name));
        }
    }
    if svg.is_empty() {
        let (x, y) = (number_of(plot.left + plot.width / 2.0), number_of(plot.top + plot.height / 2.0));
        let look = format!(r#"font-size="{AXIS_SIZE}" fill="{}" text-anchor="middle""#, look::FAINT_INK);
        _ = writeln!(svg, r#"<text x="{x}" y="{y}" {look}>no data</text>"#);
    }
    svg
}

/// The lines of the axes and the labels of their ticks.
fn axes(plot: &Plot, x_ticks: &[Tick], y_ticks: &[Tick]) -> String {
    let [left, right, top, bottom] = [plot.left, plot.right(), plot.top, plot.bottom()].map(number_of);
    let mut path = format!("M{left} {top}V{bottom}H{right}");
    let base = plot.line(plot.y.base());
    if base < plot.bottom() - 0.5 {
        _ = write!(path, "M{left} {}H{right}", number_of(base));
    }
    let marks = x_ticks.iter().map(|tick| (tick.at, TICK_LENGTH));
    for (at, length) in marks.chain(plot.x.small_ticks().into_iter().map(|at| (at, TICK_LENGTH / 2.0))) {
        _ = write!(path, "M{} {bottom}v{length}", number_of(plot.column(at)));
    }
    let marks = y_ticks.iter().map(|tick| (tick.at, TICK_LENGTH));
    for (at, length) in marks.chain(plot.y.small_ticks().into_iter().map(|at| (at, TICK_LENGTH / 2.0))) {
        _ = write!(path, "M{left} {}h-{length}", number_of(plot.line(at)));
    }
    let mut svg = format!("<path fill=\"none\" stroke=\"{}\" d=\"{path}\"/>\n", look::AXIS);
    let mut labels = |ticks: &[Tick], anchor: &str, place: &dyn Fn(&Tick) -> (f64, f64)| {
        _ = writeln!(svg, r#"<g font-size="{TICK_SIZE}" fill="{}" text-anchor="{anchor}">"#, look::INK);
        for tick in ticks {
            let (x, y) = place(tick);
            let raised = tick.exponent.as_ref().map_or_else(String::new, |exponent| {
                format!(r#"<tspan dy="-4.5" font-size="{EXPONENT_SIZE}">{exponent}</tspan>"#)
            });
            let (x, y) = (number_of(x), number_of(y));
            _ = writeln!(svg, r#"<text x="{x}" y="{y}">{}{raised}</text>"#, escape(&tick.label));
        }
        svg += "</g>\n";
    };
    let below = plot.bottom() + TICK_LENGTH + TICK_SIZE + 1.0;
    labels(x_ticks, "middle", &|tick| (label_column(plot, tick), below));
    labels(y_ticks, "end", &|tick| (plot.left - TICK_LENGTH - 4.0, plot.line(tick.at) + TICK_SIZE * 0.36));
    svg
}

/// What the axes are called.
fn names(plot: &Plot, x_name: &[String], y_name: &[String], top: f64) -> String {
    let mut svg = format!("<g font-size=\"{AXIS_SIZE}\" fill=\"{}\" text-anchor=\"middle\">\n", look::INK);
    for (number, line) in x_name.iter().enumerate() {
        let (x, y) = (plot.left + plot.width / 2.0, top + AXIS_SIZE * (1.0 + LEADING * number as f64));
        _ = writeln!(svg, r#"<text x="{}" y="{}">{}</text>"#, number_of(x), number_of(y), escape(line));
    }
    for (number, line) in y_name.iter().enumerate() {
        let (x, y) = (MARGIN + AXIS_SIZE * (0.75 + LEADING * number as f64), plot.top + plot.height / 2.0);
        let place = format!("translate({} {}) rotate(-90)", number_of(x), number_of(y));
        _ = writeln!(svg, r#"<text transform="{place}">{}</text>"#, escape(line));
    }
    svg + "</g>\n"
}
