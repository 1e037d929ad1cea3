//! Manhattan distance plus what a rule adds for each line, without tables: for boards of any size.

use std::marker::PhantomData;

use tilebase_puzzle::{Size, Slide, Square, State};

use crate::about::{About, Finding, Listed};
use crate::heuristic::Heuristic;
use crate::line::{Layout, Line, Rule};
use crate::manhattan::Manhattan;

/// Rows and columns of a board of 2×12: no board has more.
const MOST_LINES: usize = 14;

/// Manhattan distance plus two moves for each tile that has to leave its line by the rule: [`Lines`](crate::Lines) for longer
/// sides. It works on the lines themselves, and is slower.
#[derive(Clone, Debug)]
pub struct LongLines<R> {
    layout: Layout,
    manhattan: Manhattan,
    rule: PhantomData<R>,
}

impl<R: Rule> Listed for LongLines<R> {
    const ABOUT: About = R::ABOUT;

    fn new_for(size: Size, _home: Square) -> Option<LongLines<R>> {
        Some(LongLines { layout: Layout { size }, manhattan: Manhattan::new(size), rule: PhantomData })
    }

    fn findings(&self, state: &State) -> Vec<Finding> {
        self.layout.findings::<R>(state)
    }
}

/// All lines, rows first, and the sum.
#[derive(Clone, Copy, Debug)]
pub struct LongLinesNode {
    lines: [Line; MOST_LINES],
    sum: u32,
}

/// The two lines changed, with their numbers, and the sum.
#[derive(Clone, Copy, Debug)]
pub struct LongLinesStep {
    changed: [(usize, Line); 2],
    sum: u32,
}

impl<R: Rule> Heuristic for LongLines<R> {
    type Node = LongLinesNode;
    type Step = LongLinesStep;

    fn is_admissible(&self) -> bool {
        R::ABOUT.promise.is_admissible()
    }

    fn root(&self, state: &State) -> Option<LongLinesNode> {
        let mut node = LongLinesNode { lines: [Line::default(); MOST_LINES], sum: self.manhattan.root(state)? };
        for (line, content) in node.lines.iter_mut().zip(self.layout.lines(state)) {
            *line = content;
            R::begin(line);
            node.sum += 2 * R::leavers(line);
        }
        Some(node)
    }

    fn cost(&self, node: &LongLinesNode) -> u32 {
        node.sum
    }

    fn begin(&self, _stage: usize, node: &LongLinesNode, slide: Slide) -> LongLinesStep {
        let mut sum = self.manhattan.begin(0, &node.sum, slide);
        let changed = self.layout.changes(slide.tile.goal(), slide.from, slide.to).map(|(number, change)| {
            let mut line = node.lines[number];
            sum -= 2 * R::leavers(&line);
            line.change::<R>(change);
            sum += 2 * R::leavers(&line);
            (number, line)
        });
        LongLinesStep { changed, sum }
    }

    fn finish(&self, _stage: usize, step: &mut LongLinesStep) -> u32 {
        step.sum
    }

    fn apply(&self, _stage: usize, node: &mut LongLinesNode, step: &LongLinesStep) {
        step.changed.iter().for_each(|&(number, line)| node.lines[number] = line);
        node.sum = step.sum;
    }
}
