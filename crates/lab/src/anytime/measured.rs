//! The file of what was measured: a line for each search of a board.

use crate::kept_lines::{KeptLines, Line};

/// What the file begins with.
const HEAD: &str = "\
# Solutions as they got better, a line for each search of a board; made by tilebase lab anytime.
# moments: seconds since the tables were opened, moves of the best solution, and how many every solution has at least.
# boards\tboard\tshortest\tsearch\ttables\tthreads\tlimit\tseconds\tmoments
";

/// What was known at a moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Moment {
    pub(crate) seconds: f64,
    pub(crate) length: u32,
    pub(crate) at_least: u32,
}

/// A search of a board.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Measured {
    /// Which boards it is one of.
    pub(crate) boards: String,
    pub(crate) board: u32,
    pub(crate) shortest: u32,
    /// `anytime`, or a search and its weight.
    pub(crate) search: String,
    pub(crate) tables: String,
    pub(crate) threads: usize,
    /// Seconds that it was given.
    pub(crate) limit: f64,
    /// Seconds that it took.
    pub(crate) seconds: f64,
    pub(crate) moments: Vec<Moment>,
}

pub(crate) type Measurements = KeptLines<Measured>;

impl Line for Measured {
    const HEAD: &str = HEAD;

    fn line(&self) -> String {
        let Measured { boards, board, shortest, search, tables, threads, limit, seconds, moments } = self;
        let moment = |moment: &Moment| format!("{:.4}:{}:{}", moment.seconds, moment.length, moment.at_least);
        let moments = moments.iter().map(moment).collect::<Vec<_>>().join(" ");
        format!("{boards}\t{board}\t{shortest}\t{search}\t{tables}\t{threads}\t{limit}\t{seconds:.4}\t{moments}\n")
    }

    fn parse(line: &str) -> Option<Measured> {
        let cells: Vec<&str> = line.split('\t').collect();
        let [boards, board, shortest, search, tables, threads, limit, seconds, moments] = cells[..] else {
            return None;
        };
        let moment = |text: &str| {
            let parts: Vec<&str> = text.split(':').collect();
            let [seconds, length, at_least] = parts[..] else { return None };
            Some(Moment {
                seconds: seconds.parse().ok()?,
                length: length.parse().ok()?,
                at_least: at_least.parse().ok()?,
            })
        };
        Some(Measured {
            boards: boards.to_owned(),
            board: board.parse().ok()?,
            shortest: shortest.parse().ok()?,
            search: search.to_owned(),
            tables: tables.to_owned(),
            threads: threads.parse().ok()?,
            limit: limit.parse().ok()?,
            seconds: seconds.parse().ok()?,
            moments: moments.split_whitespace().map(moment).collect::<Option<_>>()?,
        })
    }
}

impl Measured {
    /// What was known after some time, if a solution was.
    pub(crate) fn at(&self, seconds: f64) -> Option<Moment> {
        self.moments.iter().rev().find(|moment| moment.seconds <= seconds).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let moment = |seconds, length, at_least| Moment { seconds, length, at_least };
        let measured = Measured {
            boards: "korf24".into(),
            board: 7,
            shortest: 104,
            search: "anytime".into(),
            tables: "7-7-7-3".into(),
            threads: 2,
            limit: 10.0,
            seconds: 10.0125,
            moments: vec![moment(0.05, 118, 88), moment(0.25, 110, 92), moment(3.5, 106, 96)],
        };
        assert_eq!(Measured::parse(measured.line().trim_end_matches('\n')), Some(measured.clone()));
        let none = Measured { moments: Vec::new(), ..measured.clone() };
        assert_eq!(Measured::parse(none.line().trim_end_matches('\n')), Some(none));
        assert_eq!(Measured::parse(&measured.line().replace("118:88", "118")), None);
        assert_eq!(measured.at(0.04), None);
        assert_eq!(measured.at(0.25).map(|moment| moment.length), Some(110));
        assert_eq!(measured.at(99.0).map(|moment| moment.length), Some(106));
    }
}
