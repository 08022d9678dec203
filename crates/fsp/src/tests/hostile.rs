//! Texts that are made to break the parser.

use rely_syntax::Kind;
use rely_testkit::rng::Rng;

/// A text with about everything that FSP has.
const SAMPLE: &str = "
const N = 2 // constant
range R = 0..N-1
set S = {a, b[R], c.{x,y}} /* a set */
P(M=N) = (a -> Q[0] | {c.x,d} -> STOP), Q[i:R] = (when (i<M && !(i==3)) b[i] -> Q[i+1] | S -> (x->y->P)) + {z}/{e/d}\\{a}.
SEQ = if (N>1) then (a -> END) else P(1);Q(2);END.
property SAFE = (a -> [1..2] -> b['x][#S][@(S,1)] -> SAFE).
minimal ||SYS(K=2) = ({p,q}::LOCK || forall[i:1..K] u[i]:P || S::x:(P||P(3))/{a/b})/{forall[i:R] {a[i]/b[i]}} >> {a} @ {b}.
progress LIVE[i:R] = if {a} then {b[i]}
fluent F[i:R] = <a[i], {b,c}> initially 1
assert A(K=1) = [](a -> (F[0] U X b) && !forall[i:R] <>F[i]) + {x}
interface IA(K=2) = (go? -> {x[1..K],y}! -> work -> {in?,out!} -> IA) + {never?,{u,v}!}/{b/x}\\{y}.
animation AN = \"f.xml\" target SYS compose {AN/{a/b}||B} actions {a/b} controls {c/d}
";

/// What mutations put in.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    "||",
    "->",
    ".",
    ",",
    ";",
    ":",
    "::",
    "=",
    "==",
    "\\",
    "@",
    "/",
    "+",
    "'",
    "#",
    "\"",
    "/*",
    "*/",
    "//",
    "\n",
    " ",
    "when",
    "if",
    "then",
    "else",
    "forall",
    "set",
    "set T = {",
    "P",
    "S",
    "a",
    "X",
    "U",
    "0",
    "é",
    "\u{fffd}",
    "→",
    "$",
    "tau",
    "assert",
    "progress",
    "property",
    "~",
    "?",
    "!",
    "interface",
    "interface A = (",
    "<",
    ">",
    "[]",
    "<>",
    "||T = ",
    "P[i] = ",
];

/// Parses, and sees that the tree is the text.
fn parse(text: &str) -> crate::Parse {
    let parse = crate::parse(text);
    assert!(parse.syntax().text() == text, "the tree is not the text: {text:?}");
    for diagnostic in parse.diagnostics() {
        let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
        assert!(text.get(start..end).is_some(), "{diagnostic:?} is not at a place of {text:?}");
    }
    parse
}

fn mutate(rng: &mut Rng, text: &mut String) {
    let boundaries: Vec<usize> = (0..=text.len()).filter(|&i| text.is_char_boundary(i)).collect();
    let from = *rng.pick(&boundaries);
    match rng.below(4) {
        0 => text.insert_str(from, rng.pick::<&str>(PIECES)),
        1 => {
            let to = *rng.pick(&boundaries);
            let (from, to) = (from.min(to), from.max(to).min(from.min(to) + 1 + rng.below(12)));
            let to = (to..=text.len()).find(|&i| text.is_char_boundary(i)).unwrap_or(text.len());
            text.replace_range(from..to, "");
        }
        2 => {
            let to = (from + rng.below(60)).min(text.len());
            let to = (to..=text.len()).find(|&i| text.is_char_boundary(i)).unwrap_or(text.len());
            let copy = text[from..to].to_owned();
            let at = *rng.pick(&boundaries);
            text.insert_str(at, &copy);
        }
        _ => text.truncate(from.max(text.len() / 2 / from.max(1))),
    }
}

#[test]
fn the_sample_is_right() {
    assert!(parse(SAMPLE).diagnostics().is_empty(), "{:?}", parse(SAMPLE).diagnostics());
}

#[test]
fn mutations_never_lose_a_character() {
    for seed in 0..4000 {
        let mut rng = Rng::new(seed);
        let mut text = SAMPLE.to_owned();
        for _ in 0..1 + rng.below(6) {
            mutate(&mut rng, &mut text);
            let found = std::panic::catch_unwind(|| parse(&text));
            assert!(found.is_ok(), "seed {seed}: {text:?}");
        }
    }
}

#[test]
fn random_pieces_never_lose_a_character() {
    for seed in 0..4000 {
        let mut rng = Rng::new(seed);
        let text: String =
            (0..rng.below(40)).map(|_| *rng.pick(PIECES)).collect::<Vec<_>>().join([" ", ""][rng.below(2)]);
        let found = std::panic::catch_unwind(|| parse(&text));
        assert!(found.is_ok(), "seed {seed}: {text:?}");
    }
}

/// Removing one token from the sample is one mistake, and it gets one message, rarely two, never more.
#[test]
fn one_missing_token_gives_no_cascade() {
    let (tokens, _) = crate::lexer::lex(SAMPLE);
    let tokens: Vec<_> = tokens.iter().filter(|token| !token.kind.is_trivia()).collect();
    let mut cascades = Vec::new();
    for token in &tokens {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let text = format!("{}{}", &SAMPLE[..start], &SAMPLE[end..]);
        let parse = parse(&text);
        let messages: Vec<_> =
            parse.diagnostics().iter().map(|d| format!("\n    {} {}", d.code, d.message)).collect();
        assert!(messages.len() <= 2, "without {:?} at {start}: {}", &SAMPLE[start..end], messages.concat());
        if messages.len() == 2 {
            cascades.push(format!("\n  without {:?} at {start}: {}", &SAMPLE[start..end], messages.concat()));
        }
    }
    assert!(
        cascades.len() * 20 <= tokens.len(),
        "of {} tokens {}: {}",
        tokens.len(),
        cascades.len(),
        cascades.concat()
    );
}

#[test]
fn deep_nesting_ends_with_one_message() {
    for (before, open, after) in [
        ("P = ", "(a->", "P"),
        ("P = ", "(", "a->P"),
        ("||S = ", "(", "P"),
        ("||S = ", "a:(", "P"),
        ("const N = ", "(", "1"),
        ("const N = ", "-", "1"),
        ("P = ", "if 1 then ", "P"),
        ("||S = ", "if 1 then ", "P"),
        ("||S = ", "forall[i:0..1] ", "P"),
        ("assert A = ", "!", "a"),
        ("assert A = ", "(", "a"),
        ("assert A = ", "[]", "a"),
        ("assert A = ", "forall[i:0..1]", "a"),
        ("set S = ", "{", "a"),
        ("P = (", "a[", "1"),
        ("P = (", "a['", "1"),
        ("||S = P/", "{forall[i:0..1]", "a"),
        ("P = (a -> P)", ")", "."),
        ("||S = (P)", ")", "."),
        ("P = (a -> P)", ",", "."),
        ("", "P[", "1"),
        ("P = (a -> ", "P[", "1"),
        ("P = (", "A[", "1"),
        ("P = (a -> ", "P(", "1"),
    ] {
        let deep = if open == "(" { 1_000_000 } else { 50_000 };
        let text = format!("{before}{}{after}", open.repeat(deep));
        let parse = parse(&text);
        let count = parse.diagnostics().len();
        assert!(
            (1..=2).contains(&count),
            "{before}{open}: {count} messages: {:?}",
            &parse.diagnostics()[..3]
        );
    }
}

#[test]
fn long_chains_are_flat_or_refused() {
    let long = 100_000;
    let prefixes = format!("P = ({}P).", "a -> ".repeat(long));
    assert!(parse(&prefixes).diagnostics().is_empty());
    let choice = format!("P = (a -> P{}).", "|b -> P".repeat(long));
    assert!(parse(&choice).diagnostics().is_empty());
    let composition = format!("||S = (P{}).", "||P".repeat(long));
    assert!(parse(&composition).diagnostics().is_empty());
    let label = format!("P = (a{} -> P).", ".b".repeat(long));
    assert!(parse(&label).diagnostics().is_empty());
    let sequence = format!("P = {}END.", "Q;".repeat(long));
    assert!(parse(&sequence).diagnostics().is_empty());
    for (before, operator, after) in
        [("const N = 1", "+1", ""), ("P = (when 1", "&& 1", " a -> P)."), ("assert A = (a", " && a", ")")]
    {
        let short = format!("{before}{}{after}", operator.repeat(1000));
        assert!(parse(&short).diagnostics().is_empty(), "{:?}", parse(&short).diagnostics());
        let text = format!("{before}{}{after}", operator.repeat(long));
        assert_eq!(parse(&text).diagnostics().len(), 1, "{before}");
        // A chain in a chain in a chain: the height counts, not the length of one of them.
        let nested = (0..200).fold("1".to_owned(), |inner, _| format!("({inner}{})", "+1".repeat(100)));
        assert_eq!(parse(&format!("const N = {nested}")).diagnostics().len(), 1);
    }
}

#[test]
fn the_number_of_messages_is_bounded_and_what_is_left_out_is_said() {
    let most = rely_syntax::MAX_DIAGNOSTICS;
    for mistake in ["P = (a -> | b).\n", "const N = 99999999999999999999\n", "const N = 1 $\n"] {
        for (mistakes, shown) in [(most - 1, most - 1), (most, most), (most + 1, most), (100_000, most)] {
            let text = mistake.repeat(mistakes);
            let parse = parse(&text);
            let diagnostics = parse.diagnostics();
            assert_eq!(diagnostics.len(), shown, "{mistake}");
            let said = diagnostics.last().and_then(|last| last.notes.last()).map(|note| &*note.message);
            let expected = match mistakes.saturating_sub(most) {
                0 => None,
                1 => Some("1 further finding is not shown".to_owned()),
                more => Some(format!("{more} further findings are not shown")),
            };
            assert_eq!(said.filter(|said| said.contains("further")), expected.as_deref(), "{mistake}");
        }
    }
}

/// Warnings beyond the maximum that is shown are counted, whatever their source.
#[test]
fn warnings_that_are_left_out_are_counted() {
    let undefined: String = (0..700).map(|i| format!("P{i} = (a -> Q{i}).\n")).collect();
    let hidden: String = (0..700).map(|i| format!("P{i} = (a -> P{i})\\{{b{i}}}.\n")).collect();
    for text in [undefined, hidden] {
        let parse = parse(&text);
        let loader = |_: &str| Err("no imports".to_owned());
        let mut elaborator = crate::Elaborator::new(parse.file(), &loader, rely_base::Budget::UNLIMITED);
        assert!(elaborator.target(rely_model::DEFAULT).is_ok(), "there are warnings only");
        let diagnostics = elaborator.diagnostics();
        assert_eq!(diagnostics.len(), 500);
        let last = diagnostics.last().and_then(|last| last.notes.last()).map(|note| &*note.message);
        assert_eq!(last, Some("200 further findings are not shown"));
    }
}

#[test]
fn texts_that_are_too_long_are_refused() {
    let text = " ".repeat(crate::MAX_TEXT + 1);
    let parse = crate::parse(&text);
    assert_eq!(parse.diagnostics().len(), 1);
    assert_eq!(parse.diagnostics()[0].code, crate::codes::TEXT_TOO_LONG);
}

#[test]
fn odd_bytes() {
    for text in [
        "",
        "\u{feff}P = STOP.",
        "\0",
        "/*",
        "/",
        "\"",
        "0",
        ".",
        "||",
        "'",
        "é",
        "\u{fffd}",
        "P",
        "P =",
        "P = (",
        "set",
    ] {
        parse(text);
    }
    assert!(parse("\u{feff}P = STOP.").diagnostics().is_empty());
}
