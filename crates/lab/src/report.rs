//! A report: plots, tables and a few words, written as one page of HTML, as Markdown, and each table and plot as files.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tilebase::format::Draft;
use tilebase_plot::{Axis, Chart, Series};

use crate::error::LabError;
use crate::papers::{About, Paper};
use crate::table::{Cell, Column, Table};

/// Pixels of pictures.
#[cfg(feature = "png")]
const PICTURE_WIDTH: u32 = 1440;

/// What a lab found out about a paper.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Which paper.
    pub paper: Paper,
    /// What was repeated and how, in a few sentences.
    pub words: Vec<String>,
    /// Plots, which come first.
    pub plots: Vec<Plot>,
    /// Tables; the first sums up.
    pub tables: Vec<Table>,
}

/// A picture of a report.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// The name of its files.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The picture, which may move.
    pub svg: String,
    /// What it was drawn from, if it is a chart: with the feature `png` there is a PNG of it as well.
    pub chart: Option<Chart>,
}

impl Plot {
    /// A chart, with its title and subtitle, and its horizontal and vertical axis.
    pub(crate) fn chart<T: Into<String>, S: Into<String>>(
        name: impl Into<String>,
        (title, subtitle): (T, S),
        [x, y]: [Axis; 2],
        series: impl IntoIterator<Item = Series>,
    ) -> Plot {
        let (title, series) = (title.into(), series.into_iter().collect());
        let chart = Chart { title: title.clone(), subtitle: Some(subtitle.into()), x, y, series };
        Plot { name: name.into(), title, svg: chart.svg(), chart: Some(chart) }
    }
}

/// Colours follow what the reader prefers. Charts are drawn on white; in the dark, their light and dark change places and their
/// colours stay what they are.
const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1f2328;--faint:#57606a;--ground:#fff;--line:#d8dee4;--stripe:#f6f8fa}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--faint:#9aa4af;--ground:#0d1117;--line:#30363d;--stripe:#161b22}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1240px;padding:1.5rem 1rem 4rem;background:var(--ground);color:var(--ink);
font:16px/1.5 system-ui,'Noto Sans',sans-serif}
h1{font-size:1.7rem;line-height:1.25;margin:1.2rem 0 .3rem}h2{font-size:1.45rem;line-height:1.25;margin:3.5rem 0 .3rem}
h3{font-size:1.05rem;margin:2.2rem 0 .5rem}
p{max-width:46rem;margin:.4rem 0}.faint,.notes{color:var(--faint)}.notes{font-size:.9rem;padding-left:1.1rem;max-width:52rem}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,33rem),1fr));gap:1rem;margin:1.2rem 0}
figure{margin:0;background:#fff;border:1px solid var(--line);border-radius:8px;overflow:hidden;display:flex;align-items:center;justify-content:center}
figure svg{width:100%;height:auto;display:block}
@media(prefers-color-scheme:dark){figure{background:#161b22}figure svg{filter:invert(.92) hue-rotate(180deg)}}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .7rem;text-align:left;white-space:nowrap}
.n{text-align:right}thead th{border-bottom:1px solid var(--line);vertical-align:bottom}
th.group{text-align:center;border-bottom:0}tbody tr:nth-child(even){background:var(--stripe)}
td.varies{color:var(--faint)}
a{color:inherit}nav a{margin-right:1.2rem}
@media print{figure{break-inside:avoid}}
";

/// Writes a report into a directory: page, Markdown, and files for each plot and table. Returns the page.
pub(crate) fn write(report: &Report, directory: &Path) -> Result<PathBuf, LabError> {
    std::fs::create_dir_all(directory).map_err(LabError::file(directory))?;
    for plot in &report.plots {
        save_plot(plot, directory)?;
    }
    for table in &report.tables {
        save(directory, &format!("{}.csv", table.name), table.csv().as_bytes())?;
        save(directory, &format!("{}.json", table.name), format!("{:#}\n", table.json()).as_bytes())?;
    }
    save(directory, "README.md", markdown(report).as_bytes())?;
    let title = report.paper.about().title;
    save_page(directory, title, &format!("<h1>{}</h1>\n{}", escape(title), body(report)))
}

/// Writes a plot into files.
pub(crate) fn save_plot(plot: &Plot, directory: &Path) -> Result<(), LabError> {
    save(directory, &format!("{}.svg", plot.name), plot.svg.as_bytes())?;
    #[cfg(feature = "png")]
    if let Some(chart) = &plot.chart {
        let png = chart.png(PICTURE_WIDTH).expect("the width is right");
        save(directory, &format!("{}.png", plot.name), &png)?;
    }
    Ok(())
}

/// Writes a page and Markdown that have all reports. Returns the page.
pub(crate) fn write_all(reports: &[Report], directory: &Path) -> Result<PathBuf, LabError> {
    const TITLE: &str = "The lab: papers on sliding-tile puzzles, repeated";
    let link = |report: &Report| format!("<a href=\"#{0}\">{0}</a>", report.paper);
    let links = reports.iter().map(link).collect::<Vec<_>>().join("\n");
    let mut page = format!("<h1>{TITLE}</h1>\n<nav><p>{links}</p></nav>\n");
    let mut text = format!("# {TITLE}\n\n");
    let mut tables = String::new();
    for report in reports {
        let About { name, title, reference } = report.paper.about();
        let body = body(report);
        _ = writeln!(page, "<section id=\"{name}\"><h2>{}</h2>\n{body}</section>", escape(title));
        _ = writeln!(text, "* [{title}]({name}/README.md): {reference}");
        if let Some(table) = report.tables.first() {
            _ = write!(tables, "\n## [{title}]({name}/README.md)\n\n{}", markdown_of(table, 3));
        }
    }
    save(directory, "README.md", (text + &tables).as_bytes())?;
    save_page(directory, TITLE, &page)
}

fn save_page(directory: &Path, title: &str, body: &str) -> Result<PathBuf, LabError> {
    let page = format!(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n{body}</body>\n</html>\n",
        escape(title)
    );
    save(directory, "index.html", page.as_bytes())
}

fn body(report: &Report) -> String {
    let about = report.paper.about();
    let mut html = format!("<p class=\"faint\">{}</p>\n", escape(about.reference));
    for sentence in &report.words {
        _ = writeln!(html, "<p>{}</p>", escape(sentence));
    }
    html += "<div class=\"plots\">\n";
    for plot in &report.plots {
        // Pictures on one page must not share the names of what they define.
        let prefix = format!("{}-{}-", about.name, plot.name);
        let svg = plot.svg.replace(" id=\"", &format!(" id=\"{prefix}")).replace("url(#", &format!("url(#{prefix}"));
        _ = writeln!(html, "<figure>{}</figure>", svg.trim());
    }
    html += "</div>\n";
    for table in &report.tables {
        _ = writeln!(html, "<h3>{}</h3>\n{}", escape(&table.title), html_of(table));
    }
    html
}

fn html_of(table: &Table) -> String {
    let mut html = "<div class=\"scroll\"><table>\n<thead>\n".to_owned();
    if let Some(groups) = table.groups() {
        let cell = |(group, count)| format!("<th class=\"group\" colspan=\"{count}\">{}</th>", escape(group));
        _ = writeln!(html, "<tr>{}</tr>", groups.into_iter().map(cell).collect::<String>());
    }
    let line = |tag: &str, texts: Vec<String>| -> String {
        let cell = |(number, text): (usize, &String)| {
            let numeric = if table.is_numeric(number) { "n" } else { "" };
            let varies = if table.columns[number].varies { " varies" } else { "" };
            format!("<{tag} class=\"{numeric}{varies}\">{}</{tag}>", escape(text))
        };
        texts.iter().enumerate().map(cell).collect()
    };
    let heads = line("th", table.columns.iter().map(Column::marked_name).collect());
    _ = writeln!(html, "<tr>{heads}</tr>\n</thead>\n<tbody>");
    for row in &table.rows {
        _ = writeln!(html, "<tr>{}</tr>", line("td", row.iter().map(Cell::show).collect()));
    }
    html += "</tbody>\n</table></div>\n";
    let notes: Vec<String> = table.all_notes().map(|note| format!("<li>{}</li>\n", escape(note))).collect();
    if !notes.is_empty() {
        _ = writeln!(html, "<ul class=\"notes\">\n{}</ul>", notes.concat());
    }
    html
}

fn markdown(report: &Report) -> String {
    let about = report.paper.about();
    let mut text = format!("# {}\n\n{}\n\n", about.title, about.reference);
    for sentence in &report.words {
        _ = writeln!(text, "{sentence}\n");
    }
    for plot in &report.plots {
        _ = writeln!(text, "![{}]({}.svg)\n", plot.title.replace(['[', ']'], ""), plot.name);
    }
    text + &report.tables.iter().map(|table| markdown_of(table, 2)).collect::<String>()
}

pub(crate) fn markdown_of(table: &Table, level: usize) -> String {
    let mut text = format!("{} {}\n\n{}\n", "#".repeat(level), table.title.replace('*', "\\*"), table.markdown());
    for note in table.all_notes() {
        _ = writeln!(text, "* {}", note.replace('*', "\\*"));
    }
    text.push('\n');
    text
}

/// A file that is there whole or not at all.
pub(crate) fn save(directory: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, LabError> {
    let path = directory.join(name);
    let saved = Draft::new(path.clone()).and_then(|mut draft| draft.write_all(bytes).and_then(|()| draft.seal()));
    saved.map_err(LabError::file(&path))?;
    Ok(path)
}

/// Text in HTML and SVG.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
