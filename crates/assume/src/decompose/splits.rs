//! All ways to split units into groups.
//!
//! The groups of a split are ordered, since a rule treats them differently: M₁ is the one that meets the goal under an
//! assumption. Of n units there are 2ⁿ − 2 splits in two groups that are not empty [Cobleigh 2007, section 5.1], and
//! g · (T(n − 1, g) + T(n − 1, g − 1)) = T(n, g) in g groups: a unit joins the groups of the others, or is alone in one.

/// A split: the units of each group, by number and in order.
pub type Split = Vec<Vec<usize>>;

/// How many splits of so many units in so many groups there are; nothing if the number has more than 64 bits.
pub fn count_splits(units: usize, groups: usize) -> Option<u64> {
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

/// All splits of so many units in so many groups, each once, in a fixed order.
pub fn all_splits(units: usize, groups: usize) -> impl Iterator<Item = Split> {
    let first = (groups > 0).then(|| vec![0; units]);
    // A number of as many digits as there are units, each the group of a unit, is counted up.
    let assignments = std::iter::successors(first, move |groups_of| {
        let mut next = groups_of.clone();
        let place = next.iter().rposition(|&group| group + 1 < groups)?;
        next[place] += 1;
        next[place + 1..].fill(0);
        Some(next)
    });
    assignments.map(move |groups_of| split_of(&groups_of, groups)).filter(is_proper)
}

/// The split in which each unit is in its group.
pub(super) fn split_of(groups_of: &[usize], groups: usize) -> Split {
    let mut split = vec![Vec::new(); groups];
    for (unit, &group) in groups_of.iter().enumerate() {
        split[group].push(unit);
    }
    split
}

fn is_proper(split: &Split) -> bool {
    split.iter().all(|group| !group.is_empty())
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
}
