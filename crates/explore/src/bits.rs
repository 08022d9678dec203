//! Sets of small numbers, one bit for each.

/// The empty set of numbers below a bound.
pub(crate) fn empty(bound: usize) -> Vec<u64> {
    vec![0; bound.div_ceil(u64::BITS as usize)]
}

#[inline]
fn place(number: usize) -> (usize, u64) {
    (number / u64::BITS as usize, 1 << (number % u64::BITS as usize))
}

#[inline]
pub(crate) fn contains(set: &[u64], number: usize) -> bool {
    let (word, bit) = place(number);
    set[word] & bit != 0
}

#[inline]
pub(crate) fn insert(set: &mut [u64], number: usize) {
    let (word, bit) = place(number);
    set[word] |= bit;
}

#[inline]
pub(crate) fn remove(set: &mut [u64], number: usize) {
    let (word, bit) = place(number);
    set[word] &= !bit;
}

/// Adds the numbers of another set.
#[inline]
pub(crate) fn unite(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

/// Whether two sets have a number in common.
#[inline]
pub(crate) fn meet(set: &[u64], other: &[u64]) -> bool {
    set.iter().zip(other).any(|(word, other)| word & other != 0)
}

/// The least number of one set that is not in another.
#[inline]
pub(crate) fn first_without(set: &[u64], other: &[u64]) -> Option<usize> {
    set.iter().zip(other).enumerate().find_map(|(i, (word, other))| {
        let rest = word & !other;
        (rest != 0).then(|| i * u64::BITS as usize + rest.trailing_zeros() as usize)
    })
}

/// The numbers in ascending order.
pub(crate) fn iter(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(i, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.checked_ilog2().map(|_| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(i * u64::BITS as usize + bit)
        })
    })
}
