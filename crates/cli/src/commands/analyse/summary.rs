//! How many of many solutions lost how much.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tilebase::Review;
#[cfg(feature = "plot")]
use tilebase_plot::{Axis, Chart, Series, Style};

use crate::session::counted;

/// Columns of the longest bar in the terminal.
const BAR: usize = 50;

/// Counts of solutions.
#[derive(Default)]
pub(super) struct Summary {
    solutions: u64,
    errors: u64,
    illegal: u64,
    elsewhere: u64,
    /// Those that solve, but a limit kept the shortest from being known.
    limited: u64,
    /// Of those that solve and whose shortest is known: how many lost how many moves.
    lost: BTreeMap<u32, u64>,
    /// Sums over these: of moves, of the shortest, and of moves divided by the Manhattan distance where that is not 0.
    moves: u64,
    shortest: u64,
    ratios: f64,
    with_ratio: u64,
}

impl Summary {
    /// Counts a solution, or a line that is none.
    pub(super) fn add(&mut self, review: Option<&Review>) {
        let Some(review) = review else {
            self.errors += 1;
            return;
        };
        self.solutions += 1;
        if !review.is_legal() {
            self.illegal += 1;
        } else if !review.solves() {
            self.elsewhere += 1;
        } else if let Some((lost, shortest)) =
            review.losses.as_ref().and_then(|losses| losses.lost().zip(losses.shortest()))
        {
            *self.lost.entry(lost).or_default() += 1;
            self.moves += u64::from(review.length);
            self.shortest += u64::from(shortest);
            if let Some(ratio) = review.ratio() {
                self.ratios += ratio;
                self.with_ratio += 1;
            }
        } else {
            self.limited += 1;
        }
    }

    /// Solutions that solve and whose shortest is known.
    fn known(&self) -> u64 {
        self.lost.values().sum()
    }

    fn mean(&self, sum: u64) -> Option<f64> {
        (self.known() > 0).then(|| sum as f64 / self.known() as f64)
    }

    fn mean_ratio(&self) -> Option<f64> {
        (self.with_ratio > 0).then(|| self.ratios / self.with_ratio as f64)
    }

    /// The number of solutions that lost 0, 2, 4 … moves, up to the most; with odd numbers between them where a solution lost an odd
    /// number, which is possible in `mtm`.
    fn counts(&self) -> Vec<(u32, u64)> {
        let most = self.lost.keys().next_back().copied();
        let step = if self.lost.keys().all(|lost| lost.is_multiple_of(2)) { 2 } else { 1 };
        let each = most.into_iter().flat_map(|most| (0..=most).step_by(step));
        each.map(|lost| (lost, self.lost.get(&lost).copied().unwrap_or(0))).collect()
    }

    pub(super) fn json(&self) -> Value {
        let counts = self.counts().into_iter().map(|(lost, solutions)| json!({ "lost": lost, "solutions": solutions }));
        json!({ "summary": {
            "solutions": self.solutions, "solved": self.known() + self.limited, "illegal": self.illegal,
            "elsewhere": self.elsewhere, "limited": self.limited, "errors": self.errors,
            "counts": counts.collect::<Vec<_>>(), "mean_length": self.mean(self.moves), "mean_shortest": self.mean(self.shortest),
            "mean_lost": self.mean(self.moves - self.shortest), "mean_ratio": self.mean_ratio(),
        } })
    }

    pub(super) fn text(&self) -> String {
        let others = [
            (self.illegal, "illegal"),
            (self.elsewhere, "not at the goal"),
            (self.limited, "not finished within the limit"),
            (self.errors, "not understood"),
        ];
        let others =
            others.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
        let mut lines = vec![format!("{}{}", counted(self.solutions, "solution"), others.collect::<String>())];
        if let (Some(moves), Some(shortest)) = (self.mean(self.moves), self.mean(self.shortest)) {
            let ratio = self.mean_ratio().map(|ratio| format!(", {ratio:.2} times the Manhattan distance"));
            let lost = moves - shortest;
            let ratio = ratio.unwrap_or_default();
            lines.push(format!("on average {moves:.2} moves, shortest {shortest:.2}, {lost:.2} lost{ratio}"));
        }
        let most = self.lost.values().copied().max().unwrap_or(1);
        for (lost, count) in self.counts() {
            let share = count as f64 / self.known() as f64 * 100.0;
            let bar = "█".repeat((count as f64 / most as f64 * BAR as f64).round() as usize);
            lines.push(format!("{:>5} {count:8} {share:6.2}% {bar}", format!("+{lost}")).trim_end().to_owned());
        }
        lines.join("\n")
    }

    #[cfg(feature = "plot")]
    pub(super) fn chart(&self) -> Chart {
        let points = self.counts().into_iter().map(|(lost, count)| (f64::from(lost), count as f64));
        let known = counted(self.known(), "solution");
        let mean = self.mean(self.moves - self.shortest).unwrap_or(0.0);
        Chart {
            title: "Solutions by moves lost".to_owned(),
            subtitle: Some(format!("{known} that reach the goal, {mean:.2} moves lost on average")),
            x: Axis::linear("moves more than the shortest"),
            y: Axis::linear("solutions"),
            series: vec![Series::new("solutions", Style::Bars, points)],
        }
    }
}
