//! Simplification of formulas by rewriting.
//!
//! Problem: the size of an automaton depends more on how a formula is written than on anything that comes later.
//!
//! Source: the rewritings of [Somenzi & Bloem 2000] and of [Babiak, Křetínský, Řehák & Strejček 2012].
//!
//! Idea: the constructors of [`NormalForms`] apply them bottom-up. Only ∧, X and U have rules of their own; ∨ and R
//! go through the negation. A form that no finite prefix matters for (`GF f`, `FG f` and their combinations) moves
//! out of every temporal operator. `F` is merged over ∨ and `G` over ∧, but never so that a `GF` or `FG` is lost.
//!
//! Complexity: each rule makes the form smaller or moves an X or a suspendable form outwards. Operands are compared
//! in pairs only where there are few, so that wide formulas stay linear.

use rustc_hash::FxHashMap;

use crate::Formula;
use crate::normal_form::{Form, FormId, NormalForms};

/// Conjunctions with more operands than this are not searched for pairs of which one implies the other.
const MAX_COMPARED: usize = 40;

/// How much larger a formula may become by writing it in negation normal form.
pub(crate) const GROWTH: usize = 8;

/// The conjunction or the disjunction.
type Join = fn(&mut NormalForms, Vec<FormId>) -> FormId;

impl Formula {
    /// An equivalent formula, simplified and in negation normal form.
    ///
    /// Nested `<->` double with each level when they are written out as a tree: where the result would be much larger
    /// than the formula itself, that is returned as it is.
    #[must_use]
    pub fn simplified(&self) -> Self {
        let mut forms = NormalForms::new();
        let form = forms.enter_formula(self);
        if forms.traits(form).size > self.size().saturating_mul(GROWTH) {
            self.clone()
        } else {
            forms.to_formula(form)
        }
    }
}

impl NormalForms {
    /// The conjunction.
    pub(crate) fn and(&mut self, operands: Vec<FormId>) -> FormId {
        let mut operands = self.flatten(operands);
        loop {
            operands.sort_unstable();
            operands.dedup();
            // A form and its negation have neighbouring numbers.
            if operands.contains(&FormId::FALSE)
                || operands.windows(2).any(|pair| pair[0] == pair[1].negated())
            {
                return FormId::FALSE;
            }
            operands.retain(|&operand| operand != FormId::TRUE);
            let rewritten = self.merge_operands(&operands).or_else(|| self.absorb(&operands));
            match rewritten {
                Some(rewritten) => operands = self.flatten(rewritten),
                None => break,
            }
        }
        match *operands {
            [] => FormId::TRUE,
            [operand] => operand,
            _ => self.enter(Form::And(operands)),
        }
    }

    /// The disjunction.
    pub(crate) fn or(&mut self, operands: Vec<FormId>) -> FormId {
        self.and(operands.into_iter().map(FormId::negated).collect()).negated()
    }

    /// `X f`.
    pub(crate) fn next(&mut self, operand: FormId) -> FormId {
        if self.traits(operand).suspendable { operand } else { self.enter(Form::Next(operand)) }
    }

    /// `G f`.
    pub(crate) fn always(&mut self, operand: FormId) -> FormId {
        self.release(FormId::FALSE, operand)
    }

    /// `F f`.
    pub(crate) fn eventually(&mut self, operand: FormId) -> FormId {
        self.until(FormId::TRUE, operand)
    }

    /// `f R g`.
    pub(crate) fn release(&mut self, left: FormId, right: FormId) -> FormId {
        self.until(left.negated(), right.negated()).negated()
    }

    /// `f U g`.
    pub(crate) fn until(&mut self, left: FormId, right: FormId) -> FormId {
        if self.traits(right).suspendable || self.implies(left, right) {
            return right;
        }
        if let Some(form) = self.until_moved_inwards(left, right) {
            return form;
        }
        if left == FormId::TRUE {
            return match self.eventually_rewritten(right) {
                Some(form) => form,
                None => self.enter(Form::Until(left, right)),
            };
        }
        if self.implies(right.negated(), left) {
            return self.eventually(right);
        }
        if self.traits(left).suspendable {
            let later = self.eventually(right);
            let meanwhile = self.and(vec![left, later]);
            return self.or(vec![right, meanwhile]);
        }
        match (self.form(left).clone(), self.form(right).clone()) {
            // f U (g U h) is g U h when f implies g, and (f U g) U g is f U g.
            (_, Form::Until(middle, _)) if self.implies(left, middle) => right,
            (Form::Until(_, middle), _) if middle == right => left,
            _ => self.enter(Form::Until(left, right)),
        }
    }

    /// `f U g` where a next operator or a suspendable operand comes out.
    fn until_moved_inwards(&mut self, left: FormId, right: FormId) -> Option<FormId> {
        if let &Form::Next(later) = self.form(right) {
            let before = match *self.form(left) {
                Form::True => Some(FormId::TRUE),
                Form::Next(before) => Some(before),
                _ => None,
            };
            return before.map(|before| {
                let until = self.until(before, later);
                self.next(until)
            });
        }
        // f U (s ∧ g) is s ∧ f U g, and f U (s ∨ g) is s ∨ f U g.
        let (operands, join): (Vec<FormId>, Join) = match self.form(right) {
            Form::And(operands) => (operands.clone(), Self::and),
            Form::Or(operands) => (operands.clone(), Self::or),
            _ => return None,
        };
        let (mut outside, inside): (Vec<FormId>, Vec<FormId>) =
            operands.into_iter().partition(|&operand| self.traits(operand).suspendable);
        if outside.is_empty() {
            return None;
        }
        let inside = join(self, inside);
        outside.push(self.until(left, inside));
        Some(join(self, outside))
    }

    /// `F f` where it can be written more simply.
    fn eventually_rewritten(&mut self, operand: FormId) -> Option<FormId> {
        match self.form(operand).clone() {
            Form::Until(_, right) => Some(self.eventually(right)),
            Form::Or(operands) => {
                // F (f ∨ g U h) is F (f ∨ h), and F (f ∨ G g) is F f ∨ FG g.
                let reached = |forms: &Self, operand: FormId| match *forms.form(operand) {
                    Form::Until(_, right) => right,
                    _ => operand,
                };
                let simpler: Vec<FormId> = operands.iter().map(|&operand| reached(self, operand)).collect();
                if simpler != operands {
                    let simpler = self.or(simpler);
                    return Some(self.eventually(simpler));
                }
                operands.iter().any(|&operand| self.always_of(operand).is_some()).then(|| {
                    let apart = operands.into_iter().map(|operand| self.eventually(operand)).collect();
                    self.or(apart)
                })
            }
            _ => None,
        }
    }

    /// The operands, with those of conjunctions among them in their place.
    fn flatten(&self, operands: Vec<FormId>) -> Vec<FormId> {
        let mut flat = Vec::with_capacity(operands.len());
        for operand in operands {
            match self.form(operand) {
                Form::And(inner) => flat.extend_from_slice(inner),
                _ => flat.push(operand),
            }
        }
        flat
    }

    /// Conjuncts with the same outermost operator made one: X f ∧ X g, G f ∧ G g, FG f ∧ FG g.
    fn merge_operands(&mut self, operands: &[FormId]) -> Option<Vec<FormId>> {
        let mut kept = Vec::new();
        let mut groups: [Vec<FormId>; 3] = Default::default();
        for &operand in operands {
            let persistent = self.eventually_of(operand).and_then(|later| self.always_of(later));
            let invariant = self.always_of(operand).filter(|&always| self.eventually_of(always).is_none());
            match (self.form(operand), invariant, persistent) {
                (&Form::Next(inner), ..) => groups[0].push(inner),
                (_, Some(inner), _) => groups[1].push(inner),
                (_, _, Some(inner)) => groups[2].push(inner),
                _ => kept.push(operand),
            }
        }
        if groups.iter().all(|group| group.len() < 2) {
            return None;
        }
        for (kind, group) in groups.into_iter().enumerate().filter(|(_, group)| !group.is_empty()) {
            let merged = self.and(group);
            kept.push(match kind {
                0 => self.next(merged),
                1 => self.always(merged),
                _ => {
                    let always = self.always(merged);
                    self.eventually(always)
                }
            });
        }
        Some(kept)
    }

    /// Conjuncts that others make superfluous left out: f ∧ (f ∨ g), f ∧ (¬f ∨ g), and f ∧ g where f implies g.
    fn absorb(&mut self, operands: &[FormId]) -> Option<Vec<FormId>> {
        // What an operand is left out or shortened for is smaller than itself, so all can be looked at together.
        let has = |form: FormId| operands.binary_search(&form).is_ok();
        let mut rewritten = Vec::with_capacity(operands.len());
        for &operand in operands {
            let Form::Or(alternatives) = self.form(operand).clone() else {
                rewritten.push(operand);
                continue;
            };
            if alternatives.iter().any(|&alternative| has(alternative)) {
                continue;
            }
            let possible: Vec<FormId> =
                alternatives.iter().copied().filter(|alternative| !has(alternative.negated())).collect();
            rewritten.push(if possible.len() < alternatives.len() { self.or(possible) } else { operand });
        }
        if rewritten != operands {
            return Some(rewritten);
        }
        if operands.len() > MAX_COMPARED {
            return None;
        }
        for (place, &weaker) in operands.iter().enumerate() {
            for &stronger in operands.iter().filter(|&&stronger| stronger != weaker) {
                if self.implies(stronger, weaker.negated()) {
                    return Some(vec![FormId::FALSE]);
                }
                if self.implies(stronger, weaker) {
                    return Some(without(operands, place));
                }
            }
        }
        None
    }

    /// The form as a formula.
    pub(crate) fn to_formula(&self, id: FormId) -> Formula {
        let mut formulas: FxHashMap<FormId, Formula> = FxHashMap::default();
        let mut pending = vec![id];
        while let Some(&next) = pending.last() {
            let missing: Vec<FormId> = self.form(next).operands();
            let missing: Vec<FormId> =
                missing.into_iter().filter(|operand| !formulas.contains_key(operand)).collect();
            if missing.is_empty() {
                formulas.insert(next, self.formula_over(next, &formulas));
                pending.pop();
            } else {
                pending.extend(missing);
            }
        }
        formulas.remove(&id).expect("the last form that is done is the whole")
    }

    /// The formula of a form whose operands have theirs.
    fn formula_over(&self, id: FormId, formulas: &FxHashMap<FormId, Formula>) -> Formula {
        let of = |operand: &FormId| formulas[operand].clone();
        match self.form(id) {
            Form::True => Formula::True,
            Form::False => Formula::False,
            &Form::Literal { atom, positive: true } => Formula::Atom(atom),
            &Form::Literal { atom, positive: false } => Formula::Atom(atom).negated(),
            Form::And(operands) => Formula::all(operands.iter().map(of)),
            Form::Or(operands) => Formula::any(operands.iter().map(of)),
            Form::Next(operand) => of(operand).next(),
            Form::Until(left, right) => of(left).until(of(right)),
            Form::Release(left, right) => of(left).release(of(right)),
        }
    }
}

/// The operands but for one.
fn without(operands: &[FormId], place: usize) -> Vec<FormId> {
    let mut rest = operands.to_vec();
    rest.remove(place);
    rest
}
