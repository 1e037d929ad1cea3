//! Random boards near the goal: each is drawn the more often, the smaller its Manhattan distance.
//!
//! What is drawn is a permutation π, tile t on square π(t), with a chance in proportion to Π w(t, π(t)), where w =
//! base^(distance of the square from the tile's goal), and 1 for the blank. The sum of all those products is the *permanent*
//! of the matrix w. It is summed up over sets of squares, as in Ryser's time but without signs: `sums[set]` is that for the
//! first |set| labels on these squares. Going backwards through the sums draws exactly, board after board, with no Markov
//! chain that would have to mix.
//!
//! Half of all permutations can be solved. Their part of the sum is (permanent ± determinant) / 2: the determinant gives each
//! permutation its sign, and the sign of the blank's distance is put into its row.

use tilebase_puzzle::{Board, Parity, Random, Size, Square};

/// Draws boards near a goal.
#[derive(Debug)]
pub(super) struct NearGoal {
    goal: Board,
    /// For each label, the weight of each square.
    weights: Vec<Vec<f32>>,
    /// For each set of squares, the sum over all ways to put the first labels there. 134 MB for 25 squares, made in seconds.
    sums: Vec<f32>,
    base: f64,
    /// The mean weight of all boards that can be solved.
    mean: f64,
}

impl NearGoal {
    /// Boards weigh `base` to the power of their Manhattan distance.
    pub(super) fn new(goal: &Board, base: f64) -> NearGoal {
        let size = goal.size();
        let homes = homes(goal);
        let weights: Vec<Vec<f32>> = (0..size.count())
            .map(|label| size.squares().map(|square| weight(size, &homes, base, label, square) as f32).collect())
            .collect();
        let mut sums = vec![0.0; 1 << size.count()];
        sums[0] = 1.0;
        for set in 1..sums.len() {
            let row = &weights[set.count_ones() as usize - 1];
            let (mut sum, mut left) = (0.0, set);
            while left != 0 {
                let square = left.trailing_zeros() as usize;
                sum += row[square] * sums[set ^ 1 << square];
                left &= left - 1;
            }
            sums[set] = sum;
        }
        let permanent = f64::from(sums[sums.len() - 1]);
        let all: f64 = (1..=size.count()).map(|factor| factor as f64).product();
        let mean = (permanent + signed_sum(size, &homes, base)) / all;
        NearGoal { goal: *goal, weights, sums, base, mean }
    }

    /// A board's weight, as a multiple of the mean: by how much more often than others it is drawn.
    pub(super) fn density(&self, board: &Board) -> f64 {
        let (size, homes) = (board.size(), homes(&self.goal));
        let tiles = size.squares().filter(|&square| board.label(square) != 0);
        let distance: u32 = tiles.map(|square| size.distance(square, homes[board.label(square) as usize])).sum();
        self.base.powi(distance as i32) / self.mean
    }

    /// A board that can be solved.
    pub(super) fn draw(&self, random: &mut Random) -> Board {
        loop {
            let board = self.any_board(random);
            if Parity::between(&board, &self.goal).is_solvable() {
                return board;
            }
        }
    }

    /// A board, solvable or not.
    fn any_board(&self, random: &mut Random) -> Board {
        let size = self.goal.size();
        let mut labels = vec![0; size.count()];
        let mut set = self.sums.len() - 1;
        for label in (0..size.count()).rev() {
            // 53 bits, as many as a number between 0 and 1 has.
            let mut left = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64 * f64::from(self.sums[set]);
            let squares = || (0..size.count()).filter(|square| set & 1 << square != 0);
            let chosen = squares().find(|&square| {
                left -= f64::from(self.weights[label][square] * self.sums[set ^ 1 << square]);
                left < 0.0
            });
            // Rounding can leave a little at the end.
            let square = chosen.or_else(|| squares().next_back()).expect("there is a square for each label");
            labels[square] = label as u64;
            set ^= 1 << square;
        }
        Board::new(size, &labels).expect("each label has a square of its own")
    }
}

/// Where each label belongs.
fn homes(goal: &Board) -> Vec<Square> {
    let mut homes = vec![Square(0); goal.size().count()];
    goal.size().squares().for_each(|square| homes[goal.label(square) as usize] = square);
    homes
}

fn weight(size: Size, homes: &[Square], base: f64, label: usize, square: Square) -> f64 {
    if label == 0 { 1.0 } else { base.powi(size.distance(square, homes[label]) as i32) }
}

/// The weights of all boards that can be solved, less those of all others: a determinant, by elimination.
fn signed_sum(size: Size, homes: &[Square], base: f64) -> f64 {
    let entry = |label: usize, home: &Square| {
        let sign = if label == 0 && size.distance(*home, homes[0]) % 2 == 1 { -1.0 } else { 1.0 };
        sign * weight(size, homes, base, label, *home)
    };
    let mut rows: Vec<Vec<f64>> =
        (0..homes.len()).map(|label| homes.iter().map(|home| entry(label, home)).collect()).collect();
    let mut determinant = 1.0;
    for column in 0..rows.len() {
        let largest = (column..rows.len()).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let largest = largest.expect("there is a row left");
        if rows[largest][column] == 0.0 {
            return 0.0;
        }
        if largest != column {
            rows.swap(largest, column);
            determinant = -determinant;
        }
        determinant *= rows[column][column];
        let (done, rest) = rows.split_at_mut(column + 1);
        let pivot = &done[column];
        for row in rest {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(pivot).skip(column).for_each(|(value, above)| *value -= factor * above);
        }
    }
    determinant
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use tilebase_puzzle::Goal;

    /// Every board of a small size that can be solved.
    fn every_board(goal: &Board) -> Vec<Board> {
        fn fill(labels: &mut Vec<u64>, count: u64, goal: &Board, found: &mut Vec<Board>) {
            if labels.len() as u64 == count {
                let board = Board::new(goal.size(), labels).unwrap();
                found.extend(Parity::between(&board, goal).is_solvable().then_some(board));
                return;
            }
            for label in (0..count).filter(|label| !labels.contains(label)).collect::<Vec<_>>() {
                labels.push(label);
                fill(labels, count, goal, found);
                labels.pop();
            }
        }
        let mut found = Vec::new();
        fill(&mut Vec::new(), goal.size().count() as u64, goal, &mut found);
        found
    }

    #[test]
    fn densities_are_the_weights_of_all_boards_divided_by_their_mean() {
        for (size, goal) in [("3x2", Goal::BlankLast), ("2x3", Goal::BlankFirst), ("3x3", Goal::Snail)] {
            let goal = goal.board(size.parse().unwrap()).unwrap();
            let boards = every_board(&goal);
            for base in [0.3, 0.6, 1.0] {
                let near = NearGoal::new(&goal, base);
                let mean = boards.iter().map(|board| near.density(board)).sum::<f64>() / boards.len() as f64;
                assert!((mean - 1.0).abs() < 1e-5, "{size} {base}: {mean}");
            }
        }
    }

    #[test]
    fn boards_are_drawn_as_often_as_their_density_says() {
        let goal = Goal::BlankLast.board("3x2".parse().unwrap()).unwrap();
        let near = NearGoal::new(&goal, 0.5);
        let mut random = Random::new(5);
        let mut drawn: HashMap<Board, f64> = HashMap::new();
        let times = 100_000.0;
        (0..times as u32).for_each(|_| *drawn.entry(near.draw(&mut random)).or_default() += 1.0);
        let boards = every_board(&goal);
        for board in &boards {
            let expected = times * near.density(board) / boards.len() as f64;
            let found = drawn.get(board).copied().unwrap_or(0.0);
            assert!((found - expected).abs() <= 5.0 * expected.sqrt() + 1.0, "{board}: {found} of {expected}");
        }
    }
}
