//! What a sample says about a heuristic.

use tilebase_progress::{Event, Watch};
use tilebase_solve::{Outcome, Request};

use super::sample::Sample;
use crate::many::ManyError;
use crate::solver::Solver;

/// The bounds that a solver has for the boards of a sample, worked out on the threads of the current pool. `watch` is told of
/// the boards.
///
/// # Errors
/// [`RatingError`] when a table is damaged, or the work was stopped.
pub fn bounds_of(solver: &Solver, sample: &Sample, watch: Watch<'_>) -> Result<Vec<u32>, RatingError> {
    let mut bounds = vec![0; sample.boards().len()];
    match solver.bounds_of_many(sample.boards(), &mut bounds, watch) {
        Ok(()) => Ok(bounds),
        Err(ManyError::Stopped) => Err(RatingError::Stopped),
        Err(_) => Err(RatingError::Damaged),
    }
}

/// How far the boards of a sample are from the goal, found by a solver on this many threads (0 means one for each core).
/// `watch` is told of the boards.
///
/// # Errors
/// [`RatingError`] when a board cannot be solved with the tables at hand, or the work was stopped.
pub fn distances_of(
    solver: &Solver,
    sample: &Sample,
    threads: usize,
    watch: Watch<'_>,
) -> Result<Vec<u32>, RatingError> {
    let mut distances = Ok(Vec::with_capacity(sample.boards().len()));
    let stop = |_: &Event<'_>| watch(&Event::Poll);
    let request = Request::default().watch(&stop);
    solver.search_all(threads, sample.boards().iter().copied(), &request, |_, outcome| {
        let going_on = watch(&Event::Advance(1));
        match outcome.map(Outcome::solved) {
            Ok(Some(found)) if going_on.is_continue() => _ = distances.as_mut().map(|all| all.push(found.length)),
            Ok(_) => distances = Err(RatingError::Stopped),
            Err(_) => distances = Err(RatingError::Damaged),
        }
        distances.is_ok()
    });
    distances
}

/// How good a heuristic is, going by a sample of boards.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Rating {
    /// The mean bound over all boards that can be solved.
    pub mean: f64,
    /// The mean of b^−h over all boards that can be solved, for the branching factor b and bounds h.
    pub eta: f64,
    /// The standard error of η.
    pub standard_error: f64,
    /// How much of η comes from a single board: where that is much, the standard error means little.
    pub largest_share: f64,
    /// The mean of b^(d−h) and its standard error, if the sample has a [reference](Sample::with_reference) d: how far bounds
    /// lag behind the distances. It tells nodes better than η does.
    pub lag: Option<(f64, f64)>,
}

impl Rating {
    /// The rating of a heuristic that has these bounds for the boards of a sample.
    ///
    /// # Panics
    /// When there are not as many bounds as boards.
    pub fn new(bounds: &[u32], sample: &Sample) -> Rating {
        assert_eq!(bounds.len(), sample.boards().len(), "there is a bound for each board");
        let powers = Powers::new(sample);
        let eta_of = |board: usize| powers.get(0, bounds[board]);
        let (mean, _) = sample.mean_of(|board| f64::from(bounds[board]));
        let (eta, standard_error) = sample.mean_of(eta_of);
        let lag_of = |moves: &[u32]| sample.mean_of(|board| powers.get(moves[board], bounds[board]));
        let lag = sample.reference_moves().map(lag_of);
        Rating { mean, eta, standard_error, largest_share: sample.largest_share(eta_of), lag }
    }

    /// How many nodes a search by some bounds expands for each that it expands by others, and the standard error of that: the
    /// ratio of both lags, if the sample has a reference, and else of both ηs. The error is smaller than those of both would
    /// make it: the boards are the same, and rare ones are rare for both.
    pub fn nodes_against(bounds: &[u32], others: &[u32], sample: &Sample) -> (f64, f64) {
        let moves = |board: usize| sample.reference_moves().map_or(0, |moves| moves[board]);
        let powers = Powers::new(sample);
        let one = |board: usize| powers.get(moves(board), bounds[board]);
        let other = |board: usize| powers.get(moves(board), others[board]);
        let (mean, of_other) = (sample.mean_of(one).0, sample.mean_of(other).0);
        let ratio = mean / of_other;
        let (_, error) = sample.mean_of(|board| one(board) - ratio * other(board));
        (ratio, error / of_other)
    }
}

/// The powers of the branching factor b, each worked out once: there are far more boards than bounds.
struct Powers {
    /// From b^−[`MOST`](Powers::MOST) on.
    powers: Vec<f64>,
}

impl Powers {
    /// No bound and no distance is larger.
    const MOST: u32 = 1024;

    fn new(sample: &Sample) -> Powers {
        let most = Powers::MOST as i32;
        Powers { powers: (-most..=most).map(|power| sample.branching().powi(power)).collect() }
    }

    /// b^(moves − bound).
    fn get(&self, moves: u32, bound: u32) -> f64 {
        self.powers[(Powers::MOST + moves - bound) as usize]
    }
}

/// Bounds that cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RatingError {
    /// A table has no cost for a board that must have one.
    #[error("a table is damaged: run tilebase tables verify, and build it again")]
    Damaged,
    /// Whoever watched said to stop.
    #[error("stopped before all boards were looked at")]
    Stopped,
}

#[cfg(test)]
mod tests {
    use super::super::Sampling;
    use super::*;
    use crate::Tables;
    use tilebase_progress::unwatched;
    use tilebase_puzzle::{Board, Goal};
    use tilebase_solve::Wanted;

    /// η of the Manhattan distance from its whole distribution over the boards of 3×3.
    fn eta_of_all_boards() -> f64 {
        let goal = Goal::BlankLast.board("3x3".parse().unwrap()).unwrap();
        let size = goal.size();
        let homes = |label: u8| size.squares().find(|&square| goal.label(square) == label).unwrap();
        let mut sum = 0.0;
        // Every arrangement, by counting in the factorial number system.
        let boards = 362_880u64;
        for number in 0..boards {
            let (mut left, mut rest, mut distance, mut exchanges, mut blank) =
                ((0..9u8).collect::<Vec<_>>(), number, 0, 0, 0);
            for square in size.squares() {
                let at = (rest % left.len() as u64) as usize;
                rest /= left.len() as u64;
                exchanges += at as u32;
                let label = left.remove(at);
                let steps = size.distance(square, homes(label));
                if label == 0 { blank = steps } else { distance += steps }
            }
            // The goal's own permutation 1 to 8, 0 has 8 inversions: an even number.
            if (exchanges + blank) % 2 == 0 {
                sum += 3f64.sqrt().powi(-(distance as i32));
            }
        }
        sum / (boards / 2) as f64
    }

    #[test]
    fn both_ways_to_draw_boards_find_the_eta_of_all_boards() {
        let goal = Goal::BlankLast.board("3x3".parse().unwrap()).unwrap();
        let solver = Solver::builder(&goal).tables(Tables::Named("manhattan")).open().unwrap();
        let expected = eta_of_all_boards();
        for (name, sampling) in Sampling::ALL {
            let sample = Sample::draw(&goal, sampling, 20_000, 3);
            let rating = Rating::new(&bounds_of(&solver, &sample, &unwatched).unwrap(), &sample);
            let off = (rating.eta - expected).abs() / rating.standard_error;
            assert!(off < 4.0, "{name}: {} ± {} is not {expected}", rating.eta, rating.standard_error);
            assert!((rating.mean - 14.0).abs() < 0.2, "{name}: {}", rating.mean);
        }
    }

    #[test]
    fn a_heuristic_needs_as_many_nodes_as_itself_and_one_move_more_saves_a_branching_factor() {
        let goal = Goal::BlankLast.board("4x4".parse().unwrap()).unwrap();
        let sample = Sample::draw(&goal, Sampling::Near, 1000, 3);
        let bounds: Vec<u32> = (0..1000).map(|number| 30 + number % 17).collect();
        let more: Vec<u32> = bounds.iter().map(|bound| bound + 1).collect();
        let (same, error) = Rating::nodes_against(&bounds, &bounds, &sample);
        assert!((same - 1.0).abs() < 1e-12 && error < 1e-12);
        let (fewer, error) = Rating::nodes_against(&more, &bounds, &sample);
        assert!((fewer * sample.branching() - 1.0).abs() < 1e-12 && error < 1e-12, "{fewer} ± {error}");
    }

    /// Nodes of whole iterations, against what η and the lag expect.
    #[test]
    fn the_lag_tells_nodes_better_than_eta() {
        let goal = Goal::BlankLast.board("4x3".parse().unwrap()).unwrap();
        let open = |name| Solver::builder(&goal).tables(Tables::Named(name)).open().unwrap();
        let (weak, strong) = (open(".AAA/BBBB/CCCC"), open(".AAA/AABB/BBBB"));
        let uniform = Sample::draw(&goal, Sampling::Uniform, 2000, 3);
        let distances = distances_of(&strong, &uniform, 0, &unwatched).unwrap();
        let sample = uniform.clone().with_reference("distance", distances);
        let bounds = [&weak, &strong].map(|solver| bounds_of(solver, &sample, &unwatched).unwrap());
        let (by_lag, error) = Rating::nodes_against(&bounds[0], &bounds[1], &sample);
        let (by_eta, _) = Rating::nodes_against(&bounds[0], &bounds[1], &uniform);
        let nodes = |solver: &Solver| -> f64 {
            let all = Request::default().wanted(Wanted::Count);
            let expanded = |board: &Board| solver.search(board, &all).unwrap().solved().unwrap().effort.expanded as f64;
            uniform.boards()[..500].iter().map(expanded).sum()
        };
        let found = nodes(&weak) / nodes(&strong);
        let off = |expected: f64| (expected / found).ln().abs();
        assert!(off(by_lag) < off(by_eta), "{by_lag} ± {error} by lag, {by_eta} by η, {found} found");
    }
}
