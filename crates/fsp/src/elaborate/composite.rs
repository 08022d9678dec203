//! Composites: the parts of a composition, and which of them have to be built first.
//!
//! A composite that is only a parallel composition is replaced by its parts: the product is not built before it is
//! needed. One with hiding, priority or a keyword is built and becomes a single part; so does one whose relabelling
//! makes two actions the same, because the parts would then synchronise on actions that they do not share.

use std::sync::Arc;

use rely_base::{Diagnostic, Span};
use rely_lts::equivalence;
use rely_lts::{Component, Lts, Network, Rank};
use rely_model::{DEFAULT, PartKind, PartName, Reduction, Target, reduced};

use super::definitions::{instance, instance_name};
use super::labels::MAX_LABEL_LENGTH;
use super::piece::{Part, Piece};
use super::relabel::Prefixes;
use super::scope::{Scope, Value};
use super::{Built, Elaborator, Fallible, Reported, codes};
use crate::ast::{Call, Composite, CompositeDef, CompositeKind, Instance, Name};

/// Maximum number of parts of a composition.
const MAX_PARTS: usize = 1 << 14;

impl<'a> Elaborator<'a> {
    /// The target with a name.
    pub(super) fn elaborate_target(&mut self, name: &str) -> Fallible<Target> {
        if let Some(def) = self.composite(name) {
            return self.composite_target(def, None, def.name.span);
        }
        // If there are composites, a process may have the name `DEFAULT`.
        let is_for_all = self.definitions.composites.is_empty() || !self.is_defined(DEFAULT);
        if name == DEFAULT && is_for_all { self.default_target() } else { self.process_target(name) }
    }

    /// A process with its default parameters.
    fn process_named(&mut self, name: &str) -> Fallible<Built> {
        let nowhere = Span::new(0, 0);
        if !self.is_defined(name) {
            return Err(self.undefined_process(name, nowhere));
        }
        let call = Call { name: Name { text: name.into(), span: nowhere }, arguments: None, span: nowhere };
        self.part(&call, None)
    }

    /// A process as a target. As for a composite, its own hiding is left to the network.
    fn process_target(&mut self, name: &str) -> Fallible<Target> {
        let about = self.about(name);
        let Built { lts, signature, mut states, before_hiding, origin } = self.process_named(name)?;
        let component = |lts: &Arc<Lts>| Component { name: name.to_owned(), lts: Arc::clone(lts) };
        let network = match before_hiding {
            Some(open) => {
                states = Some(open.states);
                Network::new(vec![component(&open.lts)]).with_hidden(|name| !lts.alphabet().contains(name))
            }
            None => Network::new(vec![component(&lts)]),
        };
        let target = Target::of_processes(name, network);
        Ok(Target { parts: vec![rely_model::Part { signature, states, origin, ..about }], ..target })
    }

    /// The composition of all processes of the file.
    fn default_target(&mut self) -> Fallible<Target> {
        let mut parts = Vec::new();
        let mut failure = None;
        for name in self.definitions.order.clone() {
            if self.composite(&name).is_some() {
                continue;
            }
            match self.process_named(&name) {
                Ok(Built { lts, signature, states, origin, .. }) => {
                    let about = rely_model::Part { signature, states, origin, ..self.about(&name) };
                    parts.push(Part::new(about, lts));
                }
                Err(reported @ Reported(Some(_))) => return Err(reported),
                Err(reported) => failure = Some(reported),
            }
        }
        if let Some(reported) = failure {
            return Err(reported);
        }
        if parts.is_empty() && self.file.flaws.has_errors {
            // The processes may be in the parts of the text that could not be read.
            return Err(Reported::already());
        }
        if parts.is_empty() {
            return Err(self.report(
                Diagnostic::error(
                    codes::EMPTY_COMPOSITION,
                    Span::new(0, 0),
                    "the file defines no process, so there is nothing to analyse",
                )
                .with_help("a process is written `P = (a -> P).`"),
            ));
        }
        if parts.len() > MAX_PARTS {
            return Err(self.too_large(Span::new(0, 0)));
        }
        self.composed(&parts)?;
        self.warn_sequenced();
        let (components, parts) = separate(parts);
        Ok(Target { parts, ..Target::of_processes(DEFAULT, Network::new(components)) })
    }

    /// Warns of processes that only LTSA would put into [`DEFAULT`], because a sequence calls them. LTSA has this
    /// target only in files without composites.
    fn warn_sequenced(&mut self) {
        let mut sequenced = std::mem::take(&mut self.sequenced);
        // One warning for each process, at the first place.
        sequenced.sort_unstable();
        sequenced.dedup_by(|(later, _), (earlier, _)| later == earlier);
        if !self.definitions.composites.is_empty() {
            return;
        }
        for (instance, span) in sequenced {
            let message =
                format!("`{instance}` is no part of `{DEFAULT}`; in LTSA it is one, beside this sequence");
            self.report(
                Diagnostic::warning(codes::SEQUENCED, span, message)
                    .with_help("define what is to be composed, such as `||SYSTEM = (P || Q).`"),
            );
        }
    }

    /// A composite with actual parameters, as a target.
    fn composite_target(
        &mut self,
        def: &'a CompositeDef,
        arguments: Option<&[Value]>,
        call: Span,
    ) -> Fallible<Target> {
        let instance = instance_name(&def.name.text, arguments);
        let (parts, scope) = self.parts(def, arguments, call)?;
        if parts.is_empty() {
            let message = format!("composite `{instance}` has no parts");
            return Err(self.report(Diagnostic::error(codes::EMPTY_COMPOSITION, def.span, message)));
        }
        self.hold(parts.iter().map(|part| part.bytes(1, 0)).sum())?;
        let signature = self.composed(&parts)?;
        if signature.is_some() {
            self.check_interface_keywords(&def.name, def.modifiers)?;
        }
        let (components, parts) = separate(parts);
        let mut network = Network::new(components);
        let alphabet = network.alphabet().clone();
        let actions = Prefixes::of(alphabet.names());
        if let Some(priority) = &def.priority {
            let names = self.selection(&priority.labels, &scope, &actions)?;
            let rank = if priority.high { Rank::High } else { Rank::Low };
            network = network.with_priority(rank, |name| names.covers(name));
        }
        if let Some(hiding) = &def.hiding {
            let hidden = self.hidden_names(hiding, &scope, &actions)?;
            if let Some(signature) = &signature {
                self.check_hidden(signature, &hidden, hiding.labels.span)?;
            }
            network = network.with_hidden(hidden);
        }
        let modifiers = def.modifiers;
        let reduction = Reduction {
            deterministic: modifiers.deterministic,
            minimal: modifiers.minimal,
            property: modifiers.property,
        };
        Ok(Target {
            name: instance,
            behaviour: network,
            reduction,
            parts,
            overapproximates: None,
            uses: Arc::default(),
        })
    }

    /// The parts of a composite with actual parameters, and the scope of its definition.
    fn parts(
        &mut self,
        def: &'a CompositeDef,
        arguments: Option<&[Value]>,
        call: Span,
    ) -> Fallible<(Vec<Part>, Scope)> {
        self.used.insert(Arc::clone(&def.name.text));
        let scope = self.parameters(&def.name, &def.params, arguments, call)?;
        // A process may have the same name as the composite that uses it.
        let active = format!("||{}", instance_name(&def.name.text, arguments));
        let pieces = self.within(&active, call, |elaborator| elaborator.pieces(&def.body, &scope))?;
        Ok((pieces.into_iter().flat_map(Piece::into_parts).collect(), scope))
    }

    /// The pieces of a composite expression.
    fn pieces(&mut self, composite: &'a Composite, scope: &Scope) -> Fallible<Vec<Piece>> {
        match &composite.kind {
            CompositeKind::If { condition, then, otherwise } => {
                if self.condition(condition, scope)? {
                    self.pieces(then, scope)
                } else {
                    otherwise.as_ref().map_or(Ok(Vec::new()), |otherwise| self.pieces(otherwise, scope))
                }
            }
            CompositeKind::Forall { indices, body } => {
                let mut pieces = Vec::new();
                let mut count = 0;
                for scope in self.each(indices, scope)? {
                    let more = self.pieces(body, &scope)?;
                    self.check_parts(&more, &mut count, composite.span)?;
                    pieces.extend(more);
                }
                Ok(pieces)
            }
            CompositeKind::Instance { share, prefix, of, relabels } => {
                let shared = share.as_ref().map(|share| self.names(share, scope)).transpose()?;
                let relabels = self.relabels(relabels, scope)?;
                let mut pieces = match prefix {
                    None => self.instances(of, scope)?,
                    Some(prefix) => {
                        let mut pieces = Vec::new();
                        let mut count = 0;
                        for instance in self.expand(prefix, scope)? {
                            let inner = self.instances(of, &scope.extended(&instance.bindings))?;
                            self.check_parts(&inner, &mut count, prefix.span)?;
                            self.pay(&inner, 1, instance.name.len(), prefix.span)?;
                            pieces.extend(inner.into_iter().map(|piece| piece.prefixed(&instance.name)));
                        }
                        pieces
                    }
                };
                // As in LTSA, a process with an empty set of sharing labels keeps its labels.
                if let Some(shared) = shared.as_ref().filter(|shared| !shared.is_empty()) {
                    let longest = shared.iter().map(String::len).max().unwrap_or(0);
                    self.pay(&pieces, shared.len(), longest, composite.span)?;
                    pieces = pieces.into_iter().map(|piece| piece.shared_by(shared)).collect();
                }
                if relabels.relabelling.is_empty() {
                    return Ok(pieces);
                }
                let parts = pieces.iter().flat_map(Piece::parts);
                let actions = Prefixes::of(parts.flat_map(|part| part.component.lts.alphabet().names()));
                self.warn_idle_relabels(&relabels, &actions);
                for part in pieces.iter().flat_map(Piece::parts) {
                    self.pay_for_relabelling(&part.component.lts, &relabels.relabelling)?;
                }
                pieces.into_iter().map(|piece| self.relabelled(piece, &relabels.relabelling)).collect()
            }
        }
    }

    fn instances(&mut self, of: &'a Instance, scope: &Scope) -> Fallible<Vec<Piece>> {
        match of {
            Instance::Call(call) => {
                let arguments = self.arguments(call, scope)?;
                Ok(vec![self.called(call, arguments.as_deref())?])
            }
            Instance::Parallel(parts) => {
                // After an error in one part, the others are still elaborated.
                let mut pieces = Ok(Vec::new());
                let mut count = 0;
                for part in parts {
                    match (self.pieces(part, scope), &mut pieces) {
                        (Err(reported), _) => pieces = Err(reported),
                        (Ok(more), Ok(pieces)) => {
                            self.check_parts(&more, &mut count, part.span)?;
                            pieces.extend(more);
                        }
                        (Ok(_), Err(_)) => {}
                    }
                }
                pieces
            }
        }
    }

    /// Adds the number of parts of some more pieces, and checks the limit.
    fn check_parts(&mut self, more: &[Piece], count: &mut usize, span: Span) -> Fallible<()> {
        *count += more.iter().map(|piece| piece.parts().len()).sum::<usize>();
        if *count > MAX_PARTS { Err(self.too_large(span)) } else { Ok(()) }
    }

    /// Pays for copies of all parts, whose actions are multiplied and become longer.
    fn pay(&mut self, pieces: &[Piece], copies: usize, longer: usize, span: Span) -> Fallible<()> {
        let parts = || pieces.iter().flat_map(Piece::parts);
        let names = parts().flat_map(|part| part.component.lts.alphabet().names());
        let length = names.map(str::len).max().unwrap_or(0);
        if length + longer > MAX_LABEL_LENGTH {
            return Err(self.too_large(span));
        }
        let bytes = parts().map(|part| part.bytes(copies, longer));
        let bytes = bytes.fold(0, usize::saturating_add);
        self.spend(bytes / 64)?;
        self.hold(bytes)
    }

    /// The process or composite that a call names.
    fn called(&mut self, call: &Call, arguments: Option<&[Value]>) -> Fallible<Piece> {
        let Some(def) = self.unbuilt_composite(call) else {
            let name = PartName::new(instance(&call.name.text, arguments));
            let Built { lts, signature, states, origin, .. } = self.part(call, arguments)?;
            let about = rely_model::Part { name, signature, states, origin, ..self.about(&call.name.text) };
            return Ok(Piece::Part(Part::new(about, lts)));
        };
        // Inside another composite, a recursion may end in a composite without parts.
        let (parts, _) = self.parts(def, arguments, call.span)?;
        self.hold(parts.iter().map(|part| part.bytes(1, 0)).sum())?;
        let instance = instance(&def.name.text, arguments);
        let qualified = |part: Part| part.within(rely_model::Scope::Composite(instance.clone()));
        let parts = parts.into_iter().map(qualified).collect();
        let about = rely_model::Part { name: PartName::new(instance), ..self.about(&def.name.text) };
        Ok(Piece::Group { about, parts })
    }

    /// The composite that a call means, if it is a mere parallel composition.
    fn unbuilt_composite(&self, call: &Call) -> Option<&'a CompositeDef> {
        if self.is_primitive(&call.name.text) {
            return None;
        }
        self.composite(&call.name.text).filter(|def| {
            def.hiding.is_none()
                && def.priority.is_none()
                && !def.modifiers.deterministic
                && !def.modifiers.minimal
                && !def.modifiers.property
                && !def.modifiers.compose
        })
    }

    /// Whether a name is that of a process that is not a composite.
    pub(super) fn is_primitive(&self, name: &str) -> bool {
        let definitions = &self.definitions;
        definitions.processes.contains_key(name)
            || definitions.imports.contains_key(name)
            || definitions.constraints.contains_key(name)
    }

    /// The description of an instance of a definition without arguments, before it is elaborated.
    fn about(&self, definition: &str) -> rely_model::Part {
        let definitions = &self.definitions;
        let name = None
            .or_else(|| definitions.processes.get(definition).map(|def| &def.name))
            .or_else(|| definitions.imports.get(definition).map(|def| &def.name))
            .or_else(|| definitions.constraints.get(definition).map(|def| &def.name))
            .or_else(|| self.composite(definition).map(|def| &def.name));
        let kind = match definitions.constraints.get(definition) {
            _ if self.is_property(definition) => PartKind::Property,
            Some(_) => PartKind::Constraint,
            None => PartKind::Process,
        };
        rely_model::Part { place: name.map(|name| name.span), kind, ..rely_model::Part::new(definition) }
    }

    /// The process or composite that a call names, as one transition system.
    pub(super) fn part(&mut self, call: &Call, arguments: Option<&[Value]>) -> Fallible<Built> {
        let name = &call.name.text;
        if let Some(&def) = self.definitions.processes.get(name) {
            return self.process(def, arguments, call.span);
        }
        if let Some(&def) = self.definitions.imports.get(name) {
            return self.import(def);
        }
        if let Some(&def) = self.definitions.constraints.get(name) {
            return self.constraint(def, call, arguments);
        }
        let Some(def) = self.composite(name) else {
            return Err(self.undefined_process(name, call.name.span));
        };
        let instance = instance_name(name, arguments);
        if let Some(built) = self.recall(&instance) {
            return Ok(built);
        }
        self.build(instance, |elaborator, _| {
            let target = elaborator.composite_target(def, arguments, call.span)?;
            let product = rely_explore::generate(&target.behaviour, &elaborator.budget)?;
            if !target.is_interface() {
                elaborator.warn_lost_divergence(&def.name, &product, target.reduction)?;
            }
            let lts = Arc::new(reduced(product, &target, &elaborator.budget)?);
            let signature = target.signature().map(Arc::new);
            Ok(Built { lts, signature, states: None, before_hiding: None, origin: target.origin() })
        })
    }

    /// Warns if a reduction that the user asked for makes endless silent work look like termination.
    pub(super) fn warn_lost_divergence(
        &mut self,
        name: &Name,
        lts: &Lts,
        reduction: Reduction,
    ) -> Fallible<()> {
        let Reduction { deterministic, minimal, property } = reduction;
        if (deterministic || minimal || property) && equivalence::diverges(lts, &self.budget)? {
            let message = format!("`{}` can work silently for ever, which its reduction hides", name.text);
            self.report(
                Diagnostic::warning(codes::DIVERGENCE_LOST, name.span, message)
                    .with_help("deadlocks that are reported may come from this"),
            );
        }
        Ok(())
    }
}

/// The components of some parts, and their descriptions.
fn separate(parts: Vec<Part>) -> (Vec<Component>, Vec<rely_model::Part>) {
    parts.into_iter().map(|Part { component, about }| (component, about)).unzip()
}
