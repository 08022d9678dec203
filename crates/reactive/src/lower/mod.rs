//! From the syntax tree to the abstract syntax.
//!
//! What is incomplete in the tree is left out: the parser has said so. The recursion follows the tree, whose height the
//! parser bounds; long chains of `&` and `|` are flat in both.

mod rule;

use std::sync::Arc;

use rely_base::Span;
use rely_syntax::{child, extent as span, token_extent as token_span, tokens};

use crate::ast::{
    AssumeDef, BinaryOp, Binder, ComponentDef, Definition, Direction, Domain, EventDecl, EventsDef, Expr,
    ExprKind, File, Flaws, Instant, Item, MachineDef, MachinePart, Name, Param, Path, PropertyDef, Segment,
    StateDef, StateRef, SystemDef, TransitionDef, UnaryOp, covers,
};
use crate::syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

/// The abstract syntax of a whole text.
pub(crate) fn file(root: &SyntaxNode) -> File {
    let mut file = File::default();
    for node in root.children() {
        match node.kind() {
            SyntaxKind::ConstDef => file.definitions.extend(param(&node).map(Definition::Const)),
            SyntaxKind::RangeDef => file.definitions.extend(range(&node)),
            SyntaxKind::SystemDef => file.systems.extend(system(&node)),
            _ => {}
        }
    }
    file
}

/// What could not be read: the names that were passed over, and the names in definitions that are broken.
pub(crate) fn flaws(root: &SyntaxNode, broken: Vec<Span>) -> Flaws {
    let all = root.descendants_with_tokens().filter_map(|element| element.into_token());
    let is_unread = |token: &SyntaxToken| {
        covers(&broken, token_span(token))
            || token.parent_ancestors().any(|node| node.kind() == SyntaxKind::Unreadable)
    };
    let names = all.filter(|token| matches!(token.kind(), SyntaxKind::Upper | SyntaxKind::Lower));
    let mut unread: Vec<Arc<str>> = names.filter(is_unread).map(|token| token.text().into()).collect();
    unread.sort_unstable();
    unread.dedup();
    Flaws { has_errors: true, broken, unread }
}

fn range(node: &SyntaxNode) -> Option<Definition> {
    Some(Definition::Range(defined_name(node)?, domains(node).next()?))
}

fn param(node: &SyntaxNode) -> Option<Param> {
    Some(Param { name: defined_name(node)?, value: exprs(node).next()? })
}

fn system(node: &SyntaxNode) -> Option<SystemDef> {
    let params = child(node, SyntaxKind::ParamList);
    let params = params.iter().flat_map(|list| list.children()).filter_map(|node| param(&node)).collect();
    Some(SystemDef { name: defined_name(node)?, params, items: items(node) })
}

fn items(node: &SyntaxNode) -> Vec<Item> {
    node.children().filter_map(|child| item(&child)).collect()
}

fn item(node: &SyntaxNode) -> Option<Item> {
    Some(match node.kind() {
        SyntaxKind::EventsDef => Item::Events(EventsDef {
            direction: direction(node)?,
            is_one_of: tokens(node).any(|token| token.kind() == SyntaxKind::Lower),
            events: events(node),
        }),
        SyntaxKind::MachineDef => Item::Machine(MachineDef {
            name: defined_name(node)?,
            binders: binders(node),
            body: machine_parts(node),
        }),
        SyntaxKind::ComponentDef => Item::Component(ComponentDef {
            name: defined_name(node)?,
            binders: binders(node),
            items: items(node),
        }),
        SyntaxKind::PropertyDef => Item::Property(property(node)?),
        SyntaxKind::AssumeDef => Item::Assume(AssumeDef {
            name: defined_name(node)?,
            binders: binders(node),
            formula: exprs(node).next().or_else(|| rules(node))?,
            span: span(node),
        }),
        _ => return None,
    })
}

/// The rules of an assumption, all of them together.
fn rules(node: &SyntaxNode) -> Option<Expr> {
    let rules = node.children().filter(|child| child.kind() == SyntaxKind::Rule);
    let rules: Vec<Expr> = rules.filter_map(|node| rule::rule(&node)).collect();
    (!rules.is_empty()).then(|| Expr { kind: ExprKind::Chain(false, rules), span: span(node) })
}

fn direction(node: &SyntaxNode) -> Option<Direction> {
    Some(match tokens(node).next()?.kind() {
        SyntaxKind::InputKw => Direction::Input,
        SyntaxKind::OutputKw => Direction::Output,
        SyntaxKind::TakesKw => Direction::Takes,
        _ => Direction::Gives,
    })
}

fn events(node: &SyntaxNode) -> Vec<EventDecl> {
    let declarations = node.children().filter(|child| child.kind() == SyntaxKind::EventDecl);
    declarations
        .filter_map(|node| {
            Some(EventDecl { name: defined_name(&node)?, indices: indices(&node), span: span(&node) })
        })
        .collect()
}

fn machine_parts(node: &SyntaxNode) -> Vec<MachinePart> {
    let part = |node: SyntaxNode| match node.kind() {
        SyntaxKind::StateDef => state(&node).map(MachinePart::State),
        SyntaxKind::Transition => transition(&node).map(MachinePart::Transition),
        _ => None,
    };
    node.children().filter_map(part).collect()
}

fn state(node: &SyntaxNode) -> Option<StateDef> {
    Some(StateDef { name: defined_name(node)?, indices: indices(node), body: machine_parts(node) })
}

fn transition(node: &SyntaxNode) -> Option<TransitionDef> {
    let mut states = node.children().filter_map(|child| state_ref(&child));
    let (from, to) = (states.next()?, states.next()?);
    let condition = match child(node, SyntaxKind::Condition) {
        None => None,
        Some(node) => Some(exprs(&node).next()?),
    };
    let outputs = child(node, SyntaxKind::Outputs).map_or_else(Vec::new, |node| events(&node));
    Some(TransitionDef { binders: binders(node), from, to, condition, outputs, span: span(node) })
}

fn state_ref(node: &SyntaxNode) -> Option<StateRef> {
    if node.kind() != SyntaxKind::StateRef {
        return None;
    }
    Some(StateRef { name: name(&tokens(node).next()?), indices: indices(node), span: span(node) })
}

fn property(node: &SyntaxNode) -> Option<PropertyDef> {
    let when = child(node, SyntaxKind::Instant)?;
    let instant = match tokens(&when).any(|token| token.kind() == SyntaxKind::MacrostepKw) {
        true => Instant::Macrostep,
        false => Instant::Microstep(exprs(&when).next()),
    };
    let sources = child(node, SyntaxKind::Sources);
    let from = sources.iter().flat_map(|sources| sources.children()).filter_map(|node| path(&node)).collect();
    Some(PropertyDef {
        name: defined_name(node)?,
        binders: binders(node),
        instant,
        formula: exprs(node).next()?,
        from,
        span: span(node),
    })
}

fn binders(node: &SyntaxNode) -> Vec<Binder> {
    let binders = node.children().filter(|child| child.kind() == SyntaxKind::Binder);
    binders
        .filter_map(|node| Some(Binder { variable: defined_name(&node)?, domain: domains(&node).next()? }))
        .collect()
}

fn indices(node: &SyntaxNode) -> Vec<Domain> {
    let indices = node.children().filter(|child| child.kind() == SyntaxKind::Index);
    indices.filter_map(|node| domains(&node).next()).collect()
}

fn domains(node: &SyntaxNode) -> impl Iterator<Item = Domain> {
    let domains = node.children().filter(|child| child.kind() == SyntaxKind::Domain);
    domains.filter_map(|node| {
        let span = span(&node);
        let mut bounds = exprs(&node);
        Some(Domain { first: bounds.next()?, last: bounds.next(), span })
    })
}

/// The expressions that stand directly in a node.
fn exprs(node: &SyntaxNode) -> impl Iterator<Item = Expr> {
    node.children().filter_map(|child| expr(&child))
}

fn expr(node: &SyntaxNode) -> Option<Expr> {
    let kind = match node.kind() {
        SyntaxKind::IntExpr => ExprKind::Int(tokens(node).next()?.text().parse().unwrap_or(i32::MAX)),
        SyntaxKind::WordExpr => match tokens(node).next()?.kind() {
            SyntaxKind::MsKw => ExprKind::Ms,
            kind => ExprKind::Truth(kind == SyntaxKind::TrueKw),
        },
        SyntaxKind::Path => ExprKind::Path(path(node)?),
        SyntaxKind::UnaryExpr => ExprKind::Unary(unary_op(node)?, Box::new(exprs(node).next()?)),
        SyntaxKind::ParenExpr => exprs(node).next()?.kind,
        SyntaxKind::QuantifiedExpr => {
            let is_exists = tokens(node).next()?.kind() == SyntaxKind::ExistsKw;
            ExprKind::Quantified(is_exists, binders(node), Box::new(exprs(node).next()?))
        }
        SyntaxKind::BinaryExpr => return chain(node),
        _ => return None,
    };
    Some(Expr { kind, span: span(node) })
}

fn unary_op(node: &SyntaxNode) -> Option<UnaryOp> {
    Some(match tokens(node).next()?.kind() {
        SyntaxKind::Not => UnaryOp::Not,
        SyntaxKind::Minus => UnaryOp::Minus,
        SyntaxKind::OldKw => UnaryOp::Old,
        _ => UnaryOp::After,
    })
}

/// Operands and operators in turn; operators of one precedence associate to the left.
fn chain(node: &SyntaxNode) -> Option<Expr> {
    let mut operands = exprs(node);
    let first = tokens(node).next()?;
    if let Some(is_or) = logical(&first) {
        let operands: Vec<Expr> = operands.collect();
        let is_whole = operands.len() == tokens(node).count() + 1;
        return is_whole.then(|| Expr { kind: ExprKind::Chain(is_or, operands), span: span(node) });
    }
    let mut left = operands.next()?;
    for operator in tokens(node) {
        let right = operands.next()?;
        let span = left.span.to(right.span);
        let kind = ExprKind::Binary(binary_op(&operator)?, Box::new(left), Box::new(right));
        left = Expr { kind, span };
    }
    Some(left)
}

/// Whether an operator is `|` or `&`, and whether it is `|`.
fn logical(token: &SyntaxToken) -> Option<bool> {
    match token.kind() {
        SyntaxKind::Bar => Some(true),
        SyntaxKind::Amp => Some(false),
        _ => match token.text() {
            "or" => Some(true),
            "and" => Some(false),
            _ => None,
        },
    }
}

fn binary_op(token: &SyntaxToken) -> Option<BinaryOp> {
    Some(match token.kind() {
        SyntaxKind::Implies => BinaryOp::Implies,
        SyntaxKind::Iff => BinaryOp::Iff,
        SyntaxKind::EqualEqual | SyntaxKind::Equal => BinaryOp::Equal,
        SyntaxKind::NotEqual => BinaryOp::NotEqual,
        SyntaxKind::Less => BinaryOp::Less,
        SyntaxKind::LessEqual => BinaryOp::LessEqual,
        SyntaxKind::Greater => BinaryOp::Greater,
        SyntaxKind::GreaterEqual => BinaryOp::GreaterEqual,
        SyntaxKind::Plus => BinaryOp::Add,
        SyntaxKind::Minus => BinaryOp::Subtract,
        SyntaxKind::Star => BinaryOp::Multiply,
        SyntaxKind::Slash => BinaryOp::Divide,
        SyntaxKind::Percent => BinaryOp::Remainder,
        _ if token.text() == "mod" => BinaryOp::Remainder,
        _ => return None,
    })
}

fn path(node: &SyntaxNode) -> Option<Path> {
    if node.kind() != SyntaxKind::Path {
        return None;
    }
    let segments = node.children().filter(|child| child.kind() == SyntaxKind::Segment);
    let segments: Option<Vec<Segment>> = segments
        .map(|node| Some(Segment { name: name(&tokens(&node).next()?), indices: indices(&node) }))
        .collect();
    Some(Path { segments: segments.filter(|segments| !segments.is_empty())?, span: span(node) })
}

/// The name that a definition gives.
fn defined_name(node: &SyntaxNode) -> Option<Name> {
    tokens(&child(node, SyntaxKind::Name)?).next().map(|token| name(&token))
}

fn name(token: &SyntaxToken) -> Name {
    Name { text: Arc::from(token.text()), span: token_span(token) }
}
