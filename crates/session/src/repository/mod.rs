//! `repository`: components that are packaged with their verified properties, and what they are found and used by.
//!
//! **Problem.** A component is verified once, by somebody who has time, and used many times by others. What they find has to be
//! true, although they have not verified it, and although others may have written to the repository.
//!
//! **Source.** The repository of verified components of [Xie & Browne 2003].
//!
//! **Idea.** A [`Package`] has all texts that the component is made of, and a certificate. Nothing else that it says is of any
//! importance: interface, claims and assumptions are read from the texts whenever somebody wants to know them. What is
//! [packed](pack) has been checked, and its certificate has been accepted by the judge. Whoever uses a package has the certificate
//! judged once more, on the texts of the package ([`judge_package`]) or on the component of their own (`verify/packaged.rs`), so
//! that a forged package is refused and a component that was changed meanwhile is not taken for the one that was packaged.
//!
//! After a change, [`renew`] judges the old evidence about the new texts first. Only what is not accepted is verified again.
//!
//! **Search.** By interface: what is taken and given. By a property: the component with this one property, as a composition of one part, is
//! verified from the packaged properties (`verify/composed.rs`). By another package: all of its properties are asked for.

mod pack;
mod package;
mod search;

pub use pack::{Packed, judge_package, pack, renew};
pub use package::{Define, PACKAGE_SCHEMA, Package, PackageSource, PackageText};
pub use search::{SearchQuery, search};

/// Where packages are found.
pub trait Packages {
    /// The packages of components with a name, whatever is in them. They are judged before they are believed.
    fn of_component(&self, component: &str) -> Vec<Package>;
}

/// Some packages that are at hand.
impl Packages for Vec<Package> {
    fn of_component(&self, component: &str) -> Vec<Package> {
        self.iter().filter(|package| package.component == component).cloned().collect()
    }
}
