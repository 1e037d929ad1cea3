//! Counts that have been published. They hold for goals with the blank in a corner.

use tilebase_puzzle::{Metric, Size};

const PUBLISHED: &str = include_str!("../data/census.tsv");

/// A line of what has been published.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Published {
    size: Size,
    metric: Metric,
    /// How many boards are 0, 1, 2 … moves away, as far as somebody has counted.
    pub(crate) counts: Vec<u64>,
    /// How far the farthest boards are, and how many there are.
    pub(crate) farthest: (u32, u64),
}

impl Published {
    /// What is published of boards of a size, or of that size turned on its side.
    pub(crate) fn find(size: Size, metric: Metric) -> Option<Published> {
        let sides = |size: Size| (size.width().min(size.height()), size.width().max(size.height()));
        lines().find(|line| sides(line.size) == sides(size) && line.metric == metric)
    }

    fn read(line: &str) -> Published {
        let cells: Vec<&str> = line.split('\t').collect();
        let counts: Vec<Option<u64>> = cells[2]
            .split(' ')
            .map(|count| (count != "?").then(|| count.parse().expect("our own file has numbers here")))
            .collect();
        let last = counts.last().copied().flatten().expect("our own file ends each line with a number");
        Published {
            size: cells[0].parse().expect("our own file has sizes here"),
            metric: cells[1].parse().expect("our own file has metrics here"),
            farthest: (counts.len() as u32 - 1, last),
            counts: counts.into_iter().map_while(|count| count).collect(),
        }
    }
}

fn lines() -> impl Iterator<Item = Published> {
    PUBLISHED.lines().filter(|line| !line.starts_with('#')).map(Published::read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_census_counts_half_of_all_arrangements_or_says_that_it_does_not() {
        let sizes: Vec<String> = lines().map(|line| format!("{} {}", line.size, line.metric)).collect();
        let stm = "2x2 3x2 4x2 5x2 6x2 7x2 8x2 3x3 4x3 5x3 4x4".split(' ').map(|size| format!("{size} stm"));
        assert_eq!(sizes, stm.chain(["4x4 mtm".to_owned()]).collect::<Vec<_>>());
        for Published { size, metric, counts, farthest } in lines() {
            let all = (1..=size.count() as u64).product::<u64>() / 2;
            let is_whole = counts.len() as u32 == farthest.0 + 1;
            assert_eq!(is_whole, metric == Metric::Stm, "{size} {metric}");
            assert_eq!(is_whole, counts.iter().sum::<u64>() == all, "{size} {metric}");
            assert!(is_whole || counts.iter().sum::<u64>() + farthest.1 < all);
        }
    }

    #[test]
    fn a_census_is_found_by_size_whichever_way_it_lies_and_by_metric() {
        let find = |width, height, metric| Published::find(Size::new(width, height).unwrap(), metric);
        assert_eq!(find(5, 5, Metric::Stm), None);
        assert_eq!(find(3, 5, Metric::Mtm), None);
        assert!(find(3, 5, Metric::Stm).is_some());
        assert_eq!(find(3, 5, Metric::Stm), find(5, 3, Metric::Stm));
        let mtm = find(4, 4, Metric::Mtm).unwrap();
        assert_eq!((mtm.counts.len(), mtm.counts[28], mtm.farthest), (29, 445_836_441_561, (43, 16)));
    }
}
