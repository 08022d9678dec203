//! Subprograms are put in place of their calls, which has an end only if none calls itself.

use rely_base::{Diagnostic, Id};

use super::Resolver;
use crate::codes;
use crate::hir::SubprogramId;

impl Resolver<'_> {
    /// Refuses calls that lead back to the subprogram in which they stand.
    pub(super) fn refuse_recursion(&mut self) {
        let mut uses = vec![Vec::new(); self.subprograms.len()];
        for &(caller, callee, _) in &self.uses {
            uses[caller.index()].push(callee);
        }
        for (caller, callee, span) in std::mem::take(&mut self.uses) {
            if reaches(&uses, callee, caller) {
                let name = &self.subprograms[callee.index()].name;
                let message = format!("the call of `{}` leads back to this subprogram", name.text);
                let diagnostic = Diagnostic::error(codes::RECURSION, span, message)
                    .with_note(name.span, "it is declared here")
                    .with_help("use a loop");
                self.report(diagnostic);
            }
        }
    }
}

fn reaches(uses: &[Vec<SubprogramId>], from: SubprogramId, to: SubprogramId) -> bool {
    let mut seen = vec![false; uses.len()];
    let mut stack = vec![from];
    while let Some(subprogram) = stack.pop() {
        if subprogram == to {
            return true;
        }
        if !std::mem::replace(&mut seen[subprogram.index()], true) {
            stack.extend(&uses[subprogram.index()]);
        }
    }
    false
}
