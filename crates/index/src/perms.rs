//! Permutations of up to 12 things, numbered in lexicographic order.

use crate::{MAX_TILES, Perm};

/// k! for k up to 12.
pub fn factorial(k: usize) -> u32 {
    assert!(k <= MAX_TILES, "{k}! does not fit in 32 bits");
    (1..=k as u32).product()
}

/// The number of a permutation of 0 … k−1: (0,1,2) is 0, (0,2,1) is 1, …, (2,1,0) is 5.
///
/// Each item counts how many smaller ones come later; these counts are the digits of the number in the base of factorials.
pub fn rank(order: &[u8]) -> Perm {
    let mut number = 0;
    for (i, item) in order.iter().enumerate() {
        let smaller_later = order[i + 1..].iter().filter(|later| *later < item).count();
        number = number * (order.len() - i) as u32 + smaller_later as u32;
    }
    Perm(number)
}

/// The permutation of 0 … k−1 with a number.
pub fn unrank(k: usize, perm: Perm) -> Vec<u8> {
    let mut unused: Vec<u8> = (0..k as u8).collect();
    let mut rest = perm.0;
    (0..k)
        .map(|i| {
            let weight = factorial(k - 1 - i);
            let digit = rest / weight;
            rest %= weight;
            unused.remove(digit as usize)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_lexicographic_order_for_every_length() {
        for k in 1..=8 {
            let mut last: Option<Vec<u8>> = None;
            for number in 0..factorial(k) {
                let order = unrank(k, Perm(number));
                assert_eq!(rank(&order), Perm(number));
                assert!(last.is_none_or(|last| last < order));
                last = Some(order);
            }
        }
        assert_eq!(unrank(12, Perm(factorial(12) - 1)), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    }
}
