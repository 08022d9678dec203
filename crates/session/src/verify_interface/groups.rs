//! Which automata of a system are in the first group of a rule.

use rely_interface::System;
use rely_model::PartTable;

use super::{InterfaceQuery, error};
use crate::explain;
use crate::subject::Unread;

/// The groups that the user wants, or else the first operand of the system and the others.
pub(super) fn groups(
    system: &System,
    table: &PartTable,
    query: &InterfaceQuery<'_>,
) -> Result<[Vec<usize>; 2], Unread> {
    let names: Vec<&str> = system.parts().iter().map(|part| part.name.as_str()).collect();
    let mut left = vec![false; names.len()];
    for name in &query.left {
        let mut is_known = false;
        for (full, is_left) in names.iter().zip(&mut left) {
            if table.is_called(full, name) {
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
        let paths: Vec<Vec<String>> = names.iter().map(|name| table.path(name)).collect();
        left = first_operand(&paths);
    }
    let (first, second) = (0..names.len()).partition(|&part| left[part]);
    Ok([first, second])
}

/// Which parts belong to the first operand of the composite that all of them are in, by the composites that each is in.
fn first_operand(paths: &[Vec<String>]) -> Vec<bool> {
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

#[cfg(test)]
mod tests {
    #[test]
    fn the_first_operand_is_where_paths_part() {
        let first_operand = |paths: &[&[&str]]| {
            let owned = |path: &&[&str]| path.iter().map(|&it| it.to_owned()).collect();
            super::first_operand(&paths.iter().map(owned).collect::<Vec<Vec<String>>>())
        };
        assert_eq!(first_operand(&[&["A"], &["B"], &["C"]]), [true, false, false]);
        assert_eq!(first_operand(&[&["S", "X", "A"], &["S", "X", "B"], &["S", "Y"]]), [true, true, false]);
        assert_eq!(first_operand(&[&["X", "A"], &["X", "B"], &["Y", "A"]]), [true, true, false]);
        assert_eq!(first_operand(&[&["S", "A"], &["S", "B"]]), [true, false]);
        assert_eq!(first_operand(&[&["A"]]), [true]);
        assert!(first_operand(&[]).is_empty());
    }
}
