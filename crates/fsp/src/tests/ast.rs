//! What the abstract syntax says.

use crate::ast::{
    AssertKind, BinaryOp, BodyKind, CompositeKind, Definition, Domain, Expr, ExprKind, File, Formula,
    FormulaKind, Instance, LabelPartKind, TemporalBinary, TemporalUnary, UnaryOp,
};

fn read(text: &str) -> File {
    let parse = crate::parse(text);
    assert!(parse.diagnostics().is_empty(), "{:?}", parse.diagnostics());
    parse.file().clone()
}

/// An expression with all its parentheses.
fn show(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Name(name) => name.text.to_string(),
        ExprKind::Label(label) => format!("'{}", label.parts.len()),
        ExprKind::Size(label) => format!("#{}", label.parts.len()),
        ExprKind::Select(_, position) => format!("@{}", show(position)),
        ExprKind::Unary(op, inner) => {
            let sign = match op {
                UnaryOp::Plus => "+",
                UnaryOp::Minus => "-",
                UnaryOp::Not => "!",
            };
            format!("{sign}{}", show(inner))
        }
        ExprKind::Binary(op, left, right) => format!("({} {op:?} {})", show(left), show(right)),
    }
}

fn guard(text: &str) -> String {
    let file = read(&format!("P = (when {text} act -> P)."));
    let Definition::Process(process) = &file.definitions[0] else { panic!("a process") };
    let BodyKind::Choice(branches) = &process.locals[0].body.kind else { panic!("a choice") };
    show(branches[0].guard.as_ref().expect("a guard"))
}

#[test]
fn precedence_is_that_of_c() {
    assert_eq!(guard("1 + 2 * 3 - 4"), "((1 Add (2 Multiply 3)) Subtract 4)");
    assert_eq!(
        guard("a || b && c | d ^ e & f == g < h << i + j * k"),
        format!(
            "(a Or (b And (c BitOr (d BitXor (e BitAnd (f Equal (g Less (h ShiftLeft (i Add (j Multiply k{}",
            ")".repeat(10)
        )
    );
    assert_eq!(guard("1 - 2 - 3 != -4 % !5"), "(((1 Subtract 2) Subtract 3) NotEqual (-4 Remainder !5))");
    assert_eq!(guard("a * b + c == d && e || f"), "(((((a Multiply b) Add c) Equal d) And e) Or f)");
    assert_eq!(guard("010 + 0x1F + 'a.b[1] + #{a} + @({a}, 2)"), "((((8 Add 31) Add '3) Add #1) Add @2)");
}

#[test]
fn operators_keep_their_kind() {
    for (sign, op) in [
        (">=", BinaryOp::GreaterEqual),
        (">", BinaryOp::Greater),
        ("<=", BinaryOp::LessEqual),
        (">>", BinaryOp::ShiftRight),
        ("/", BinaryOp::Divide),
    ] {
        assert_eq!(guard(&format!("1 {sign} 2")), format!("(1 {op:?} 2)"));
    }
}

#[test]
fn spans_are_those_of_the_text() {
    let text = "P = ( /* x */ a.b[i:0..1] -> Q[ 1 + 2 ] ) .";
    let file = read(text);
    let Definition::Process(process) = &file.definitions[0] else { panic!("a process") };
    let at = |span: rely_base::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(at(process.span), text);
    assert_eq!(at(process.name.span), "P");
    let BodyKind::Choice(branches) = &process.locals[0].body.kind else { panic!("a choice") };
    assert_eq!(at(branches[0].prefixes[0].span), "a.b[i:0..1]");
    assert_eq!(at(branches[0].prefixes[0].parts[2].span), "[i:0..1]");
    let BodyKind::Goto { indices, .. } = &branches[0].body.kind else { panic!("a name") };
    assert_eq!(at(indices[0].span), "1 + 2");
}

#[test]
fn a_set_is_a_label_after_its_definition() {
    let file = read(
        "P = (a -> S), S = (b -> P).  set T = {x}  Q = (a -> T -> Q | T.y -> Q | [T] -> Q).  ||C = T::T:Q.",
    );
    let Definition::Process(process) = &file.definitions[2] else { panic!("a process") };
    let BodyKind::Choice(branches) = &process.locals[0].body.kind else { panic!("a choice") };
    assert_eq!(branches[0].prefixes.len(), 2);
    assert!(matches!(branches[1].prefixes[0].parts[0].kind, LabelPartKind::Set(_)));
    assert!(matches!(branches[2].prefixes[0].parts[0].kind, LabelPartKind::Index(Domain::Expr(_))));
    let Definition::Composite(composite) = &file.definitions[3] else { panic!("a composition") };
    let CompositeKind::Instance { share, prefix, of, .. } = &composite.body.kind else {
        panic!("an instance")
    };
    assert!(share.is_some() && prefix.is_some() && matches!(of, Instance::Call(_)));
}

#[test]
fn bodies() {
    let file = read("P = A;B(1,2);R[3], R[i:0..3] = if i then (a -> END) else if i == 2 then STOP.");
    let Definition::Process(process) = &file.definitions[0] else { panic!("a process") };
    let BodyKind::Goto { sequence, name, indices } = &process.locals[0].body.kind else {
        panic!("a sequence")
    };
    assert_eq!((sequence.len(), &*name.text, indices.len()), (2, "R", 1));
    assert_eq!(sequence[1].arguments.as_ref().map(Vec::len), Some(2));
    let BodyKind::If { otherwise: Some(otherwise), .. } = &process.locals[1].body.kind else {
        panic!("a condition")
    };
    assert!(matches!(otherwise.kind, BodyKind::If { otherwise: None, .. }));
}

#[test]
fn tails() {
    let file =
        read("P = STOP + {a} / {b/a, forall[i:0..1] {c[i]/d}} @ {e}.  compose ||S = P/{x/y} << {h} \\ {e}.");
    let Definition::Process(process) = &file.definitions[0] else { panic!("a process") };
    assert!(process.extension.is_some() && process.relabels.len() == 2);
    assert!(process.hiding.as_ref().is_some_and(|hiding| hiding.expose));
    let Definition::Composite(composite) = &file.definitions[1] else { panic!("a composition") };
    assert!(composite.modifiers.compose && !composite.modifiers.property);
    assert!(composite.priority.as_ref().is_some_and(|priority| priority.high));
    assert!(composite.hiding.as_ref().is_some_and(|hiding| !hiding.expose));
}

/// A formula with all its parentheses.
fn show_formula(formula: &Formula) -> String {
    match &formula.kind {
        FormulaKind::Unary(op, inner) => {
            let sign = match op {
                TemporalUnary::Not => "!",
                TemporalUnary::Next => "X ",
                TemporalUnary::Eventually => "<>",
                TemporalUnary::Always => "[]",
            };
            format!("{sign}{}", show_formula(inner))
        }
        FormulaKind::Binary(op, left, right) => {
            let sign = match op {
                TemporalBinary::And => "&&",
                TemporalBinary::Or => "||",
                TemporalBinary::Implies => "->",
                TemporalBinary::Iff => "<->",
                TemporalBinary::Until => "U",
                TemporalBinary::WeakUntil => "W",
            };
            format!("({} {sign} {})", show_formula(left), show_formula(right))
        }
        FormulaKind::Named { name, indices, arguments } => {
            format!(
                "{}{}{}",
                name.text,
                "[]".repeat(indices.len()),
                if arguments.is_some() { "()" } else { "" }
            )
        }
        FormulaKind::Action(_) => "a".to_owned(),
        FormulaKind::Quantified { universal, body, .. } => {
            format!("{} {}", if *universal { "forall" } else { "exists" }, show_formula(body))
        }
        FormulaKind::Rigid(_) => "rigid".to_owned(),
    }
}

#[test]
fn formulas() {
    let shown = |text: &str| {
        let file = read(&format!("assert A = {text}"));
        let Definition::Assert(assert) = &file.definitions[0] else { panic!("an assertion") };
        assert_eq!(assert.kind, AssertKind::Assert);
        show_formula(&assert.formula)
    };
    assert_eq!(shown("[]<>!X a"), "[]<>!X a");
    assert_eq!(shown("(a && F U G[1][2] || a)"), "(((a && F) U G[][]) || a)");
    assert_eq!(shown("(a || a -> a && a)"), "(a || (a -> (a && a)))");
    assert_eq!(shown("(a <-> B(1)) "), "(a <-> B())");
    assert_eq!(shown("(P W X Q)"), "(P W X Q)");
    assert_eq!(
        shown("forall[i:0..1] exists[j:0..1] (rigid(i == j) -> {a, b}.c)"),
        "forall exists (rigid -> a)"
    );
}

#[test]
fn kinds_of_assertions() {
    let file = read("constraint C = a ltl_property L = a assert A = a P = (ltl_property -> safe -> P).");
    let kinds: Vec<_> = file
        .definitions
        .iter()
        .filter_map(|d| if let Definition::Assert(a) = d { Some(a.kind) } else { None })
        .collect();
    assert_eq!(kinds, [AssertKind::Constraint, AssertKind::Property, AssertKind::Assert]);
}

#[test]
fn every_code_is_explained_once() {
    let explained: Vec<_> = crate::codes::SYNTAX.iter().map(|explanation| explanation.code).collect();
    assert_eq!(explained, crate::codes::ALL);
}

/// The indented lines behind a heading.
fn example(text: &str, heading: &str) -> String {
    let (_, rest) = text.split_once(heading).expect("every explanation has both headings");
    rest.lines().skip(2).take_while(|line| line.starts_with("    ")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_examples_of_explanations_are_what_they_say() {
    for explanation in crate::codes::SYNTAX {
        let right = crate::parse(&example(explanation.text, "Right:"));
        assert!(right.diagnostics().is_empty(), "{}: {:?}", explanation.code, right.diagnostics());
        let text = example(explanation.text, "Wrong:");
        if text.contains('…') {
            // Too large to be shown.
            continue;
        }
        let wrong = crate::parse(&text);
        let codes: Vec<_> = wrong.diagnostics().iter().map(|diagnostic| diagnostic.code).collect();
        assert!(
            !codes.is_empty() && codes.iter().all(|&code| code == explanation.code),
            "{text} gives {codes:?}"
        );
    }
}
