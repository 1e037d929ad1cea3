//! The index of a pattern database: map × region × permutation.
//!
//! Where do the k tiles of a pattern stand, and where can the blank go without moving them? The answer is a *state*, and
//! a table has one entry for each:
//!
//! * the **map** is the set of k squares that the tiles occupy, numbered 0 … C(n,k)−1;
//! * the **region** is the connected part of the free squares that holds the blank ([`regions`]);
//! * the **permutation** says which tile stands on which square of the map, numbered 0 … k!−1 ([`perms`]).
//!
//! One (map, region) is a **row** of k! states. Moving a tile that is not of the pattern changes nothing here. Moving one
//! that is leads all k! states of a row to the same other row, and does the same to their permutations: a rotation of a
//! few neighbouring positions ([`Rotation`]), which is none at all when the tile moves sideways. So neither builders, which
//! move whole rows, nor searches, which follow single states, ever rank a permutation from scratch.
//!
//! Rows are numbered along the maps, those of a map in the order of its [`regions`]. There is one way to the number of a row for
//! each purpose, and its constructor says what it costs:
//!
//! * [`Index`] counts it: ready in microseconds, for those who look up a few states;
//! * [`BuilderIndex`] has tables of all maps and rows: ready in 0.4 ms to a second, for builders and proofs;
//! * [`SmallFollower`], [`AnyFollower`] and [`AllMovesFollower`] follow single states from slide to slide ([`Follow`]): ready in
//!   0.4 to 20 ms for the usual patterns, for searches.
//!
//! ```
//! use tilebase_index::{BuilderIndex, Follow, Follower, Index, Kind, SmallFollower, Standing};
//! use tilebase_puzzle::{Direction, Pattern, Size, Square, State};
//!
//! let size = Size::new(4, 4)?;
//! let pattern = Pattern::new(size, Square(0), &[1, 4, 5])?;
//! let index = Index::new(size, 3, Kind::Bit)?;
//! let mut state = State::solved(size, Square(0));
//! let goal = index.locate(&pattern, &state);
//!
//! // Tile 1 slides to the left: its row is counted, followed, and looked up.
//! let mut slides = Direction::ALL.into_iter().filter_map(|direction| state.slide_in(direction));
//! let slide = slides.find(|slide| slide.from == Square(1)).expect("it can");
//! state.make(slide);
//! let place = index.locate(&pattern, &state);
//! let mut standing = Standing::from(&goal);
//! let follower = SmallFollower::new(&index).expect("the board is small");
//! follower.step(&mut standing, slide.from, slide.to);
//! assert_eq!(follower.state_number(&standing, slide.from), index.state_number(place.row, place.perm));
//! let tables = BuilderIndex::new(index);
//! assert!(tables.moves(goal.row).any(|step| step.row == place.row));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Tables that do not care about the blank have one entry for each (map, permutation); they are called *collapsed*.
//!
//! All that is for tables that count moves of the pattern's tiles only, so that several can be added. A table may instead
//! count every move ([`Kind::AllMoves`]); then it matters where exactly the blank is, each free square is a region of its
//! own, and moving a tile that is not of the pattern is a step to another row with the same permutation.
//!
//! Where a move slides several tiles in a line (the metric `mtm`), entries are for lines of states, and [`LineIndex`] numbers them.

mod builder;
mod costs;
mod counts;
mod error;
mod extent;
mod first_rows;
mod follow;
mod index;
mod kind;
mod labels;
mod lines;
mod maps;
mod numbers;
pub mod perms;
pub mod regions;
mod rotation;
mod walk;

pub use builder::BuilderIndex;
pub use costs::PatternCosts;
pub use error::IndexError;
pub use extent::Extent;
pub use follow::{AllMovesFollower, AnyFollower, Follow, Follower, SmallFollower, Standing};
pub use index::Index;
pub use kind::Kind;
pub use lines::{LineCosts, LineIndex, LineView, UNREACHED_LINE};
pub use maps::binomial;
pub use numbers::{Map, Perm, Place, Row, RowMove, bits};
pub use rotation::{Rotation, Rotations, rotations_len};

/// The most tiles a pattern with an index may have: 12! permutations still fit in 32 bits.
pub const MAX_TILES: usize = 12;

#[cfg(test)]
mod tests;
