//! Patterns (sets of tiles) and partitions (disjoint patterns that cover all tiles).

use std::fmt;

use crate::frame::Tile;
use crate::size::{Size, Square};
use crate::symmetry::Symmetry;

/// A set of tiles of a puzzle: what one pattern database is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern {
    size: Size,
    home: Square,
    tiles: u32,
}

impl Pattern {
    /// A pattern of the puzzle whose blank belongs on `home`, from the goal squares of its tiles.
    ///
    /// # Errors
    /// [`PatternError`] when a tile is listed twice, is not on the board or is the blank, or when none is listed.
    pub fn new(size: Size, home: Square, tiles: &[u64]) -> Result<Pattern, PatternError> {
        let mut mask = 0;
        for &tile in tiles {
            if tile >= size.count() as u64 {
                return Err(PatternError::OffBoard(tile, size));
            }
            let tile = Tile(tile as u8);
            if tile.goal() == home {
                return Err(PatternError::IsBlank(tile));
            }
            if mask & tile.bit() != 0 {
                return Err(PatternError::Twice(tile));
            }
            mask |= tile.bit();
        }
        Pattern::from_mask(size, home, mask)
    }

    /// A pattern from its tiles as a mask: bit t is the tile whose goal is square t.
    pub fn from_mask(size: Size, home: Square, tiles: u32) -> Result<Pattern, PatternError> {
        if home.index() >= size.count() {
            return Err(PatternError::HomeOffBoard(home, size));
        }
        if tiles & !size.all_squares() != 0 {
            return Err(PatternError::OffBoard(31 - u64::from(tiles.leading_zeros()), size));
        }
        if tiles & home.bit() != 0 {
            return Err(PatternError::IsBlank(Tile(home.0)));
        }
        if tiles == 0 {
            return Err(PatternError::Empty);
        }
        Ok(Pattern { size, home, tiles })
    }

    /// The tiles that belong in the last row and the last column (Culberson & Schaeffer 1998).
    pub fn fringe(size: Size, home: Square) -> Result<Pattern, PatternError> {
        let in_fringe = |square: &Square| {
            let (row, column) = size.row_column(*square);
            *square != home && (row == size.height() - 1 || column == size.width() - 1)
        };
        Pattern::from_mask(size, home, size.squares().filter(in_fringe).map(Square::bit).sum())
    }

    /// The board's size.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The blank's goal square.
    #[inline]
    pub fn home(&self) -> Square {
        self.home
    }

    /// The tiles as a mask, which is also the mask of the squares where they belong.
    #[inline]
    pub fn mask(&self) -> u32 {
        self.tiles
    }

    /// The tiles in increasing order.
    #[inline]
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + use<> {
        let tiles = self.tiles;
        (0..32).map(Tile).filter(move |tile| tiles & tile.bit() != 0)
    }

    /// How many tiles there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.tiles.count_ones() as usize
    }

    /// Never: a pattern has at least one tile.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Whether a tile belongs to the pattern.
    #[inline]
    pub fn contains(&self, tile: Tile) -> bool {
        self.tiles & tile.bit() != 0
    }

    /// Whether only half of the pattern's states can be reached from its goal. With at most one tile left out, the tiles of
    /// the pattern and the blank fix the whole board, and half of all boards cannot be solved.
    pub fn reaches_half(&self) -> bool {
        self.len() + 2 >= self.size.count()
    }

    /// The pattern and its mirror images that have the same costs, the pattern itself first.
    pub fn images(&self) -> impl Iterator<Item = Pattern> + use<> {
        let pattern = *self;
        Symmetry::fixing(self.size, self.home).map(move |symmetry| pattern.seen_through(symmetry))
    }

    /// The symmetries through which the pattern looks different, the identity first.
    pub fn views(&self) -> Vec<Symmetry> {
        different(self, |symmetry| self.seen_through(symmetry))
    }

    /// The pattern seen through a symmetry of the board.
    #[must_use]
    pub fn seen_through(&self, symmetry: Symmetry) -> Pattern {
        Pattern {
            size: self.size,
            home: symmetry.square(self.size, self.home),
            tiles: symmetry.squares(self.size, self.tiles),
        }
    }
}

/// The tiles, as `1,4,5`.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles: Vec<String> = self.tiles().map(|tile| tile.0.to_string()).collect();
        f.write_str(&tiles.join(","))
    }
}

/// Disjoint patterns that together have every tile of a puzzle, so that the sum of their costs never overestimates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    patterns: Vec<Pattern>,
}

impl Partition {
    /// A partition from its patterns.
    ///
    /// # Errors
    /// [`PatternError`] when two patterns share a tile, are of different puzzles, or do not cover all tiles.
    pub fn new(patterns: Vec<Pattern>) -> Result<Partition, PatternError> {
        let first = *patterns.first().ok_or(PatternError::Empty)?;
        let mut covered = first.home.bit();
        for pattern in &patterns {
            if (pattern.size, pattern.home) != (first.size, first.home) {
                return Err(PatternError::OtherPuzzle);
            }
            let shared = covered & pattern.tiles;
            if shared != 0 {
                return Err(PatternError::Shared(Tile(shared.trailing_zeros() as u8)));
            }
            covered |= pattern.tiles;
        }
        match first.size.all_squares() & !covered {
            0 => Ok(Partition { patterns }),
            missing => Err(PatternError::Uncovered(Tile(missing.trailing_zeros() as u8))),
        }
    }

    /// Neighbouring tiles grouped into patterns of at most `largest` tiles each, the groups as equal as can be: what to
    /// use for a puzzle that nobody has drawn a partition for. The tiles are taken along a line that winds to and fro
    /// through the rows, so each group hangs together.
    ///
    /// # Panics
    /// When `largest` is 0.
    pub fn winding(size: Size, home: Square, largest: usize) -> Partition {
        let mut line: Vec<Square> = size.squares().collect();
        line.chunks_mut(size.width()).skip(1).step_by(2).for_each(<[Square]>::reverse);
        line.retain(|&square| square != home);
        let groups = line.len().div_ceil(largest);
        let pattern = |group: usize| {
            let squares = &line[group * line.len() / groups..(group + 1) * line.len() / groups];
            Pattern { size, home, tiles: squares.iter().map(|square| square.bit()).sum() }
        };
        Partition { patterns: (0..groups).map(pattern).collect() }
    }

    /// The patterns.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.patterns[0].size
    }

    /// The blank's goal square.
    pub fn home(&self) -> Square {
        self.patterns[0].home
    }

    /// How many tiles the patterns have, the largest first. Of two partitions, the one whose sizes compare greater usually
    /// gives the better bounds.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = self.patterns.iter().map(Pattern::len).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    }

    /// Whether two partitions have the same patterns, in whatever order.
    pub fn same_patterns(&self, other: &Partition) -> bool {
        self.look(Symmetry::IDENTITY) == other.look(Symmetry::IDENTITY)
    }

    /// All partitions that can be put together from some of these patterns of one puzzle.
    pub fn from_among(patterns: &[Pattern]) -> Vec<Partition> {
        fn grow(patterns: &[Pattern], missing: u32, chosen: &mut Vec<Pattern>, found: &mut Vec<Partition>) {
            if missing == 0 {
                found.push(Partition { patterns: chosen.clone() });
                return;
            }
            // The first tile that is missing must be in exactly one of the patterns to come.
            let first = Tile(missing.trailing_zeros() as u8);
            for pattern in patterns.iter().filter(|pattern| pattern.contains(first) && pattern.tiles & !missing == 0) {
                chosen.push(*pattern);
                grow(patterns, missing & !pattern.tiles, chosen, found);
                chosen.pop();
            }
        }
        let mut found = Vec::new();
        if let Some(first) = patterns.first() {
            let all_tiles = first.size.all_squares() & !first.home.bit();
            grow(patterns, all_tiles, &mut Vec::new(), &mut found);
        }
        found
    }

    /// The symmetries through which the partition looks different, the identity first: each is a *view* that the same
    /// tables serve, and each may give another lower bound.
    pub fn views(&self) -> Vec<Symmetry> {
        different(&self.patterns[0], |symmetry| self.look(symmetry))
    }

    /// The patterns seen through a symmetry, in an order of their own.
    fn look(&self, symmetry: Symmetry) -> Vec<Pattern> {
        let mut patterns: Vec<Pattern> = self.patterns.iter().map(|pattern| pattern.seen_through(symmetry)).collect();
        patterns.sort_unstable();
        patterns
    }

    /// The partition drawn: `.` for the blank, a letter for each pattern in the order of [`patterns`](Self::patterns).
    pub fn drawing(&self) -> String {
        let letter = |square: Square| {
            let mut letters = ('A'..='Z').chain('a'..='z').zip(&self.patterns);
            letters.find(|(_, pattern)| pattern.contains(Tile(square.0))).map_or('.', |(letter, _)| letter)
        };
        let letters: Vec<char> = self.size().squares().map(letter).collect();
        letters.chunks(self.size().width()).map(String::from_iter).collect::<Vec<_>>().join("/")
    }
}

/// The symmetries of a pattern's puzzle through which something looks different from all before.
fn different<L: PartialEq>(pattern: &Pattern, look: impl Fn(Symmetry) -> L) -> Vec<Symmetry> {
    let mut looks = Vec::new();
    let is_new = |symmetry: &Symmetry| {
        let look = look(*symmetry);
        let is_new = !looks.contains(&look);
        looks.push(look);
        is_new
    };
    Symmetry::fixing(pattern.size, pattern.home).filter(is_new).collect()
}

/// Tiles that make no pattern, or patterns that make no partition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// No tile at all.
    #[error("the pattern has no tiles: expected at least one")]
    Empty,
    /// A tile that the board does not have.
    #[error(
        "tile {0} is not on a {1} board: expected goal squares from 0 to {last}, without the blank's",
        last = .1.count() - 1
    )]
    OffBoard(u64, Size),
    /// A goal square of the blank that the board does not have.
    #[error("the blank's goal square {home} is not on a {1} board", home = .0.0)]
    HomeOffBoard(Square, Size),
    /// The blank listed as a tile.
    #[error("tile {} is the blank: a pattern has numbered tiles only", .0.0)]
    IsBlank(Tile),
    /// A tile listed twice.
    #[error("tile {} is listed twice", .0.0)]
    Twice(Tile),
    /// A tile of two patterns.
    #[error("tile {} is in two patterns: the sum would count it twice", .0.0)]
    Shared(Tile),
    /// A tile of no pattern.
    #[error("tile {} is in no pattern: a partition has them all", .0.0)]
    Uncovered(Tile),
    /// Patterns of different puzzles.
    #[error("the patterns are of different boards or blank squares")]
    OtherPuzzle,
    /// Costs that count all moves, which cannot be added.
    #[error("a table that counts all moves cannot be added to others, only compared with them")]
    NotAdditive,
    /// Costs that count the moves of a pattern's tiles only, among some that count all.
    #[error("a table that counts only moves of its own tiles is to be added to others, not compared with them")]
    NotAllMoves,
    /// More patterns than a search was made for, which can follow this many.
    #[error("the patterns, seen through all symmetries, are more than {0}: expected fewer and larger ones")]
    TooMany(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: usize, height: usize) -> Size {
        Size::new(width, height).unwrap()
    }

    #[test]
    fn bad_patterns_and_partitions_are_refused_by_name() {
        let pattern = |tiles: &[u64]| Pattern::new(size(3, 3), Square(0), tiles);
        assert_eq!(pattern(&[]), Err(PatternError::Empty));
        assert_eq!(pattern(&[1, 2, 1]), Err(PatternError::Twice(Tile(1))));
        assert_eq!(pattern(&[0, 1]), Err(PatternError::IsBlank(Tile(0))));
        assert_eq!(pattern(&[9]), Err(PatternError::OffBoard(9, size(3, 3))));
        let partition =
            |groups: &[&[u64]]| Partition::new(groups.iter().map(|group| pattern(group).unwrap()).collect());
        assert!(partition(&[&[1, 2, 3, 4], &[5, 6, 7, 8]]).is_ok());
        assert_eq!(partition(&[&[1, 2, 3, 4], &[4, 5, 6, 7, 8]]), Err(PatternError::Shared(Tile(4))));
        assert_eq!(partition(&[&[1, 2, 3, 4], &[5, 6, 8]]), Err(PatternError::Uncovered(Tile(7))));
        let elsewhere = Pattern::new(size(3, 3), Square(4), &[1, 2, 3, 5]).unwrap();
        assert_eq!(Partition::new(vec![pattern(&[6, 7, 8]).unwrap(), elsewhere]), Err(PatternError::OtherPuzzle));
    }

    #[test]
    fn winding_partitions_cover_every_board_with_patterns_that_hang_together() {
        for width in 2..=12 {
            for height in 2..=12 {
                let Ok(size) = Size::new(width, height) else { continue };
                for home in size.squares() {
                    for largest in 1..=6 {
                        let partition = Partition::winding(size, home, largest);
                        assert!(partition.patterns().iter().all(|pattern| pattern.len() <= largest));
                        Partition::new(partition.patterns().to_vec()).unwrap();
                    }
                }
            }
        }
        assert_eq!(Partition::winding(size(4, 4), Square(0), 5).drawing(), ".AAA/BBAA/BBBC/CCCC");
    }

    #[test]
    fn partitions_are_put_together_from_what_there_is() {
        let pattern = |tiles: &[u64]| Pattern::new(size(2, 3), Square(0), tiles).unwrap();
        let patterns =
            [pattern(&[1, 2]), pattern(&[3]), pattern(&[3, 4, 5]), pattern(&[1]), pattern(&[2]), pattern(&[4, 5])];
        let found = Partition::from_among(&patterns);
        assert!(found.iter().all(|partition| Partition::new(partition.patterns.clone()).is_ok()));
        let mut sizes: Vec<Vec<usize>> = found.iter().map(Partition::sizes).collect();
        sizes.sort();
        assert_eq!(sizes, [vec![2, 1, 1, 1], vec![2, 2, 1], vec![3, 1, 1], vec![3, 2]]);
        assert!(Partition::from_among(&patterns[..2]).is_empty());
        assert!(Partition::from_among(&[]).is_empty());
    }

    #[test]
    fn a_symmetric_partition_has_no_second_view() {
        let symmetric = Partition::winding(size(3, 3), Square(0), 8);
        assert_eq!(symmetric.views(), [Symmetry::IDENTITY]);
        assert_eq!(Partition::winding(size(3, 3), Square(0), 4).views().len(), 2);
        assert_eq!(Partition::winding(size(3, 3), Square(4), 4).views().len(), 4);
    }
}
