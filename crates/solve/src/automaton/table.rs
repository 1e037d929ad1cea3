//! A set of boards that is filled once and then forgotten.

/// Boards by open addressing, in the order in which they came.
#[derive(Default)]
pub(super) struct BoardTable {
    pub(super) boards: Vec<u128>,
    /// A power of two of places, at most half of them taken: some bits of a board's hash, and the board's number plus 1.
    /// Most boards are new and most places free, so few boards are looked at.
    places: Vec<(u32, u32)>,
}

impl BoardTable {
    /// Empties the set and makes room for `most` boards.
    pub(super) fn clear(&mut self, most: usize) {
        self.boards.clear();
        self.places.clear();
        self.places.resize((2 * most).next_power_of_two().max(2), (0, 0));
    }

    /// Adds a board. Returns whether it is new.
    pub(super) fn insert(&mut self, board: u128) -> bool {
        let last = self.places.len() - 1;
        let folded = board as u64 ^ ((board >> 64) as u64).rotate_left(29);
        let hash = folded.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let tag = hash as u32;
        let mut place = (hash >> 32) as usize & last;
        loop {
            let (other_tag, number) = self.places[place];
            if number == 0 {
                break;
            }
            if other_tag == tag && self.boards[number as usize - 1] == board {
                return false;
            }
            place = (place + 1) & last;
        }
        self.boards.push(board);
        self.places[place] = (tag, self.boards.len() as u32);
        true
    }
}
