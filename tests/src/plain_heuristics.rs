//! The listed heuristics once more, so plain that they can be believed.
//!
//! Each is computed from the squares of a state by its definition, by trying out where there is something to try, and shares
//! nothing with the crate it is held against.

use std::collections::{HashMap, VecDeque};

use tilebase_puzzle::{Size, Square, State};

/// The tiles of a state: each with the square where it is and the one where it belongs, as (row, column).
fn tiles(state: &State) -> Vec<(Place, Place)> {
    let (size, blank) = (state.size(), state.blank());
    let squares = size.squares().filter(|&square| square != blank);
    squares.map(|square| (size.row_column(square), size.row_column(state.tile(square).goal()))).collect()
}

/// A row and a column.
type Place = (usize, usize);

/// Tiles that are not where they belong.
pub fn hamming(state: &State) -> u32 {
    tiles(state).iter().filter(|(is, home)| is != home).count() as u32
}

/// Plays the puzzle in which any tile may jump to the blank: the tile that belongs where the blank is, or, when the blank is at
/// home, any that is misplaced.
///
/// # Panics
/// Never: every square has a tile.
pub fn gaschnig(state: &State) -> u32 {
    let mut on: Vec<usize> = state.size().squares().map(|square| state.tile(square).index()).collect();
    let mut blank = state.blank().index();
    let mut jumps = 0;
    while let Some(misplaced) = (0..on.len()).find(|&square| on[square] != square && square != blank) {
        let from = if blank == state.home().index() {
            misplaced
        } else {
            on.iter().position(|&tile| tile == blank).expect("every tile is somewhere")
        };
        on.swap(from, blank);
        blank = from;
        jumps += 1;
    }
    jumps
}

/// Straight-line distances, rounded up unless they are whole but for what floating-point numbers lose.
pub fn euclidean(state: &State) -> u32 {
    let squared = |a: usize, b: usize| a.abs_diff(b).pow(2) as f64;
    let roots = tiles(state).into_iter().map(|(is, home)| (squared(is.0, home.0) + squared(is.1, home.1)).sqrt());
    (roots.sum::<f64>() - 2e-6).ceil().max(0.0) as u32
}

/// Rows and columns that tiles are away.
pub fn manhattan(state: &State) -> u32 {
    let away = |(is, home): (Place, Place)| is.0.abs_diff(home.0) + is.1.abs_diff(home.1);
    tiles(state).into_iter().map(away).sum::<usize>() as u32
}

/// The tiles of each row, and of each column, that belong there: place in the line and goal place.
fn lines(state: &State) -> Vec<Vec<Place>> {
    let all = tiles(state);
    let rows = (0..state.size().height()).map(|row| {
        let here = all.iter().filter(|(is, home)| is.0 == row && home.0 == row);
        here.map(|(is, home)| (is.1, home.1)).collect()
    });
    let columns = (0..state.size().width()).map(|column| {
        let here = all.iter().filter(|(is, home)| is.1 == column && home.1 == column);
        here.map(|(is, home)| (is.0, home.0)).collect()
    });
    rows.chain(columns).collect()
}

fn conflict(a: Place, b: Place) -> bool {
    (a.0 < b.0 && a.1 > b.1) || (a.0 > b.0 && a.1 < b.1)
}

/// Manhattan distance, and twice the fewest tiles to be taken from each line so that no two of the others conflict: all
/// choices are tried.
pub fn linear_conflict(state: &State) -> u32 {
    let fewest = |line: Vec<Place>| {
        let choices = (0..1_u32 << line.len()).filter(|taken| {
            let left: Vec<Place> =
                (0..line.len()).filter(|tile| taken >> tile & 1 == 0).map(|tile| line[tile]).collect();
            !left.iter().any(|&a| left.iter().any(|&b| conflict(a, b)))
        });
        choices.map(u32::count_ones).min().unwrap_or(0)
    };
    manhattan(state) + 2 * lines(state).into_iter().map(fewest).sum::<u32>()
}

/// Linear conflicts, and two moves for every tile at home beside a corner that has the wrong tile, unless the tile is in a
/// conflict.
pub fn corner_tiles(state: &State) -> u32 {
    let size = state.size();
    let all = tiles(state);
    let tile_on = |place: Place| all.iter().find(|(is, _)| *is == place).copied();
    let home = size.row_column(state.home());
    let (bottom, right) = (size.height() - 1, size.width() - 1);
    let corners = [(0, 0), (0, right), (bottom, 0), (bottom, right)];
    let is_wrong = |corner: Place| corner != home && tile_on(corner).is_some_and(|(is, home)| is != home);
    let in_conflict = |tile: (Place, Place)| {
        let others = || all.iter().filter(|&&other| other != tile);
        let (is, home) = tile;
        others().any(|(other, goal)| {
            let row =
                is.0 == other.0 && home.0 == is.0 && goal.0 == is.0 && conflict((is.1, home.1), (other.1, goal.1));
            let column =
                is.1 == other.1 && home.1 == is.1 && goal.1 == is.1 && conflict((is.0, home.0), (other.0, goal.0));
            row || column
        })
    };
    let makes_way = all.iter().filter(|&&(is, home)| {
        let beside = |corner: &Place| is.0.abs_diff(corner.0) + is.1.abs_diff(corner.1) == 1;
        is == home && corners.iter().any(|corner| beside(corner) && is_wrong(*corner)) && !in_conflict((is, home))
    });
    linear_conflict(state) + 2 * makes_way.count() as u32
}

/// For every misplaced tile, its Manhattan distance and the blank's from it.
pub fn blank_aware(state: &State) -> u32 {
    let blank = state.size().row_column(state.blank());
    let away = |a: Place, b: Place| a.0.abs_diff(b.0) + a.1.abs_diff(b.1);
    let misplaced = tiles(state).into_iter().filter(|(is, home)| is != home);
    misplaced.map(|(is, home)| away(is, home) + away(blank, is)).sum::<usize>() as u32
}

/// Bauer's pairs, in arrays for the whole board: the partner of each tile in its row, and in its column.
#[derive(Clone, Debug)]
pub struct PlainPairs {
    state: State,
    row_partner: Vec<Option<usize>>,
    column_partner: Vec<Option<usize>>,
}

impl PlainPairs {
    /// Definition 4: for x = 1 …, a partner for x in its row if it has none, and one in its column: the first that suits.
    pub fn new(state: &State) -> PlainPairs {
        let count = state.size().count();
        let mut pairs = PlainPairs { state: *state, row_partner: vec![None; count], column_partner: vec![None; count] };
        (0..count).filter(|&tile| tile != state.home().index()).for_each(|tile| pairs.set_pairs(tile));
        pairs
    }

    /// Makes a slide: *remove-pairs* for the tile that moves, the slide, and *set-pairs* for the tile.
    ///
    /// # Panics
    /// When the tile cannot move.
    pub fn slide(&mut self, slide: tilebase_puzzle::Slide) {
        let tile = slide.tile.index();
        self.state.make(slide);
        // A pair is dissolved when the tile has left the line in which it was one.
        if let Some(partner) = self.row_partner[tile]
            && !self.row_of(tile).contains(&partner)
        {
            self.row_partner[tile] = None;
            self.row_partner[partner] = None;
        }
        if let Some(partner) = self.column_partner[tile]
            && !self.column_of(tile).contains(&partner)
        {
            self.column_partner[tile] = None;
            self.column_partner[partner] = None;
        }
        self.set_pairs(tile);
    }

    /// Manhattan distance, and two moves for each pair.
    pub fn value(&self) -> u32 {
        let partners = self.row_partner.iter().chain(&self.column_partner).flatten().count();
        manhattan(&self.state) + partners as u32
    }

    fn place(&self, tile: usize) -> Place {
        let size = self.state.size();
        let square = size.squares().find(|&square| self.state.tile(square).index() == tile);
        size.row_column(square.expect("every tile is somewhere"))
    }

    fn home(&self, tile: usize) -> Place {
        self.state.size().row_column(Square(tile as u8))
    }

    /// The other tiles, from the top left on.
    fn others(&self, tile: usize) -> impl Iterator<Item = usize> {
        let state = self.state;
        let squares = (0..state.size().count() as u8).map(Square).filter(move |&square| square != state.blank());
        squares.map(move |square| state.tile(square).index()).filter(move |&other| other != tile)
    }

    /// Bauer's Row(x).
    fn row_of(&self, x: usize) -> Vec<usize> {
        let ((ia, ja), (ib, jb)) = (self.place(x), self.home(x));
        let suits = |y: &usize| {
            let ((ka, la), (kb, lb)) = (self.place(*y), self.home(*y));
            ia == ka && ka == ib && ib == kb && ((ja < la && jb > lb) || (ja > la && jb < lb))
        };
        self.others(x).filter(suits).collect()
    }

    /// Bauer's Col(x).
    fn column_of(&self, x: usize) -> Vec<usize> {
        let ((ia, ja), (ib, jb)) = (self.place(x), self.home(x));
        let suits = |y: &usize| {
            let ((ka, la), (kb, lb)) = (self.place(*y), self.home(*y));
            ja == la && la == jb && jb == lb && ((ia < ka && ib > kb) || (ia > ka && ib < kb))
        };
        self.others(x).filter(suits).collect()
    }

    fn set_pairs(&mut self, tile: usize) {
        if self.row_partner[tile].is_none()
            && let Some(partner) = self.row_of(tile).into_iter().find(|&other| self.row_partner[other].is_none())
        {
            self.row_partner[tile] = Some(partner);
            self.row_partner[partner] = Some(tile);
        }
        if self.column_partner[tile].is_none()
            && let Some(partner) = self.column_of(tile).into_iter().find(|&other| self.column_partner[other].is_none())
        {
            self.column_partner[tile] = Some(partner);
            self.column_partner[partner] = Some(tile);
        }
    }
}

/// Definition 4 at every state.
pub fn pair_distance_full(state: &State) -> u32 {
    PlainPairs::new(state).value()
}

/// For each line, how many tiles of each goal line; and the blank's line.
type Crowd = (Vec<Vec<u8>>, usize);

/// Walking distance: the true distances of both smaller puzzles, by breadth-first search.
#[derive(Clone, Debug)]
pub struct PlainWalk {
    rows: HashMap<Crowd, u32>,
    columns: HashMap<Crowd, u32>,
}

impl PlainWalk {
    /// Both searches, from the goal whose blank is on `home`.
    pub fn new(size: Size, home: Square) -> PlainWalk {
        let goal = State::solved(size, home);
        PlainWalk { rows: walk(row_crowd(&goal)), columns: walk(column_crowd(&goal)) }
    }

    /// The bound at a state.
    pub fn value(&self, state: &State) -> u32 {
        self.rows[&row_crowd(state)] + self.columns[&column_crowd(state)]
    }
}

fn row_crowd(state: &State) -> Crowd {
    let mut crowd = vec![vec![0; state.size().height()]; state.size().height()];
    tiles(state).into_iter().for_each(|(is, home)| crowd[is.0][home.0] += 1);
    (crowd, state.size().row_column(state.blank()).0)
}

fn column_crowd(state: &State) -> Crowd {
    let mut crowd = vec![vec![0; state.size().width()]; state.size().width()];
    tiles(state).into_iter().for_each(|(is, home)| crowd[is.1][home.1] += 1);
    (crowd, state.size().row_column(state.blank()).1)
}

fn walk(goal: Crowd) -> HashMap<Crowd, u32> {
    let mut distances = HashMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([(goal, 0)]);
    while let Some(((crowd, blank), distance)) = queue.pop_front() {
        for from in (0..crowd.len()).filter(|line| line.abs_diff(blank) == 1) {
            for goal in (0..crowd.len()).filter(|&goal| crowd[from][goal] > 0) {
                let mut next = crowd.clone();
                next[from][goal] -= 1;
                next[blank][goal] += 1;
                let next = (next, from);
                if !distances.contains_key(&next) {
                    distances.insert(next.clone(), distance + 1);
                    queue.push_back((next, distance + 1));
                }
            }
        }
    }
    distances
}
