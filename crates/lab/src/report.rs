//! A report: plots, tables and a few words, written as one page of HTML, as Markdown, and each table and plot as files.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tilebase::format::Draft;
use tilebase_plot::Chart;

use crate::error::LabError;
use crate::papers::Paper;
use crate::table::Table;

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
    /// What it is.
    pub picture: Picture,
}

/// Kinds of pictures.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Picture {
    /// A chart, as SVG and, with the feature `png`, as PNG.
    Chart(Chart),
    /// An animation: its title, and its SVG.
    Animation(String, String),
}

impl Plot {
    /// A chart.
    pub fn chart(name: &str, chart: Chart) -> Plot {
        Plot { name: name.to_owned(), picture: Picture::Chart(chart) }
    }

    fn title(&self) -> &str {
        match &self.picture {
            Picture::Chart(chart) => &chart.title,
            Picture::Animation(title, _) => title,
        }
    }

    fn svg(&self) -> String {
        match &self.picture {
            Picture::Chart(chart) => chart.svg(),
            Picture::Animation(_, svg) => svg.clone(),
        }
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
///
/// # Errors
/// [`LabError::File`].
pub(crate) fn write(report: &Report, directory: &Path) -> Result<PathBuf, LabError> {
    std::fs::create_dir_all(directory).map_err(LabError::file(directory))?;
    for plot in &report.plots {
        save(&directory.join(format!("{}.svg", plot.name)), plot.svg().as_bytes())?;
        #[cfg(feature = "png")]
        if let Picture::Chart(chart) = &plot.picture {
            let png = chart.png(PICTURE_WIDTH).expect("the width is right");
            save(&directory.join(format!("{}.png", plot.name)), &png)?;
        }
    }
    for table in &report.tables {
        save(&directory.join(format!("{}.csv", table.name)), table.csv().as_bytes())?;
        save(&directory.join(format!("{}.json", table.name)), format!("{:#}\n", table.json()).as_bytes())?;
    }
    let about = report.paper.about();
    save(&directory.join("README.md"), format!("# {}\n\n{}", about.title, markdown(report, "", 2)).as_bytes())?;
    let body = format!("<h1>{}</h1>\n{}", escape(about.title), body(report));
    let page = directory.join("index.html");
    save(&page, page_of(about.title, &body).as_bytes())?;
    Ok(page)
}

/// Writes a page and Markdown that have all reports. Returns the page.
///
/// # Errors
/// [`LabError::File`].
pub(crate) fn write_all(reports: &[Report], directory: &Path) -> Result<PathBuf, LabError> {
    const TITLE: &str = "The lab: papers on sliding-tile puzzles, repeated";
    let link = |report: &Report| format!("<a href=\"#{0}\">{0}</a>", report.paper.about().name);
    let links = reports.iter().map(link).collect::<Vec<_>>().join("\n");
    let mut page = format!("<h1>{TITLE}</h1>\n<nav><p>{links}</p></nav>\n");
    let mut text = format!("# {TITLE}\n\n");
    for report in reports {
        let about = report.paper.about();
        _ = writeln!(
            page,
            "<section id=\"{}\"><h2>{}</h2>\n{}</section>",
            about.name,
            escape(about.title),
            body(report)
        );
        _ = writeln!(text, "* [{}]({}/README.md): {}", about.title, about.name, about.reference);
    }
    for report in reports {
        let Some(table) = report.tables.first() else { continue };
        let about = report.paper.about();
        _ = write!(text, "\n## [{}]({}/README.md)\n\n", about.title, about.name);
        text += &markdown_of(table, 3);
    }
    save(&directory.join("README.md"), text.as_bytes())?;
    let file = directory.join("index.html");
    save(&file, page_of(TITLE, &page).as_bytes())?;
    Ok(file)
}

fn page_of(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n{body}</body>\n</html>\n",
        escape(title)
    )
}

/// A report as HTML, without its title.
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
        let svg = plot.svg().replace(" id=\"", &format!(" id=\"{prefix}")).replace("url(#", &format!("url(#{prefix}"));
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
    if table.columns.iter().any(|column| !column.group.is_empty()) {
        let cell = |&(start, count): &(usize, usize)| {
            format!("<th class=\"group\" colspan=\"{count}\">{}</th>", escape(&table.columns[start].group))
        };
        _ = writeln!(html, "<tr>{}</tr>", table.spans().iter().map(cell).collect::<String>());
    }
    let class = |column: usize| {
        let numeric = if table.is_numeric(column) { "n" } else { "" };
        let varies = if table.columns[column].varies { " varies" } else { "" };
        format!("{numeric}{varies}")
    };
    let heads = table.columns.iter().enumerate().map(|(number, column)| {
        let mark = if column.varies { " †" } else { "" };
        format!("<th class=\"{}\">{}{mark}</th>", class(number), escape(&column.name))
    });
    _ = writeln!(html, "<tr>{}</tr>\n</thead>\n<tbody>", heads.collect::<String>());
    for row in &table.rows {
        let cells = row
            .iter()
            .enumerate()
            .map(|(number, cell)| format!("<td class=\"{}\">{}</td>", class(number), escape(&cell.show())));
        _ = writeln!(html, "<tr>{}</tr>", cells.collect::<String>());
    }
    html += "</tbody>\n</table></div>\n";
    let notes: String =
        table.all_notes().fold(String::new(), |notes, note| notes + &format!("<li>{}</li>\n", escape(note)));
    if !notes.is_empty() {
        _ = writeln!(html, "<ul class=\"notes\">\n{notes}</ul>");
    }
    html
}

/// A report as Markdown, without its title.
fn markdown(report: &Report, files: &str, level: usize) -> String {
    let mut text = format!("{}\n\n", report.paper.about().reference);
    for sentence in &report.words {
        _ = writeln!(text, "{sentence}\n");
    }
    for plot in &report.plots {
        _ = writeln!(text, "![{}]({files}{}.svg)\n", plot.title().replace(['[', ']'], ""), plot.name);
    }
    for table in &report.tables {
        text += &markdown_of(table, level);
    }
    text
}

fn markdown_of(table: &Table, level: usize) -> String {
    let mut text = format!("{} {}\n\n{}\n", "#".repeat(level), table.title.replace('*', "\\*"), table.markdown());
    for note in table.all_notes() {
        _ = writeln!(text, "* {}", note.replace('*', "\\*"));
    }
    text.push('\n');
    text
}

/// A file that is there whole or not at all.
fn save(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    let saved = Draft::new(path.to_owned()).and_then(|mut draft| draft.write_all(bytes).and_then(|()| draft.seal()));
    saved.map(drop).map_err(LabError::file(path))
}

/// Text in HTML and SVG.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
