//! Following single states: what a search needs of an index, small enough to stay in the second-level cache.
//!
//! With each slide of a pattern's tile a search needs the number of one entry: of the new map, of the row that the blank
//! makes of it, and of the new permutation. [`SmallFollower`] has all that in 140 kB for 8 tiles on 4×4, with nothing to decide
//! along the path; [`AnyFollower`] and [`AllMovesFollower`] are for all other patterns. A follower serves all patterns of an index, so the tables of a
//! search should share it: what several copies take of the cache is lost for entries.

use std::sync::Arc;

use crate::labels::{Labels, OCCUPIED};
use crate::numbers::below;
use crate::{Index, MAX_TILES, Map, Perm, Place, Rotations, maps};
use tilebase_memory::{Zeroed, prefetch};
use tilebase_puzzle::{MAX_SQUARES, Square};

/// Where a state stands among those of a pattern: which squares the tiles occupy, and which tile is where. As small as can
/// be, because searches copy it with every node.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Standing {
    pub(crate) squares: u32,
    pub(crate) perm: Perm,
}

impl Standing {
    /// Where a state stands, given the square of each tile of the pattern, in the order of the tiles. Nothing is sorted and no item is
    /// compared with another: for those who look up many states that they have not followed.
    ///
    /// ```
    /// use tilebase_index::{Index, Kind, Standing};
    /// use tilebase_puzzle::{Pattern, Size, Square, State};
    ///
    /// let size = Size::new(4, 4)?;
    /// let pattern = Pattern::new(size, Square(0), &[1, 4, 5])?;
    /// let solved = Index::new(size, 3, Kind::Bit)?.locate(&pattern, &State::solved(size, Square(0)));
    /// assert_eq!(Standing::of_tiles(&[Square(1), Square(4), Square(5)]), Standing::from(&solved));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When there are more than [`MAX_TILES`] tiles.
    #[inline(always)]
    pub fn of_tiles(tiles: &[Square]) -> Standing {
        let squares = tiles.iter().fold(0, |squares, square| squares | square.bit());
        let weights = &FACTORIALS[..tiles.len()];
        let (mut smaller, mut number) = (0, 0);
        for square in tiles {
            // The tile's digit counts the smaller tiles that come later; its weight belongs to its position.
            let later = smaller & !(square.bit() - 1);
            let position = usize::from(below(squares, *square));
            number += later.count_ones() * weights[tiles.len() - 1 - position];
            smaller |= square.bit();
        }
        Standing { squares, perm: Perm(number) }
    }
}

/// k! for each k below [`MAX_TILES`].
const FACTORIALS: [u32; MAX_TILES] = {
    let mut factorials = [1; MAX_TILES];
    let mut k = 1;
    while k < MAX_TILES {
        factorials[k] = factorials[k - 1] * k as u32;
        k += 1;
    }
    factorials
};

impl From<&Place> for Standing {
    fn from(place: &Place) -> Standing {
        Standing { squares: place.squares, perm: place.perm }
    }
}

/// Follows states from slide to slide.
pub trait Follow: Send + Sync {
    /// Whether following a state takes so little time that finding all its neighbours twice, first only to have their entries
    /// fetched, is faster than waiting for one entry after the other.
    const IS_QUICK: bool = true;

    /// Whether everything that it reads is always near, so that nothing need be fetched ahead.
    const IS_NEAR: bool = false;

    /// The most squares of a board whose states it can follow.
    const MOST_SQUARES: usize = MAX_SQUARES;

    /// Moves a tile of the pattern from one square to another.
    fn step(&self, standing: &mut Standing, from: Square, to: Square);

    /// The number of the squares that the tiles occupy.
    fn map(&self, standing: &Standing) -> Map;

    /// Fetches what [`number_of_map`](Follow::number_of_map) will read, where that is not always near.
    #[inline(always)]
    fn prefetch(&self, _map: Map) {}

    /// The number of the state with the blank on a square, given the number of the squares of its tiles.
    fn number_of_map(&self, standing: &Standing, map: Map, blank: Square) -> u64;

    /// The number of the state with the blank on a square.
    #[inline(always)]
    fn state_number(&self, standing: &Standing, blank: Square) -> u64 {
        self.number_of_map(standing, self.map(standing), blank)
    }
}

/// What follows states and is made of an index.
pub trait Follower: Follow + Sized {
    /// Makes the tables. `None` when they are not for an index like this.
    fn new(index: &Index) -> Option<Self>;

    /// One that all who ask the same index share, where making it takes long.
    fn of(index: &Index) -> Option<Arc<Self>> {
        Self::new(index).map(Arc::new)
    }
}

/// The numbers of maps: each half of the squares adds something.
#[derive(Debug)]
struct Halves<const SQUARES: usize, const SETS: usize> {
    low: [u32; SETS],
    high: [u32; SETS],
}

impl<const SQUARES: usize, const SETS: usize> Halves<SQUARES, SETS> {
    /// For boards of at most twice this many squares.
    fn new(index: &Index) -> Halves<SQUARES, SETS> {
        let tiles = index.tiles();
        Halves {
            low: std::array::from_fn(|set| maps::sum(set as u32, 0, 0)),
            high: std::array::from_fn(|set| maps::upper_sum(set as u32, SQUARES, tiles)),
        }
    }

    #[inline(always)]
    fn map(&self, squares: u32) -> Map {
        Map(self.low[squares as usize % SETS] + self.high[(squares >> SQUARES) as usize % SETS])
    }
}

/// What a move of a tile past others does to the numbers of permutations, without dividing: the number is split into head,
/// middle and tail as in [`Rotation`](crate::Rotation), and something is added that depends on the middle.
#[derive(Clone, Copy, Default, Debug)]
struct FastRotation {
    /// The reciprocals of what the head counts, and of what the middle counts: the length of runs.
    of_unit: Reciprocal,
    of_run: Reciprocal,
    /// How many middles there are.
    count: u32,
    /// Where the additions of the middles start, or [`TOO_LARGE`].
    added: u32,
}

/// Marks a rotation that is worked out each time. Only patterns on wide boards have such.
const TOO_LARGE: u32 = u32::MAX;

/// All rotations of a pattern.
#[derive(Debug)]
struct FastRotations {
    /// By where the tile leaves and enters the order of the tiles, four bits each.
    fast: [FastRotation; 256],
    /// What the rotations add, one rotation after the other.
    added: Box<[i32]>,
}

impl FastRotations {
    fn new(rotations: &Rotations, index: &Index) -> FastRotations {
        let positions = 0..index.tiles() as u8;
        let mut fast = [FastRotation::default(); 256];
        let mut added = Vec::new();
        let pairs = positions.clone().flat_map(|leaves| positions.clone().map(move |enters| (leaves, enters)));
        // No tile passes as many others as the board is wide.
        for (leaves, enters) in pairs.filter(|(leaves, enters)| leaves.abs_diff(*enters) < index.size().width() as u8) {
            let rotation = rotations.get(leaves, enters);
            let (run, count) = if rotation.is_identity() { (1, 1) } else { (rotation.run, rotation.count) };
            let start = if rotation.is_too_large() { TOO_LARGE } else { added.len() as u32 };
            let (of_unit, of_run) = (Reciprocal::of(run * count), Reciprocal::of(run));
            fast[(leaves << 4 | enters) as usize] = FastRotation { of_unit, of_run, count, added: start };
            if start != TOO_LARGE {
                let firsts = (0..count).map(|middle| middle * run);
                added.extend(firsts.map(|first| rotation.apply(Perm(first)).0 as i32 - first as i32));
            }
        }
        FastRotations { fast, added: added.into() }
    }

    #[inline(always)]
    fn get(&self, leaves: u8, enters: u8) -> &FastRotation {
        &self.fast[(leaves << 4 | enters) as usize]
    }

    /// The permutation after a rotation that is not too large.
    #[inline(always)]
    fn apply(&self, fast: &FastRotation, perm: Perm, divide: impl Fn(Reciprocal, u32) -> u32) -> Perm {
        // Both divisions at once: dividing what the first leaves over would take longer.
        let middle = divide(fast.of_run, perm.0) - divide(fast.of_unit, perm.0) * fast.count;
        Perm(perm.0.wrapping_add_signed(self.added[(fast.added + middle) as usize]))
    }
}

/// Divides by multiplying.
#[derive(Clone, Copy, Default, Debug)]
struct Reciprocal(u64);

impl Reciprocal {
    const BITS: u32 = 63;
    const SMALL_BITS: u32 = 40;

    fn of(divisor: u32) -> Reciprocal {
        Reciprocal((1u64 << Reciprocal::BITS).div_ceil(u64::from(divisor)))
    }

    /// For numbers and divisors below 2³⁰, as all numbers of permutations are.
    #[inline(always)]
    fn divide(self, number: u32) -> u32 {
        ((u128::from(number) * u128::from(self.0)) >> Reciprocal::BITS) as u32
    }

    /// The reciprocal for [`divide_small`](Reciprocal::divide_small).
    fn small(self) -> Reciprocal {
        Reciprocal(self.0.div_ceil(1 << (Reciprocal::BITS - Reciprocal::SMALL_BITS)))
    }

    /// For numbers and divisors below 2²⁰.
    #[inline(always)]
    fn divide_small(self, number: u32) -> u32 {
        ((u64::from(number) * self.0) >> Reciprocal::SMALL_BITS) as u32
    }
}

/// Follows the states of patterns of at most 9 tiles on boards of at most 16 squares, where all rotations can be looked up: not those of
/// 9 tiles on 7×2 and 8×2.
#[derive(Debug)]
pub struct SmallFollower {
    perms: u64,
    halves: Halves<8, 256>,
    /// For each map its first row, and above that the region of each square.
    words: Box<[u64]>,
    rotations: FastRotations,
}

impl SmallFollower {
    const ROW_BITS: u32 = 16;
    const LABEL_BITS: u32 = 3;
    const MOST_TILES: usize = 9;

    /// The bytes that one takes, at most, where it follows the states of an index; nothing where there is none.
    pub(crate) fn bytes_for(index: &Index) -> usize {
        let fits = index.size().count() <= SmallFollower::MOST_SQUARES && index.tiles() <= SmallFollower::MOST_TILES;
        if fits { size_of::<SmallFollower>() + index.maps() * size_of::<u64>() } else { 0 }
    }
}

impl Follower for SmallFollower {
    /// 0.4 ms for 7 tiles of 4×4.
    fn new(index: &Index) -> Option<SmallFollower> {
        let fits = index.size().count() <= SmallFollower::MOST_SQUARES
            && index.tiles() <= SmallFollower::MOST_TILES
            && !index.kind().counts_all_moves()
            && index.rows() <= 1 << SmallFollower::ROW_BITS;
        if !fits {
            return None;
        }
        let mut rotations = FastRotations::new(&slow_rotations(index), index);
        if rotations.fast.iter().any(|fast| fast.added == TOO_LARGE) {
            return None;
        }
        let labels = Labels::new(index.size(), index.tiles());
        if labels.regions.iter().any(|&regions| regions > 1 << SmallFollower::LABEL_BITS) {
            return None;
        }
        let word = |(first, &labels): (u32, &u128)| {
            u64::from(first) | three_bits_each(labels as u64) << SmallFollower::ROW_BITS
        };
        let words = labels.first_rows().zip(&labels.of_map).map(word).collect();
        for fast in &mut rotations.fast {
            (fast.of_unit, fast.of_run) = (fast.of_unit.small(), fast.of_run.small());
        }
        Some(SmallFollower { perms: index.perms().into(), halves: Halves::new(index), words, rotations })
    }
}

impl Follow for SmallFollower {
    const IS_NEAR: bool = true;
    const MOST_SQUARES: usize = 16;

    #[inline(always)]
    fn step(&self, standing: &mut Standing, from: Square, to: Square) {
        let squares = standing.squares ^ from.bit() ^ to.bit();
        let fast = self.rotations.get(below(standing.squares, from), below(squares, to));
        *standing = Standing { squares, perm: self.rotations.apply(fast, standing.perm, Reciprocal::divide_small) };
    }

    #[inline(always)]
    fn map(&self, standing: &Standing) -> Map {
        self.halves.map(standing.squares)
    }

    #[inline(always)]
    fn number_of_map(&self, standing: &Standing, map: Map, blank: Square) -> u64 {
        let word = self.words[map.0 as usize];
        let shift = SmallFollower::ROW_BITS + SmallFollower::LABEL_BITS * u32::from(blank.0);
        let label = word >> (shift % u64::BITS) & ((1 << SmallFollower::LABEL_BITS) - 1);
        let row = (word & ((1 << SmallFollower::ROW_BITS) - 1)) + label;
        row * self.perms + u64::from(standing.perm.0)
    }
}

/// What the followers of patterns of any size have in common.
#[derive(Debug)]
struct AnySize {
    perms: u64,
    halves: Halves<{ MAX_SQUARES.div_ceil(2) }, { 1 << MAX_SQUARES.div_ceil(2) }>,
    rotations: FastRotations,
    /// For those that are too large.
    slow: Rotations,
}

impl AnySize {
    fn new(index: &Index) -> AnySize {
        let slow = slow_rotations(index);
        let rotations = FastRotations::new(&slow, index);
        AnySize { perms: index.perms().into(), halves: Halves::new(index), rotations, slow }
    }

    #[inline(always)]
    fn step(&self, standing: &mut Standing, from: Square, to: Square) {
        let squares = standing.squares ^ from.bit() ^ to.bit();
        let (leaves, enters) = (below(standing.squares, from), below(squares, to));
        let fast = self.rotations.get(leaves, enters);
        let perm = if fast.added == TOO_LARGE {
            self.slow.get(leaves, enters).apply(standing.perm)
        } else {
            self.rotations.apply(fast, standing.perm, Reciprocal::divide)
        };
        *standing = Standing { squares, perm };
    }
}

/// Follows the states of any pattern whose own moves count.
#[derive(Debug)]
pub struct AnyFollower {
    of_any_size: AnySize,
    /// For each map its first row, and above that the region of each free square, two bits each; [`WIDE`](AnyFollower::WIDE)
    /// where that is not enough, and above it a number of `wide`. They take 1.4 MB for 6 tiles of 5×5 and 8.7 MB for 8, so that
    /// they should be small, and on huge pages.
    words: Zeroed<u64>,
    /// A first row, and above that the region of each square, four bits each.
    wide: Box<[u128]>,
}

impl AnyFollower {
    const ROW_BITS: u32 = 24;
    const LABEL_BITS: u32 = 2;
    const WIDE_ROW_BITS: u32 = 28;
    const WIDE_LABEL_BITS: u32 = 4;

    /// The first row that no map has whose word has room for it.
    const WIDE: u64 = (1 << AnyFollower::ROW_BITS) - 1;

    /// For the labels of two squares, four bits each: those of them that are free, two bits each, how many bits these are, and
    /// whether there is no room for one.
    const OF_TWO: [(u8, u8, bool); 256] = {
        let mut of_two = [(0, 0, false); 256];
        let mut both = 0;
        while both < 256 {
            let mut square = 0;
            while square < 2 {
                let label = both as u64 >> (square * AnyFollower::WIDE_LABEL_BITS) & OCCUPIED;
                if label != OCCUPIED {
                    let (labels, bits, has_no_room) = of_two[both];
                    let is_large = label >> AnyFollower::LABEL_BITS != 0;
                    let label = if is_large { 0 } else { label as u8 };
                    of_two[both] =
                        (labels | label << bits, bits + AnyFollower::LABEL_BITS as u8, has_no_room || is_large);
                }
                square += 1;
            }
            both += 1;
        }
        of_two
    };

    /// The word of a map, given its first row and the regions of all squares, if there is room for all in it. Two squares at a time, and
    /// without a branch: this is much of what opening large tables takes.
    fn word(first: u32, labels: u128) -> Option<u64> {
        let mut word = u64::from(first);
        let mut shift = AnyFollower::ROW_BITS;
        let mut has_no_room = word >= AnyFollower::WIDE;
        for both in labels.to_le_bytes() {
            let (labels, bits, too_large) = AnyFollower::OF_TWO[usize::from(both)];
            word |= u64::from(labels) << (shift % u64::BITS);
            shift += u32::from(bits);
            has_no_room |= too_large;
        }
        (!has_no_room && shift <= u64::BITS).then_some(word)
    }

    /// The bytes of memory that it takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<AnyFollower>() + size_of_val(&*self.words) + size_of_val(&*self.wide)
    }

    /// The number of the entry in a collapsed table.
    #[inline(always)]
    pub fn entry_number(&self, standing: &Standing, map: Map) -> u64 {
        u64::from(map.0) * self.of_any_size.perms + u64::from(standing.perm.0)
    }

    /// The row of a map that has no room in its word.
    #[cold]
    fn wide_row(&self, word: u64, blank: Square) -> u64 {
        let word = self.wide[(word >> AnyFollower::ROW_BITS) as usize];
        let shift = AnyFollower::WIDE_ROW_BITS + AnyFollower::WIDE_LABEL_BITS * u32::from(blank.0);
        let label = (word >> (shift % u128::BITS)) as u64 & ((1 << AnyFollower::WIDE_LABEL_BITS) - 1);
        (word as u64 & ((1 << AnyFollower::WIDE_ROW_BITS) - 1)) + label
    }
}

impl Follower for AnyFollower {
    /// 0.5 ms for 7 tiles of 4×4; 8 ms for 6 tiles of 5×5, 20 ms for 7, 44 ms for 8.
    fn new(index: &Index) -> Option<AnyFollower> {
        if index.kind().counts_all_moves() {
            return None;
        }
        let labels = Labels::new(index.size(), index.tiles());
        let mut words = Zeroed::new(labels.of_map.len()).ok()?;
        let mut wide = Vec::new();
        for ((word, first), &labels) in words.iter_mut().zip(labels.first_rows()).zip(&labels.of_map) {
            *word = AnyFollower::word(first, labels).unwrap_or_else(|| {
                // As they are; those behind the last square fall out.
                wide.push(u128::from(first) | labels << AnyFollower::WIDE_ROW_BITS);
                AnyFollower::WIDE | (wide.len() as u64 - 1) << AnyFollower::ROW_BITS
            });
        }
        Some(AnyFollower { of_any_size: AnySize::new(index), words, wide: wide.into() })
    }

    fn of(index: &Index) -> Option<Arc<AnyFollower>> {
        index.follower.get_or_init(|| AnyFollower::new(index).map(Arc::new)).clone()
    }
}

impl Follow for AnyFollower {
    #[inline(always)]
    fn step(&self, standing: &mut Standing, from: Square, to: Square) {
        self.of_any_size.step(standing, from, to);
    }

    #[inline(always)]
    fn map(&self, standing: &Standing) -> Map {
        self.of_any_size.halves.map(standing.squares)
    }

    #[inline(always)]
    fn prefetch(&self, map: Map) {
        prefetch(&self.words, map.0 as usize);
    }

    #[inline(always)]
    fn number_of_map(&self, standing: &Standing, map: Map, blank: Square) -> u64 {
        let word = self.words[map.0 as usize];
        let first = word & AnyFollower::WIDE;
        let row = if first == AnyFollower::WIDE {
            self.wide_row(word, blank)
        } else {
            let free = u32::from(below(!standing.squares, blank));
            let shift = AnyFollower::ROW_BITS + AnyFollower::LABEL_BITS * free;
            first + (word >> (shift % u64::BITS) & ((1 << AnyFollower::LABEL_BITS) - 1))
        };
        row * self.of_any_size.perms + u64::from(standing.perm.0)
    }
}

/// Follows the states of any pattern with all moves counted: every free square has a row of its own.
#[derive(Debug)]
pub struct AllMovesFollower {
    of_any_size: AnySize,
    /// Free squares.
    free: u64,
}

impl Follower for AllMovesFollower {
    fn new(index: &Index) -> Option<AllMovesFollower> {
        let free = (index.size().count() - index.tiles()) as u64;
        index.kind().counts_all_moves().then(|| AllMovesFollower { of_any_size: AnySize::new(index), free })
    }
}

impl Follow for AllMovesFollower {
    /// Tiles that are not of the pattern may move, too.
    #[inline(always)]
    fn step(&self, standing: &mut Standing, from: Square, to: Square) {
        if standing.squares & from.bit() != 0 {
            self.of_any_size.step(standing, from, to);
        }
    }

    #[inline(always)]
    fn map(&self, standing: &Standing) -> Map {
        self.of_any_size.halves.map(standing.squares)
    }

    #[inline(always)]
    fn number_of_map(&self, standing: &Standing, map: Map, blank: Square) -> u64 {
        let perms = self.of_any_size.perms;
        let row = u64::from(map.0) * self.free + u64::from(below(!standing.squares, blank));
        row * perms + u64::from(standing.perm.0)
    }
}

fn slow_rotations(index: &Index) -> Rotations {
    Rotations::new(index.tiles(), index.size().width())
}

/// Sixteen labels of four bits each, of which the highest is not needed, in three bits each: pairs move together, then pairs of
/// pairs, and so on.
fn three_bits_each(labels: u64) -> u64 {
    let twos = labels & 0x0707_0707_0707_0707 | labels >> 1 & 0x3838_3838_3838_3838;
    let fours = twos & 0x003F_003F_003F_003F | twos >> 2 & 0x0FC0_0FC0_0FC0_0FC0;
    let eights = fours & 0x0000_0FFF_0000_0FFF | fours >> 4 & 0x00FF_F000_00FF_F000;
    eights & 0x0000_0000_00FF_FFFF | eights >> 8 & 0x0000_FFFF_FF00_0000
}
