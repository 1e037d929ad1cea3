//! Searches that have many nodes at hand ask for all answers before they read any, also through heuristics that are made of others.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tilebase_heuristics::{Heuristic, Largest, Manhattan};
use tilebase_puzzle::{Board, Frame, Goal, Slide, State};
use tilebase_solve::{Algorithm, Astar, Ida, Request, Solver};
use tilebase_tests::fixtures::size;
use tilebase_tests::larger::Larger;

/// What became of the questions of all heuristics of a test.
#[derive(Default)]
struct Questions {
    begun: AtomicU64,
    asked: Mutex<HashSet<u64>>,
    read: AtomicU64,
    read_unasked: AtomicU64,
}

/// The Manhattan distance, as if it were far away.
struct Far<'a> {
    manhattan: Manhattan,
    questions: &'a Questions,
}

impl Heuristic for Far<'_> {
    type Node = <Manhattan as Heuristic>::Node;
    type Step = (<Manhattan as Heuristic>::Step, u64);

    const IS_FAR: bool = true;

    fn root(&self, state: &State) -> Option<Self::Node> {
        self.manhattan.root(state)
    }

    fn cost(&self, node: &Self::Node) -> u32 {
        self.manhattan.cost(node)
    }

    fn begin(&self, stage: usize, node: &Self::Node, slide: Slide) -> Self::Step {
        (self.manhattan.begin(stage, node, slide), self.questions.begun.fetch_add(1, Ordering::Relaxed))
    }

    fn prefetch(&self, stage: usize, (_, question): &Self::Step) {
        assert_eq!(stage, 0, "it has no other");
        self.questions.asked.lock().unwrap().insert(*question);
    }

    fn finish(&self, stage: usize, (step, question): &mut Self::Step) -> u32 {
        let was_asked = self.questions.asked.lock().unwrap().contains(question);
        self.questions.read.fetch_add(1, Ordering::Relaxed);
        self.questions.read_unasked.fetch_add(u64::from(!was_asked), Ordering::Relaxed);
        self.manhattan.finish(stage, step)
    }

    fn apply(&self, stage: usize, node: &mut Self::Node, (step, _): &Self::Step) {
        self.manhattan.apply(stage, node, step);
    }
}

fn check<H: Heuristic>(questions: &Questions, heuristic: H, algorithm: impl Algorithm) {
    let board: Board = "8 6 7 / 2 5 4 / 3 0 1".parse().unwrap();
    let frame = Frame::new(&Goal::BlankLast.board(board.size()).unwrap());
    let solver = Solver::with_algorithm(frame, heuristic, algorithm);
    assert_eq!(solver.solve(&board, &Request::default()).unwrap().solved().unwrap().length, 31);
    let [read, unasked] = [&questions.read, &questions.read_unasked].map(|count| count.load(Ordering::Relaxed));
    // Now and then a search takes the time that a heuristic takes for a node, and reads at once.
    assert!(read > 10_000 && unasked < read / 100, "{unasked} of {read} answers were read without being asked for");
}

#[test]
fn every_answer_is_asked_for() {
    let questions = Questions::default;
    let far = |questions| Far { manhattan: Manhattan::new(size(3, 3)), questions };
    let here = questions();
    check(&here, far(&here), Ida::default());
    let here = questions();
    check(&here, far(&here), Astar);
    let here = questions();
    check(&here, Larger(far(&here), far(&here)), Ida::default());
    let here = questions();
    check(&here, Largest::<_, 2>::new(vec![far(&here), far(&here)]).unwrap(), Ida::default());
}
