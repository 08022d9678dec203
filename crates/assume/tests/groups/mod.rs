//! Random ways to split a system.

use rely_assume::Rule;
use rely_testkit::rng::Rng;

/// Groups of parts, by number, as a rule has them; none is empty.
pub(crate) fn random_groups(rng: &mut Rng, rule: Rule, parts: usize) -> Vec<Vec<usize>> {
    let most = if rule.is_binary() { 2 } else { parts.min(4) };
    let count = 2 + rng.below(most - 1);
    loop {
        let mut groups = vec![Vec::new(); count];
        for part in 0..parts {
            groups[rng.below(count)].push(part);
        }
        if groups.iter().all(|group| !group.is_empty()) {
            return groups;
        }
    }
}
