//! Joins states that no future moves tell apart (Moore 1956).

use std::hash::Hash;

use super::GoOn;
use super::build::{Machine, NONE};

/// The smallest machine that allows the same strings and keeps the kinds of states apart. Its states come in the order of a
/// breadth-first search from the starts, so that states that are visited often are near each other.
/// `None` if cancelled.
pub(super) fn minimise<R>(machine: &Machine<R>, go_on: GoOn<'_>) -> Option<Machine<R>>
where
    R: Copy + Eq + Hash + AsRef<[u32]> + AsMut<[u32]>,
{
    Some(renumber(machine, &classes(machine, go_on)?))
}

/// The class of each state.
///
/// At first the classes are the kinds. Then classes are split wherever the moves of two states lead to different classes, until none is.
fn classes<R>(machine: &Machine<R>, go_on: GoOn<'_>) -> Option<Vec<u32>>
where
    R: Copy + Eq + AsRef<[u32]> + AsMut<[u32]>,
{
    let mut classes = machine.kinds.clone();
    let mut count = 0;
    let mut table = Vec::new();
    let mut keys = Vec::with_capacity(classes.len());
    loop {
        if !go_on() {
            return None;
        }
        keys.clear();
        let class = |state: u32| if state == NONE { NONE } else { classes[state as usize] };
        keys.extend(machine.rows.iter().zip(&classes).map(|(row, &own)| (own, mapped(row, class))));
        let next_count = number(&keys, &mut table, &mut classes);
        if next_count == count {
            return Some(classes);
        }
        count = next_count;
    }
}

/// A row with each number replaced.
#[inline(always)]
fn mapped<R: Copy + AsMut<[u32]>>(row: &R, mut map: impl FnMut(u32) -> u32) -> R {
    let mut mapped = *row;
    mapped.as_mut().iter_mut().for_each(|number| *number = map(*number));
    mapped
}

/// Gives equal keys equal numbers, from 0 upwards. Returns the number of different ones.
fn number<R: Eq + AsRef<[u32]>>(keys: &[(u32, R)], table: &mut Vec<u32>, numbers: &mut [u32]) -> usize {
    table.clear();
    table.resize((2 * keys.len()).next_power_of_two(), NONE);
    let last = table.len() - 1;
    let mut count = 0;
    for (state, key) in keys.iter().enumerate() {
        let parts = [key.0].into_iter().chain(key.1.as_ref().iter().copied());
        let mixed = parts
            .fold(0, |mixed: u64, part| (mixed.rotate_left(23) ^ u64::from(part)).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut place = (mixed >> 32) as usize & last;
        // A place has the first state with its key.
        while table[place] != NONE && keys[table[place] as usize] != *key {
            place = (place + 1) & last;
        }
        if table[place] == NONE {
            table[place] = state as u32;
            numbers[state] = count;
            count += 1;
        } else {
            numbers[state] = numbers[table[place] as usize];
        }
    }
    count as usize
}

fn renumber<R: Copy + AsMut<[u32]>>(machine: &Machine<R>, classes: &[u32]) -> Machine<R> {
    let mut names = vec![NONE; machine.rows.len()];
    // A state of each class, in the order of their names.
    let mut states: Vec<u32> = Vec::new();
    let mut name = |state: u32, states: &mut Vec<u32>| {
        let name = &mut names[classes[state as usize] as usize];
        if *name == NONE {
            *name = states.len() as u32;
            states.push(state);
        }
        *name
    };
    let starts = machine.starts.iter().map(|&start| name(start, &mut states)).collect();
    let mut small = Machine { starts, kinds: Vec::new(), rows: Vec::new() };
    while let Some(&state) = states.get(small.rows.len()) {
        small.kinds.push(machine.kinds[state as usize]);
        let renumbered = |next| if next == NONE { NONE } else { name(next, &mut states) };
        small.rows.push(mapped(&machine.rows[state as usize], renumbered));
    }
    small
}
