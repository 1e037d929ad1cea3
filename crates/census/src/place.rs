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
    /// The place of boards at a distance that is among those counted; there are `all` boards, counted or not.
    pub(crate) fn new(counts: &[u64], all: u128, distance: u32) -> Option<Place> {
        let alike = *counts.get(distance as usize)?;
        let nearer: u128 = counts[..distance as usize].iter().map(|&count| u128::from(count)).sum();
        Some(Place::of(distance, nearer, alike, all))
    }

    /// The place of the farthest boards.
    pub(crate) fn last(distance: u32, alike: u64, all: u128) -> Place {
        Place::of(distance, all - u128::from(alike), alike, all)
    }

    fn of(distance: u32, nearer: u128, alike: u64, all: u128) -> Place {
        let share = |boards: u128| boards as f64 / all as f64;
        let farther = all - nearer - u128::from(alike);
        Place { distance, farther_than: share(nearer), nearer_than: share(farther), alike }
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
        let place = |counts: &[u64], distance| {
            Place::new(counts, counts.iter().map(|&count| u128::from(count)).sum(), distance)
        };
        let text = |counts: &[u64], distance| place(counts, distance).unwrap().to_string();
        assert_eq!(text(&[1, 2, 6, 1], 2), "farther than 30 % of all boards");
        assert_eq!(text(&[1, 2, 6, 1], 1), "nearer than 70 % of all boards");
        assert_eq!(text(&[1, 2, 6, 1], 3), "farther than 90 % of all boards, and the farthest of all");
        assert_eq!(text(&[1, 99_996, 3], 2), "farther than 99.997 % of all boards, and one of the 3 farthest");
        assert_eq!(text(&[1, 999_999_997, 2], 2), "farther than 99.999 % of all boards, and one of the 2 farthest");
        assert_eq!(text(&[1, 999_999_997, 2], 0), "nearer than 99.999 % of all boards");
        assert_eq!(text(&[1, 1984, 15], 2), "farther than 99.2 % of all boards, and one of the 15 farthest");
        assert!(place(&[1, 2], 2).is_none());
    }

    #[test]
    fn boards_that_nobody_has_counted_are_farther_than_those_counted() {
        let nearest = Place::new(&[1, 2], 1000, 1).unwrap();
        assert_eq!((nearest.farther_than, nearest.nearer_than, nearest.alike), (0.001, 0.997, 2));
        assert_eq!(nearest.to_string(), "nearer than 99.7 % of all boards");
        assert!(Place::new(&[1, 2], 1000, 2).is_none());
        let text = Place::last(9, 4, 1000).to_string();
        assert_eq!(text, "farther than 99.6 % of all boards, and one of the 4 farthest");
    }
}
