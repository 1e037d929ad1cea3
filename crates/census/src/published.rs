//! Counts that have been published. They hold for goals with the blank in a corner.

use tilebase_puzzle::Size;

const PUBLISHED: &str = include_str!("../data/census.tsv");

/// The published counts of boards of a size, or of that size turned on its side.
pub(crate) fn counts(size: Size) -> Option<Vec<u64>> {
    let sides = |size: Size| (size.width().min(size.height()), size.width().max(size.height()));
    lines().find(|(there, _)| sides(*there) == sides(size)).map(|(_, counts)| counts)
}

fn lines() -> impl Iterator<Item = (Size, Vec<u64>)> {
    let lines = PUBLISHED.lines().filter(|line| !line.starts_with('#'));
    let cells = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    cells.filter(|cells| cells.get(1) == Some(&"stm")).map(|cells| {
        let counts = cells[2].split(' ').map(|count| count.parse().expect("our own file has numbers here"));
        (cells[0].parse().expect("our own file has sizes here"), counts.collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_census_counts_half_of_all_arrangements() {
        let sizes: Vec<String> = lines().map(|(size, _)| size.to_string()).collect();
        assert_eq!(sizes.join(" "), "2x2 3x2 4x2 5x2 6x2 7x2 8x2 3x3 4x3 5x3 4x4");
        for (size, counts) in lines() {
            let all: u64 = (1..=size.count() as u64).product();
            assert_eq!(counts.iter().sum::<u64>(), all / 2, "{size}");
        }
        assert!(counts(Size::new(5, 5).unwrap()).is_none());
        assert_eq!(counts(Size::new(3, 5).unwrap()), counts(Size::new(5, 3).unwrap()));
    }
}
