//! Walking distance in the metric `mtm`, by axis.
//!
//! Forget the columns, and of each tile all but its goal row, as in [walking distance](crate::walking_distance). A vertical move takes the
//! blank to any other row, and in each row that it passes one tile goes the other way; horizontal moves change nothing. The shortest
//! solution of that puzzle has V moves, so every solution of the board has at least V vertical moves; the same with columns gives
//! H horizontal ones. No move is both, so V + H are needed. And since vertical and horizontal moves alternate, their numbers differ by
//! one at most: if the next move is vertical, a solution has as many vertical moves as horizontal ones or one more, so that
//! it has at least 2V − 1 and at least 2H moves.
//!
//! Over both axes that is max(V + H, 2·max(V, H) − 1), which a move can change by two: it is admissible, not consistent. What a search
//! asks, with the axis of the next move, never falls by more than the move.

use std::collections::HashMap;
use std::sync::Arc;

use tilebase_puzzle::{Axis, Size, Square};

use super::{Position, RunHeuristic};
use crate::about::{GoOn, NotMade};
use crate::walking_distance::{Crowd, STATES_BETWEEN_LOOKS, Shape, shapes};
use crate::walks::{Walks, bytes_of_map};

/// The vertical moves that the tiles' rows take, plus the horizontal moves that their columns take, where one move slides several tiles.
#[derive(Clone, Debug)]
pub struct RunWalkingDistance {
    size: Size,
    /// Along each axis, the moves that the puzzle of the lines across it takes.
    walks: [Arc<Walk>; 2],
}

/// A puzzle of lines, solved.
#[derive(Debug)]
struct Walk {
    shape: Shape,
    distances: HashMap<Crowd, u8>,
}

impl RunWalkingDistance {
    /// The bound for boards of a size whose blank belongs on `home`. `None` when the puzzles of rows and columns are too large.
    pub fn new_for(size: Size, home: Square) -> Option<RunWalkingDistance> {
        RunWalkingDistance::new_while(size, home, &|| true).ok()
    }

    pub(crate) fn new_while(size: Size, home: Square, go_on: GoOn<'_>) -> Result<RunWalkingDistance, NotMade> {
        let [rows, columns] = shapes(size, home).ok_or(NotMade::DoesNotSuit)?;
        let walk = |shape: Shape| walk(shape, go_on).ok_or(NotMade::Stopped);
        // Horizontal moves change columns.
        Ok(RunWalkingDistance { size, walks: [walk(columns)?, walk(rows)?] })
    }

    /// The bytes of memory that its tables take, those included that others share.
    pub fn bytes(&self) -> usize {
        self.walks.iter().map(|walk| bytes_of_map(&walk.distances)).sum()
    }

    /// How many moves along an axis are needed at least.
    fn moves_along(&self, axis: Axis, position: &Position) -> Option<u8> {
        let walk = &self.walks[axis as usize];
        let line = |square: Square| {
            let (row, column) = self.size.row_column(square);
            if axis == Axis::Horizontal { column } else { row }
        };
        let squares = self.size.squares().filter(|&square| square != position.blank());
        let tiles = squares.map(|square| (line(square), line(position.tile(square).goal())));
        walk.distances.get(&walk.shape.crowd(tiles, line(position.blank()))).copied()
    }
}

/// The distances of a puzzle of lines, shared by all heuristics that use them. `None` if cancelled.
fn walk(shape: Shape, go_on: GoOn<'_>) -> Option<Arc<Walk>> {
    static WALKS: Walks<Walk> = Walks::new();
    WALKS.get(shape, || Walk::new(shape, go_on))
}

impl Walk {
    /// Solves a puzzle. `None` if cancelled.
    fn new(shape: Shape, go_on: GoOn<'_>) -> Option<Walk> {
        let goal = shape.goal();
        let mut distances = HashMap::from([(goal, 0)]);
        let mut level = vec![goal];
        for distance in 1.. {
            let mut further = Vec::new();
            for (number, crowd) in level.into_iter().enumerate() {
                if number.is_multiple_of(STATES_BETWEEN_LOOKS) && !go_on() {
                    return None;
                }
                for down in [false, true] {
                    // The blank goes on in the same direction, row after row, and everywhere any tile may go the other way.
                    let mut passing = vec![crowd];
                    while !passing.is_empty() {
                        passing = passing.iter().flat_map(|&crowd| shape.steps(crowd, down)).collect();
                        passing.sort_unstable();
                        passing.dedup();
                        for &crowd in &passing {
                            distances.entry(crowd).or_insert_with(|| {
                                further.push(crowd);
                                distance
                            });
                        }
                    }
                }
            }
            if further.is_empty() {
                break;
            }
            level = further;
        }
        Some(Walk { shape, distances })
    }
}

impl RunHeuristic for RunWalkingDistance {
    /// The moves that are needed at least.
    type Node = u8;
    type Begun = ();

    fn root(&self, position: &Position, axis: Axis) -> Option<u8> {
        let (along, across) = (self.moves_along(axis, position)?, self.moves_along(axis.other(), position)?);
        Some((along + across).max((2 * along).saturating_sub(1)).max(2 * across))
    }

    #[inline(always)]
    fn cost(&self, moves: &u8) -> u32 {
        // A state that is not solved needs one.
        u32::from(*moves).max(1)
    }

    #[inline(always)]
    fn begin(&self, _position: &Position, _axis: Axis) {}

    fn finish(&self, _node: &u8, (): (), position: &Position, axis: Axis, most: u32) -> Result<u8, u32> {
        let moves = self.root(position, axis).expect("every state that can be reached has a distance");
        if u32::from(moves) > most { Err(moves.into()) } else { Ok(moves) }
    }
}
