//! The properties of a component as commitments: one list of atoms for a claim and all that it assumes, with names.

use std::collections::{BTreeSet, HashMap};

use rely_base::{ActionId, Id};
use rely_lts::{Binary, Observation, Unary};
use rely_omega::{AtomId, Commitment, Formula, Statement, Template};

use super::{Claim, Property, System};
use crate::component::{self, Component, Event, EventKind, Expr, Subject, Type, VariableRef};

impl System {
    /// The properties, in order.
    pub fn commitments(&self) -> Vec<Commitment<Observation>> {
        let sources = self.component.properties.iter();
        let commitment = |(property, source)| {
            let mut atoms = Atoms::new(&self.component);
            let mut commitment = atoms.commitment(property, source);
            (commitment.names, commitment.propositions) = atoms.into_observed().into_iter().unzip();
            commitment
        };
        self.properties.iter().zip(sources).map(commitment).collect()
    }

    /// The actions of each process, in order. Those of the environment are in none of them.
    pub fn processes(&self) -> Vec<Vec<ActionId>> {
        let mut processes = vec![Vec::new(); self.component.processes.len()];
        for (number, step) in self.steps.iter().enumerate() {
            if let Some(process) = step.process() {
                processes[process].push(ActionId::from_index(number));
            }
        }
        processes
    }

    /// What is asked of every component: that it does not get stuck while a message waits (`deadlock`), that no process fails
    /// (`safety`), and that no message waits for ever (`lost`). It is asked under as few assumptions as a property of the
    /// component makes: those of the first property of which no other makes only some.
    pub fn general_commitments(&self) -> Vec<Commitment<Observation>> {
        let commitments = self.commitments();
        let assumed = |it: &Commitment<Observation>| -> BTreeSet<String> {
            it.assuming.iter().map(|assumption| it.show(assumption)).collect()
        };
        let sets: Vec<BTreeSet<String>> = commitments.iter().map(assumed).collect();
        let is_least =
            |set: &BTreeSet<String>| !sets.iter().any(|other| other != set && other.is_subset(set));
        let first = sets.iter().position(is_least);
        let none = Commitment {
            name: String::new(),
            claim: Statement::Formula(Formula::True),
            assuming: Vec::new(),
            propositions: Vec::new(),
            names: Vec::new(),
        };
        let common = first.map_or(none, |first| commitments[first].clone());
        let mut general = Vec::new();
        let always = Statement::Template(Template::Always(Formula::True));
        for (name, condition) in
            [("deadlock", Some(self.stuck)), ("safety", None), ("lost", Some(self.any_lost))]
        {
            let mut commitment = common.clone();
            name.clone_into(&mut commitment.name);
            commitment.claim = match condition {
                None => always.clone(),
                Some(condition) => {
                    let atom = Formula::atom(AtomId::from_index(commitment.propositions.len()));
                    commitment.propositions.push(Observation::Condition(condition));
                    commitment
                        .names
                        .push(if name == "lost" { "a message waits for ever" } else { "stuck" }.to_owned());
                    Statement::Template(Template::Never(atom))
                }
            };
            general.push(commitment);
        }
        general
    }
}

/// The atoms of commitments: equal observations are one, with the name that it was met under first.
pub(super) struct Atoms<'c> {
    component: &'c Component,
    known: HashMap<Observation, AtomId>,
    observed: Vec<(String, Observation)>,
}

impl<'c> Atoms<'c> {
    pub(super) fn new(component: &'c Component) -> Self {
        Self { component, known: HashMap::new(), observed: Vec::new() }
    }

    /// A property over these atoms. What they stand for is filled in when all are known.
    pub(super) fn commitment(
        &mut self,
        property: &Property,
        source: &component::Property,
    ) -> Commitment<Observation> {
        let claim = self.statement(&property.claim, &source.claim);
        let assuming = property.assuming.iter().zip(&source.assuming);
        let assuming = assuming.map(|(claim, source)| self.statement(claim, source)).collect();
        let (propositions, names) = (Vec::new(), Vec::new());
        Commitment { name: property.name.to_string(), claim, assuming, propositions, names }
    }

    /// The atoms, each with its name.
    pub(super) fn into_observed(self) -> Vec<(String, Observation)> {
        self.observed
    }

    fn statement(&mut self, claim: &Claim, source: &component::Claim) -> Statement {
        let names = source.propositions.iter().map(|it| self.component.show(it));
        let keys: Vec<(String, Observation)> = names.zip(claim.propositions.iter().cloned()).collect();
        let atoms: Vec<AtomId> = keys.into_iter().map(|key| self.atom(key)).collect();
        claim.kind.renamed(&|atom| atoms[atom.index()])
    }

    fn atom(&mut self, key: (String, Observation)) -> AtomId {
        let fresh = AtomId::from_index(self.observed.len());
        let atom = *self.known.entry(key.1.clone()).or_insert(fresh);
        if atom == fresh {
            self.observed.push(key);
        }
        atom
    }
}

impl Component {
    /// A proposition as properties write it.
    fn show(&self, proposition: &component::Proposition) -> String {
        match proposition {
            component::Proposition::Event(event) => self.show_event(event),
            component::Proposition::State(expr) => self.show_expr(expr),
        }
    }

    fn show_event(&self, event: &Event) -> String {
        let name = self.subjects.iter().find(|(_, subject)| *subject == event.subject);
        let mut text = name.map_or_else(|| "?".to_owned(), |(name, _)| name.clone());
        if event.values.iter().any(Option::is_some) {
            let types: &[Type] = match event.subject {
                Subject::Port(port) => &self.ports[port].params,
                Subject::Message(it) => &self.processes[it.process].messages[it.message].params,
            };
            let show = |(value, ty): (&Option<i32>, &Type)| match value {
                Some(value) => ty.show(*value),
                None => "_".to_owned(),
            };
            let values: Vec<String> = event.values.iter().zip(types).map(show).collect();
            text.push_str(&format!("({})", values.join(", ")));
        }
        if event.kind == EventKind::Received {
            text.push_str(".received");
        }
        text
    }

    fn show_variable(&self, it: VariableRef) -> String {
        let process = &self.processes[it.process];
        format!("{}.{}", process.name, process.variables[it.variable].name)
    }

    fn show_expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Constant(value) => value.to_string(),
            Expr::Variable(it) => self.show_variable(*it),
            Expr::Element(it, index) => format!("{}[{}]", self.show_variable(*it), self.show_expr(index)),
            Expr::Unary(op, operand) => {
                let sign = match op {
                    Unary::Not => "!",
                    Unary::Negate => "-",
                };
                format!("{sign}{}", self.show_expr(operand))
            }
            Expr::Binary(op, first, second) => {
                let sign = match op {
                    Binary::And => "&&",
                    Binary::Or => "||",
                    Binary::Equal => "==",
                    Binary::NotEqual => "!=",
                    Binary::Less => "<",
                    Binary::LessOrEqual => "<=",
                    Binary::Add => "+",
                    Binary::Subtract => "-",
                    Binary::Multiply => "*",
                    Binary::Divide => "/",
                    Binary::Remainder | Binary::Modulo => "%",
                };
                format!("({} {sign} {})", self.show_expr(first), self.show_expr(second))
            }
        }
    }
}
