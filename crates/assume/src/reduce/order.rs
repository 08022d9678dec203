//! In which order pairs of pieces are tried.
//!
//! A composition is good when much of it can be hidden afterwards, and bad when its operands move independently of each
//! other: that is what the smart reduction of [Crouzen, Lang 2011] measures. Here it only says which pairs are looked at
//! first; which one is taken is decided by what becomes of them.

use rustc_hash::FxHashMap;

use super::Piece;

/// The pairs of pieces that share actions, the most promising first.
pub(super) fn pairs(pieces: &[Piece]) -> Vec<(usize, usize)> {
    let mut owners: FxHashMap<&str, usize> = FxHashMap::default();
    for name in pieces.iter().flat_map(|piece| piece.lts.alphabet().names()) {
        *owners.entry(name).or_default() += 1;
    }
    let mut pairs = Vec::new();
    for first in 0..pieces.len() {
        for second in first + 1..pieces.len() {
            let (a, b) = (&pieces[first].lts, &pieces[second].lts);
            let mut shared = 0;
            let mut hidden = 0;
            for name in a.alphabet().names().filter(|name| b.alphabet().contains(name)) {
                shared += 1;
                hidden += usize::from(owners[name] == 2);
            }
            if shared > 0 {
                let product = a.state_count().saturating_mul(b.state_count());
                let visible = a.alphabet().len() + b.alphabet().len() - shared - hidden;
                let promise = product.saturating_mul(1 + visible) / (1 + shared);
                pairs.push((promise, first, second));
            }
        }
    }
    pairs.sort_unstable();
    pairs.into_iter().map(|(_, first, second)| (first, second)).collect()
}
