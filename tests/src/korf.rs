//! Korf's hundred random boards of the 15-puzzle.

use tilebase_puzzle::{Board, Size};

/// One of the hundred boards of Korf 1985. Its goal is `0 1 2 … 15`, blank first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KorfBoard {
    /// Its number in the paper, from 1.
    pub id: u32,
    /// Moves of a shortest solution.
    pub length: u32,
    /// Manhattan distance.
    pub manhattan: u32,
    /// Nodes that IDA\* with Manhattan distance generates, as the head of the file defines it.
    pub nodes: u64,
    /// The board.
    pub board: Board,
}

/// The hundred boards, from `data/korf15.tsv`.
///
/// # Panics
/// When the file is not what its head says.
pub fn korf15() -> Vec<KorfBoard> {
    let lines = include_str!("../data/korf15.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).map(read).collect()
}

fn read(line: &str) -> KorfBoard {
    let cells: Vec<&str> = line.split('\t').collect();
    let [id, length, manhattan, nodes, _published, tiles] = cells[..] else {
        panic!("expected six columns, found {} in {line:?}", cells.len());
    };
    let number = |cell: &str| cell.parse::<u64>().unwrap_or_else(|error| panic!("{cell:?} in {line:?}: {error}"));
    let labels: Vec<u64> = tiles.split(' ').map(number).collect();
    let size = Size::new(4, 4).expect("4x4 is supported");
    KorfBoard {
        id: number(id) as u32,
        length: number(length) as u32,
        manhattan: number(manhattan) as u32,
        nodes: number(nodes),
        board: Board::new(size, &labels).unwrap_or_else(|error| panic!("{line:?}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_a_hundred_boards_and_the_totals_that_it_claims() {
        let boards = korf15();
        assert!(boards.iter().map(|korf| korf.id).eq(1..=100));
        assert_eq!(boards.iter().map(|korf| korf.nodes).sum::<u64>(), 36_302_808_031);
        assert_eq!(boards.iter().map(|korf| korf.length).sum::<u32>(), 5_305, "53.05 moves on average");
    }

    #[test]
    fn manhattan_distances_are_those_of_the_boards() {
        for korf in korf15() {
            let size = korf.board.size();
            let tiles = size.squares().filter(|&square| square != korf.board.blank());
            let distance = |square| size.distance(square, tilebase_puzzle::Square(korf.board.label(square)));
            assert_eq!(tiles.map(distance).sum::<u32>(), korf.manhattan, "board {}", korf.id);
        }
    }
}
