//! Which automata of a system are in the first group of a rule.

use rely_base::Id;
use rely_interface::System;
use rely_lts::ComponentId;

use super::{InterfaceQuery, error};
use crate::explain;
use crate::goals::is_called;
use crate::subject::Unread;

/// The groups that the user wants, or else the first operand of the system and the others.
pub(super) fn groups(system: &System, query: &InterfaceQuery<'_>) -> Result<[Vec<usize>; 2], Unread> {
    let names: Vec<&str> = system.parts().iter().map(|part| part.name.as_str()).collect();
    let network = system.completed(rely_interface::Question::default());
    let mut left = vec![false; names.len()];
    for name in &query.left {
        let mut is_known = false;
        for (i, is_left) in left.iter_mut().enumerate() {
            if is_called(&network, ComponentId::from_index(i), name) {
                (*is_left, is_known) = (true, true);
            }
        }
        if !is_known {
            let message = format!("`{}` has no interface automaton `{name}`", query.system);
            let help = format!("its automata are {}", names.join(", "));
            return Err(error(explain::NO_SUCH_PART, &message, &help));
        }
    }
    if query.left.is_empty() {
        left = first_operand(&names);
    }
    let (first, second) = (0..names.len()).partition(|&part| left[part]);
    Ok([first, second])
}

/// Which parts belong to the first operand of the composite that all of them are in.
///
/// The name of a part begins with the composites that it is in: `ARD.MODES.SOFTWARE`.
fn first_operand(names: &[&str]) -> Vec<bool> {
    let paths: Vec<Vec<&str>> = names.iter().map(|name| path(name)).collect();
    let Some(first) = paths.first() else { return Vec::new() };
    let shared = (0..first.len())
        .take_while(|&depth| paths.iter().all(|path| path.len() > depth + 1 && path[depth] == first[depth]))
        .count();
    paths
        .iter()
        .enumerate()
        .map(|(i, path)| i == 0 || path[shared] == first[shared] && path.len() > shared + 1)
        .collect()
}

/// The composites that a part is in, and then the part. Names of processes begin with a capital letter, labels with a
/// small one; what is in parentheses belongs to the name before them.
fn path(name: &str) -> Vec<&str> {
    let mut path = Vec::new();
    let (mut start, mut depth, mut is_process) = (0, 0_usize, false);
    let mut before = '.';
    for (at, c) in name.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '.' if depth == 0 && is_process => {
                path.push(&name[start..at]);
                (start, is_process) = (at + 1, false);
            }
            _ => is_process |= depth == 0 && c.is_uppercase() && matches!(before, '.' | ':'),
        }
        before = c;
    }
    path.push(&name[start..]);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_paths() {
        assert_eq!(path("ARD.MODES.SOFTWARE"), ["ARD", "MODES", "SOFTWARE"]);
        assert_eq!(path("d.1:DISPATCH(2).ORDER(1,2)"), ["d.1:DISPATCH(2)", "ORDER(1,2)"]);
        assert_eq!(path("COUNTERS.count.1:COUNTER"), ["COUNTERS", "count.1:COUNTER"]);
        assert_eq!(path("P"), ["P"]);
    }

    #[test]
    fn the_first_operand_is_where_names_part() {
        assert_eq!(first_operand(&["A", "B", "C"]), [true, false, false]);
        assert_eq!(first_operand(&["S.X.A", "S.X.B", "S.Y"]), [true, true, false]);
        assert_eq!(first_operand(&["X.A", "X.B", "Y.A"]), [true, true, false]);
        assert_eq!(first_operand(&["S.A", "S.B"]), [true, false]);
        assert_eq!(first_operand(&["A"]), [true]);
        assert!(first_operand(&[]).is_empty());
    }
}
