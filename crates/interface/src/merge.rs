//! Merging contracts: several views of one part, each of which may rely on the assumptions of all of them.
//!
//! **Problem.** Several contracts describe one part: one says what it does with orders, another what it does with
//! payments. Each assumes something about the environment and guarantees something in return. A part that meets the
//! conjunction ([`crate::conjoin`]) meets each contract in every environment that *this* contract accepts. That is
//! more than needed if the environment satisfies the assumptions of *all* of them: then the merged contract suffices.
//!
//! **Source.** [Passerone, Incer, Sangiovanni-Vincentelli 2019], for contracts that are pairs of an assumption and a
//! guarantee; here for interface automata.
//!
//! **Idea.** An input is accepted if all contracts that have it accept it, an output sent if all that have it send
//! it: the contracts run in parallel, synchronised on the actions that they share. A contract does not restrict
//! actions that it does not have.
//!
//! **Invariants.** The result is plain (see `algebra.rs`), and has the actions of all contracts. Laws, where A↑ is A with a
//! loop in each state for each action that only another contract has, and A|B is A↑ without the inputs that B↑ does not
//! accept, up to the first output that B↑ does not send:
//! - X ≼ A • B if and only if X ≼ A|B and X ≼ B|A, for all X with the signature of A • B;
//! - A↑ ∧ B↑ ≼ A • B, and the mirror of A • B is that of A merged with that of B.
//!
//! **Complexity.** The product of the sizes.
//!
//! **Callers.** `rely contract merge`.

use rely_base::{Alphabet, Budget};
use rely_explore::generate;
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::{Component, InterfaceAutomaton, Network, Role};

use crate::Refusal;
use crate::algebra::first_not_plain;
use crate::problem::over;

/// A • B • …: what a part described by several contracts has to do in an environment that satisfies all of them.
///
/// # Errors
/// A contract that is not plain, actions that one contract receives and another sends, or the limit of the budget that
/// was met.
pub fn merge(contracts: &[&InterfaceAutomaton], budget: &Budget<'_>) -> Result<InterfaceAutomaton, Refusal> {
    if let Some(bad) = first_not_plain(contracts) {
        return Err(Refusal::NotPlain(bad));
    }
    let disputed = disputed(contracts);
    if !disputed.is_empty() {
        return Err(Refusal::Disputed(disputed));
    }
    let component =
        |contract: &&InterfaceAutomaton| Component::new("", over(contract.lts(), &external(contract)));
    let product = generate(&Network::new(contracts.iter().map(component).collect()), budget)?;
    let role = |name: &str| {
        let of_one = contracts.iter().filter_map(|contract| contract.role_named(name));
        of_one.into_iter().find(|&role| role != Role::Internal).expect("an external action of a contract")
    };
    Ok(InterfaceAutomaton::with_roles(minimise(&product, Equivalence::Strong, budget)?, role))
}

/// The inputs and outputs of a contract.
fn external(contract: &InterfaceAutomaton) -> Alphabet {
    let alphabet = contract.lts().alphabet();
    alphabet
        .iter()
        .filter(|&(action, _)| contract.role(action) != Role::Internal)
        .map(|(_, name)| name)
        .collect()
}

/// The actions that are inputs of one contract and outputs of another, in dictionary order.
pub(crate) fn disputed(contracts: &[&InterfaceAutomaton]) -> Vec<String> {
    let has =
        |name: &str, role: Role| contracts.iter().any(|contract| contract.role_named(name) == Some(role));
    let all: Alphabet = contracts.iter().flat_map(|contract| contract.lts().alphabet().names()).collect();
    let names = all.sorted_names().into_iter();
    names.filter(|name| has(name, Role::Input) && has(name, Role::Output)).map(str::to_owned).collect()
}
