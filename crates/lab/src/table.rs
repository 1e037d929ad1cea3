//! A table of a report, in every form that it is written in.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::number;

/// What stands in a table.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Cell {
    /// Words.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A number, shown with this many decimals.
    Real(f64, usize),
    /// A share, 1 being all, shown as a percentage with this many decimals.
    Percent(f64, usize),
    /// Seconds, shown in the unit that suits them.
    Seconds(f64),
    /// How many times as much.
    Ratio(f64),
    /// Nothing: the paper does not say, or it was not measured.
    Missing,
}

/// What a column shows becomes a cell: numbers are counts, and nothing is missing.
macro_rules! cells {
    ($($value:ident: $from:ty => $cell:expr),+ $(,)?) => {
        $(impl From<$from> for Cell {
            fn from($value: $from) -> Cell {
                $cell
            }
        })+
    };
}

cells! {
    text: &str => Cell::Text(text.to_owned()),
    text: String => Cell::Text(text),
    count: u64 => Cell::Count(count),
    count: u32 => Cell::Count(count.into()),
    count: usize => Cell::Count(count as u64),
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Missing, Into::into)
    }
}

impl Cell {
    /// A mean of counts.
    pub fn mean(value: f64) -> Cell {
        if value.is_finite() { Cell::Real(value, usize::from(value < 1000.0)) } else { Cell::Missing }
    }

    /// The number in it, if there is one.
    pub fn number(&self) -> Option<f64> {
        let number = match *self {
            Cell::Count(count) => count as f64,
            Cell::Real(value, _) | Cell::Percent(value, _) | Cell::Seconds(value) | Cell::Ratio(value) => value,
            Cell::Text(_) | Cell::Missing => return None,
        };
        number.is_finite().then_some(number)
    }

    /// As people read it.
    pub fn show(&self) -> String {
        match *self {
            Cell::Text(ref text) => text.clone(),
            Cell::Count(count) => number::grouped(count),
            Cell::Real(value, decimals) => number::decimals(value, decimals),
            Cell::Percent(value, decimals) => format!("{} %", number::decimals(value * 100.0, decimals)),
            Cell::Seconds(value) => number::seconds(value),
            Cell::Ratio(value) => number::short(value),
            Cell::Missing => "–".to_owned(),
        }
    }

    /// As a program reads it: shares and seconds as plain numbers.
    fn json(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Count(count) => json!(count),
            Cell::Missing => Value::Null,
            other => json!(other.number()),
        }
    }

    fn csv(&self) -> String {
        match self {
            Cell::Text(text) if text.contains([',', '"', '\n']) => format!("\"{}\"", text.replace('"', "\"\"")),
            Cell::Text(text) => text.clone(),
            Cell::Missing => String::new(),
            other => other.json().to_string(),
        }
    }
}

/// A column of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// What stands above it and its neighbours, such as what is measured; empty if nothing does.
    pub group: String,
    /// What stands above it alone, such as `paper`, `here` or `ratio`.
    pub name: String,
    /// Whether its numbers vary from machine to machine and from time to time.
    pub varies: bool,
}

/// What stands behind the name of a column whose numbers vary.
const DAGGER: &str = " †";

impl Column {
    fn new(full_name: &str) -> Column {
        let varies = full_name.ends_with(DAGGER);
        let (group, name) = full_name.split_once(": ").unwrap_or(("", full_name));
        Column { group: group.to_owned(), name: name.trim_end_matches(DAGGER).to_owned(), varies }
    }

    /// Its name, marked if its numbers vary.
    pub(crate) fn marked_name(&self) -> String {
        format!("{}{}", self.name, if self.varies { DAGGER } else { "" })
    }

    fn full_name(&self) -> String {
        let group = if self.group.is_empty() { String::new() } else { format!("{}: ", self.group) };
        group + &self.marked_name()
    }
}

/// A table of a report.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// The name of its files.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
    /// Why paper and here differ, and what else there is to say.
    pub notes: Vec<String>,
}

/// A table that gets its columns one by one, each with what it shows of a row.
pub(crate) struct Columns<'r, R> {
    pub(crate) table: Table,
    rows: &'r [R],
}

impl<R> Columns<'_, R> {
    fn add(&mut self, name: &str, cells: impl IntoIterator<Item = Cell>) {
        self.table.columns.push(Column::new(name));
        self.table.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    }

    /// Adds a column, called as Markdown shows it: `group: name †`, where the dagger says that its numbers vary.
    pub(crate) fn column<C: Into<Cell>>(mut self, name: &str, cell: impl Fn(&R) -> C) -> Self {
        self.add(name, self.rows.iter().map(|row| cell(row).into()));
        self
    }

    /// Adds what the paper has, what we have, and how many times as much that is.
    pub(crate) fn compared<P: Into<Cell>>(mut self, group: &str, cells: impl Fn(&R) -> (P, Cell)) -> Self {
        let (paper, here): (Vec<Cell>, Vec<Cell>) =
            self.rows.iter().map(cells).map(|(paper, here)| (paper.into(), here)).unzip();
        let ratio = |(paper, here): (&Cell, &Cell)| match (paper.number(), here.number()) {
            (Some(paper), Some(here)) if paper != 0.0 => Cell::Ratio(here / paper),
            _ => Cell::Missing,
        };
        let ratios: Vec<Cell> = paper.iter().zip(&here).map(ratio).collect();
        let (group, mark) = group.strip_suffix(DAGGER).map_or((group, ""), |group| (group, DAGGER));
        self.add(&format!("{group}: paper"), paper);
        self.add(&format!("{group}: here{mark}"), here);
        self.add(&format!("{group}: ratio{mark}"), ratios);
        self
    }

    /// Adds a sentence below the table.
    pub(crate) fn note(self, note: impl Into<String>) -> Self {
        self.notes([note])
    }

    /// Adds some.
    pub(crate) fn notes<N: Into<String>>(mut self, notes: impl IntoIterator<Item = N>) -> Self {
        self.table.notes.extend(notes.into_iter().map(Into::into));
        self
    }
}

impl Table {
    /// A table with these rows, and no columns yet.
    pub(crate) fn of<'r, R>(name: &str, title: impl Into<String>, rows: &'r [R]) -> Columns<'r, R> {
        let cells = vec![Vec::new(); rows.len()];
        let (name, columns, notes) = (name.to_owned(), Vec::new(), Vec::new());
        Columns { table: Table { name, title: title.into(), columns, rows: cells, notes }, rows }
    }

    /// The sentences below the table, and what the dagger means.
    pub(crate) fn all_notes(&self) -> impl Iterator<Item = &str> {
        let varies = self.columns.iter().any(|column| column.varies);
        let dagger = varies.then_some("† Times vary from machine to machine and from run to run.");
        self.notes.iter().map(String::as_str).chain(dagger)
    }

    /// Whether a column has numbers, which are aligned at their ends.
    pub(crate) fn is_numeric(&self, column: usize) -> bool {
        !self.rows.iter().any(|row| matches!(row[column], Cell::Text(_)))
    }

    /// The headings that neighbouring columns share, and how many columns each is for. `None` when there are none.
    pub(crate) fn groups(&self) -> Option<Vec<(&str, usize)>> {
        let runs = self.columns.chunk_by(|a, b| !a.group.is_empty() && a.group == b.group);
        let groups: Vec<_> = runs.map(|columns| (columns[0].group.as_str(), columns.len())).collect();
        groups.iter().any(|(group, _)| !group.is_empty()).then_some(groups)
    }

    /// As Markdown, without title and notes.
    pub fn markdown(&self) -> String {
        let escape = |text: String| text.replace('|', "\\|").replace('*', "\\*");
        let line = |cells: Vec<String>| cells.into_iter().map(escape).collect::<Vec<_>>().join(" | ");
        let names = line(self.columns.iter().map(Column::full_name).collect());
        let rule = |column| if self.is_numeric(column) { "---:" } else { "---" };
        let rules: Vec<&str> = (0..self.columns.len()).map(rule).collect();
        let mut text = format!("| {names} |\n|{}|\n", rules.join("|"));
        for row in &self.rows {
            _ = writeln!(text, "| {} |", line(row.iter().map(Cell::show).collect()));
        }
        text
    }

    /// As comma-separated values with a line of names: shares and seconds as plain numbers.
    pub fn csv(&self) -> String {
        let names = self.columns.iter().map(|column| Cell::Text(column.full_name().replace(DAGGER, ""))).collect();
        let line = |cells: &Vec<Cell>| cells.iter().map(Cell::csv).collect::<Vec<_>>().join(",") + "\n";
        [&names].into_iter().chain(&self.rows).map(line).collect()
    }

    /// As JSON: shares and seconds as plain numbers.
    pub fn json(&self) -> Value {
        let column = |column: &Column| json!({ "group": column.group, "name": column.name, "varies": column.varies });
        json!({
            "table": self.name,
            "title": self.title,
            "columns": self.columns.iter().map(column).collect::<Vec<_>>(),
            "rows": self.rows.iter().map(|row| row.iter().map(Cell::json).collect()).collect::<Vec<Value>>(),
            "notes": self.notes,
        })
    }

    /// As plain text for a terminal.
    pub fn text(&self) -> String {
        let names = self.columns.iter().map(|column| column.marked_name().replace(DAGGER, "†")).collect();
        let mut lines: Vec<Vec<String>> = vec![names];
        lines.extend(self.rows.iter().map(|row| row.iter().map(Cell::show).collect()));
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let mut widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = format!("{}\n", self.title);
        if let Some(groups) = self.groups() {
            let mut end = 0;
            let mut heading = |(group, count): (&str, usize)| {
                let span = widths[end..end + count].iter().sum::<usize>() + 2 * (count - 1);
                let needed = span.max(group.chars().count());
                end += count;
                // A long heading makes its last column wider.
                widths[end - 1] += needed - span;
                format!("{group:^needed$}")
            };
            let headings: Vec<String> = groups.into_iter().map(&mut heading).collect();
            _ = writeln!(text, "{}", headings.join("  ").trim_end());
        }
        for line in lines {
            let pad = |(column, (cell, &width)): (usize, (&String, &usize))| {
                if self.is_numeric(column) { format!("{cell:>width$}") } else { format!("{cell:width$}") }
            };
            let cells: Vec<String> = line.iter().zip(&widths).enumerate().map(pad).collect();
            _ = writeln!(text, "{}", cells.join("  ").trim_end());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_has_the_same_numbers() {
        let rows = [("a, b", Some(2000_u64), Cell::Count(1000)), ("c", None, Cell::Percent(0.5, 1))];
        let table = Table::of("t", "A* nodes", &rows)
            .column("what", |row| row.0)
            .compared("nodes", |row| (row.1, row.2.clone()))
            .table;
        assert_eq!(
            table.markdown(),
            "| what | nodes: paper | nodes: here | nodes: ratio |\n|---|---:|---:|---:|\n| a, b | 2,000 | 1,000 | 0.500 |\n\
             | c | – | 50.0 % | – |\n"
        );
        assert_eq!(table.csv(), "what,nodes: paper,nodes: here,nodes: ratio\n\"a, b\",2000,1000,0.5\nc,,0.5,\n");
        assert_eq!(table.json()["rows"][1], json!(["c", null, 0.5, null]));
        assert_eq!(
            table.text(),
            "A* nodes\n             nodes\nwhat  paper    here  ratio\na, b  2,000   1,000  0.500\nc         –  50.0 %      –\n"
        );
    }
}
