//! The name that was probably meant.

/// The known name that differs least from a name, if it differs by no more than a third of its letters; otherwise the
/// one that has the name in it, as `A2_1_ONE_AT_PUMP1` has `ONE_AT_PUMP`.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    const LEAST: usize = 4;
    let known: Vec<&str> = known.collect();
    let contains = |candidate: &&str| name.len() >= LEAST && candidate.contains(name);
    nearly(name, known.iter().copied()).or_else(|| known.iter().copied().filter(contains).min())
}

fn nearly<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    known
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .filter(|&(distance, candidate)| {
            distance <= 1.max(candidate.chars().count().min(name.chars().count()) / 3)
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// The number of letters to insert, delete or replace, or of neighbours to exchange; a change of case counts nothing but
/// is not equality.
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().take(64).collect();
    let b: Vec<char> = b.to_lowercase().chars().take(64).collect();
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut next = vec![i + 1];
        for j in 0..b.len() {
            let replaced = row[j] + usize::from(a[i] != b[j]);
            let mut least = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(above[j - 1] + 1);
            }
            next.push(least);
        }
        above = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}
