//! Joins states that nothing in the future tells apart (Moore 1956).

use super::GoOn;
use super::build::{Machine, NONE};

/// The smallest machine that allows the same strings and knows where the blank is. Its states come in the order of a
/// breadth-first search from the starts, so that states that are visited often are near each other.
/// `None` when told to stop.
pub(super) fn minimise(machine: &Machine, go_on: GoOn<'_>) -> Option<Machine> {
    Some(renumber(machine, &classes(machine, go_on)?))
}

/// The class of each state.
///
/// At first the classes are the blank's squares. Then states are told apart whose moves lead to different classes, until
/// there are no more of them.
fn classes(machine: &Machine, go_on: GoOn<'_>) -> Option<Vec<u32>> {
    let mut classes: Vec<u32> = machine.blanks.iter().map(|blank| u32::from(blank.0)).collect();
    let mut count = 0;
    let mut table = Vec::new();
    let mut keys = Vec::with_capacity(classes.len());
    loop {
        if !go_on() {
            return None;
        }
        keys.clear();
        let class = |state: u32| if state == NONE { NONE } else { classes[state as usize] };
        keys.extend(machine.rows.iter().zip(&classes).map(|(row, &own)| {
            let [a, b, c, d] = row.map(class);
            [own, a, b, c, d]
        }));
        let next_count = number(&keys, &mut table, &mut classes);
        if next_count == count {
            return Some(classes);
        }
        count = next_count;
    }
}

/// Gives equal keys equal numbers, from 0 upwards. Returns how many there are.
fn number(keys: &[[u32; 5]], table: &mut Vec<u32>, numbers: &mut [u32]) -> usize {
    table.clear();
    table.resize((2 * keys.len()).next_power_of_two(), NONE);
    let last = table.len() - 1;
    let mut count = 0;
    for (state, key) in keys.iter().enumerate() {
        let mixed = key
            .iter()
            .fold(0, |mixed: u64, &part| (mixed.rotate_left(23) ^ u64::from(part)).wrapping_mul(0x9E37_79B9_7F4A_7C15));
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

fn renumber(machine: &Machine, classes: &[u32]) -> Machine {
    let mut names = vec![NONE; machine.rows.len()];
    // A state of each class, in the order of their names.
    let mut states: Vec<u32> = Vec::new();
    let mut small = Machine { starts: machine.starts, blanks: Vec::new(), rows: Vec::new() };
    let mut name = |state: u32, states: &mut Vec<u32>| {
        let name = &mut names[classes[state as usize] as usize];
        if *name == NONE {
            *name = states.len() as u32;
            states.push(state);
        }
        *name
    };
    for start in 0..machine.starts as u32 {
        name(start, &mut states);
    }
    while let Some(&state) = states.get(small.rows.len()) {
        let row = machine.rows[state as usize];
        small.blanks.push(machine.blanks[state as usize]);
        small.rows.push(row.map(|next| if next == NONE { NONE } else { name(next, &mut states) }));
    }
    small
}
