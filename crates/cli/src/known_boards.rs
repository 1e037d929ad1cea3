//! Korf's boards, with the lengths of their shortest solutions.

use tilebase_puzzle::Board;

use crate::failure::Failure;

/// A board with known answers. Its goal is `0 1 2 …`, blank first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KnownBoard {
    /// Its number in the paper, from 1.
    pub(crate) id: u64,
    /// Moves of a shortest solution.
    pub(crate) length: u32,
    /// Nodes that were published for it, if any: generated with the Manhattan distance for 4x4, expanded with 6-6-6-6 for 5x5.
    pub(crate) nodes: Option<u64>,
    pub(crate) board: Board,
}

/// The hundred boards of the 15-puzzle of Korf 1985.
pub(crate) fn korf15() -> Result<Vec<KnownBoard>, Failure> {
    read(include_str!("../../../tests/data/korf15.tsv"), Some(3), 5)
}

/// The fifty boards of the 24-puzzle of Korf & Felner 2002.
pub(crate) fn korf24() -> Result<Vec<KnownBoard>, Failure> {
    read(include_str!("../../../tests/data/korf24.tsv"), Some(2), 3)
}

/// The seventeen boards of the 15-puzzle that need 80 moves.
pub(crate) fn hardest15() -> Result<Vec<KnownBoard>, Failure> {
    read(include_str!("../../../tests/data/hardest15.tsv"), None, 2)
}

/// Reads lines with number and length in the first two columns, and nodes and tiles in these.
fn read(text: &str, nodes: Option<usize>, tiles: usize) -> Result<Vec<KnownBoard>, Failure> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let boards = lines.map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let wrong = || Failure::new(format!("a line of the known boards is not what it should be: {line}"));
        let cell = |number: usize| cells.get(number).copied().ok_or_else(wrong);
        let number = |at: usize| cell(at)?.parse::<u64>().map_err(|_| wrong());
        Ok(KnownBoard {
            id: number(0)?,
            length: number(1)? as u32,
            nodes: nodes.map(number).transpose()?,
            board: cell(tiles)?.parse().map_err(|_| wrong())?,
        })
    });
    boards.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_boards_with_the_lengths_of_the_papers() {
        let (korf15, korf24) = (korf15().unwrap(), korf24().unwrap());
        assert!(korf15.iter().map(|known| known.id).eq(1..=100));
        assert!(korf24.iter().map(|known| known.id).eq(1..=50));
        assert_eq!(korf15.iter().map(|known| known.length).sum::<u32>(), 5_305);
        assert_eq!(korf24.iter().map(|known| known.length).sum::<u32>(), 5_039, "100.78 moves on average");
        let hardest = hardest15().unwrap();
        assert!(hardest.iter().map(|known| (known.id, known.length)).eq((1..=17).map(|id| (id, 80))));
        let boards: std::collections::HashSet<Board> = hardest.iter().map(|known| known.board).collect();
        assert_eq!(boards.len(), 17);
    }
}
