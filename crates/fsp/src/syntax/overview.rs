//! The names that occur in the whole text, collected before any of it is parsed.
//!
//! Parsing itself needs only the sets that have been defined above. The rest is used for advice: whether the
//! lower-case `p` of a branch may be the process `P`, or whether a missing set is defined further below.

use rustc_hash::{FxHashMap, FxHashSet};

use super::SyntaxKind::{
    self, At, Colon, Comma, ConstKw, Dot, Equal, LeftBracket, LeftParen, Lower, RangeKw, SetKw, Upper,
};
use crate::lexer::Token;

/// The names that are defined somewhere in the text.
#[derive(Default)]
pub(super) struct Overview<'t> {
    /// `set S`
    pub(super) sets: FxHashSet<&'t str>,
    /// `range R`
    pub(super) ranges: FxHashSet<&'t str>,
    /// `const N`
    pub(super) constants: FxHashSet<&'t str>,
    /// `P = …`, `P[…`: processes and local processes.
    pub(super) processes: FxHashSet<&'t str>,
    /// The first of the processes, in alphabetical order, with a name in lower case.
    by_lower_case: FxHashMap<String, &'t str>,
    /// `p = …` where a definition may begin: processes that were given a lower-case name.
    pub(super) lower_case_processes: FxHashSet<&'t str>,
}

impl<'t> Overview<'t> {
    /// Looks over the tokens that are not trivia.
    pub(super) fn new(text: &'t str, tokens: &[Token]) -> Self {
        let mut overview = Self::default();
        let kind = |i: usize| tokens.get(i).map(|token| token.kind);
        let text_of = |i: usize| &text[tokens[i].span.start as usize..tokens[i].span.end as usize];
        for (i, token) in tokens.iter().enumerate() {
            let name = text_of(i);
            let before = i.checked_sub(1).and_then(kind);
            match (token.kind, before) {
                (Upper, Some(SetKw)) => _ = overview.sets.insert(name),
                (Upper, Some(RangeKw)) => _ = overview.ranges.insert(name),
                (Upper, Some(ConstKw)) => _ = overview.constants.insert(name),
                (Upper, _) if matches!(kind(i + 1), Some(Equal | At | LeftBracket | LeftParen)) => {
                    overview.add_process(name);
                }
                (Lower, None | Some(Dot)) if kind(i + 1) == Some(Equal) => {
                    overview.lower_case_processes.insert(name);
                }
                (Lower, Some(Lower)) if kind(i + 1) == Some(Equal) && text_of(i - 1) == "interface" => {
                    overview.lower_case_processes.insert(name);
                }
                (Lower, Some(Comma))
                    if kind(i + 1) == Some(Equal) || is_index(kind(i + 1), kind(i + 2), kind(i + 3)) =>
                {
                    overview.lower_case_processes.insert(name);
                }
                _ => {}
            }
        }
        overview
    }

    fn add_process(&mut self, name: &'t str) {
        self.processes.insert(name);
        let first = self.by_lower_case.entry(name.to_ascii_lowercase()).or_insert(name);
        *first = name.min(*first);
    }

    /// A process whose name differs from `name` only in the case of its letters.
    pub(super) fn process_like(&self, name: &str) -> Option<String> {
        let builtin = ["STOP", "END", "ERROR"];
        let defined = self.by_lower_case.get(&name.to_ascii_lowercase()).copied();
        let best = defined.or_else(|| builtin.into_iter().find(|known| known.eq_ignore_ascii_case(name)));
        best.map(str::to_owned)
    }
}

/// Whether the tokens are `[i:`.
fn is_index(one: Option<SyntaxKind>, two: Option<SyntaxKind>, three: Option<SyntaxKind>) -> bool {
    (one, two, three) == (Some(LeftBracket), Some(Lower), Some(Colon))
}
