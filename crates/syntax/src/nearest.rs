//! The name that was probably meant.
//!
//! A model may have thousands of names, and a warning may need the nearest of them for each of many others. So most
//! names are excluded before a distance is computed: names whose lengths differ by more than the limit are further
//! apart than it, and only the diagonals near the middle of the table of distances can stay within the limit.

/// The known name that differs least from a name, if it differs by no more than a third of its letters; otherwise a
/// known name that contains it, as `A2_1_ONE_AT_PUMP1` contains `ONE_AT_PUMP`.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    const LEAST: usize = 4;
    let known: Vec<&str> = known.collect();
    let contains = |candidate: &&str| name.len() >= LEAST && candidate.contains(name);
    nearly(name, &known).or_else(|| known.iter().copied().filter(contains).min())
}

fn nearly<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    let mut distances = Distances::from(name);
    let length = name.chars().count();
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let most = 1.max(candidate.chars().count().min(length) / 3);
        let most = best.map_or(most, |(least, _)| most.min(least));
        if let Some(distance) = distances.to(candidate, most) {
            best = best.into_iter().chain([(distance, *candidate)]).min();
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Maximum number of letters that are compared.
const COMPARED: usize = 64;

/// The distances from one name to others: the number of letters to insert, delete or replace, or of adjacent letters
/// to exchange. A change of case has distance 0 but is not equality.
struct Distances {
    name: Vec<char>,
    other: Vec<char>,
    /// Rows of the table of distances between beginnings of the two names: the one before the last, the last, the next.
    rows: [Vec<usize>; 3],
}

impl Distances {
    fn from(name: &str) -> Self {
        let mut distances = Self { name: Vec::new(), other: Vec::new(), rows: [const { Vec::new() }; 3] };
        set_letters(&mut distances.name, name);
        distances
    }

    /// The distance to a name, if it is no more than `most`.
    fn to(&mut self, other: &str, most: usize) -> Option<usize> {
        set_letters(&mut self.other, other);
        let Self { name, other, rows: [above, row, next] } = self;
        if name.len().abs_diff(other.len()) > most {
            return None;
        }
        // Entries that are not computed are beyond the limit.
        let beyond = most + 1;
        for row in [&mut *above, &mut *row, &mut *next] {
            row.clear();
            row.resize(other.len() + 1, beyond);
        }
        row.iter_mut().enumerate().take(beyond).for_each(|(j, distance)| *distance = j);
        for i in 0..name.len() {
            let (first, last) = ((i + 1).saturating_sub(most), other.len().min(i + 1 + most));
            next.fill(beyond);
            if first == 0 {
                next[0] = i + 1;
            }
            for j in first.saturating_sub(1)..last {
                let replaced = row[j] + usize::from(name[i] != other[j]);
                let mut least = replaced.min(row[j + 1] + 1).min(next[j] + 1);
                if i > 0 && j > 0 && name[i] == other[j - 1] && name[i - 1] == other[j] {
                    least = least.min(above[j - 1] + 1);
                }
                next[j + 1] = least.min(beyond);
            }
            // An exchange of adjacent letters goes back two rows.
            if [&*row, &*next].iter().all(|row| row.iter().all(|&distance| distance > most)) {
                return None;
            }
            std::mem::swap(above, row);
            std::mem::swap(row, next);
        }
        Some(row[other.len()]).filter(|&distance| distance <= most)
    }
}

/// The letters of a name that are compared, in lower case.
fn set_letters(letters: &mut Vec<char>, name: &str) {
    letters.clear();
    letters.extend(name.chars().flat_map(char::to_lowercase).take(COMPARED));
}

#[cfg(test)]
mod tests {
    use rely_testkit::rng::{Rng, seeds};

    use super::*;

    /// The distance by its definition, with the whole table.
    fn naive_distance(a: &str, b: &str) -> usize {
        let [a, b] = [a, b].map(|name| {
            let mut letters = Vec::new();
            set_letters(&mut letters, name);
            letters
        });
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                let mut ways = vec![if i == 0 { j } else { usize::MAX }, if j == 0 { i } else { usize::MAX }];
                if i > 0 && j > 0 {
                    ways.push(table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]));
                    ways.push(table[i - 1][j] + 1);
                    ways.push(table[i][j - 1] + 1);
                }
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    ways.push(table[i - 2][j - 2] + 1);
                }
                table[i][j] = ways.into_iter().min().expect("there is a way");
            }
        }
        table[a.len()][b.len()]
    }

    fn random_name(rng: &mut Rng) -> String {
        (0..rng.below(9)).map(|_| ['a', 'b', 'B', '.', 'ä'][rng.below(5)]).collect()
    }

    #[test]
    fn distances_within_a_limit_are_those_of_the_whole_table() {
        for seed in seeds(3_000) {
            let rng = &mut Rng::new(seed);
            let (name, most) = (random_name(rng), rng.below(6));
            let mut distances = Distances::from(&name);
            for _ in 0..4 {
                let other = random_name(rng);
                let expected = Some(naive_distance(&name, &other)).filter(|&distance| distance <= most);
                assert_eq!(distances.to(&other, most), expected, "seed {seed}: {name} {other} {most}");
            }
        }
    }

    #[test]
    fn the_nearest_name_is_the_one_of_all_distances() {
        for seed in seeds(1_000) {
            let rng = &mut Rng::new(seed);
            let name = random_name(rng);
            let known: Vec<String> = (0..6).map(|_| random_name(rng)).collect();
            let length = |name: &str| name.chars().count();
            let near =
                |other: &&String| naive_distance(&name, other) <= 1.max(length(other).min(length(&name)) / 3);
            let expected =
                known.iter().filter(near).min_by_key(|other| (naive_distance(&name, other), *other));
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            assert_eq!(nearly(&name, &known), expected.map(String::as_str), "seed {seed}: {name} {known:?}");
        }
    }
}
