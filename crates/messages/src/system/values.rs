//! The values of parameters, and the numbers that stand for messages in queues.

use super::naming::with_values;
use crate::component::{Pattern, Process, Type};

/// Whether a state has a transition that takes a message.
pub(super) fn takes(process: &Process, state: usize, message: usize, values: &[i32]) -> bool {
    process.transitions.iter().any(|transition| {
        let fits = |(pattern, value): (&Pattern, &i32)| !matches!(pattern, Pattern::Match(it) if it != value);
        transition.from == state
            && transition.message == message
            && transition.patterns.iter().zip(values).all(fits)
    })
}

/// For each message of a process the first value of a cell that stands for it, and the names of all values.
pub(super) fn cell_values(process: &Process) -> (Vec<i32>, Vec<String>) {
    let mut codes = Vec::new();
    let mut names = vec!["-".to_owned()];
    for message in &process.messages {
        codes.push(small(names.len()));
        names.extend(
            all_values(&message.params).map(|values| with_values(&message.name, &message.params, &values)),
        );
    }
    (codes, names)
}

/// All values of some parameters, the last one changing first.
pub(super) fn all_values(params: &[Type]) -> impl Iterator<Item = Vec<i32>> {
    let bounds: Vec<(i32, i32)> = params.iter().map(Type::bounds).collect();
    let first: Vec<i32> = bounds.iter().map(|(low, _)| *low).collect();
    std::iter::successors(Some(first), move |values| {
        let mut next = values.clone();
        for (value, (low, high)) in next.iter_mut().zip(&bounds).rev() {
            if *value < *high {
                *value += 1;
                return Some(next);
            }
            *value = *low;
        }
        None
    })
}

/// The place of values among [`all_values`].
pub(super) fn position(params: &[Type], values: &[i32]) -> i32 {
    params.iter().zip(values).fold(0, |position, (ty, value)| {
        let (low, high) = ty.bounds();
        position * (high - low + 1) + (value - low)
    })
}

pub(super) fn small(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
