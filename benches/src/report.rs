//! How comparisons are told: a table for people, a line each for programs.

use std::fmt;

use serde_json::{Value, json};

use crate::judge::{Judgement, Verdict};

/// A benchmark of both programs, and what the turns say about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Compared {
    /// The benchmark.
    pub name: String,
    /// Times in nanoseconds, and the verdict.
    pub judgement: Judgement,
    /// How many things of what kind the old program does each time, and the new one.
    pub throughputs: [Option<String>; 2],
}

/// All benchmarks.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The change up to which none counts, whatever the noise.
    pub floor: f64,
    /// Those of both programs.
    pub compared: Vec<Compared>,
    /// Those of the old program alone.
    pub only_old: Vec<String>,
    /// Those of the new program alone.
    pub only_new: Vec<String>,
}

impl Verdict {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Slower => "slower",
            Verdict::Faster => "faster",
            Verdict::Same => "same",
        }
    }
}

impl Compared {
    /// Whether both programs do the same number of things. If not, one may be slower because it does more, such as nodes of a search.
    pub fn does_as_much(&self) -> bool {
        self.throughputs[0] == self.throughputs[1]
    }

    /// One object.
    pub fn to_json(&self) -> Value {
        let Judgement { old, new, change, error, allowed, verdict, pairs } = self.judgement;
        let throughput =
            |text: &Option<String>| text.as_ref().and_then(|text| serde_json::from_str::<Value>(text).ok());
        let [old_throughput, new_throughput] = self.throughputs.each_ref().map(throughput);
        json!({
            "bench": self.name, "verdict": verdict.name(), "change": change, "allowed": allowed, "error": error, "pairs": pairs,
            "old_nanoseconds": old, "new_nanoseconds": new, "old_throughput": old_throughput, "new_throughput": new_throughput,
        })
    }
}

impl Report {
    /// The benchmarks that are slower in the new program.
    pub fn slower(&self) -> impl Iterator<Item = &Compared> {
        self.compared.iter().filter(|compared| compared.judgement.verdict == Verdict::Slower)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.compared.iter().map(|compared| compared.name.chars().count()).max().unwrap_or(0);
        writeln!(f, "{:width$}  {:>10}  {:>10}  {:>7}  {:>7}  {:>5}", "", "old", "new", "change", "allowed", "pairs")?;
        for compared in &self.compared {
            let Judgement { old, new, change, allowed, verdict, pairs, .. } = compared.judgement;
            let [old, new] = [old, new].map(time);
            let [change, allowed] = [change, allowed].map(|part| 100.0 * part);
            write!(f, "{:width$}  {old:>10}  {new:>10}  {change:>+6.1}%  {allowed:>6.1}%  {pairs:>5}", compared.name)?;
            let verdict = if verdict == Verdict::Same { "" } else { verdict.name() };
            let other = if compared.does_as_much() { "" } else { "does another number of things" };
            let notes: Vec<&str> = [verdict, other].into_iter().filter(|note| !note.is_empty()).collect();
            writeln!(f, "{}{}", if notes.is_empty() { "" } else { "  " }, notes.join(", "))?;
        }
        for (names, which) in [(&self.only_old, "old"), (&self.only_new, "new")] {
            names.iter().try_for_each(|name| writeln!(f, "{name:width$}  only in the {which} program"))?;
        }
        let slower: Vec<&str> = self.slower().map(|compared| compared.name.as_str()).collect();
        match slower.len() {
            0 => writeln!(f, "none of {} is slower", self.compared.len())?,
            count => writeln!(f, "{count} of {} slower: {}", self.compared.len(), slower.join("; "))?,
        }
        let is_noisy = |compared: &&Compared| compared.judgement.allowed > self.floor;
        let noisy = self.compared.iter().filter(is_noisy).count();
        if noisy > 0 {
            let floor = 100.0 * self.floor;
            writeln!(f, "{noisy} too noisy to tell changes of {floor} %: more pairs or a quieter machine would help")?;
        }
        Ok(())
    }
}

/// Nanoseconds with three digits and a unit.
fn time(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        small if small < 1e3 => (small, "ns"),
        medium if medium < 1e6 => (medium / 1e3, "µs"),
        large if large < 1e9 => (large / 1e6, "ms"),
        huge => (huge / 1e9, "s"),
    };
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(name: &str, change: f64, allowed: f64, verdict: Verdict) -> Compared {
        let judgement = Judgement {
            old: 84_000.0,
            new: 84_000.0 * (1.0 + change),
            change,
            error: 0.01,
            allowed,
            verdict,
            pairs: 8,
        };
        Compared { name: name.into(), judgement, throughputs: [Some(r#"{"Elements":7}"#.into()), None] }
    }

    fn report() -> Report {
        let mut same = compared("rank/6 tiles", 0.012, 0.05, Verdict::Same);
        same.throughputs = [None, None];
        Report {
            floor: 0.05,
            compared: vec![same, compared("search/6-6-3", 0.1, 0.06, Verdict::Slower)],
            only_old: vec!["gone".into()],
            only_new: vec!["come".into()],
        }
    }

    #[test]
    fn the_table_names_what_is_slower_and_what_could_not_be_told() {
        let expected = "                     old         new   change  allowed  pairs
rank/6 tiles     84.0 µs     85.0 µs    +1.2%     5.0%      8
search/6-6-3     84.0 µs     92.4 µs   +10.0%     6.0%      8  slower, does another number of things
gone          only in the old program
come          only in the new program
1 of 2 slower: search/6-6-3
1 too noisy to tell changes of 5 %: more pairs or a quieter machine would help
";
        assert_eq!(report().to_string(), expected);
    }

    #[test]
    fn a_report_without_anything_slower_says_so() {
        let mut report = report();
        report.compared.truncate(1);
        assert!(report.to_string().ends_with("none of 1 is slower\n"), "{report}");
        assert_eq!(report.slower().count(), 0);
    }

    #[test]
    fn json_has_the_numbers_of_the_table() {
        let json = report().compared[1].to_json();
        assert_eq!((&json["bench"], &json["verdict"]), (&"search/6-6-3".into(), &"slower".into()));
        assert_eq!((&json["change"], &json["allowed"], &json["pairs"]), (&0.1.into(), &0.06.into(), &8.into()));
        assert_eq!((&json["old_throughput"]["Elements"], &json["new_throughput"]), (&7.into(), &Value::Null));
    }

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let times = [9.994, 12.34, 999.0, 1_234.0, 45_600_000.0, 7.89e9].map(time);
        assert_eq!(times, ["9.99 ns", "12.3 ns", "999 ns", "1.23 µs", "45.6 ms", "7.89 s"]);
    }
}
