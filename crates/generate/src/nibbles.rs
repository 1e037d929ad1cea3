//! Four bits an entry: from four rows of bits to one row of nibbles, sixteen to a word.

/// The bits of a byte, each as the lowest bit of a nibble.
static SPREAD: [u32; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= (byte as u32 >> bit & 1) << (4 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// The highest bit of each nibble of a word.
const HIGHEST: u64 = 0x8888_8888_8888_8888;

/// Joins four rows of bits, the lowest bits of all nibbles first, into a row of nibbles of the same length.
pub(crate) fn join(planes: &[u64], nibbles: &mut [u64]) {
    let (low, high) = planes.split_at(planes.len() / 2);
    let ((first, second), (third, fourth)) = (low.split_at(low.len() / 2), high.split_at(high.len() / 2));
    let planes = first.iter().zip(second).zip(third.iter().zip(fourth));
    for (nibbles, ((first, second), (third, fourth))) in nibbles.chunks_exact_mut(4).zip(planes) {
        for (number, word) in nibbles.iter_mut().enumerate() {
            let spread = |plane: &u64| {
                let bits = plane >> (16 * number);
                u64::from(SPREAD[bits as usize & 255]) | u64::from(SPREAD[bits as usize >> 8 & 255]) << 32
            };
            *word = spread(first) | spread(second) << 1 | spread(third) << 2 | spread(fourth) << 3;
        }
    }
}

/// Subtracts half of each number from its nibble, modulo 16. Nibbles without a number stay what they are.
pub(crate) fn subtract_halves(nibbles: &mut [u64], numbers: &[u8]) {
    let (sixteens, rest) = numbers.as_chunks::<16>();
    for (word, numbers) in nibbles.iter_mut().zip(sixteens) {
        *word = difference(*word, halves(numbers));
    }
    if !rest.is_empty() {
        let mut numbers = [0; 16];
        numbers[..rest.len()].copy_from_slice(rest);
        nibbles[sixteens.len()] = difference(nibbles[sixteens.len()], halves(&numbers));
    }
}

/// Halves of sixteen numbers, modulo 16, as nibbles.
fn halves(numbers: &[u8; 16]) -> u64 {
    let pack = |numbers: &[u8]| {
        let halves = u64::from_le_bytes(numbers.try_into().expect("eight of them")) >> 1 & 0x0f0f_0f0f_0f0f_0f0f;
        let pairs = (halves | halves >> 4) & 0x00ff_00ff_00ff_00ff;
        let fours = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
        (fours | fours >> 16) & 0xffff_ffff
    };
    pack(&numbers[..8]) | pack(&numbers[8..]) << 32
}

/// The differences of nibbles, modulo 16 each. With the highest bit set on one side and clear on the other, no nibble
/// borrows from the next; the highest bits are put right afterwards.
fn difference(from: u64, what: u64) -> u64 {
    ((from | HIGHEST) - (what & !HIGHEST)) ^ ((from ^ !what) & HIGHEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nibble_comes_from_its_four_bits() {
        let planes = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0xdead_beef_0bad_cafe, 0x0f1e_2d3c_4b5a_6978];
        let mut nibbles = [0; 4];
        join(&planes, &mut nibbles);
        for entry in 0..64 {
            let expected = (0..4).map(|bit: usize| (planes[bit] >> entry & 1) << bit).sum::<u64>();
            assert_eq!(nibbles[entry / 16] >> (entry % 16 * 4) & 15, expected, "{entry}");
        }
    }

    #[test]
    fn halves_are_subtracted_modulo_16() {
        for number in 0..60 {
            let mut nibbles = [0xfedc_ba98_7654_3210, 0xfedc_ba98_7654_3210];
            let numbers: Vec<u8> = (0..21).map(|entry| number + entry).collect();
            subtract_halves(&mut nibbles, &numbers);
            for entry in 0..32 {
                let half = numbers.get(entry).map_or(0, |number| u64::from(number / 2));
                let expected = (entry as u64 % 16).wrapping_sub(half) % 16;
                assert_eq!(nibbles[entry / 16] >> (entry % 16 * 4) & 15, expected, "{number}, {entry}");
            }
        }
    }
}
