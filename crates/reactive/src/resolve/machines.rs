//! Machines: their states, flattened, and their transitions without conditions.
//!
//! A state belongs to the innermost block that declares it with `state`; if none does, to the innermost block with a
//! transition from it, and else to the innermost block with a transition to it. The first state that a block names is its
//! initial one.

use rely_base::{Diagnostic, Id, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::numbers::{is_arithmetic, single_name};
use super::{Instance, MAX_INSTANCES, Names, Raw, Resolver, Scope, indexed};
use crate::ast::{self, BinaryOp, Expr, ExprKind, MachinePart, UnaryOp};
use crate::codes;
use crate::system::{Machine, MachineId, Timer};

/// How a block names a state; the first kind is the strongest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Naming {
    Declared,
    Source,
    Target,
}

/// A place where a state is named.
struct Mention {
    state: String,
    naming: Naming,
    block: usize,
}

/// The body of a machine or of a state with states in it.
struct Block {
    depth: usize,
    /// The state that it is the body of; the machine itself has none.
    state: Option<String>,
    /// The states in it, in the order in which it names them.
    members: Vec<String>,
}

/// A transition for some values of its indices, and the block that it stands in.
struct Expanded<'a> {
    def: &'a ast::TransitionDef,
    scope: Scope,
    from: String,
    to: String,
}

/// The states of a machine before they are flattened.
#[derive(Default)]
struct Tree<'a> {
    blocks: Vec<Block>,
    mentions: Vec<Mention>,
    transitions: Vec<Expanded<'a>>,
    /// Where each state that is declared with `state` is declared.
    declared: FxHashMap<String, Span>,
    /// The block of each state with states in it.
    bodies: FxHashMap<String, usize>,
    /// The block that each state belongs to.
    home: FxHashMap<String, usize>,
}

impl<'a> Resolver<'a> {
    /// Adds the machines that a definition stands for.
    pub(super) fn machine_instances(&mut self, def: &'a ast::MachineDef, scope: &Scope, names: &mut Names) {
        for scope in self.bindings(&def.binders, scope) {
            let own = indexed(&def.name.text, &def.binders, &scope);
            if !names.add(self, &own, def.name.span) || !self.pay(def.name.span) {
                continue;
            }
            let name = self.qualified(scope.component, &own);
            self.system.machines.push(Machine {
                name,
                definition: def.name.text.to_string(),
                place: def.name.span,
                component: scope.component,
                states: Vec::new(),
                initial: 0,
                timers: Vec::new(),
                transitions: Vec::new(),
            });
            self.machine_defs.push(Instance { def, scope });
        }
    }

    /// Finds the states, transitions and sent events of all machines.
    pub(super) fn machines(&mut self) {
        for number in 0..self.machine_defs.len() {
            let Instance { def, scope } = &self.machine_defs[number];
            let (def, scope) = (*def, scope.clone());
            self.machine(MachineId::from_index(number), def, &scope);
        }
        self.taken();
    }

    fn machine(&mut self, id: MachineId, def: &'a ast::MachineDef, scope: &Scope) {
        let mut tree = Tree::default();
        tree.blocks.push(Block { depth: 0, state: None, members: Vec::new() });
        self.walk(&def.body, 0, scope, &mut tree);
        if tree.mentions.is_empty() {
            let message = format!("machine `{}` has no states", def.name.text);
            if self.errors == 0 {
                self.error::<()>(codes::EMPTY, def.name.span, message);
            }
            self.states.push(FxHashMap::default());
            return;
        }
        tree.settle();
        let mut leaves: Vec<String> = Vec::new();
        let mut inside: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        self.flatten(&tree, def, &mut leaves, &mut inside);
        self.system.machines[id.index()].states = leaves;
        if self.instances <= MAX_INSTANCES {
            self.transitions(id, &tree, &inside);
        }
        self.states.push(inside);
    }

    /// Collects all places where states are named, in the order of the text. The depth is bounded by the parser.
    fn walk(&mut self, body: &'a [MachinePart], block: usize, scope: &Scope, tree: &mut Tree<'a>) {
        for part in body {
            match part {
                MachinePart::State(state) => self.declared(state, block, scope, tree),
                MachinePart::Transition(def) => {
                    for scope in self.bindings(&def.binders, scope) {
                        if def.condition.as_ref().and_then(|it| self.constant_truth(it, &scope))
                            == Some(false)
                        {
                            continue;
                        }
                        self.expanded(def, scope, block, tree);
                    }
                }
            }
        }
    }

    fn declared(&mut self, state: &'a ast::StateDef, block: usize, scope: &Scope, tree: &mut Tree<'a>) {
        let Some(tuples) = self.index_tuples(&state.indices, scope) else { return };
        for tuple in &tuples {
            let name = format!("{}{tuple}", state.name.text);
            if let Some(&first) = tree.declared.get(&name) {
                let message = format!("state `{name}` is declared twice");
                let diagnostic = Diagnostic::error(codes::DUPLICATE, state.name.span, message);
                self.report::<()>(diagnostic.with_note(first, "it is declared here"));
                return;
            }
            tree.declared.insert(name.clone(), state.name.span);
            tree.mention(name, Naming::Declared, block);
        }
        if state.body.is_empty() {
            return;
        }
        if !state.indices.is_empty() {
            let help = "give the indices to the states in it, or make it a machine of its own";
            let message = "a state with states in it cannot have indices";
            let diagnostic = Diagnostic::error(codes::MISPLACED, state.name.span, message);
            self.report::<()>(diagnostic.with_help(help));
            return;
        }
        let name = state.name.text.to_string();
        let depth = tree.blocks[block].depth + 1;
        tree.blocks.push(Block { depth, state: Some(name.clone()), members: Vec::new() });
        let inner = tree.blocks.len() - 1;
        tree.bodies.insert(name, inner);
        self.walk(&state.body, inner, scope, tree);
    }

    fn expanded(&mut self, def: &'a ast::TransitionDef, scope: Scope, block: usize, tree: &mut Tree<'a>) {
        let from = self.index_tuple(&def.from.indices, &scope);
        let to = self.index_tuple(&def.to.indices, &scope);
        let (Some(from), Some(to)) = (from, to) else { return };
        if !self.pay(def.span) {
            return;
        }
        let from = format!("{}{from}", def.from.name.text);
        let to = format!("{}{to}", def.to.name.text);
        tree.mention(from.clone(), Naming::Source, block);
        tree.mention(to.clone(), Naming::Target, block);
        tree.transitions.push(Expanded { def, scope, from, to });
    }

    /// Lists the innermost states in order, the initial one first, and for each state those in it.
    fn flatten(
        &mut self,
        tree: &Tree<'_>,
        def: &ast::MachineDef,
        leaves: &mut Vec<String>,
        inside: &mut FxHashMap<String, Vec<u32>>,
    ) {
        // The blocks that are being listed, each with its next member.
        let mut open: Vec<(usize, usize)> = vec![(0, 0)];
        while let Some((block, next)) = open.pop() {
            let Some(member) = tree.blocks[block].members.get(next) else { continue };
            open.push((block, next + 1));
            match tree.bodies.get(member) {
                Some(&body) if !tree.blocks[body].members.is_empty() => open.push((body, 0)),
                _ => {
                    let number = u32::try_from(leaves.len()).unwrap_or(u32::MAX);
                    if !self.pay(def.name.span) {
                        return;
                    }
                    leaves.push(member.clone());
                    inside.entry(member.clone()).or_default().push(number);
                    for outer in open.iter().filter_map(|&(block, _)| tree.blocks[block].state.clone()) {
                        inside.entry(outer).or_default().push(number);
                    }
                }
            }
        }
    }

    /// Adds the transitions, without their conditions.
    fn transitions(&mut self, id: MachineId, tree: &Tree<'a>, inside: &FxHashMap<String, Vec<u32>>) {
        let mut timers: FxHashMap<&str, u32> = FxHashMap::default();
        for it in &tree.transitions {
            let Some(condition) = &it.def.condition else { continue };
            let longest = self.longest_wait(condition, &it.scope);
            if longest == 0 {
                continue;
            }
            let machine = &mut self.system.machines[id.index()];
            let number = *timers.entry(&it.from).or_insert_with(|| {
                machine.timers.push(Timer { state: it.from.clone(), longest: 0 });
                u32::try_from(machine.timers.len() - 1).unwrap_or(u32::MAX)
            });
            let timer = &mut machine.timers[number as usize];
            timer.longest = timer.longest.max(longest);
        }
        for it in &tree.transitions {
            let outputs: Vec<_> =
                it.def.outputs.iter().filter_map(|event| self.sent(event, &it.scope)).collect();
            let mut outputs: Vec<_> = outputs.into_iter().flatten().collect();
            outputs.sort_unstable();
            outputs.dedup();
            for &event in &outputs {
                let senders = &mut self.system.events[event.index()].senders;
                if senders.last() != Some(&id) {
                    senders.push(id);
                }
            }
            let mut restarts: Vec<u32> = timers
                .iter()
                .filter(|(state, _)| {
                    inside[**state].contains(&inside[&it.to][0]) && !tree.stays_in(state, it)
                })
                .map(|(_, &timer)| timer)
                .collect();
            restarts.sort_unstable();
            self.raw.push(Raw {
                machine: id,
                def: it.def,
                scope: it.scope.clone(),
                sources: inside[&it.from].clone(),
                target: inside[&it.to][0],
                timer: timers.get(&*it.from).copied(),
                restarts,
                outputs,
            });
        }
    }

    /// The largest number of macrosteps that a condition waits for.
    fn longest_wait(&mut self, condition: &Expr, scope: &Scope) -> i32 {
        let mut longest = 0;
        let mut open = vec![condition];
        while let Some(expr) = open.pop() {
            match &expr.kind {
                ExprKind::Unary(UnaryOp::After, count) => {
                    // What is wrong with the number is said when the condition is read.
                    let count = self.quiet_number(count, scope).unwrap_or(1);
                    longest = longest.max(count);
                }
                ExprKind::Unary(_, inner) | ExprKind::Quantified(_, _, inner) => open.push(inner),
                ExprKind::Binary(_, left, right) => open.extend([&**left, &**right]),
                ExprKind::Chain(_, parts) => open.extend(parts),
                _ => {}
            }
        }
        longest
    }

    /// The value of a condition that does not depend on events and states, if it is certain.
    fn constant_truth(&self, expr: &Expr, scope: &Scope) -> Option<bool> {
        match &expr.kind {
            ExprKind::Truth(value) => Some(*value),
            ExprKind::Chain(is_or, parts) => {
                let mut values = parts.iter().map(|part| self.constant_truth(part, scope));
                values.any(|value| value == Some(*is_or)).then_some(*is_or)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.constant_truth(inner, scope).map(|value| !value),
            ExprKind::Binary(op, left, right) if !is_arithmetic(*op) => {
                let (left, right) = (self.quiet_number(left, scope)?, self.quiet_number(right, scope)?);
                compare(*op, left, right)
            }
            _ => None,
        }
    }

    /// The value of an expression if it is a number that can be computed.
    fn quiet_number(&self, expr: &Expr, scope: &Scope) -> Option<i32> {
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Path(_) => self.known_number(&single_name(expr)?.text, scope),
            ExprKind::Unary(UnaryOp::Minus, inner) => self.quiet_number(inner, scope)?.checked_neg(),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.quiet_number(left, scope)?, self.quiet_number(right, scope)?);
                match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Subtract => left.checked_sub(right),
                    BinaryOp::Multiply => left.checked_mul(right),
                    BinaryOp::Divide => left.checked_div(right),
                    BinaryOp::Remainder => left.checked_rem(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The value of a comparison.
pub(super) fn compare(op: BinaryOp, left: i32, right: i32) -> Option<bool> {
    Some(match op {
        BinaryOp::Equal => left == right,
        BinaryOp::NotEqual => left != right,
        BinaryOp::Less => left < right,
        BinaryOp::LessEqual => left <= right,
        BinaryOp::Greater => left > right,
        BinaryOp::GreaterEqual => left >= right,
        _ => return None,
    })
}

impl Tree<'_> {
    fn mention(&mut self, state: String, naming: Naming, block: usize) {
        self.mentions.push(Mention { state, naming, block });
    }

    /// Decides to which block each state belongs.
    fn settle(&mut self) {
        let mut best: FxHashMap<&str, (Naming, usize, usize)> = FxHashMap::default();
        for mention in &self.mentions {
            let rank = (mention.naming, usize::MAX - self.blocks[mention.block].depth, mention.block);
            let known = best.entry(&mention.state).or_insert(rank);
            *known = rank.min(*known);
        }
        self.home = best.into_iter().map(|(state, (_, _, block))| (state.to_owned(), block)).collect();
        let mut listed: FxHashSet<&str> = FxHashSet::default();
        for mention in &self.mentions {
            let block = self.home[&mention.state];
            if mention.block == block && listed.insert(&mention.state) {
                self.blocks[block].members.push(mention.state.clone());
            }
        }
    }

    /// Whether a transition neither leaves nor enters a state: both of its ends are inside of it.
    fn stays_in(&self, state: &str, transition: &Expanded<'_>) -> bool {
        let is_inside = |inner: &str| {
            let mut block = self.home.get(inner).copied();
            while let Some(at) = block {
                match &self.blocks[at].state {
                    Some(outer) if outer == state => return true,
                    Some(outer) => block = self.home.get(outer).copied(),
                    None => return false,
                }
            }
            false
        };
        is_inside(&transition.from) && is_inside(&transition.to)
    }
}
