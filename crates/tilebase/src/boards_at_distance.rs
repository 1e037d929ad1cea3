//! Random boards at an exact distance from the goal.

use std::collections::HashSet;
use std::mem;
use std::time::{Duration, Instant};

use tilebase_progress::{Event, Watch};
use tilebase_puzzle::known::{MOST_MOVES_15, hardest15};
use tilebase_puzzle::{Board, Direction, Frame, Goal, Metric, Random, Square};
use tilebase_solve::{Limits, Outcome, Request};

use crate::solver::Solver;

/// Of boards with at most this many squares all are listed: 181,440 of 3×3 take a moment.
const FEW_SQUARES: usize = 9;

/// Few boards of the 15-puzzle are farther from the goal: about one in twenty.
const FAR_15: u32 = 60;

/// No board of the 15-puzzle is farther from the goal in the metric `mtm` (OEIS A389728).
const FARTHEST_15_IN_MTM: u32 = 43;

/// The longest walk by which a board is looked for that is farther away.
const LONGEST_DETOUR: u64 = 12;

/// After this many detours without success another walk begins.
const MOST_DETOURS: u32 = 200;

impl Solver {
    /// A random board that is exactly `distance` moves from the goal: no solution is shorter.
    ///
    /// On small boards every such board is equally likely. On others it is the first board of that distance on a random walk from
    /// the goal; where a walk does not lead that far, random detours from its end do that lead no nearer. Boards of the 15-puzzle
    /// that are farther away than those are on the known solutions of the 17 farthest. The same numbers give the same board, by
    /// whatever tables: only distances count. It takes a few solutions, and more for distances that are rare, but no board is solved
    /// that is farther away than asked; `time` ends it, and so does `watch`.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tilebase::{Goal, Random, Size, Solver, unwatched};
    ///
    /// let solver = Solver::builder(&Goal::BlankLast.board(Size::new(4, 4)?)?).open()?;
    /// let board = solver.board_at(20, &mut Random::new(1), Duration::from_secs(10), &unwatched)?;
    /// assert_eq!(solver.solve(&board)?.length, 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn board_at(
        &self,
        distance: u32,
        random: &mut Random,
        time: Duration,
        watch: Watch<'_>,
    ) -> Result<Board, NotAtDistance> {
        let (frame, size) = (self.frame(), self.frame().size());
        let hunt = Hunt { solver: self, distance, started: Instant::now(), time, watch };
        if size.count() <= FEW_SQUARES {
            return hunt.one_of_all(random);
        }
        let is_15_puzzle = (size.width(), size.height(), frame.home()) == (4, 4, Square(0));
        if is_15_puzzle && self.metric() == Metric::Mtm && distance > FARTHEST_15_IN_MTM {
            return Err(NotAtDistance::TooFar { distance, farthest: FARTHEST_15_IN_MTM });
        }
        if is_15_puzzle && self.metric() == Metric::Stm && distance > FAR_15 {
            return from_the_farthest(frame, distance, random);
        }
        hunt.run(random)
    }
}

/// A board on a shortest solution of one of the farthest.
fn from_the_farthest(frame: &Frame, distance: u32, random: &mut Random) -> Result<Board, NotAtDistance> {
    let farthest = MOST_MOVES_15;
    let made = farthest.checked_sub(distance).ok_or(NotAtDistance::TooFar { distance, farthest })?;
    let all = hardest15();
    let (start, solution) = &all[random.below(all.len() as u64) as usize];
    let board = start.replay(&solution[..made as usize]).expect("the known solutions can be replayed");
    let published = Frame::new(&Goal::BlankFirst.board(frame.size()).expect("any size has this goal"));
    Ok(frame.board(&published.state(&board).expect("the farthest boards can be solved")))
}

/// The boards one move away in a direction: one, or as many as tiles can slide together.
fn slid(board: &Board, direction: Direction, metric: Metric) -> impl Iterator<Item = Board> {
    let next = move |board: &Board| {
        let mut after = *board;
        after.slide(direction).is_ok().then_some(after)
    };
    std::iter::successors(next(board), move |board| next(board)).take(metric.most_tiles(board.size()))
}

/// A search for a board at a distance.
struct Hunt<'a> {
    solver: &'a Solver,
    distance: u32,
    started: Instant,
    time: Duration,
    watch: Watch<'a>,
}

/// A board, and how far it is from the goal.
#[derive(Clone, Copy)]
struct Place {
    board: Board,
    distance: u32,
}

impl Hunt<'_> {
    /// The limit that is reached, if one is: the error says how far away the farthest board so far was.
    fn check(&self, farthest: u32) -> Result<(), NotAtDistance> {
        if self.started.elapsed() < self.time && (self.watch)(&Event::Poll).is_continue() {
            return Ok(());
        }
        Err(self.not_found(farthest))
    }

    fn not_found(&self, farthest: u32) -> NotAtDistance {
        NotAtDistance::NotFound { distance: self.distance, farthest, time: self.started.elapsed() }
    }

    /// One of all boards as far away as asked, each equally likely.
    fn one_of_all(&self, random: &mut Random) -> Result<Board, NotAtDistance> {
        let metric = self.solver.metric();
        let mut before = HashSet::new();
        let mut level = vec![*self.solver.frame().goal()];
        for made in 0..self.distance {
            self.check(made)?;
            let mut seen = HashSet::new();
            let after =
                level.iter().flat_map(|board| board.slides().flat_map(move |direction| slid(board, direction, metric)));
            let next: Vec<Board> = after.filter(|after| !before.contains(after) && seen.insert(*after)).collect();
            if next.is_empty() {
                return Err(NotAtDistance::TooFar { distance: self.distance, farthest: made });
            }
            // In mtm a move may lead to a board as far away: those are known, too.
            before = mem::replace(&mut level, next.clone()).into_iter().chain(next).collect();
        }
        Ok(level[random.below(level.len() as u64) as usize])
    }

    /// How far a board is from the goal. When the hunt has to end, it says how far away the farthest board so far was.
    fn distance_of(&self, board: &Board, farthest: u32) -> Result<u32, NotAtDistance> {
        self.check(farthest)?;
        let left = self.time.saturating_sub(self.started.elapsed());
        let request = Request::default().limits(Limits::default().time(left)).watch(self.watch);
        match self.solver.search(board, &request) {
            Ok(Outcome::Solved(solved)) => Ok(solved.length),
            Ok(Outcome::Limited(_)) => Err(self.not_found(farthest)),
            Err(error) => panic!("a walk from the goal leads to boards that can be solved: {error}"),
        }
    }

    /// The end of a random walk, or the first board on it that is as far away as asked.
    ///
    /// A slide of a single tile changes the distance by one at most. So a board that is n moves short of what is asked is followed by n moves before the
    /// next look: no board is ever farther away than asked, and those are the ones that take long to solve.
    fn walk(&self, from: Place, moves: u32, farthest: &mut u32, random: &mut Random) -> Result<Place, NotAtDistance> {
        let (mut place, mut left) = (from, moves);
        while left > 0 && place.distance < self.distance {
            let made = left.min(self.distance - place.distance);
            let board = random.walk(&place.board, made as usize);
            place = Place { board, distance: self.distance_of(&board, *farthest)? };
            *farthest = place.distance.max(*farthest);
            left -= made;
        }
        Ok(place)
    }

    /// A board as far away as asked: by a walk from the goal, and then by detours that lead no nearer.
    fn run(&self, random: &mut Random) -> Result<Board, NotAtDistance> {
        let mut farthest = 0;
        let goal = Place { board: *self.solver.frame().goal(), distance: 0 };
        // After this walk the board could be any; those of 4×4 need a few hundred moves for that.
        let longest = 10 * self.solver.frame().size().count() as u32;
        loop {
            let mut best = self.walk(goal, longest, &mut farthest, random)?;
            let mut detours = 0;
            while best.distance < self.distance && detours < MOST_DETOURS {
                let moves = 1 + random.below(LONGEST_DETOUR) as u32;
                let there = self.walk(best, moves, &mut farthest, random)?;
                detours = if there.distance > best.distance { 0 } else { detours + 1 };
                if there.distance >= best.distance {
                    best = there;
                }
            }
            if best.distance == self.distance {
                return Ok(best.board);
            }
        }
    }
}

/// There is no board at a distance, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotAtDistance {
    /// No board is that far from the goal.
    #[error("no board is {distance} moves from this goal: the farthest are {farthest} moves away; ask for fewer")]
    TooFar {
        /// What was asked for.
        distance: u32,
        /// How far the farthest boards are.
        farthest: u32,
    },
    /// None was found in time.
    #[error(
        "no board {distance} moves from this goal was found in {:.1} s{}: allow more time, ask for fewer moves, or build stronger \
         tables with tilebase generate",
        .time.as_secs_f64(),
        came_as_far_as(*.farthest)
    )]
    NotFound {
        /// What was asked for.
        distance: u32,
        /// The farthest board whose distance was found; nearer than what was asked for.
        farthest: u32,
        /// The time that it was looked for.
        time: Duration,
    },
}

fn came_as_far_as(farthest: u32) -> String {
    if farthest == 0 { String::new() } else { format!(", only boards up to {farthest} moves away") }
}
