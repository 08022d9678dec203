//! Properties of components that are packaged: their evidence is judged on the component at hand before it is believed.
//!
//! A package says that a component has a property, and whoever wrote it may be wrong or lie. So nothing but the evidence is taken from it. It is judged
//! on the component as the text here has it, so that it does not matter which text was packaged, or by what name.

use rely_base::Budget;
use rely_certificate::{Claim, Evidence, Kind, Property, check};

use super::composed::Alone;
use crate::repository::Packages;

/// A property whose evidence has been accepted.
pub(super) struct Judged {
    /// The package.
    pub(super) package: String,
    /// The evidence, as a claim about the component here.
    pub(super) claim: Claim,
}

/// The first package whose evidence shows that a component keeps the commitment with a name.
pub(super) fn judged(
    packages: &dyn Packages,
    component: &str,
    alone: &Alone,
    name: &str,
    budget: &Budget<'_>,
) -> Option<Judged> {
    let commitment = alone.commitments.list.iter().find(|it| it.name == name)?;
    let property = Property::Commitment { commitment, scheduling: &alone.scheduling };
    for package in packages.of_component(component) {
        let is_about = |claim: &&Claim| {
            (claim.kind, claim.property.as_str()) == (Kind::Commitment, name)
                && claim.target == package.component
        };
        for claim in package.certificate.claims.iter().filter(is_about) {
            // Evidence by derivation is about parts: these are verified, or found in packages of their own.
            if matches!(claim.evidence, Evidence::Derivation(_)) {
                continue;
            }
            if check(claim, &alone.program, &property, budget).is_ok() {
                let claim = Claim { target: component.to_owned(), ..claim.clone() };
                return Some(Judged { package: package.name, claim });
            }
        }
    }
    None
}
