//! The properties of a component over the slots and actions of its program.

use std::sync::Arc;

use rely_lts::{Array, Binary, Observation};

use super::emit::Writer;
use super::term::{self, Term};
use super::{Claim, Property, System};
use crate::component::{self, Expr};

impl Writer<'_> {
    /// The properties; what their events are is filled in when the actions are known.
    pub(super) fn properties(&mut self) -> Vec<Property> {
        let component = self.component;
        let mut properties = Vec::new();
        for property in &component.properties {
            let claim = self.claim(&property.claim);
            let assuming = property.assuming.iter().map(|it| self.claim(it)).collect();
            let (name, place) = (Arc::clone(&property.name), property.place);
            properties.push(Property { name, claim, assuming, place });
        }
        properties
    }

    fn claim(&mut self, claim: &component::Claim) -> Claim {
        let propositions = claim.propositions.iter().map(|proposition| match proposition {
            component::Proposition::Event(_) => Observation::Actions(Vec::new()),
            component::Proposition::State(expr) => Observation::Condition(self.observed(expr).id),
        });
        Claim { propositions: propositions.collect(), kind: claim.kind.clone(), place: claim.place }
    }

    /// An expression over the slots of all processes.
    fn observed(&mut self, expr: &Expr) -> Term {
        match expr {
            Expr::Constant(value) => term::constant(&mut self.program, *value),
            Expr::Variable(it) => {
                term::opaque(self.program.value(self.layouts[it.process].variables[it.variable]))
            }
            Expr::Element(it, index) => {
                let index = self.observed(index);
                let array = self.component.processes[it.process].variables[it.variable].array;
                let (low, length) = array.unwrap_or((0, 1));
                let low = term::constant(&mut self.program, i64::from(low));
                let index = term::binary(&mut self.program, Binary::Subtract, index, low);
                let array = Array { first: self.layouts[it.process].variables[it.variable], length };
                term::opaque(self.program.element(array, index.id))
            }
            Expr::Unary(op, operand) => {
                let operand = self.observed(operand);
                term::unary(&mut self.program, *op, operand)
            }
            Expr::Binary(op, first, second) => {
                let (first, second) = (self.observed(first), self.observed(second));
                term::binary(&mut self.program, *op, first, second)
            }
        }
    }
}

impl System {
    /// Fills in which actions the events of the properties are.
    pub(super) fn resolve_events(&mut self) {
        let component = Arc::clone(&self.component);
        let mut properties = std::mem::take(&mut self.properties);
        for (property, source) in properties.iter_mut().zip(&component.properties) {
            let claims = [&mut property.claim].into_iter().chain(&mut property.assuming);
            for (claim, source) in claims.zip([&source.claim].into_iter().chain(&source.assuming)) {
                for (proposition, source) in claim.propositions.iter_mut().zip(&source.propositions) {
                    if let component::Proposition::Event(event) = source {
                        *proposition = Observation::Actions(self.actions(event));
                    }
                }
            }
        }
        self.properties = properties;
    }
}
