//! Marks behind names: how a format with nothing but names represents the roles of an interface automaton.
//!
//! `a?` is received, `a!` is sent, and `a;` is internal, as the literature has it. A system is taken for an interface
//! automaton only if *every* name has a mark, one of them says *received* or *sent*, and no action would have two roles:
//! a label such as `G !5`, a stray question mark, or statements of a program that end in `;`, mean nothing. τ has no
//! name, and is internal anyway. An automaton without inputs and outputs has nothing to mark, and gets no marks.
//!
//! Used by readers and writers of `.aut`, and by pictures.

use rely_base::Alphabet;

use crate::{InterfaceAutomaton, Lts, Role};

/// The behaviour of an automaton, with the mark of its role behind the name of each action; without marks if every action
/// is internal.
pub fn marked(automaton: &InterfaceAutomaton) -> Lts {
    let lts = automaton.lts();
    if automaton.roles().iter().all(|&role| role == Role::Internal) {
        return lts.clone();
    }
    let names = lts.alphabet().names().zip(automaton.roles());
    let names: Alphabet = names.map(|(name, role)| format!("{name}{}", role.mark())).collect();
    lts.clone().with_names(names)
}

/// A system without its marks, and the roles that they stand for, by number of action. If an action has no mark, or
/// two roles, or if all are internal, the system is returned unchanged and without roles.
///
/// ```
/// use rely_lts::{Role, format};
///
/// let lts = format::aut::read(b"des (0,2,2)\n(0,coin?,1)\n(1,tea!,0)\n").expect("well-formed");
/// let (machine, roles) = format::unmarked(lts);
/// assert!(machine.alphabet().contains("coin"));
/// assert_eq!(roles, Some(vec![Role::Input, Role::Output]));
/// ```
pub fn unmarked(lts: Lts) -> (Lts, Option<Vec<Role>>) {
    let Some(read) = lts.alphabet().names().map(split).collect::<Option<Vec<_>>>() else {
        return (lts, None);
    };
    let roles: Vec<Role> = read.iter().map(|&(_, role)| role).collect();
    let names: Alphabet = read.into_iter().map(|(name, _)| name).collect();
    if roles.iter().all(|&role| role == Role::Internal) || names.len() < roles.len() {
        return (lts, None);
    }
    (lts.with_names(names), Some(roles))
}

/// A name without its mark, and the role that the mark stands for.
fn split(marked: &str) -> Option<(&str, Role)> {
    let roles = [Role::Input, Role::Output, Role::Internal];
    let (name, role) = roles.into_iter().find_map(|role| Some((marked.strip_suffix(role.mark())?, role)))?;
    (!name.is_empty()).then_some((name, role))
}
