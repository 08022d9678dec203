//! Definitions that break off, where reading goes on with the next one, and characters that are hard to see.

use crate::ast::Definition;
use crate::tests::check;

/// The names of the processes and composites that could be read.
fn read(text: &str) -> Vec<String> {
    let parse = crate::parse(text);
    let definitions = parse.file().definitions.iter().filter_map(|definition| match definition {
        Definition::Process(def) => Some(def.name.text.to_string()),
        Definition::Composite(def) => Some(def.name.text.to_string()),
        _ => None,
    });
    definitions.collect()
}

#[test]
fn a_definition_without_a_body() {
    let text = "
        P = (a -> P).
        D =
     // ^^^ E0122 nothing follows the `=` of `D`

        Q(N = 2) = (b[N] -> Q).
        E(N = 2) =
     // ^^^^^^^^^^ E0122 `E`
        const M =
        //    ^^^ E0122 `M`
        set S =
        //  ^^^ E0122 `S`
        assert A =
        //     ^^^ E0122 `A`
        ||C =
        //^^^ E0122 `C`
        ||S = (P || Q).
    ";
    check(text);
    assert_eq!(read(text), ["P", "Q", "S"]);
}

#[test]
fn a_choice_that_breaks_off() {
    let text = "
        N = (a -> N | c ->
        //              ^^ E0131 no process
        O = (a -> O |
        //          ^ E0132 nothing follows this `|`
        P = (
        //  ^ E0132 nothing follows this `(`
        Q = (d -> Q).
        ||R = (N ||
        ||S = (N || Q).
     // ^^ E0122 expected a process
    ";
    check(text);
    assert_eq!(read(text), ["N", "O", "P", "Q", "R", "S"]);
}

#[test]
fn an_index_that_breaks_off() {
    check(
        "
        fluent F[l:
        ltl_property Q = []a
     // ^^^^^^^^^^^^ E0163 expected a range for the index `l`
        P = (a -> P).
    ",
    );
}

#[test]
fn what_belongs_to_another_tool() {
    check(
        "
        P = (foreach[w:0..1] when (w==0) a[w] -> P | b -> P).
        //   ^^^^^^^ E0118 `foreach` belongs to MTSA
        Q = (foreach[1] -> foreach[i:0..1].x -> Q).
        ||S = (Q || foreach[i:0..1] p[i]:Q).
        //          ^^^^^^^ E0118
        ||T = (foreach[1]:Q).
    ",
    );
    let help = crate::parse("P = (a? -> P).").diagnostics()[0].help.clone().expect("there is advice");
    assert!(help.contains("begin the definition with `interface`") && help.contains("MTSA"), "{help}");
    let help = crate::parse("P = (a! -> P).").diagnostics()[0].help.clone().expect("there is advice");
    assert!(!help.contains("MTSA"), "{help}");
}

#[test]
fn a_name_of_a_set_and_of_a_process() {
    let text = "
        set A = {c1, c2}
        M = (c2 -> A | c1 -> M),
        //         ^ E0131 `A` is read as a set of actions
        A = (c2 -> A).
        //         ^ E0131 `A` is read as a set
    ";
    check(text);
    let parse = crate::parse(text);
    let [note] = &parse.diagnostics()[0].notes[..] else { panic!("one note") };
    assert_eq!(note.span.start as usize, text.find("A =").expect("it is there"));
}

#[test]
fn arrows_that_look_alike() {
    check(
        "
        P = (a \u{2013}> b \u{2014}> P).
        //     ^^^^ E0105 is not FSP
        //            ^^^^ E0105 is not FSP
        Q = (a - > Q).
        //     ^^^ E0135 found `- >`
    ",
    );
}

#[test]
fn an_invisible_character_is_shown_where_it_stands() {
    let text = "P = (a -> P | b -> P).\n\n\n\n\u{a0}\u{a0}\n\u{a0}\nQ = (c -> Q).\n";
    let parse = crate::parse(text);
    let [diagnostic] = parse.diagnostics() else { panic!("{:?}", parse.diagnostics()) };
    let place = diagnostic.span.start as usize..diagnostic.span.end as usize;
    assert_eq!((place.start, &text[place]), (26, "\u{a0}\u{a0}"));
    // A byte order mark is none, but what follows it may be.
    let text = "\u{feff} \u{a0}P = (a -> P).";
    let span = crate::parse(text).diagnostics()[0].span;
    assert_eq!((span.start, span.end), (4, 6));
}

#[test]
fn what_is_no_text_has_one_error() {
    for text in
        ["P = (a -> P).\0", "\u{7f}ELF\u{2}\u{1}\u{1}\u{fffd}\u{fffd}>", "\u{fffd}\u{fffd}P\0 \0=\0 \0(\0a\0"]
    {
        let parse = crate::parse(text);
        let [diagnostic] = parse.diagnostics() else { panic!("{:?}", parse.diagnostics()) };
        assert_eq!(diagnostic.code, crate::codes::NO_TEXT);
        assert!(diagnostic.message.starts_with("this is no text"), "{}", diagnostic.message);
        assert_eq!(parse.syntax().text().to_string(), text);
    }
    // A text from elsewhere is one nevertheless.
    let latin = "P = (a -> P). // ge\u{fffd}ndert, und zwar gestern abend\r\n\u{1a}";
    assert!(crate::parse(latin).diagnostics().iter().all(|d| d.code != crate::codes::NO_TEXT));
}
