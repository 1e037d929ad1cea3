//! Which of two programs is slower, told from turns that are never twice the same.
//!
//! The programs take turns: old new, new old, old new, and so on. Two turns that follow each other are a [`Pair`], and the quotient of
//! their times says little about how fast the machine was in that minute, which changes; the median of all pairs is the *change*. Each
//! program also follows itself, at the end of a pair and the beginning of the next. There the quotient should be 1, and what it is instead is
//! the noise: by this, and by how far pairs are from the median, the *error* of the change is estimated. A change counts if it is larger
//! than a few errors, and than a floor below which nobody cares.

/// One of the two programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The one that the other is compared with.
    Old,
    /// The other.
    New,
}

/// Two turns that followed each other: the time of each, in the same unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pair {
    /// The time of the old program.
    pub old: f64,
    /// The time of the new program.
    pub new: f64,
}

/// How many turns there are, and what counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rules {
    /// Changes up to this never count: 0.05 are 5 %.
    pub floor: f64,
    /// A change counts if it is this many times as large as its error.
    pub errors: f64,
    /// Pairs of turns that are made at least.
    pub least: usize,
    /// Pairs of turns after which no more are made, however large the noise is.
    pub most: usize,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { floor: 0.05, errors: 3.0, least: 8, most: 24 }
    }
}

/// Whether the new program is slower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is.
    Slower,
    /// It is faster.
    Faster,
    /// There is no difference that counts.
    Same,
}

/// What the turns say.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judgement {
    /// The median time of the old program.
    pub old: f64,
    /// The median time of the new program.
    pub new: f64,
    /// By how much the new program takes longer: 0.1 is a tenth. Negative if it takes less.
    pub change: f64,
    /// The standard error of the change.
    pub error: f64,
    /// The largest change that does not count.
    pub allowed: f64,
    /// Whether the new program is slower.
    pub verdict: Verdict,
    /// How many pairs of turns were made.
    pub pairs: usize,
}

impl Rules {
    /// Has both programs take turns, and judges. `measure` is a turn of one of them and returns its time.
    ///
    /// Turns are made until the noise lets a change as large as the floor be told, or there are enough of them. If the new program
    /// seems slower then, it is compared once more, and is slower if it is so both times: whoever looks at many benchmarks would else
    /// sooner or later see one slower by chance.
    ///
    /// # Errors
    /// The first one of `measure`.
    pub fn compare<E>(&self, mut measure: impl FnMut(Side) -> Result<f64, E>) -> Result<Judgement, E> {
        let mut pairs = self.turns(&mut measure)?;
        let first = self.judge(&pairs);
        if first.verdict != Verdict::Slower {
            return Ok(first);
        }
        let again = self.turns(&mut measure)?;
        let second = self.judge(&again);
        pairs.extend(again);
        let verdict = if second.verdict == Verdict::Slower { Verdict::Slower } else { Verdict::Same };
        Ok(Judgement { verdict, ..self.judge(&pairs) })
    }

    /// Turns until they are enough: an even number of pairs, so that the old program begins as often as the new one.
    fn turns<E>(&self, measure: &mut impl FnMut(Side) -> Result<f64, E>) -> Result<Vec<Pair>, E> {
        let mut pairs = Vec::new();
        loop {
            let old = measure(Side::Old)?;
            pairs.push(Pair { old, new: measure(Side::New)? });
            let new = measure(Side::New)?;
            pairs.push(Pair { new, old: measure(Side::Old)? });
            let is_quiet = self.errors * self.judge(&pairs).error <= self.floor;
            if pairs.len() >= if is_quiet { self.least } else { self.most } {
                return Ok(pairs);
            }
        }
    }

    /// What turns say that were made in the order of [`compare`](Rules::compare).
    ///
    /// # Panics
    /// When there is no pair.
    pub fn judge(&self, pairs: &[Pair]) -> Judgement {
        let quotients: Vec<f64> = pairs.iter().map(|pair| (pair.new / pair.old).ln()).collect();
        let change = median(&quotients);
        // The program that ends a pair begins the next.
        let itself = pairs.windows(2).enumerate().map(|(number, two)| {
            let [first, second] = [two[0], two[1]];
            let quotient = if number % 2 == 0 { second.new / first.new } else { second.old / first.old };
            quotient.ln()
        });
        let noise: Vec<f64> = itself.chain(quotients.iter().map(|quotient| quotient - change)).map(f64::abs).collect();
        // Of a normal distribution: the standard deviation from the median of what is off, and the error of a median from that.
        let deviation = 1.4826 * median(&noise);
        let error = 1.2533 * deviation / (pairs.len() as f64).sqrt();
        let allowed = (self.errors * error).exp_m1().max(self.floor);
        let change = change.exp_m1();
        let verdict = match (change > allowed, 1.0 / (1.0 + change) - 1.0 > allowed) {
            (true, _) => Verdict::Slower,
            (_, true) => Verdict::Faster,
            _ => Verdict::Same,
        };
        let times = |of: fn(&Pair) -> f64| median(&pairs.iter().map(of).collect::<Vec<f64>>());
        Judgement {
            old: times(|pair| pair.old),
            new: times(|pair| pair.new),
            change,
            error,
            allowed,
            verdict,
            pairs: pairs.len(),
        }
    }
}

/// The value in the middle; between the two in the middle where there are two.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

#[cfg(test)]
mod tests {
    use tilebase_puzzle::Random;

    use super::*;

    /// A machine on which the same work never takes the same time twice.
    struct Machine {
        random: Random,
        turns: f64,
        /// The standard deviation of every turn.
        noise: f64,
        /// How many of a hundred turns are disturbed, and take up to half as long again.
        disturbed: u64,
        /// By how much the machine's speed changes over some minutes.
        drift: f64,
    }

    impl Machine {
        fn quiet(seed: u64) -> Machine {
            Machine { random: Random::new(seed), turns: 0.0, noise: 0.01, disturbed: 0, drift: 0.0 }
        }

        fn disturbed(seed: u64) -> Machine {
            Machine { disturbed: 25, ..Machine::quiet(seed) }
        }

        fn drifting(seed: u64) -> Machine {
            Machine { drift: 0.2, ..Machine::quiet(seed) }
        }

        fn noisy(seed: u64) -> Machine {
            Machine { noise: 0.1, ..Machine::quiet(seed) }
        }

        fn uniform(&mut self) -> f64 {
            self.random.below(1 << 32) as f64 / f64::from(u32::MAX)
        }

        /// How long something takes that would take this long.
        fn turn(&mut self, time: f64) -> f64 {
            self.turns += 1.0;
            // The sum of twelve uniform numbers is nearly normal, with a deviation of 1.
            let normal = (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0;
            let disturbed = if self.random.below(100) < self.disturbed { 0.5 * self.uniform() } else { 0.0 };
            let drift = self.drift * (self.turns / 10.0).sin();
            time * (1.0 + self.noise * normal) * (1.0 + disturbed) * (1.0 + drift)
        }

        /// Judges a new program that takes this much longer.
        fn judge(mut self, change: f64) -> Judgement {
            let measure =
                |side| Ok::<f64, ()>(self.turn(if side == Side::Old { 100.0 } else { 100.0 * (1.0 + change) }));
            Rules::default().compare(measure).unwrap()
        }
    }

    const MACHINES: [fn(u64) -> Machine; 4] = [Machine::quiet, Machine::disturbed, Machine::drifting, Machine::noisy];

    fn slower(machine: fn(u64) -> Machine, change: f64) -> usize {
        (0..1000).filter(|&seed| machine(seed).judge(change).verdict == Verdict::Slower).count()
    }

    #[test]
    fn a_program_is_not_slower_than_itself() {
        assert_eq!(MACHINES.map(|machine| slower(machine, 0.0)), [0; 4], "of 1000 each");
    }

    #[test]
    fn a_tenth_more_is_found_unless_the_noise_is_as_large() {
        let [quiet, disturbed, drifting, noisy] = MACHINES.map(|machine| slower(machine, 0.1));
        assert_eq!((quiet, drifting), (1000, 1000), "of 1000 each");
        assert!(disturbed > 900 && noisy < 500, "{disturbed} and {noisy} of 1000");
        assert!(slower(Machine::noisy, 0.3) > 990);
    }

    #[test]
    fn a_change_below_the_floor_does_not_count_however_sure_it_is() {
        let rules = Rules::default();
        for change in [0.9 * rules.floor, 1.1 * rules.floor] {
            let judgement = Machine { noise: 0.0001, ..Machine::quiet(1) }.judge(change);
            assert!(judgement.error < 0.0002, "{judgement:?}");
            let expected = if change < rules.floor { Verdict::Same } else { Verdict::Slower };
            assert_eq!(judgement.verdict, expected, "{judgement:?}");
        }
    }

    #[test]
    fn more_turns_are_made_where_there_is_more_noise() {
        let [quiet, noisy] = [Machine::quiet(1), Machine::noisy(1)].map(|machine| machine.judge(0.0));
        assert_eq!((quiet.pairs, noisy.pairs), (Rules::default().least, Rules::default().most));
        assert!(noisy.error > 2.0 * quiet.error, "{noisy:?}, {quiet:?}");
        assert!(noisy.allowed > Rules::default().floor, "{noisy:?}");
    }

    #[test]
    fn the_error_is_about_as_large_as_the_change_of_what_has_not_changed() {
        for machine in [Machine::quiet, Machine::drifting, Machine::noisy] {
            let judgements: Vec<Judgement> = (0..500).map(|seed| machine(seed).judge(0.0)).collect();
            let changes: f64 = judgements.iter().map(|judgement| judgement.change.powi(2)).sum::<f64>().sqrt();
            let errors: f64 = judgements.iter().map(|judgement| judgement.error.powi(2)).sum::<f64>().sqrt();
            assert!((0.7..1.4).contains(&(changes / errors)), "{changes} against {errors}");
        }
    }

    #[test]
    fn what_is_faster_is_said_to_be() {
        let judgement = Machine::quiet(1).judge(-0.2);
        assert_eq!(judgement.verdict, Verdict::Faster);
        assert!((judgement.change + 0.2).abs() < 0.02, "{judgement:?}");
    }

    #[test]
    fn what_is_slower_once_is_not_slower_when_it_is_not_a_second_time() {
        let mut turns = 0;
        let in_first_round = 2 * Rules::default().least;
        let measure = |side| {
            turns += 1;
            Ok::<f64, ()>(if side == Side::New && turns <= in_first_round { 120.0 } else { 100.0 })
        };
        let judgement = Rules::default().compare(measure).unwrap();
        assert_eq!((judgement.verdict, turns), (Verdict::Same, 2 * in_first_round));
    }

    #[test]
    fn both_programs_begin_equally_often_and_follow_themselves() {
        let mut order = Vec::new();
        let measure = |side| {
            order.push(side);
            Ok::<f64, ()>(100.0)
        };
        Rules::default().compare(measure).unwrap();
        assert_eq!(order[..8], [Side::Old, Side::New, Side::New, Side::Old].repeat(2));
    }

    #[test]
    fn the_first_error_ends_it() {
        let mut turns = 0;
        let measure = |_| {
            turns += 1;
            if turns < 3 { Ok(100.0) } else { Err("the program is gone") }
        };
        assert_eq!(Rules::default().compare(measure), Err("the program is gone"));
        assert_eq!(turns, 3);
    }
}
