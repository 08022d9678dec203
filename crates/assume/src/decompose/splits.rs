//! All ways to split units into groups.
//!
//! The groups of a split are ordered, since a rule treats them differently: M₁ is the one that meets the goal under an
//! assumption. Of n units there are 2ⁿ − 2 splits in two groups that are not empty [Cobleigh 2007, section 5.1], and
//! g · (T(n − 1, g) + T(n − 1, g − 1)) = T(n, g) in g groups: a unit joins the groups of the others, or is alone in one.

/// A split: the units of each group, by number and in order.
pub type Split = Vec<Vec<usize>>;

/// How many splits of `units` units into `groups` groups there are; nothing if the number has more than 64 bits.
pub fn count_splits(units: usize, groups: usize) -> Option<u64> {
    if groups > units {
        return Some(0);
    }
    // By number of groups, how many splits there are of the units so far.
    let mut counts = vec![0_u64; groups + 1];
    counts[0] = 1;
    for _ in 0..units {
        for group in (1..=groups).rev() {
            let joined = counts[group].checked_add(counts[group - 1])?;
            counts[group] = joined.checked_mul(u64::try_from(group).ok()?)?;
        }
        counts[0] = 0;
    }
    Some(counts[groups])
}

/// All splits of `units` units into `groups` groups, each once, in a fixed order. The work between two of them does not
/// depend on how many there are.
pub fn all_splits(units: usize, groups: usize) -> impl Iterator<Item = Split> {
    // A number of as many digits as there are units, each the group of a unit, is counted up. Numbers in which a digit
    // does not occur are passed over: the groups of the last units are those that are still empty.
    let first = (groups > 0 && groups <= units).then(|| {
        let mut groups_of = vec![0; units];
        complete(&mut groups_of, 0, groups);
        groups_of
    });
    let assignments = std::iter::successors(first, move |groups_of| following(groups_of, groups));
    assignments.map(move |groups_of| split_of(&groups_of, groups))
}

/// The next larger number in which every digit occurs.
fn following(groups_of: &[usize], groups: usize) -> Option<Vec<usize>> {
    let mut uses = vec![0_usize; groups];
    groups_of.iter().for_each(|&group| uses[group] += 1);
    let mut missing = 0;
    for place in (0..groups_of.len()).rev() {
        let group = groups_of[place];
        uses[group] -= 1;
        missing += usize::from(uses[group] == 0);
        let behind = groups_of.len() - place - 1;
        let fits = |group: &usize| missing - usize::from(uses[*group] == 0) <= behind;
        if let Some(next) = (group + 1..groups).find(fits) {
            let mut number = groups_of.to_vec();
            number[place] = next;
            complete(&mut number, place + 1, groups);
            return Some(number);
        }
    }
    None
}

/// Makes the digits from a place on as small as can be, where every digit has to occur.
fn complete(groups_of: &mut [usize], place: usize, groups: usize) {
    let (before, behind) = groups_of.split_at_mut(place);
    let mut is_used = vec![false; groups];
    before.iter().for_each(|&group| is_used[group] = true);
    let missing: Vec<usize> = (1..groups).filter(|&group| !is_used[group]).collect();
    let zeros = behind.len() - missing.len();
    behind[..zeros].fill(0);
    behind[zeros..].copy_from_slice(&missing);
}

/// The split in which each unit is in its group.
pub(super) fn split_of(groups_of: &[usize], groups: usize) -> Split {
    let mut split = vec![Vec::new(); groups];
    for (unit, &group) in groups_of.iter().enumerate() {
        split[group].push(unit);
    }
    split
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// All splits, from the definition: every unit is put in every group, one after the other.
    fn naive(units: usize, groups: usize) -> BTreeSet<Split> {
        let mut splits = vec![vec![Vec::new(); groups]];
        for unit in 0..units {
            let with_unit = |split: &Split, group: usize| {
                let mut split = split.clone();
                split[group].push(unit);
                split
            };
            splits =
                splits.iter().flat_map(|split| (0..groups).map(|group| with_unit(split, group))).collect();
        }
        splits.into_iter().filter(|split| !split.contains(&Vec::new())).collect()
    }

    #[test]
    fn splits_are_complete_and_without_repetition() {
        for units in 0..=7 {
            for groups in 0..=4 {
                let all: Vec<Split> = all_splits(units, groups).collect();
                let set: BTreeSet<Split> = all.iter().cloned().collect();
                assert_eq!(set.len(), all.len(), "no split comes twice: {units} in {groups}");
                if groups > 0 {
                    assert_eq!(set, naive(units, groups), "{units} in {groups}");
                }
                let counted = count_splits(units, groups);
                let empty = u64::from(units == 0 && groups == 0);
                assert_eq!(counted, Some(all.len() as u64 + empty), "{units} in {groups}");
            }
        }
        assert_eq!(count_splits(8, 2), Some(254));
        assert_eq!(count_splits(63, 2), Some((1 << 63) - 2));
        assert_eq!(count_splits(1000, 2), None);
    }

    #[test]
    fn splits_come_in_order_and_without_searching_for_them() {
        for units in 0..=6 {
            for groups in 1..=4 {
                let assignment = |split: &Split| -> Vec<usize> {
                    let group_of = |unit| split.iter().position(|group| group.contains(&unit));
                    (0..units).map(|unit| group_of(unit).expect("every unit has a group")).collect()
                };
                let all: Vec<Vec<usize>> =
                    all_splits(units, groups).map(|split| assignment(&split)).collect();
                assert!(all.is_sorted(), "{units} in {groups}");
            }
        }
        // Of 40^40 ways to give out groups the first in which none is empty is far from the first.
        let singles = all_splits(40, 40).next().expect("one unit in each group");
        assert_eq!(singles, (0..40).map(|unit| vec![unit]).collect::<Split>());
    }

    #[test]
    fn more_groups_than_units_cost_nothing() {
        for groups in [4, 200_000_000, usize::MAX] {
            assert_eq!(count_splits(3, groups), Some(0));
            assert_eq!(all_splits(3, groups).count(), 0);
        }
    }
}
