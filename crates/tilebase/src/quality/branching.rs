//! The branching factor of the search tree.

use tilebase_puzzle::{Direction, Size, Square};

/// Steps of the iteration: the second largest eigenvalue of any board is so much smaller that hundreds are enough.
const STEPS: usize = 4000;

/// By how many times a level of the search tree is larger than the one before, deep in the tree of moves that never take back
/// the last one: 2.1304 for the 15-puzzle, 2.3676 for the 24-puzzle (Edelkamp & Korf 1998).
///
/// How many moves there are depends on the blank's square alone, and on where it came from. So the numbers of nodes by square
/// and last direction follow from those of the level before by a matrix, and grow by its largest eigenvalue in the end: power
/// iteration. Levels alternate between the two colours of a chessboard and need not grow evenly (the 8-puzzle's do not: by 2
/// from an edge, then by 3/2), so what counts is the mean growth of two levels.
///
/// ```
/// use tilebase::{Size, branching_factor};
/// assert!((branching_factor(Size::new(4, 4)?) - 2.1304).abs() < 0.00005);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn branching_factor(size: Size) -> f64 {
    let moves: Vec<(usize, usize)> = size.squares().flat_map(|square| moves_to(size, square)).collect();
    let mut nodes = vec![1.0; size.count() * Direction::ALL.len()];
    let mut growth = [1.0; 2];
    for step in 0..STEPS {
        let mut next = vec![0.0; nodes.len()];
        moves.iter().for_each(|&(from, to)| next[to] += nodes[from]);
        let total: f64 = next.iter().sum();
        growth[step % 2] = total / nodes.iter().sum::<f64>();
        nodes = next.into_iter().map(|count| count / total).collect();
    }
    (growth[0] * growth[1]).sqrt()
}

/// The moves of the blank onto a square: each leads from a square and a last direction to another square and its direction.
fn moves_to(size: Size, to: Square) -> impl Iterator<Item = (usize, usize)> {
    let number = |square: Square, direction: Direction| {
        let direction = Direction::ALL.iter().position(|&one| one == direction);
        square.index() * Direction::ALL.len() + direction.expect("it is one of all")
    };
    Direction::ALL.into_iter().flat_map(move |direction| {
        let from = size.neighbour(to, direction.opposite());
        let last = Direction::ALL.into_iter().filter(move |&last| last != direction.opposite());
        from.into_iter().flat_map(move |from| {
            // A last direction by which the blank cannot have come there.
            let possible = last.clone().filter(move |last| size.neighbour(from, last.opposite()).is_some());
            possible.map(move |last| (number(from, last), number(to, direction)))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paths of a length that never turn back.
    fn paths(size: Size, square: Square, last: Option<Direction>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let next = Direction::ALL.into_iter().filter(|way| Some(way.opposite()) != last);
        let next = next.filter_map(|way| Some((way, size.neighbour(square, way)?)));
        next.map(|(way, square)| paths(size, square, Some(way), depth - 1)).sum()
    }

    fn factor(width: usize, height: usize) -> f64 {
        branching_factor(Size::new(width, height).unwrap())
    }

    #[test]
    fn the_factors_are_the_published_ones() {
        // Edelkamp & Korf 1998, to the digits that they give; the 8-puzzle's is the square root of 3.
        assert!((factor(3, 3) - 3f64.sqrt()).abs() < 1e-9, "{}", factor(3, 3));
        assert!((factor(4, 4) - 2.130_4).abs() < 5e-5, "{}", factor(4, 4));
        assert!((factor(5, 5) - 2.367_6).abs() < 5e-5, "{}", factor(5, 5));
        assert!((factor(2, 2) - 1.0).abs() < 1e-9, "a blank that never turns goes round for ever");
    }

    #[test]
    fn a_turned_board_has_the_same_factor_and_nodes_are_counted_by_it() {
        assert!((factor(3, 4) - factor(4, 3)).abs() < 1e-9);
        // A plain count of paths on 3×4, from a corner, over two levels far from the root.
        let size = Size::new(4, 3).unwrap();
        let growth = paths(size, Square(0), None, 20) as f64 / paths(size, Square(0), None, 18) as f64;
        assert!((growth.sqrt() - factor(4, 3)).abs() < 0.01, "{growth}");
    }
}
