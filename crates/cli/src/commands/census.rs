//! `tilebase census`

use bytesize::ByteSize;
use clap::Args;
use serde_json::Value;
use tilebase::puzzle::{Board, Goal, Metric, Size};
use tilebase::{Census as Counts, CensusError, Source, Watch};
#[cfg(feature = "plot")]
use tilebase_plot::{Axis, Chart, Series, Style};

use crate::options::MetricOption;
#[cfg(feature = "plot")]
use crate::picture::PictureOptions;
use crate::session::{bytes, counted};
use crate::{Exit, Failure, Result, Session, bars, interrupt, system};

/// The examples of the help.
const EXAMPLES: &str = "\
Examples:
  tilebase census 3x3
  # the blank in the middle: no board is 31 moves away
  tilebase census 3x3 --goal snail
  # several tiles in a line are one move: at most 24
  tilebase census 3x3 --metric mtm
  # the published numbers
  tilebase census 4x4 --json
  # the boards that are up to 15 moves away
  tilebase census 5x5 --depth 15
  # counted, with 5.4 GB of memory
  tilebase census 2x7 --count";

/// Another one, where charts can be drawn.
const CHART: &str = "
  tilebase census 3x4 --svg boards.svg";

/// Count how many boards are how far from the goal
///
/// Boards with up to 12 squares are counted on the spot, which takes a second or two: by breadth-first search over all boards that
/// can be solved, one bit each, or a bit and a half with --metric mtm. Of larger ones the published numbers are told, where there are
/// any: for 3x5, 2x7, 2x8 and 4x4, and goals with the blank in a corner; with --metric mtm for 4x4 alone, and not for all distances. With
/// --count these are counted as well, if there is enough memory. With --depth only the boards near the goal are counted, of any size.
///
/// The counts depend on nothing but the blank's square in the goal: in a corner, at an edge or inside.
#[derive(Args, Debug)]
#[command(after_help = format!("{EXAMPLES}{}", if cfg!(feature = "plot") { CHART } else { "" }))]
pub(crate) struct Census {
    /// Board size, width x height
    #[arg(value_name = "WxH")]
    size: Size,
    /// What boards lead to: blank-last, blank-first, snail, or a board
    #[arg(long, default_value = "blank-last")]
    goal: String,
    #[command(flatten)]
    moves: MetricOption,
    /// Count, even if the numbers have been published
    #[arg(long)]
    count: bool,
    /// Count the boards up to this many moves away, and no others
    #[arg(long, value_name = "N", conflicts_with = "count")]
    depth: Option<u32>,
    /// Refuse counts that need more memory, such as 600MB or 2GiB; with --depth they end there [default: what the machine has free]
    #[arg(long, value_name = "SIZE", value_parser = crate::limits::memory)]
    max_memory: Option<ByteSize>,
    #[cfg(feature = "plot")]
    #[command(flatten)]
    picture: PictureOptions,
}

impl Census {
    pub(crate) fn run(&self, session: &Session) -> Result {
        #[cfg(feature = "png")]
        self.picture.check()?;
        let goal = Goal::parse(&self.goal, Some(self.size))?.board(self.size)?;
        let census = match self.depth {
            Some(depth) => self.counted_to(&goal, depth, session)?,
            None => self.whole(&goal, session)?,
        };
        session.tell(Value::Object(census.json()), text(&census))?;
        if census.source() == Source::Published {
            let memory = Counts::memory(self.size, census.metric());
            let memory = memory.map(|memory| format!(", with {} of memory", bytes(memory))).unwrap_or_default();
            let end = format!(", and end at {} moves", last_distance(&census));
            let end = if census.is_complete() { "" } else { &end };
            session.note(format!("these numbers were published, not counted here{end}; --count counts them{memory}"));
        }
        #[cfg(feature = "plot")]
        self.picture.draw(&chart(&census))?;
        let end = last_distance(&census);
        if self.depth.is_some_and(|depth| end < depth) && !census.is_complete() {
            session.note(format!(
                "the count ended at {}: the boards at {} need more memory than may be used",
                counted(end.into(), "move"),
                end + 1
            ));
            return Ok(Exit::Limit);
        }
        Ok(Exit::Done)
    }

    fn metric(&self) -> Metric {
        self.moves.metric
    }

    /// All boards: counted, or as somebody has published them.
    fn whole(&self, goal: &Board, session: &Session) -> Result<Counts> {
        let is_asked = self.count || Counts::is_counted_on_the_spot(self.size);
        let published = if is_asked { None } else { Counts::published(goal, self.metric()) };
        let census = published.map_or_else(|| self.counted(goal, session), Ok);
        // Without the memory to count, what is published is better than nothing.
        let instead = if self.count || census.is_ok() { None } else { Counts::published(goal, self.metric()) };
        match (census, instead) {
            (Err(failure), Some(published)) if failure.exit == Exit::Error => {
                session.note(&failure);
                Ok(published)
            }
            (census, _) => census,
        }
    }

    /// Counts the boards near the goal, as far as there is enough memory.
    fn counted_to(&self, goal: &Board, depth: u32, session: &Session) -> Result<Counts> {
        interrupt::stop_when_asked();
        session.use_threads();
        let count = |watch: Watch<'_>| Counts::count_to(goal, self.metric(), depth, self.memory_limit(), watch);
        bars::watched(session, count).map_err(|error| stopped(error, "a smaller --depth takes less time"))
    }

    /// The most memory that a count may use.
    fn memory_limit(&self) -> Option<u64> {
        self.max_memory.map(|size| size.as_u64()).or_else(system::available_memory)
    }

    /// Counts, if there is enough memory.
    fn counted(&self, goal: &Board, session: &Session) -> Result<Counts> {
        match (Counts::memory(self.size, self.metric()), self.memory_limit()) {
            (None, _) => return Err(Failure::new(self.never_counted())),
            (Some(needed), Some(limit)) if needed > limit => {
                return Err(Failure::new(self.refusal(goal, needed, limit)));
            }
            _ => {}
        }
        interrupt::stop_when_asked();
        session.use_threads();
        let why = "boards that were not all counted are no census";
        bars::watched(session, |watch| Counts::count(goal, self.metric(), watch)).map_err(|error| stopped(error, why))
    }

    /// Why boards are not counted that nobody can count.
    fn never_counted(&self) -> String {
        let (size, boards) = (self.size, Counts::boards(self.size) as f64);
        format!(
            "{size} has {boards:.1e} boards that can be solved, and nobody has counted how far they are: a count would need \
             a bit of memory for each; the largest board of which all are known is 4x4, in single moves; --depth N counts \
             those up to N moves away"
        )
    }

    /// Why boards are not counted that would need more memory than there is.
    fn refusal(&self, goal: &Board, needed: u64, limit: u64) -> String {
        let (size, boards) = (self.size, Counts::boards(self.size));
        let too_much = format!(
            "{size} has {boards} boards that can be solved: to count them needs {} of memory, but only {} may be used",
            bytes(needed),
            bytes(limit)
        );
        let corner = Goal::BlankLast.board(size).ok().and_then(|corner| Counts::published(&corner, self.metric()));
        let instead = match (Counts::published(goal, self.metric()), corner) {
            (Some(_), _) => "; the published numbers are told without --count",
            (None, Some(_)) => "; there are published numbers for goals with the blank in a corner only",
            (None, None) => ", and there are no published numbers",
        };
        too_much + instead + "; --depth N counts those up to N moves away"
    }
}

/// Why there is no census, and what to tell those who pressed Ctrl-C.
fn stopped(error: CensusError, interrupted: &str) -> Failure {
    match error {
        CensusError::Stopped => Failure::new(format!("interrupted: {interrupted}")).with_exit(Exit::Interrupted),
        other => other.into(),
    }
}

/// The last distance whose boards are counted.
fn last_distance(census: &Counts) -> u32 {
    census.counts().len() as u32 - 1
}

/// " in mtm", as everybody takes moves for single ones who is not told otherwise.
fn in_metric(census: &Counts) -> String {
    match census.metric() {
        Metric::Stm => String::new(),
        metric => format!(" in {metric}"),
    }
}

fn text(census: &Counts) -> String {
    let (goal, size) = (census.goal(), census.goal().size());
    let (boards, all): (u64, u128) = (census.counts().iter().sum(), Counts::boards(size));
    let (width, mut so_far) = (boards.to_string().len().max("boards".len()), 0);
    let mut lines = vec![format!("{:>8} {:>width$} {:>9}", "distance", "boards", "up to it")];
    for (distance, &count) in census.counts().iter().enumerate() {
        so_far += count;
        lines.push(format!("{distance:8} {count:width$} {:>8}%", share(so_far, all)));
    }
    let (home, source, metric) = (size.place(census.home()), census.source(), in_metric(census));
    lines.push(format!("{size} with the goal {goal} (the blank in {home}), {source}{metric}"));
    let near = counted(last_distance(census).into(), "move");
    lines.push(match census.mean() {
        Some(mean) => format!("{boards} boards, {mean:.4} moves away on average"),
        None => format!("not complete: {} up to {near} away, of {all} in all", counted(boards, "board")),
    });
    if let Some((distance, boards)) = census.farthest().zip(census.farthest_boards()) {
        lines.push(format!("the farthest: {} at {distance} moves", counted(boards, "board")));
    }
    lines.join("\n")
}

/// A share in percent, cut off after four digits: 100 is all.
fn share(part: u64, all: u128) -> String {
    let digits = u128::from(part) * 1_000_000 / all;
    format!("{}.{:04}", digits / 10_000, digits % 10_000)
}

#[cfg(feature = "plot")]
fn chart(census: &Counts) -> Chart {
    let size = census.goal().size();
    let points = census.counts().iter().enumerate().map(|(distance, &count)| (distance as f64, count as f64));
    let boards: u64 = census.counts().iter().sum();
    let (home, source, metric) = (size.place(census.home()), census.source(), in_metric(census));
    let mean = census.mean().map(|mean| format!("{mean:.2} moves on average"));
    let about = mean.unwrap_or_else(|| format!("of {} in all", Counts::boards(size)));
    Chart {
        title: format!("Boards of {size} by distance from the goal"),
        subtitle: Some(format!("{boards} boards, {about}; the blank belongs in {home}; {source}{metric}")),
        x: Axis::linear("moves"),
        y: Axis::linear("boards"),
        series: vec![Series::new(format!("{size}"), Style::Bars, points)],
    }
}
