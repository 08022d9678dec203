//! A split of a small system as a split of a larger one.
//!
//! **Problem.** A parameterised system has a good split at size 2. What is the same split at size n, where there are
//! units that have no namesake at size 2?
//!
//! **Source.** [Cobleigh 2007, figure 5.3]. A unit of which there is only one, or as many at every size, goes where its
//! namesake is. Of units that are repeated, one that the property treats in a different way than the others goes where
//! its namesake is, and the others go where the ordinary one is at size 2. If the property treats all of them alike,
//! the one with the smallest index goes where it is at size 2, and the others where the second is.
//!
//! **Idea.** Units are of the same family if their names differ in indices only: `c.1:CUSTOMER` and `c.2:CUSTOMER`. All
//! cases of the figure come down to one: an index that the small system has, stands for itself; any other stands for
//! the largest one of the small system that the property does not treat in a different way, or the largest of all.
//!
//! Whether the property treats an index in a different way is tried out: it does if exchanging the index with the
//! largest one changes the property. In which fields of which actions the index is, is seen from the alphabets of the
//! two units. The largest index is taken for an ordinary one, because properties speak about the first few.
//!
//! **Deviation.** The figure has one index and size 2; here there may be several, each for itself, and the small system
//! may have any size. Where no unit of the small system has the indices that are wanted, the one that agrees in most
//! of them is taken.
//!
//! **Callers.** `rely decompose --generalise`.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Alphabet, Label, StateId};
use rely_lts::{Component, Lts};

use super::splits::{Split, split_of};
use crate::Problem;

/// A split of a larger system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generalised {
    /// The split, by units of the larger system.
    pub split: Split,
    /// The units that the property treats in a different way than others of their family.
    pub special: Vec<usize>,
}

/// Why a split has no counterpart at another size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ungeneralised {
    /// This unit of the larger system has a name like that of no unit of the small one.
    Stranger(usize),
    /// No unit would be in this group.
    Empty(usize),
}

/// The split of a larger system that corresponds to one of a small system. Both have names for their units; the larger
/// one is a problem with parts for each unit.
///
/// # Errors
/// Why there is none.
pub fn generalise(
    small: &[String],
    split: &Split,
    large: &[String],
    problem: &Problem,
    units: &[Vec<usize>],
) -> Result<Generalised, Ungeneralised> {
    let mut group_of = vec![0; small.len()];
    for (group, members) in split.iter().enumerate() {
        members.iter().for_each(|&unit| group_of[unit] = group);
    }
    let small: Vec<Name> = small.iter().map(|name| Name::read(name)).collect();
    let large: Vec<Name> = large.iter().map(|name| Name::read(name)).collect();
    let families = Families::new(&small, &large, problem, units);
    let group = |(unit, name): (usize, &Name)| {
        families.counterpart(name).map(|small| group_of[small]).ok_or(Ungeneralised::Stranger(unit))
    };
    let groups = large.iter().enumerate().map(group).collect::<Result<Vec<usize>, _>>()?;
    let split = split_of(&groups, split.len());
    if let Some(empty) = split.iter().position(Vec::is_empty) {
        return Err(Ungeneralised::Empty(empty));
    }
    let special = (0..large.len()).filter(|&unit| families.is_special(&large[unit])).collect();
    Ok(Generalised { split, special })
}

/// A name, apart from its indices.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Name {
    /// The name with a star for each index.
    family: String,
    indices: Vec<u64>,
}

impl Name {
    /// Reads a name. Indices are numbers that are no part of an identifier: `c.1:CUSTOMER`, `ORDER(1,2)`.
    fn read(name: &str) -> Self {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut family = String::new();
        let mut indices = Vec::new();
        let mut rest = name;
        while let Some(first) = rest.chars().next() {
            let end = match is_word(first) {
                true => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            let (token, after) = rest.split_at(end);
            match token.parse::<u64>() {
                Ok(index) if token.bytes().all(|byte| byte.is_ascii_digit()) => {
                    indices.push(index);
                    family.push('*');
                }
                _ => family.push_str(token),
            }
            rest = after;
        }
        Self { family, indices }
    }
}

/// For each family, and each of its indices, the values that an index has in the small system, in order, and those of
/// the larger system that the property treats in a different way.
struct Families<'n> {
    small: &'n [Name],
    values: BTreeMap<(&'n str, usize), BTreeSet<u64>>,
    special: BTreeMap<(&'n str, usize), BTreeSet<u64>>,
}

impl<'n> Families<'n> {
    fn new(small: &'n [Name], large: &'n [Name], problem: &Problem, units: &[Vec<usize>]) -> Self {
        let values = values_of(small);
        let mut special: BTreeMap<(&str, usize), BTreeSet<u64>> = BTreeMap::new();
        for ((family, place), large_values) in values_of(large) {
            let known = values.get(&(family, place));
            let is_repeated = known.is_some_and(|known| !large_values.is_subset(known));
            let Some(&largest) = large_values.last().filter(|_| is_repeated) else { continue };
            let alphabet = |value: u64| -> Alphabet {
                let is_meant =
                    |unit: &usize| large[*unit].family == family && large[*unit].indices[place] == value;
                let parts = (0..large.len()).filter(is_meant).flat_map(|unit| units[unit].clone());
                parts.flat_map(|part| problem.parts[part].lts.alphabet().names()).collect()
            };
            let ordinary = alphabet(largest);
            let differs = |&value: &u64| {
                let fields = fields_of(&alphabet(value), &ordinary, value, largest);
                let goal = &problem.goal.components;
                value != largest && !goal.iter().all(|goal| is_symmetric(goal, &fields, value, largest))
            };
            special.insert((family, place), large_values.iter().copied().filter(differs).collect());
        }
        Self { small, values, special }
    }

    /// The unit of the small system that stands for one of the larger.
    fn counterpart(&self, name: &Name) -> Option<usize> {
        let wanted: Vec<Option<u64>> =
            (0..name.indices.len()).map(|place| self.stands_for(name, place)).collect();
        let agreement = |unit: usize| {
            let indices = self.small[unit].indices.iter();
            indices.zip(&wanted).filter(|&(&index, &wanted)| Some(index) == wanted).count()
        };
        let relatives = (0..self.small.len()).filter(|&unit| self.small[unit].family == name.family);
        relatives.max_by_key(|&unit| (agreement(unit), usize::MAX - unit))
    }

    /// The index of the small system that stands for one of the larger.
    fn stands_for(&self, name: &Name, place: usize) -> Option<u64> {
        let key = (name.family.as_str(), place);
        let index = name.indices[place];
        let values = self.values.get(&key)?;
        let is_ordinary =
            |value: &&u64| self.special.get(&key).is_none_or(|special| !special.contains(value));
        match values.contains(&index) {
            true => Some(index),
            false => values.iter().rev().find(is_ordinary).or(values.last()).copied(),
        }
    }

    fn is_special(&self, name: &Name) -> bool {
        let is_special = |(place, index): (usize, &u64)| {
            self.special.get(&(name.family.as_str(), place)).is_some_and(|special| special.contains(index))
        };
        name.indices.iter().enumerate().any(is_special)
    }
}

/// The values that the indices of each family have.
fn values_of(names: &[Name]) -> BTreeMap<(&str, usize), BTreeSet<u64>> {
    let mut values: BTreeMap<(&str, usize), BTreeSet<u64>> = BTreeMap::new();
    for name in names {
        for (place, &index) in name.indices.iter().enumerate() {
            values.entry((name.family.as_str(), place)).or_default().insert(index);
        }
    }
    values
}

/// In which fields of which actions the index of a unit is: a field of an action that becomes an action of the other
/// unit when the field is changed. Actions are given with stars for all numbers, fields by number among the stars.
fn fields_of(own: &Alphabet, other: &Alphabet, value: u64, other_value: u64) -> BTreeSet<(String, usize)> {
    let mut fields = BTreeSet::new();
    let others: BTreeSet<(String, Vec<u64>)> =
        other.names().map(Name::read).map(|name| (name.family, name.indices)).collect();
    for name in own.names().filter(|name| !other.contains(name)).map(Name::read) {
        for (field, &index) in name.indices.iter().enumerate() {
            let mut changed = name.indices.clone();
            changed[field] = other_value;
            if index == value && others.contains(&(name.family.clone(), changed)) {
                fields.insert((name.family.clone(), field));
            }
        }
    }
    fields
}

/// Whether a property stays the same when two values are exchanged in some fields of its actions.
fn is_symmetric(property: &Component, fields: &BTreeSet<(String, usize)>, value: u64, other: u64) -> bool {
    let lts = &property.lts;
    let image = |name: &str| -> Option<Label> {
        let mut name = Name::read(name);
        for (field, index) in name.indices.iter_mut().enumerate() {
            if fields.contains(&(name.family.clone(), field)) {
                *index = if *index == value {
                    other
                } else if *index == other {
                    value
                } else {
                    *index
                };
            }
        }
        let mut indices = name.indices.iter();
        let numbered = name.family.split('*').map(str::to_owned).reduce(|text, next| {
            let index = indices.next().map(ToString::to_string).unwrap_or_default();
            text + &index + &next
        })?;
        lts.alphabet().get(&numbered).map(Label::visible)
    };
    let images: Option<Vec<(Label, Label)>> =
        lts.alphabet().iter().map(|(action, name)| Some((Label::visible(action), image(name)?))).collect();
    images.is_some_and(|images| is_same_under(lts, &images))
}

/// Whether a deterministic system has the same traces, and fails after the same, when actions are exchanged.
fn is_same_under(lts: &Lts, images: &[(Label, Label)]) -> bool {
    let step = |state: StateId, label: Label| lts.edges_with(state, label).first().map(|edge| edge.target);
    let mut seen = BTreeSet::from([(lts.initial(), lts.initial())]);
    let mut open: Vec<(StateId, StateId)> = seen.iter().copied().collect();
    while let Some((first, second)) = open.pop() {
        if (lts.error() == Some(first)) != (lts.error() == Some(second)) {
            return false;
        }
        for &(label, image) in images {
            match (step(first, label), step(second, image)) {
                (None, None) => {}
                (Some(first), Some(second)) => {
                    if seen.insert((first, second)) {
                        open.push((first, second));
                    }
                }
                (None, Some(_)) | (Some(_), None) => return false,
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rely_lts::LtsBuilder;

    use super::*;
    use crate::Goal;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    /// A component that repeats its actions in turn.
    fn cycle(name: &str, actions: &[String]) -> Component {
        let alphabet: Alphabet = actions.iter().map(String::as_str).collect();
        let mut builder = LtsBuilder::with_states(alphabet.clone(), actions.len());
        let states: Vec<StateId> = (0..actions.len()).map(rely_base::Id::from_index).collect();
        for (i, action) in actions.iter().enumerate() {
            let action = alphabet.get(action).expect("an action of its own");
            builder.add_transition(states[i], Label::visible(action), states[(i + 1) % actions.len()]);
        }
        Component { name: name.to_owned(), lts: Arc::new(builder.build()) }
    }

    /// A desk and clients `c.1` to `c.n`, where the property has each client in some list enter before it leaves.
    fn desk(n: usize, in_property: &[usize]) -> (Vec<String>, Problem) {
        let own = |i: &usize| names(&[&format!("c.{i}.enter.1"), &format!("c.{i}.leave.1")]);
        let clients: Vec<usize> = (1..=n).collect();
        let mut parts = vec![cycle("DESK", &clients.iter().flat_map(own).collect::<Vec<_>>())];
        parts.extend(clients.iter().map(|i| cycle(&format!("c.{i}:CLIENT"), &own(i))));
        let mut alphabet = Alphabet::new();
        in_property.iter().flat_map(own).for_each(|name| {
            alphabet.intern(&name);
        });
        // After a client has entered, it has to leave: one state for each client.
        let mut builder = LtsBuilder::with_states(alphabet.clone(), 1 + in_property.len());
        let states: Vec<StateId> = (0..=in_property.len()).map(rely_base::Id::from_index).collect();
        for (k, i) in in_property.iter().enumerate() {
            let [enter, leave] =
                [0, 1].map(|at| alphabet.get(&own(i)[at]).expect("an action of the property"));
            builder.add_transition(states[0], Label::visible(enter), states[k + 1]);
            builder.add_transition(states[k + 1], Label::visible(leave), states[0]);
        }
        let lts = rely_lts::operators::complete(&builder.build());
        let goal = Goal::property(Component { name: "P".to_owned(), lts: Arc::new(lts) });
        (
            parts.iter().map(|part| part.name.clone()).collect(),
            Problem { composites: Vec::new(), parts, goal },
        )
    }

    /// For each client at size 5, whether it is on the left, when those of a list are at size 2; and the special units.
    fn left_at_five(left: &[usize], in_property: &[usize]) -> (Vec<bool>, Vec<usize>) {
        let small = names(&["DESK", "c.1:CLIENT", "c.2:CLIENT"]);
        let right = (0..3).filter(|unit| !left.contains(unit)).collect();
        let (large, problem) = desk(5, in_property);
        let units: Vec<Vec<usize>> = (0..6).map(|part| vec![part]).collect();
        let split = vec![left.to_vec(), right];
        let made = generalise(&small, &split, &large, &problem, &units).expect("there is a counterpart");
        assert_eq!(made.split[0].contains(&0), left.contains(&0), "there is one desk");
        ((1..=5).map(|unit| made.split[0].contains(&unit)).collect(), made.special)
    }

    const T: bool = true;
    const F: bool = false;

    /// The cases of [Cobleigh 2007, figure 5.3].
    #[test]
    fn repeated_units_follow_the_figure() {
        let all = [1, 2, 3, 4, 5];
        // Both on the same side.
        assert_eq!(left_at_five(&[1, 2], &all), (vec![T, T, T, T, T], vec![]));
        assert_eq!(left_at_five(&[0], &[1]), (vec![F, F, F, F, F], vec![1]));
        // The property treats all alike: the first against the others.
        assert_eq!(left_at_five(&[0, 1], &all), (vec![T, F, F, F, F], vec![]));
        assert_eq!(left_at_five(&[2], &all), (vec![F, T, T, T, T], vec![]));
        // It treats the first, or the second, in another way: that one against the others.
        assert_eq!(left_at_five(&[1], &[1]), (vec![T, F, F, F, F], vec![1]));
        assert_eq!(left_at_five(&[0, 2], &[2]), (vec![F, T, F, F, F], vec![2]));
        assert_eq!(left_at_five(&[1], &[2]), (vec![T, F, T, T, T], vec![2]));
        // It treats both in another way: they stay, and the others go with the second.
        assert_eq!(left_at_five(&[0, 1], &[1, 2]), (vec![T, F, F, F, F], vec![1, 2]));
    }

    #[test]
    fn indices_are_numbers_of_their_own() {
        let read = |name: &str| {
            let Name { family, indices } = Name::read(name);
            (family, indices)
        };
        assert_eq!(read("c.12:CUSTOMER"), ("c.*:CUSTOMER".to_owned(), vec![12]));
        assert_eq!(read("A1_X2(3,4).Q"), ("A1_X2(*,*).Q".to_owned(), vec![3, 4]));
        assert_eq!(read("x1.y"), ("x1.y".to_owned(), vec![]));
    }

    #[test]
    fn units_with_several_indices_follow_the_nearest() {
        let small = names(&["T(1)", "T(2)", "O(1,2)"]);
        let large = names(&["T(1)", "T(2)", "T(3)", "O(1,2)", "O(1,3)", "O(2,3)"]);
        let part = |name: &String| cycle(name, &names(&["a"]));
        let goal = Goal::property(cycle("P", &names(&["a"])));
        let problem = Problem { composites: Vec::new(), parts: large.iter().map(part).collect(), goal };
        let units: Vec<Vec<usize>> = (0..6).map(|part| vec![part]).collect();
        let made = generalise(&small, &vec![vec![0, 2], vec![1]], &large, &problem, &units);
        assert_eq!(made.expect("there is one").split, [vec![0, 3, 4, 5], vec![1, 2]]);
        // A group whose only unit has no counterpart leaves nothing.
        let other = names(&["X", "Y"]);
        let none = generalise(&other, &vec![vec![0], vec![1]], &large, &problem, &units);
        assert_eq!(none, Err(Ungeneralised::Stranger(0)));
        // All names are known, and nobody is left for the second group.
        let other = names(&["T(1)", "O(1,2)", "X"]);
        let none = generalise(&other, &vec![vec![0, 1], vec![2]], &large, &problem, &units);
        assert_eq!(none, Err(Ungeneralised::Empty(1)));
    }
}
