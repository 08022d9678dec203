//! Why a rule cannot be used.

use rely_interface::Inapplicable;
use rely_lts::Role;

use super::{InterfaceQuery, InterfaceQuestion};
use crate::explain;
use crate::report::Finding;
use crate::subject::Wanted;

impl InterfaceQuestion<'_> {
    /// Why the rule cannot be used, in the user's words.
    pub(super) fn refusal(&self, inapplicable: &Inapplicable) -> Finding {
        let InterfaceQuery { system, rule, .. } = self.query;
        let (message, help) = match inapplicable {
            Inapplicable::BadGroups => (
                format!(
                    "{rule} needs two groups of interface automata, and everything in `{system}` is in one"
                ),
                "choose the first group with --left, or ask `rely compatible`".to_owned(),
            ),
            Inapplicable::Open => {
                let open = [Role::Input, Role::Output].map(|role| {
                    let actions = self.problem.system.actions(role);
                    actions.iter().map(|name| format!("{name}{}", role.mark())).collect::<Vec<_>>()
                });
                (
                    format!(
                        "`{system}` is open, and {rule} is about closed systems: {}",
                        open.concat().join(", ")
                    ),
                    "compose it with its environment, or give --every-environment".to_owned(),
                )
            }
            Inapplicable::GoalTakesPart => (
                format!("`{}` does not only look on, as a property does", self.subject.wanted.name()),
                "declare it with `property`".to_owned(),
            ),
            Inapplicable::NotAtOnce => {
                let seen = match self.subject.wanted {
                    Wanted::Safe(_) | Wanted::CompatibleAndSafe(_) => "a property",
                    Wanted::Compatible | Wanted::Refines(_) => "a process",
                };
                (
                    format!("{rule} cannot be weak: {seen} may see what is done before something is taken"),
                    "leave --weak out, or ask about the whole with --strategy monolithic".to_owned(),
                )
            }
            Inapplicable::Signature(mismatches) => {
                let all: Vec<String> = mismatches.iter().map(ToString::to_string).collect();
                let specification = self.subject.wanted.name();
                (
                    format!("the signature of `{system}` does not fit `{specification}`: {}", all.join("; ")),
                    "a system has at least the inputs of its specification, and at most the outputs"
                        .to_owned(),
                )
            }
            Inapplicable::SpecificationChooses => {
                let specification = self.subject.wanted.name();
                (
                    format!(
                        "`{specification}` is nondeterministic or has internal steps, which {rule} does not allow for"
                    ),
                    format!(
                        "`rely refines` takes it, and leaves out what is sent and cannot be taken: ask `rely compatible \
                         --components {system} --every-environment` as well"
                    ),
                )
            }
        };
        let mut finding = Finding::without_place(explain::INAPPLICABLE, &message);
        finding.help = Some(help);
        finding
    }
}
