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

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

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

impl Column {
    /// A column by itself.
    pub fn new(name: impl Into<String>) -> Column {
        Column { group: String::new(), name: name.into(), varies: false }
    }

    /// The same, under a heading that it shares with its neighbours.
    #[must_use]
    pub fn of(self, group: impl Into<String>) -> Column {
        Column { group: group.into(), ..self }
    }

    /// The same, with numbers that vary.
    #[must_use]
    pub fn varying(self) -> Column {
        Column { varies: true, ..self }
    }

    /// What the paper has, what we have, and how many times as much that is.
    pub fn compared(group: &str) -> [Column; 3] {
        ["paper", "here", "ratio"].map(|name| Column::new(name).of(group))
    }

    /// Group and name in one.
    fn full_name(&self) -> String {
        let mark = if self.varies { " †" } else { "" };
        if self.group.is_empty() {
            format!("{}{mark}", self.name)
        } else {
            format!("{}: {}{mark}", self.group, self.name)
        }
    }
}

/// What the paper has, what we have, and how many times as much that is.
pub(crate) fn compared(paper: Cell, here: Cell) -> [Cell; 3] {
    let ratio = match (paper.number(), here.number()) {
        (Some(paper), Some(here)) if paper != 0.0 => Cell::Ratio(here / paper),
        _ => Cell::Missing,
    };
    [paper, here, ratio]
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

impl Table {
    /// A table without rows.
    pub fn new(name: &str, title: impl Into<String>, columns: impl IntoIterator<Item = Column>) -> Table {
        let columns = columns.into_iter().collect();
        Table { name: name.to_owned(), title: title.into(), columns, rows: Vec::new(), notes: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When it does not have a cell for every column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.columns.len(), "table {}: a row has a cell for every column", self.name);
        self.rows.push(cells);
    }

    /// Adds a sentence below the table.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// The sentences below the table, and what the dagger means.
    pub(crate) fn all_notes(&self) -> impl Iterator<Item = &str> {
        let varies = self.columns.iter().any(|column| column.varies);
        self.notes
            .iter()
            .map(String::as_str)
            .chain(varies.then_some("† Times vary from machine to machine and from run to run."))
    }

    /// Whether a column has numbers, which are aligned at their ends.
    pub(crate) fn is_numeric(&self, column: usize) -> bool {
        !self.rows.iter().any(|row| matches!(row[column], Cell::Text(_)))
    }

    /// As Markdown, without title and notes.
    pub fn markdown(&self) -> String {
        let escape = |text: String| text.replace('|', "\\|").replace('*', "\\*");
        let mut text = String::new();
        let names: Vec<String> = self.columns.iter().map(|column| escape(column.full_name())).collect();
        _ = writeln!(text, "| {} |", names.join(" | "));
        let rules: Vec<&str> =
            (0..names.len()).map(|column| if self.is_numeric(column) { "---:" } else { "---" }).collect();
        _ = writeln!(text, "|{}|", rules.join("|"));
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| escape(cell.show())).collect();
            _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text
    }

    /// As comma-separated values with a line of names: shares and seconds as plain numbers.
    pub fn csv(&self) -> String {
        let name = |column: &Column| Cell::Text(column.full_name().replace(" †", "")).csv();
        let mut text = self.columns.iter().map(name).collect::<Vec<_>>().join(",") + "\n";
        for row in &self.rows {
            text += &row.iter().map(Cell::csv).collect::<Vec<_>>().join(",");
            text.push('\n');
        }
        text
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
        let cells: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(Cell::show).collect()).collect();
        let names: Vec<String> = self
            .columns
            .iter()
            .map(|column| format!("{}{}", column.name, if column.varies { "†" } else { "" }))
            .collect();
        let width = |column: usize| {
            let length = |text: &String| text.chars().count();
            cells.iter().map(|row| length(&row[column])).chain([length(&names[column])]).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..names.len()).map(width).collect();
        let line = |texts: &[String], widths: &[usize]| {
            let mut line = String::new();
            for (column, (text, &width)) in texts.iter().zip(widths).enumerate() {
                let gap = if column > 0 { "  " } else { "" };
                _ = if self.is_numeric(column) {
                    write!(line, "{gap}{text:>width$}")
                } else {
                    write!(line, "{gap}{text:width$}")
                };
            }
            line.trim_end().to_owned()
        };
        let mut text = format!("{}\n", self.title);
        if self.columns.iter().any(|column| !column.group.is_empty()) {
            let mut groups = String::new();
            let spans = self.spans();
            for &(start, count) in &spans {
                let group = &self.columns[start].group;
                let span: usize = widths[start..start + count].iter().sum::<usize>() + 2 * (count - 1);
                // A long heading makes its last column wider.
                widths[start + count - 1] += group.chars().count().saturating_sub(span);
                let span = span.max(group.chars().count());
                let gap = if start > 0 { "  " } else { "" };
                _ = write!(groups, "{gap}{group:^span$}");
            }
            text += groups.trim_end();
            text.push('\n');
        }
        text += &line(&names, &widths);
        text.push('\n');
        for row in &cells {
            text += &line(row, &widths);
            text.push('\n');
        }
        text
    }

    /// Runs of columns under one heading: first column and how many.
    pub(crate) fn spans(&self) -> Vec<(usize, usize)> {
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for (number, column) in self.columns.iter().enumerate() {
            match spans.last_mut() {
                Some((start, count)) if !column.group.is_empty() && self.columns[*start].group == column.group => {
                    *count += 1;
                }
                _ => spans.push((number, 1)),
            }
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let [paper, here, ratio] = Column::compared("nodes");
        let mut table = Table::new("t", "A* nodes", [Column::new("what"), paper, here, ratio]);
        table.row([Cell::text("a, b")].into_iter().chain(compared(Cell::Count(2000), Cell::Count(1000))));
        table.row([Cell::text("c")].into_iter().chain(compared(Cell::Missing, Cell::Percent(0.5, 1))));
        table
    }

    #[test]
    fn every_form_has_the_same_numbers() {
        let table = table();
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
