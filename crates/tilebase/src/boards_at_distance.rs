//! Random boards at an exact distance from the goal.

use std::collections::HashSet;
use std::mem;
use std::time::{Duration, Instant};

use tilebase_progress::{Event, Watch};
use tilebase_puzzle::known::{MOST_MOVES_15, hardest15};
use tilebase_puzzle::{Board, Direction, Frame, Goal, Random, Square};
use tilebase_solve::{Limits, Outcome, Request};

use crate::solver::Solver;

/// Of boards with at most this many squares all are listed: 181,440 of 3×3 take a moment.
const FEW_SQUARES: usize = 9;

/// Few boards of the 15-puzzle are farther from the goal: about one in twenty.
const FAR_15: u32 = 60;

/// The longest walk by which the climb looks for a board that is farther away.
const LONGEST_DETOUR: u64 = 12;

/// After this many detours without success the climb begins anew.
const MOST_DETOURS: u32 = 200;

impl Solver {
    /// A random board that is exactly `distance` moves from the goal: no solution is shorter.
    ///
    /// On small boards every such board is equally likely. On others a random walk that ends at least as far away is followed
    /// by random moves that each lead nearer, until the distance is right; boards of the 15-puzzle that are farther away than
    /// walks lead are on the known solutions of the 17 farthest. The same numbers give the same board, by whatever tables: only
    /// distances count. It takes a few solutions, and more for distances that are rare; `time` ends it, and so does `watch`.
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
        if size.count() <= FEW_SQUARES {
            return one_of_all(frame.goal(), distance, random);
        }
        let is_15_puzzle = (size.width(), size.height(), frame.home()) == (4, 4, Square(0));
        if is_15_puzzle && distance > FAR_15 {
            return from_the_farthest(frame, distance, random);
        }
        let hunt = Hunt { solver: self, distance, started: Instant::now(), time, watch };
        hunt.descend(hunt.climb(random)?, random)
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

fn one_of_all(goal: &Board, distance: u32, random: &mut Random) -> Result<Board, NotAtDistance> {
    let mut before = HashSet::new();
    let mut level = vec![*goal];
    for made in 0..distance {
        let mut seen = HashSet::new();
        let after = level.iter().flat_map(|board| board.slides().map(|direction| slid(board, direction)));
        let next: Vec<Board> = after.filter(|after| !before.contains(after) && seen.insert(*after)).collect();
        if next.is_empty() {
            return Err(NotAtDistance::TooFar { distance, farthest: made });
        }
        before = mem::replace(&mut level, next).into_iter().collect();
    }
    Ok(level[random.below(level.len() as u64) as usize])
}

fn slid(board: &Board, direction: Direction) -> Board {
    let mut after = *board;
    after.slide(direction).expect("a listed slide is not blocked");
    after
}

/// A search for a board at a distance.
struct Hunt<'a> {
    solver: &'a Solver,
    distance: u32,
    started: Instant,
    time: Duration,
    watch: Watch<'a>,
}

impl Hunt<'_> {
    /// How far a board is from the goal. When the hunt has to end, it says how far away the farthest board so far was.
    fn distance_of(&self, board: &Board, farthest: u32) -> Result<u32, NotAtDistance> {
        let not_found = || NotAtDistance::NotFound { distance: self.distance, farthest, time: self.started.elapsed() };
        let left = self.time.saturating_sub(self.started.elapsed());
        if left.is_zero() || (self.watch)(&Event::Poll).is_break() {
            return Err(not_found());
        }
        let request = Request::default().limits(Limits::default().time(left)).watch(self.watch);
        match self.solver.search(board, &request) {
            Ok(Outcome::Solved(solved)) => Ok(solved.length),
            Ok(Outcome::Limited(_)) => Err(not_found()),
            Err(error) => panic!("a walk from the goal leads to boards that can be solved: {error}"),
        }
    }

    /// A board at least as far away as asked: by longer and longer walks from the goal, and then by detours from the farthest
    /// board so far.
    fn climb(&self, random: &mut Random) -> Result<(Board, u32), NotAtDistance> {
        let mut farthest = 0;
        let goal = self.solver.frame().goal();
        // After these walks the board could be any; those of 4×4 need a few hundred moves for that.
        let longest = 10 * self.solver.frame().size().count();
        let mut walk = longest.min(self.distance as usize);
        loop {
            let mut best = random.walk(goal, walk);
            let mut distance = self.distance_of(&best, farthest)?;
            walk = (walk + 2 + walk / 4).min(longest);
            let mut detours = if walk < longest { MOST_DETOURS } else { 0 };
            farthest = distance.max(farthest);
            while distance < self.distance && detours < MOST_DETOURS {
                let moves = 1 + random.below(LONGEST_DETOUR) as usize;
                let board = random.walk(&best, moves);
                let there = self.distance_of(&board, farthest)?;
                detours = if there > distance { 0 } else { detours + 1 };
                if there >= distance {
                    (best, distance) = (board, there);
                }
                farthest = distance.max(farthest);
            }
            if distance >= self.distance {
                return Ok((best, distance));
            }
        }
    }

    /// Random moves towards the goal, until the distance is right.
    fn descend(&self, (mut board, mut distance): (Board, u32), random: &mut Random) -> Result<Board, NotAtDistance> {
        while distance > self.distance {
            let mut slides: Vec<Direction> = board.slides().collect();
            random.shuffle(&mut slides);
            for direction in slides {
                let after = slid(&board, direction);
                if self.distance_of(&after, distance)? < distance {
                    board = after;
                    break;
                }
            }
            distance -= 1;
        }
        Ok(board)
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
        "no board {distance} moves from this goal was found in {:.1} s, the farthest seen was {farthest} moves away: ask for \
         fewer, or build stronger tables with tilebase generate",
        .time.as_secs_f64()
    )]
    NotFound {
        /// What was asked for.
        distance: u32,
        /// The farthest board that was seen.
        farthest: u32,
        /// The time that it was looked for.
        time: Duration,
    },
}
