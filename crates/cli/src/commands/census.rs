//! `tilebase census`

use bytesize::ByteSize;
use clap::Args;
use serde_json::Value;
use tilebase::puzzle::{Board, Goal, Size};
use tilebase::{Census as Counts, CensusError, Source};
#[cfg(feature = "plot")]
use tilebase_plot::{Axis, Chart, Series, Style};

#[cfg(feature = "plot")]
use crate::picture::PictureOptions;
use crate::session::{bytes, counted};
use crate::{Exit, Failure, Result, Session, bars, interrupt, system};

/// Count how many boards are how far from the goal
///
/// Boards with up to 12 squares are counted on the spot, which takes a second or two: by breadth-first search over all boards that
/// can be solved, one bit each. Of larger ones the published numbers are told, where there are any: for 3x5, 2x7, 2x8
/// and 4x4, and goals with the blank in a corner. With --count these are counted as well, if there is enough memory.
///
/// The counts depend on nothing but the blank's square in the goal: in a corner, at an edge or inside.
#[derive(Args, Debug)]
#[command(after_help = if cfg!(feature = "plot") { "\
Examples:
  tilebase census 3x3
  tilebase census 3x3 --goal snail             the blank in the middle: no board is 31 moves away
  tilebase census 4x4 --json                   the published numbers
  tilebase census 2x7 --count                  counted, with 5.4 GB of memory
  tilebase census 3x4 --svg boards.svg"
} else { "\
Examples:
  tilebase census 3x3
  tilebase census 3x3 --goal snail             the blank in the middle: no board is 31 moves away
  tilebase census 4x4 --json                   the published numbers
  tilebase census 2x7 --count                  counted, with 5.4 GB of memory"
})]
pub(crate) struct Census {
    /// Board size, width x height
    #[arg(value_name = "WxH")]
    size: Size,
    /// What boards lead to: blank-last, blank-first, snail, or a board
    #[arg(long, default_value = "blank-last")]
    goal: String,
    /// Count, even if the numbers have been published
    #[arg(long)]
    count: bool,
    /// Refuse counts that need more memory, such as 600MB or 2GiB [default: what the machine has free]
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
        let is_asked = self.count || Counts::is_counted_on_the_spot(self.size);
        let published = if is_asked { None } else { Counts::published(&goal) };
        let census = published.map_or_else(|| self.counted(&goal, session), Ok);
        // Without the memory to count, what is published is better than nothing.
        let instead = if self.count || census.is_ok() { None } else { Counts::published(&goal) };
        let census = match (census, instead) {
            (Err(failure), Some(published)) if failure.exit == Exit::Error => {
                session.note(&failure);
                published
            }
            (census, _) => census?,
        };
        session.tell(Value::Object(census.json()), text(&census))?;
        if census.source() == Source::Published {
            let memory = Counts::memory(self.size).map(|memory| format!(", with {} of memory", bytes(memory)));
            let memory = memory.unwrap_or_default();
            session.note(format!("these numbers were published, not counted here; --count counts them{memory}"));
        }
        #[cfg(feature = "plot")]
        self.picture.draw(&chart(&census))?;
        Ok(Exit::Done)
    }

    /// Counts, if there is enough memory.
    fn counted(&self, goal: &Board, session: &Session) -> Result<Counts> {
        let needed = Counts::memory(self.size);
        let limit = self.max_memory.map(|size| size.as_u64()).or_else(system::available_memory);
        match (needed, limit) {
            (None, _) => return Err(Failure::new(self.never_counted())),
            (Some(needed), Some(limit)) if needed > limit => {
                return Err(Failure::new(self.refusal(goal, needed, limit)));
            }
            _ => {}
        }
        interrupt::stop_when_asked();
        session.use_threads();
        bars::watched(session, |watch| Counts::count(goal, watch)).map_err(|error| match error {
            CensusError::Stopped => {
                Failure::new("interrupted: boards that were not all counted are no census").with_exit(Exit::Interrupted)
            }
            other => other.into(),
        })
    }

    /// Why boards are not counted that nobody can count.
    fn never_counted(&self) -> String {
        let (size, boards) = (self.size, Counts::boards(self.size) as f64);
        format!(
            "{size} has {boards:.1e} boards that can be solved, and nobody has counted how far they are: a count would need \
             a bit of memory for each, and only the numbers of the first few distances are known; the largest board of \
             which all are known is 4x4"
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
        let corner = Goal::BlankLast.board(size).ok().and_then(|corner| Counts::published(&corner));
        let instead = match (Counts::published(goal), corner) {
            (Some(_), _) => "; the published numbers are told without --count",
            (None, Some(_)) => "; there are published numbers for goals with the blank in a corner only",
            (None, None) => ", and there are no published numbers",
        };
        too_much + instead
    }
}

fn text(census: &Counts) -> String {
    let all: u64 = census.counts().iter().sum();
    let (width, mut so_far) = (all.to_string().len().max("boards".len()), 0);
    let mut lines = vec![format!("{:>8} {:>width$} {:>9}", "distance", "boards", "up to it")];
    for (distance, &count) in census.counts().iter().enumerate() {
        so_far += count;
        lines.push(format!("{distance:8} {count:width$} {:>8}%", share(so_far, all)));
    }
    let (goal, size) = (census.goal(), census.goal().size());
    let home = size.place(census.home());
    let farthest = counted(*census.counts().last().unwrap_or(&0), "board");
    lines.push(format!("{size} with the goal {goal} (the blank in {home}), {}", census.source()));
    lines.push(format!("{all} boards, {:.4} moves away on average", census.mean()));
    lines.push(format!("the farthest: {farthest} at {} moves", census.farthest()));
    lines.join("\n")
}

/// A share in percent, cut off after four digits: 100 is all.
fn share(part: u64, all: u64) -> String {
    let digits = u128::from(part) * 1_000_000 / u128::from(all);
    format!("{}.{:04}", digits / 10_000, digits % 10_000)
}

#[cfg(feature = "plot")]
fn chart(census: &Counts) -> Chart {
    let size = census.goal().size();
    let points = census.counts().iter().enumerate().map(|(distance, &count)| (distance as f64, count as f64));
    let all: u64 = census.counts().iter().sum();
    let (mean, home, source) = (census.mean(), size.place(census.home()), census.source());
    Chart {
        title: format!("Boards of {size} by distance from the goal"),
        subtitle: Some(format!("{all} boards, {mean:.2} moves on average; the blank belongs in {home}; {source}")),
        x: Axis::linear("moves"),
        y: Axis::linear("boards"),
        series: vec![Series::new(format!("{size}"), Style::Bars, points)],
    }
}
