//! Proves that a table is right, without trusting how it was built.
//!
//! A table with one bit an entry has costs only modulo 4: the second bit is in the table, the first follows from the colour of the
//! row. Local conditions (neighbours differ by one, every state but the goal has a cheaper neighbour) prove nothing modulo 4:
//! values that go 0, 1, 2, 3, 0, 1, 2, 3 around a circle of states satisfy them. So the levels are [replayed](crate::replay) from
//! the goal, against the table as it lies, with one more bit for each state: whether it is seen.
//!
//! At level 0 the goal is seen. At level L, the states that are seen, have the colour of L − 1 and the second bit of L − 1 in the
//! table send to their neighbours. Every neighbour that was not seen is now, and must have the second bit of L in the table. When
//! a level finds nothing, what is left must be as much as cannot be reached, and have the bit 0; and the states of each level must be
//! as many as the header says.
//!
//! **Why that is a proof.** After level L the states that are seen are those whose true cost is at most L, and each has the second
//! bit of its true cost in the table. That is so after level 0. If it is so after level L − 1, the states that send at level L are
//! those seen whose true cost has the first two bits of L − 1 (the first by the colour, which every move changes; the second because
//! the bits of what is seen are right): they cost L − 1, L − 5, L − 9, … Those that cost L − 1 are all there, and every state that
//! costs L is a neighbour of one of them. Neighbours of the others cost at most L − 4, so they have been seen. So what is
//! found is what costs L, all of it and nothing else; and its bits are compared. In the end every state that can be reached
//! has been found at the level that is its cost, and its bit is right.
//!
//! So a row whose neighbours found nothing at the last level need not be looked at: what they send costs at most L − 5.
//!
//! What the proof trusts: that the numbers of maps, regions and permutations are those of the format (`tilebase_index`, which is
//! held against plain counting), and the replay itself, which takes nothing else from the builder and is held against moves of
//! single states.
//!
//! A collapsed table is compared on the way: the first level that finds an entry in any region of the blank is its cost
//! ([`collapsed`](crate::collapsed)). The table that is replayed for that is built in memory, and proved like any other.

use std::io;

use tilebase_format::Header;
use tilebase_index::{BuilderIndex, Kind, LineIndex};
use tilebase_progress::threads::on_pool;
use tilebase_progress::{Event, Watch};

use crate::build::Build;
use crate::collapsed::Collapsed;
use crate::destination::Memory;
use crate::error::BuildError;
use crate::lines;
use crate::peers::Alone;
use crate::replay::{Replayed, replay};

/// Proves that a table has the right costs, on `threads` threads or, when that is 0, on all cores. A blank-aware table takes a
/// bit of memory for each state beside the table itself; a collapsed one is compared with a blank-aware one that is built and
/// proved for that ([`Build::memory_of_audit`] tells how much each takes). `watch` is asked whether to stop, and told how many
/// states have been seen, and the levels. The error is the first thing found wrong, the same on any number of threads.
///
/// # Panics
/// When the payload is not as long as the header says.
pub fn audit(header: &Header, payload: &[u8], threads: usize, watch: Watch<'_>) -> Result<(), AuditError> {
    assert_eq!(payload.len() as u64, header.payload_len(), "a header goes with its own payload");
    let used = header.entries() * u64::from(header.kind().bits()) % 8;
    if used > 0 && payload[payload.len() - 1] >> used != 0 {
        return Err(AuditError::Padding);
    }
    on_pool(threads, || prove(header, payload, watch))
}

fn prove(header: &Header, payload: &[u8], watch: Watch<'_>) -> Result<(), AuditError> {
    let begin = |doing: &str| {
        let (pattern, total) = (header.pattern(), Build::new(header.pattern(), &[header.kind()])?.reachable());
        let what = format!("{doing} {pattern}");
        watch(&Event::Begin { what: &what, total }).continue_value().ok_or(AuditError::Stopped)
    };
    if header.kind() == Kind::Lines {
        begin("proving every entry of")?;
        let index = LineIndex::new(header.pattern().size(), header.pattern().len()).map_err(BuildError::from)?;
        let (counts, unreached) = lines::audit::replay(&index, header, payload, watch)?;
        compare_histogram(header, &counts, unreached)
    } else if header.kind().is_blank_aware() {
        begin("proving every entry of")?;
        let index = BuilderIndex::new(header.index().map_err(BuildError::from)?);
        let Replayed { counts, unreached } = replay(&index, header, payload, &(), watch)?;
        compare_histogram(header, &counts, unreached)
    } else {
        begin("building a table to compare with, of")?;
        let tables = Build::new(header.pattern(), &[Kind::Bit])?.run_here(&Alone, &Memory, None, watch)?;
        let aware = &tables[0];
        begin("proving every entry of")?;
        let index = BuilderIndex::new(aware.header.index().map_err(BuildError::from)?);
        let collapsed = Collapsed::new(&index, header, payload);
        let Replayed { counts, unreached } = replay(&index, &aware.header, aware.payload(), &collapsed, watch)?;
        compare_histogram(&aware.header, &counts, unreached)?;
        collapsed.compare_counts()
    }
}

/// The counts of a blank-aware table against its header's. A pattern that leaves at most one tile out can reach just half of its
/// states, any other all.
fn compare_histogram(header: &Header, counts: &[u64], unreached: u64) -> Result<(), AuditError> {
    let unreachable = if header.pattern().reaches_half() { header.entries() / 2 } else { 0 };
    let counted = counts == header.histogram() && unreached == unreachable;
    if counted { Ok(()) } else { Err(AuditError::Histogram) }
}

/// What must be true of an entry, and is not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Condition {
    /// The bit is the second of the cost, which is this.
    #[error("the bit is the second of the cost, which is {0}")]
    BitIsOfCost(u32),
    /// What cannot be reached has the bit 0.
    #[error("the bit of what cannot be reached is 0")]
    UnreachedIsZero,
    /// The entry of a line is its cost modulo 3, and the cost is this.
    #[error("the entry is the cost modulo 3, and the cost is {0}")]
    IsCostModulo3(u32),
    /// The entry of a line that cannot be reached is 3.
    #[error("the entry of what cannot be reached is 3")]
    UnreachedIs3,
    /// A collapsed entry is the smallest cost over the blank's regions, which is this.
    #[error("the entry is the smallest cost over the blank's regions, which is {0}")]
    SmallestOverRegions(u32),
}

/// A table that is wrong, or was not audited.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError {
    /// An entry breaks a condition: that with the pattern's tiles on these squares.
    #[error("the table is wrong: with the tiles on the squares {1:?} it is not true that {0}")]
    Wrong(Condition, Vec<u8>),
    /// Bits behind the last entry are not 0.
    #[error("the table is wrong: bits behind its last entry are not 0")]
    Padding,
    /// The costs are right, but the header counts them wrongly.
    #[error("the table is wrong: its histogram does not count its costs")]
    Histogram,
    /// A collapsed table says of this many entries that they cannot be reached, but this many cannot.
    #[error("the table is wrong: it says of {0} entries that they cannot be reached, but that is true of {1}")]
    Unreached(u64, u64),
    /// The system gave us no memory.
    #[error("cannot get the memory for the audit: {0}")]
    Memory(#[source] io::Error),
    /// The table to compare with could not be built.
    #[error("the table to compare with was not built: {0}")]
    Build(#[source] BuildError),
    /// Whoever watches it stopped it.
    #[error("the audit was stopped")]
    Stopped,
}

impl From<BuildError> for AuditError {
    fn from(error: BuildError) -> AuditError {
        if matches!(error, BuildError::Stopped) { AuditError::Stopped } else { AuditError::Build(error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicU64, Ordering};
    use tilebase_progress::unwatched;
    use tilebase_puzzle::{Direction, Pattern, Size, Square, State};

    type Table = crate::Built<Cursor<Vec<u8>>>;

    /// A table of each kind.
    fn built(tiles: &[u64]) -> Vec<Table> {
        built_on(Size::new(3, 3).unwrap(), tiles)
    }

    fn built_on(size: Size, tiles: &[u64]) -> Vec<Table> {
        let pattern = Pattern::new(size, Square(0), tiles).unwrap();
        let build = |kinds| Build::new(&pattern, kinds).unwrap().run(2, &Memory, &unwatched).unwrap();
        [build(&[Kind::Bit, Kind::Nibble][..]), build(&[Kind::AllMoves]), build(&[Kind::Lines])].concat()
    }

    fn verdict(table: &Table, payload: &[u8]) -> Result<(), AuditError> {
        let header =
            Header::new(*table.header.pattern(), table.header.kind(), table.header.histogram().to_vec(), payload);
        audit(&header.unwrap(), payload, 1, &unwatched)
    }

    #[test]
    fn built_tables_pass_with_and_without_unreachable_states() {
        for tiles in [
            &[1][..],
            &[8],
            &[1, 2],
            &[1, 3, 4, 7],
            &[2, 3, 5, 6, 7],
            &[1, 2, 3, 4, 5, 6, 7],
            &[1, 2, 3, 4, 5, 6, 7, 8],
        ] {
            for table in built(tiles) {
                let verdict = audit(&table.header, table.payload(), 2, &unwatched);
                assert!(verdict.is_ok(), "{tiles:?} {}: {verdict:?}", table.header.kind());
            }
        }
    }

    #[test]
    fn every_single_wrong_bit_is_found() {
        let all_reachable = built(&[1, 5, 8]);
        let half_reachable = built_on(Size::new(2, 2).unwrap(), &[1, 2, 3]);
        let padded = built(&[4]);
        for table in [all_reachable, half_reachable, padded].concat() {
            for bit in 0..8 * table.payload().len() {
                let mut payload = table.payload().to_vec();
                payload[bit / 8] ^= 1 << (bit % 8);
                assert!(verdict(&table, &payload).is_err(), "{} bit {bit}", table.header.kind());
            }
        }
    }

    #[test]
    fn tables_that_look_consistent_but_are_wrong_are_refused() {
        let tables = built(&[1, 2, 3]);
        for table in &tables {
            // All zero: neighbours never differ by more than they may modulo 3 or 4.
            assert!(verdict(table, &vec![0; table.payload().len()]).is_err());
            // Built for other tiles, and so with its zero at another place.
            let others = built(&[5, 6, 7]);
            let other = others.iter().find(|other| other.header.kind() == table.header.kind()).unwrap();
            assert!(verdict(table, other.payload()).is_err());
        }
        // Right costs, wrong histogram.
        let mut histogram = tables[0].header.histogram().to_vec();
        histogram.swap(1, 2);
        let header = Header::new(*tables[0].header.pattern(), Kind::Bit, histogram, tables[0].payload()).unwrap();
        let verdict = audit(&header, tables[0].payload(), 1, &unwatched);
        assert!(matches!(verdict, Err(AuditError::Histogram)), "{verdict:?}");
    }

    #[test]
    fn values_that_go_round_a_circle_are_refused_although_they_satisfy_every_local_condition() {
        // All states of 2×2 that can be reached are a circle of 12: the blank goes round and round.
        let size = Size::new(2, 2).unwrap();
        let pattern = Pattern::new(size, Square(0), &[1, 2, 3]).unwrap();
        for kind in [Kind::Bit, Kind::AllMoves] {
            let right = Build::new(&pattern, &[kind]).unwrap().run(1, &Memory, &unwatched).unwrap().remove(0);
            let index = right.header.index().unwrap();
            let mut state = State::solved(size, Square(0));
            let mut payload = vec![0; right.payload().len()];
            let mut costs = Vec::new();
            for (value, next) in (0..12).zip([1, 3, 2, 0].into_iter().cycle()) {
                let place = index.locate(&pattern, &state);
                let number = index.state_number(place.row, place.perm);
                payload[number as usize / 8] |= (value >> 1 & 1) << (number % 8);
                costs.push((value % 4, right.payload()[number as usize / 8] >> (number % 8) & 1));
                let slides = Direction::ALL.into_iter().filter_map(|direction| state.slide_in(direction));
                let slide = slides.into_iter().find(|slide| slide.from == Square(next)).unwrap();
                state.make(slide);
            }
            assert_eq!(state, State::solved(size, Square(0)), "once around");
            for at in 0..12 {
                let neighbours = [costs[(at + 1) % 12].0, costs[(at + 11) % 12].0];
                let here = costs[at].0;
                assert!(neighbours.contains(&((here + 1) % 4)) && neighbours.contains(&((here + 3) % 4)), "modulo 4");
            }
            assert!(costs.iter().any(|(value, right)| value >> 1 != *right), "but it is not the table");
            let verdict = verdict(&right, &payload);
            assert!(matches!(verdict, Err(AuditError::Wrong(Condition::BitIsOfCost(1), _))), "{verdict:?}");
        }
    }

    #[test]
    fn of_all_tables_of_one_or_two_tiles_of_2x2_one_is_right() {
        for tiles in [&[1][..], &[2], &[3], &[1, 2]] {
            let pattern = Pattern::new(Size::new(2, 2).unwrap(), Square(0), tiles).unwrap();
            let right = Build::new(&pattern, &[Kind::Bit]).unwrap().run(1, &Memory, &unwatched).unwrap().remove(0);
            let bits = right.header.entries();
            assert!(bits <= 16, "{bits}");
            let is_right = |bytes: &[u8]| prove(&right.header, bytes, &unwatched).is_ok();
            let all = 0..1u32 << bits;
            let payloads = all.map(|bits| bits.to_le_bytes()[..right.payload().len()].to_vec());
            let passed: Vec<Vec<u8>> = on_pool(1, || payloads.filter(|payload| is_right(payload)).collect());
            assert_eq!(passed, [right.payload()], "{pattern}");
        }
    }

    #[test]
    fn what_is_found_wrong_does_not_depend_on_the_threads() {
        for table in built_on(Size::new(4, 3).unwrap(), &[1, 2, 4, 5, 8]) {
            let mut payload = table.payload().to_vec();
            payload.iter_mut().step_by(97).for_each(|byte| *byte ^= 0x11);
            let wrong = |threads| audit(&table.header, &payload, threads, &unwatched).unwrap_err().to_string();
            assert_eq!(wrong(1), wrong(3));
        }
    }

    #[test]
    fn audits_tell_how_many_states_they_have_seen_and_stop() {
        let table = built(&[1, 2, 3, 4, 5]).remove(0);
        let (seen, begun, levels) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let watch = |event: &Event<'_>| {
            match event {
                Event::Begin { total, .. } => begun.store(*total, Ordering::Relaxed),
                Event::Advance(more) => drop(seen.fetch_add(*more, Ordering::Relaxed)),
                Event::Level(level) => levels.store(u64::from(level.number), Ordering::Relaxed),
                _ => {}
            }
            ControlFlow::Continue(())
        };
        audit(&table.header, table.payload(), 2, &watch).unwrap();
        let states = table.header.entries();
        assert_eq!([seen.into_inner(), begun.into_inner()], [states; 2]);
        assert_eq!(levels.into_inner(), u64::from(table.header.max()));

        let stop = |event: &Event<'_>| match event {
            Event::Level(level) if level.number == 3 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        assert!(matches!(audit(&table.header, table.payload(), 2, &stop), Err(AuditError::Stopped)));
    }
}
