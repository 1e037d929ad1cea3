//! Where a distance stands among all boards.

use std::fmt;

/// How a board compares with all others: which share of them is nearer to the goal, and which farther.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Place {
    /// The distance.
    pub distance: u32,
    /// The share of all boards that are nearer to the goal, from 0 to 1.
    pub farther_than: f64,
    /// The share of all boards that are farther from it.
    pub nearer_than: f64,
    /// How many boards are at this distance.
    pub alike: u64,
}

impl Place {
    pub(crate) fn new(counts: &[u64], distance: u32) -> Option<Place> {
        let alike = *counts.get(distance as usize)?;
        let sum = |counts: &[u64]| counts.iter().sum::<u64>() as f64;
        let (all, at) = (sum(counts), distance as usize);
        let (farther_than, nearer_than) = (sum(&counts[..at]) / all, sum(&counts[at + 1..]) / all);
        Some(Place { distance, farther_than, nearer_than, alike })
    }
}

impl fmt::Display for Place {
    /// "farther than 93 % of all boards", or nearer, whichever says more. Shares are cut off, not rounded: what is said is true.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, share) = if self.farther_than >= self.nearer_than {
            ("farther", self.farther_than)
        } else {
            ("nearer", self.nearer_than)
        };
        let percent = 100.0 * share;
        // Three nines are as many as anybody wants to read.
        let decimals = [(99.0, 0), (99.9, 1), (99.99, 2)];
        let decimals = decimals.into_iter().find(|&(below, _)| percent < below).map_or(3, |(_, decimals)| decimals);
        let scale = 10f64.powi(decimals);
        write!(f, "{word} than {:.*} % of all boards", decimals as usize, (percent * scale).floor() / scale)?;
        match (self.nearer_than == 0.0, self.alike) {
            (true, 1) => f.write_str(", and the farthest of all"),
            (true, alike) => write!(f, ", and one of the {alike} farthest"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_never_more_than_the_truth() {
        let text = |counts: &[u64], distance| Place::new(counts, distance).unwrap().to_string();
        assert_eq!(text(&[1, 2, 6, 1], 2), "farther than 30 % of all boards");
        assert_eq!(text(&[1, 2, 6, 1], 1), "nearer than 70 % of all boards");
        assert_eq!(text(&[1, 2, 6, 1], 3), "farther than 90 % of all boards, and the farthest of all");
        assert_eq!(text(&[1, 99_996, 3], 2), "farther than 99.997 % of all boards, and one of the 3 farthest");
        assert_eq!(text(&[1, 999_999_997, 2], 2), "farther than 99.999 % of all boards, and one of the 2 farthest");
        assert_eq!(text(&[1, 999_999_997, 2], 0), "nearer than 99.999 % of all boards");
        assert_eq!(text(&[1, 1984, 15], 2), "farther than 99.2 % of all boards, and one of the 15 farthest");
        assert!(Place::new(&[1, 2], 2).is_none());
    }
}
