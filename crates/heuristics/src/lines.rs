//! Manhattan distance plus what a rule adds for each line, with tables: for sides of up to five squares.
//!
//! A line of five squares has 1,546 contents, and with partners 4,958 (of four: 209 and 398). So contents are numbered, and a
//! table has for each of them what every change leads to. A node is the numbers of all lines and the sum; a slide reads what
//! it changes (4 bytes), and then one entry for each of the two lines changed. Where it changes only one, or none, the entry
//! is "stay": that costs less than finding out.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use tilebase_puzzle::{Size, Slide, Square, State};

use crate::about::{About, Finding, Listed};
use crate::direction::direction;
use crate::heuristic::Heuristic;
use crate::line::{Change, InLine, Layout, Line, Rule};
use crate::manhattan::Manhattan;
use crate::walks::bytes_of_map;

/// The longest side for which there are tables.
const LONGEST: usize = 5;

/// A line in a node: its content's number in the low bits, and above them how many tiles must leave it.
type Code = u16;

const NUMBER_BITS: u32 = 13;

/// The most contents that can be numbered, of rows and columns together.
const MOST: usize = 1 << NUMBER_BITS;

/// Room for all transitions of two lines of five, a power of two, so that any number can be cut to fit. What is not used is
/// never touched.
const ENTRIES: usize = 1 << 18;

/// For each content and change the line afterwards: the changes of a content side by side, as many as the longer line has.
/// On 4×4 they take 11 KB, and 21 KB with partners: they fit the fastest cache.
type Transitions = [Code; ENTRIES];

/// Manhattan distance plus two moves for each tile that has to leave its line by the rule.
#[derive(Clone)]
pub struct Lines<R> {
    layout: Layout,
    manhattan: Manhattan,
    /// What each slide changes, by tile, square and [`direction`].
    plans: Box<[Plan; 1 << 12]>,
    transitions: Box<Transitions>,
    /// How many transitions a content has.
    stride: usize,
    /// The codes of contents, of rows and of columns.
    codes: [HashMap<Line, Code>; 2],
    rule: PhantomData<R>,
}

impl<R> fmt::Debug for Lines<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let contents = self.codes.each_ref().map(HashMap::len);
        f.debug_struct("Lines").field("size", &self.layout.size).field("contents", &contents).finish_non_exhaustive()
    }
}

/// What a slide changes: two lines, each by one change, and the Manhattan distance by one.
#[derive(Clone, Copy, Default, Debug)]
struct Plan {
    /// The two lines: four bits each.
    lines: u8,
    along: u8,
    across: u8,
    distance: i8,
}

/// All changes of a line of a length: the number of a change in a plan is its place here.
fn all_changes(length: usize) -> Vec<Change> {
    let mut changes = vec![Change::Stay];
    for place in 0..length {
        changes.push(Change::Leave { place });
        changes.extend((0..length).map(|goal| Change::Enter(InLine { place, goal })));
        changes.extend(place.checked_sub(1).map(|to| Change::Shift { from: place, to }));
        changes.extend((place + 1 < length).then_some(Change::Shift { from: place, to: place + 1 }));
    }
    changes
}

/// Whether a change can happen to a line.
fn is_possible(line: &Line, change: Change) -> bool {
    match change {
        Change::Stay => true,
        Change::Leave { place } => line.goal(place).is_some(),
        Change::Enter(tile) => line.goal(tile.place).is_none() && line.tile(tile.goal).is_none(),
        Change::Shift { from, to } => line.goal(from).is_some() && line.goal(to).is_none(),
    }
}

/// Numbers all contents of lines of a length that a search can meet, from `first` on, and writes where changes lead.
fn number_lines<R: Rule>(
    length: usize,
    first: usize,
    stride: usize,
    transitions: &mut Transitions,
) -> HashMap<Line, Code> {
    let changes = all_changes(length);
    let mut codes = HashMap::new();
    let mut queue = Vec::new();
    let mut code_of = |line: Line, queue: &mut Vec<Line>| {
        let number = first + codes.len();
        *codes.entry(line).or_insert_with(|| {
            assert!(number < MOST, "there are more contents of lines than numbers");
            queue.push(line);
            (R::leavers(&line) as Code) << NUMBER_BITS | number as Code
        })
    };
    code_of(Line::default(), &mut queue);
    let mut next = 0;
    while let Some(&line) = queue.get(next) {
        // A search may also begin here, whatever partners there were.
        let mut afresh = line;
        afresh.part_all();
        R::begin(&mut afresh);
        code_of(afresh, &mut queue);
        for (number, &change) in changes.iter().enumerate().filter(|(_, change)| is_possible(&line, **change)) {
            let mut after = line;
            after.change::<R>(change);
            transitions[(first + next) * stride + number] = code_of(after, &mut queue);
        }
        next += 1;
    }
    codes
}

/// Twice the number of tiles that have to leave a line.
#[inline]
fn moves(code: Code) -> u16 {
    code >> NUMBER_BITS << 1
}

impl<R: Rule> Lines<R> {
    /// The number of a line's content: the same for equal contents, and below 8,192.
    #[inline]
    pub(crate) fn number(node: &LinesNode, line: usize) -> usize {
        node.0[line % 16] as usize % MOST
    }

    /// All contents of lines, with their numbers.
    pub(crate) fn contents(&self) -> impl Iterator<Item = (&Line, usize)> {
        self.codes.iter().flatten().map(|(line, &code)| (line, code as usize % MOST))
    }

    fn plans(layout: Layout) -> Box<[Plan; 1 << 12]> {
        let size = layout.size;
        let mut plans = Box::new([Plan::default(); 1 << 12]);
        let changes = [all_changes(size.width()), all_changes(size.height())];
        let number = |(line, change): (usize, Change)| {
            let changes = &changes[usize::from(line >= size.height())];
            changes.iter().position(|&other| other == change).expect("all changes of a line are numbered") as u8
        };
        for from in size.squares() {
            for to in size.squares().filter(|&to| size.distance(from, to) == 1) {
                for home in size.squares() {
                    let [along, across] = layout.changes(home, from, to);
                    plans[plan_number(home.index(), from, to)] = Plan {
                        lines: (along.0 | across.0 << 4) as u8,
                        along: number(along),
                        across: number(across),
                        distance: size.distance(home, to) as i8 - size.distance(home, from) as i8,
                    };
                }
            }
        }
        plans
    }
}

#[inline]
fn plan_number(tile: usize, from: Square, to: Square) -> usize {
    (tile % 32) << 7 | (from.index() % 32) << 2 | direction(from, to)
}

impl<R: Rule> Listed for Lines<R> {
    const ABOUT: About = R::ABOUT;

    const SUITS: &'static str = "boards whose sides are at most 5";

    fn new_for(size: Size, _home: Square) -> Option<Lines<R>> {
        if size.width().max(size.height()) > LONGEST {
            return None;
        }
        let layout = Layout { size };
        let transitions = vec![0; ENTRIES].into_boxed_slice();
        let mut transitions: Box<Transitions> = transitions.try_into().expect("as many as there are");
        let stride = all_changes(size.width().max(size.height())).len();
        let rows = number_lines::<R>(size.width(), 0, stride, &mut transitions);
        let columns = if size.is_square() {
            rows.clone()
        } else {
            number_lines::<R>(size.height(), rows.len(), stride, &mut transitions)
        };
        let (manhattan, plans) = (Manhattan::new(size), Lines::<R>::plans(layout));
        Some(Lines { layout, manhattan, plans, transitions, stride, codes: [rows, columns], rule: PhantomData })
    }

    fn findings(&self, state: &State) -> Vec<Finding> {
        self.layout.findings::<R>(state)
    }

    fn bytes(&self) -> usize {
        let of_codes: usize = self.codes.iter().map(bytes_of_map).sum();
        size_of_val(&*self.transitions) + size_of_val(&*self.plans) + of_codes
    }
}

/// The codes of all lines, rows first; the last number is the sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinesNode([u16; 16]);

const SUM: usize = 15;

/// The two lines changed, and the sum.
#[derive(Clone, Copy, Debug)]
pub struct LinesStep {
    along: Code,
    across: Code,
    sum: u16,
    lines: u8,
}

impl<R: Rule> Heuristic for Lines<R> {
    type Node = LinesNode;
    type Step = LinesStep;

    fn is_admissible(&self) -> bool {
        R::ABOUT.promise.is_admissible()
    }

    fn root(&self, state: &State) -> Option<LinesNode> {
        let mut node = LinesNode([0; 16]);
        node.0[SUM] = self.manhattan.root(state)? as u16;
        for (number, mut line) in self.layout.lines(state).into_iter().enumerate() {
            R::begin(&mut line);
            let code = *self.codes[usize::from(number >= self.layout.size.height())].get(&line)?;
            node.0[number] = code;
            node.0[SUM] += moves(code);
        }
        Some(node)
    }

    #[inline]
    fn cost(&self, node: &LinesNode) -> u32 {
        node.0[SUM].into()
    }

    #[inline]
    fn begin(&self, _stage: usize, node: &LinesNode, slide: Slide) -> LinesStep {
        let plan = self.plans[plan_number(slide.tile.index(), slide.from, slide.to)];
        let after = |line: u8, change: u8| {
            let before = node.0[line as usize % 16];
            let entry = before as usize % MOST * self.stride + change as usize;
            (before, self.transitions[entry % ENTRIES])
        };
        let (along_before, along) = after(plan.lines % 16, plan.along);
        let (across_before, across) = after(plan.lines / 16, plan.across);
        let before = moves(along_before) + moves(across_before);
        let after = moves(along) + moves(across);
        let sum = node.0[SUM].wrapping_add_signed(plan.distance.into()).wrapping_add(after).wrapping_sub(before);
        LinesStep { along, across, sum, lines: plan.lines }
    }

    #[inline]
    fn finish(&self, _stage: usize, step: &mut LinesStep) -> u32 {
        step.sum.into()
    }

    #[inline]
    fn apply(&self, _stage: usize, node: &mut LinesNode, step: &LinesStep) {
        node.0[step.lines as usize % 16] = step.along;
        node.0[step.lines as usize / 16] = step.across;
        node.0[SUM] = step.sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear_conflict::Conflicts;
    use crate::pair_distance::Pairs;
    use crate::pair_distance_full::FullPairs;

    fn contents<R: Rule>(length: usize) -> HashMap<Line, Code> {
        let transitions = vec![0; ENTRIES].into_boxed_slice();
        let mut transitions: Box<Transitions> = transitions.try_into().unwrap();
        number_lines::<R>(length, 0, all_changes(length).len(), &mut transitions)
    }

    /// By how much a tile that leaves or enters a line can change the bound, Manhattan distance included; and one that shifts.
    fn changes<R: Rule>(length: usize) -> [Vec<i32>; 2] {
        let mut found = [Vec::new(), Vec::new()];
        for line in contents::<R>(length).into_keys() {
            for change in all_changes(length).into_iter().filter(|change| is_possible(&line, *change)) {
                let mut after = line;
                after.change::<R>(change);
                let leavers = R::leavers(&after) as i32 - R::leavers(&line) as i32;
                match change {
                    Change::Stay => assert_eq!(leavers, 0),
                    Change::Leave { .. } => found[0].push(2 * leavers + 1),
                    Change::Enter(_) => found[0].push(2 * leavers - 1),
                    Change::Shift { .. } => found[1].push(2 * leavers),
                }
            }
        }
        for changes in &mut found {
            changes.sort_unstable();
            changes.dedup();
        }
        found
    }

    #[test]
    fn lines_have_as_many_contents_as_the_introduction_says() {
        assert_eq!([4, 5].map(|length| contents::<Conflicts>(length).len()), [209, 1546]);
        assert_eq!([4, 5].map(|length| contents::<FullPairs>(length).len()), [209, 1546]);
        assert_eq!([4, 5].map(|length| contents::<Pairs>(length).len()), [398, 4958]);
    }

    #[test]
    fn linear_conflicts_and_all_pairs_change_by_at_most_one_on_any_line() {
        for length in 2..=LONGEST {
            assert_eq!(changes::<Conflicts>(length), [vec![-1, 1], vec![0]], "{length}");
            assert_eq!(changes::<FullPairs>(length), [vec![-1, 1], vec![0]], "{length}");
        }
    }

    #[test]
    fn bauers_pairs_grow_when_a_tile_shifts_that_was_left_alone() {
        assert_eq!(changes::<Pairs>(2), [vec![-1, 1], vec![0]]);
        assert_eq!(changes::<Pairs>(3), [vec![-1, 1], vec![0, 2]]);
    }

    #[test]
    fn pairs_never_claim_more_than_linear_conflicts_whatever_way_led_to_them() {
        let more_than_afresh = [2, 3, 4, 5].map(|length| {
            let lines = contents::<Pairs>(length).into_keys().filter(|line| {
                assert!(Pairs::leavers(line) <= Conflicts::leavers(line), "{line:?}");
                let mut afresh = *line;
                Pairs::begin(&mut afresh);
                Pairs::leavers(line) > Pairs::leavers(&afresh)
            });
            lines.count()
        });
        assert_eq!(more_than_afresh, [0, 0, 4, 126]);
    }
}
