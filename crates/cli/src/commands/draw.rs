//! `tilebase draw`

use std::time::Duration;

use clap::Args;
use serde_json::json;
use tilebase::heuristics::Finding;
use tilebase::puzzle::{Board, Direction, Frame, MoveForm};
use tilebase::solve::{Limits, Outcome, Request};
use tilebase::{Analyser, Analysis, Solver, Tables, catalogue_for};
use tilebase_plot::{BoardPicture, Fill, Note};

use crate::commands::show::line_of;
use crate::goals::Goals;
use crate::limits;
use crate::options::BoardOptions;
use crate::picture::PictureOptions;
use crate::session::counted;
use crate::{Exit, Failure, Result, Session, input, solvers};

/// Draw a board as a picture
///
/// As SVG and, with --png, as PNG; without a file the SVG goes to stdout. Tiles can be coloured by the patterns of a catalogue, and
/// marked where they are in each other's way. A solution is played again and again, which only an SVG can do.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase draw \"5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15\" --svg board.svg
  tilebase draw \"5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15\" \\
    --patterns 7-8 --svg patterns.svg
  tilebase draw \"2 1 3 / 4 5 6 / 8 7 0\" --conflicts --svg conflicts.svg
  tilebase draw \"1 2 3 / 4 0 6 / 7 5 8\" --moves UL --svg moves.svg
  tilebase draw \"8 6 7 / 2 5 4 / 3 0 1\" --solve --svg solution.svg")]
pub(crate) struct Draw {
    /// The board, such as "1 2 3 / 4 5 6 / 7 8 0", or a file with one; none or - for stdin
    #[arg(value_name = "BOARD")]
    board: Vec<String>,
    #[command(flatten)]
    board_options: BoardOptions,
    #[command(flatten)]
    picture: PictureOptions,
    /// Colour tiles by the patterns of a catalogue: a name, a file, or a drawing such as .ABB/AABB/AABB/AABB
    #[arg(long, value_name = "CATALOGUE")]
    patterns: Option<String>,
    /// Mark tiles that are in their line, but in each other's way (linear conflicts)
    #[arg(long)]
    conflicts: bool,
    /// Play these moves
    #[arg(long, value_name = "MOVES", conflicts_with = "solve")]
    moves: Option<String>,
    /// How the moves are written: tile, blank, tiles, arrows [default: as they look; letters are directions of tiles]
    #[arg(long, value_name = "FORM", requires = "moves")]
    form: Option<MoveForm>,
    /// Play a shortest solution
    #[arg(long)]
    solve: bool,
    /// With --solve: give up after this time, such as 500ms, 2s or 5m
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = limits::time, requires = "solve")]
    time_limit: Duration,
    /// A headline
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

impl Draw {
    pub(crate) fn run(&self, session: &Session) -> Result {
        #[cfg(feature = "png")]
        self.check()?;
        let (board, has_size_line) = input::one_board(&self.board, self.board_options.size)?;
        let goals = self.board_options.goals()?;
        let goal = goals.of(has_size_line, board.size())?;
        if let Some(note) = goals.note(has_size_line) {
            session.note(note);
        }
        let frame = Frame::new(&goal);
        let mut picture = BoardPicture::chequered(board.size().width(), board.labels(), goal.labels());
        picture.title.clone_from(&self.title);
        if let Some(catalogue) = &self.patterns {
            add_patterns(&mut picture, catalogue, &frame)?;
        }
        if self.conflicts {
            add_conflicts(&mut picture, Analysis::new(board, goal), &goals, session)?;
        }
        let slides = self.slides(&board, &goal, &goals, session)?;
        let slid = board.tiles_along(&slides).expect("the moves have been looked at");
        picture.slides = slid.into_iter().map(|(label, to)| (label, to.index())).collect();
        if self.picture.is_wanted() {
            self.picture.draw(&picture)?;
            let mut answer = json!({ "board": board.to_string(), "moves": slides.len() });
            for (form, file) in self.picture.files() {
                answer[form] = json!(file.display().to_string());
            }
            if session.json {
                session.answer(answer)?;
            }
        } else {
            let svg = picture.svg();
            session.tell(json!({ "board": board.to_string(), "moves": slides.len(), "svg": svg }), svg.trim_end())?;
        }
        Ok(Exit::Done)
    }

    /// Refuses what cannot be drawn.
    #[cfg(feature = "png")]
    fn check(&self) -> Result<()> {
        self.picture.check()?;
        let plays = self.solve || self.moves.is_some();
        if plays && self.picture.files().any(|(form, _)| form == "png") {
            return Err(Failure::new("a PNG cannot play moves: use --svg, or leave --moves and --solve out"));
        }
        Ok(())
    }

    /// What is to be played.
    fn slides(&self, board: &Board, goal: &Board, goals: &Goals, session: &Session) -> Result<Vec<Direction>> {
        if let Some(moves) = &self.moves {
            let form = self.form.unwrap_or_else(|| MoveForm::detect(moves));
            return Ok(form.parse(moves, board)?);
        }
        if !self.solve {
            return Ok(Vec::new());
        }
        let parity = Analysis::new(*board, *goal).parity;
        if !parity.is_solvable() {
            let remedy = goals.unsolvable(board, goal);
            return Err(Failure::new(format!("unsolvable: {remedy}")).with_exit(Exit::Negative));
        }
        let solver = solvers::open(Solver::builder(goal), &session.source(), session)?;
        let request = Request::default().limits(Limits::default().time(self.time_limit));
        match solver.search(board, &request)? {
            Outcome::Solved(found) => Ok(found.solutions.into_iter().next().unwrap_or_default()),
            Outcome::Limited(limited) => {
                let (at_least, seconds) = (counted(limited.at_least.into(), "move"), self.time_limit.as_secs_f64());
                let why = format!("not solved within {seconds} s: at least {at_least}; play other moves with --moves");
                Err(Failure::new(why).with_exit(Exit::Limit))
            }
        }
    }
}

/// Colours tiles by their patterns, and lists these. Of several partitions it is the first.
fn add_patterns(picture: &mut BoardPicture, catalogue: &str, frame: &Frame) -> Result<()> {
    let catalogue = catalogue_for(catalogue, frame)?;
    for (group, pattern) in catalogue.first().patterns().iter().enumerate() {
        let labels = (1..frame.size().count() as u8).filter(|&label| pattern.contains(frame.tile(label)));
        let labels: Vec<u8> = labels.collect();
        labels.iter().for_each(|&label| picture.fills[usize::from(label)] = Fill::Group(group));
        let names: Vec<String> = labels.iter().map(u8::to_string).collect();
        picture.notes.push(Note::Group(group, names.join(", ")));
    }
    Ok(())
}

/// Marks tiles that are in each other's way, and says what that costs.
fn add_conflicts(picture: &mut BoardPicture, mut analysis: Analysis, goals: &Goals, session: &Session) -> Result<()> {
    const NAME: &str = "linear-conflict";
    if !analysis.parity.is_solvable() {
        let remedy = goals.unsolvable(&analysis.board, &analysis.goal);
        let why = format!("conflicts are those on the way to the goal, but the board is unsolvable: {remedy}");
        return Err(Failure::new(why).with_exit(Exit::Negative));
    }
    let builder = Solver::builder(&analysis.goal).tables(Tables::Named(NAME));
    let analyser = Analyser::new(solvers::open(builder, &session.source(), session)?);
    analysis.add_values(&analyser)?;
    let values = analysis.values.as_ref().expect("they have just been added");
    let findings = values.listed.iter().filter(|value| value.about.name == NAME).flat_map(|value| &value.findings);
    let mut findings: Vec<&Finding> = findings.collect();
    findings.sort_by_key(|finding| finding.squares.iter().min());
    for (finding, mark) in findings.into_iter().zip('a'..='z') {
        picture.marks.extend(finding.squares.iter().map(|square| (square.index(), mark)));
        let labels: Vec<String> = analysis.labels(finding).iter().map(u8::to_string).collect();
        let words = format!("{}{}: {} more moves", labels.join(", "), line_of(&analysis, finding), finding.moves);
        picture.notes.push(Note::Mark(mark, words));
    }
    Ok(())
}
