//! Texts that are made to hurt: whatever they are, reading ends soon, with a tree and findings.

use super::findings;

#[test]
fn deep_nesting_is_refused() {
    let deep = "(".repeat(100_000);
    assert!(
        findings(&format!("system S {{ machine M {{ a -> b on {deep}x }} }}"))
            .iter()
            .any(|it| it.code.0 == "E0709")
    );
    let nots = "!".repeat(100_000);
    assert!(!findings(&format!("system S {{ machine M {{ a -> b on {nots}x }} }}")).is_empty());
    let states = "state s { ".repeat(100_000);
    assert!(!findings(&format!("system S {{ machine M {{ {states} }} }}")).is_empty());
    let iffs = "(a <=> ".repeat(200);
    let text = format!("system S {{ input a machine M {{ x -> y on {iffs} a {} }} }}", ")".repeat(200));
    assert!(findings(&text).iter().all(|it| !it.is_error()));
}

#[test]
fn large_ranges_are_refused() {
    for text in [
        "system S(N = 2147483647) { input a[0..N] machine M { x -> y on a[1] } }",
        "system S { input a machine M[i: 0..2147483647] { x -> y on a } }",
        "system S { input a machine M { forall [i: -2147483647..2147483647] x[i] -> y on a } }",
        "system S { input a machine M { x -> y on forall [i: 0..2147483647] a } }",
        "system S { input a machine M { state x[0..99999][0..99999] x -> y on a } }",
    ] {
        assert!(findings(text).iter().any(|it| it.code.0 == "E0725"), "{text}");
    }
}

#[test]
fn every_prefix_and_every_text_without_one_token_is_read() {
    let text = "const N = 2 range R = 1..N
        system S(M = 1) {
            input a, b[R] output c
            component C[i: R] { takes d gives e[i] assume r { never d in microsteps 1 , 2 and later
                d : only in microstep 2
                no d in microstep 1 } machine M { x -> on on a & !d / e[i] state on { u -> v on after 2 } } }
            machine D { forall [i: R] x -> y on e[i] | b[i] / d, c }
            property p[i: R] at microstep 2: old C[i].M.x => (ms <= 2 <=> e[i]) from q
            property q at macrostep: exists [i: R] e[i]
        }";
    for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
        findings(&text[..end]);
    }
    let words: Vec<&str> = text.split_inclusive(' ').collect();
    for skipped in 0..words.len() {
        let rest: String =
            words.iter().enumerate().filter(|(at, _)| *at != skipped).map(|(_, word)| *word).collect();
        findings(&rest);
        let twice: String = words
            .iter()
            .enumerate()
            .flat_map(|(at, word)| vec![*word; 1 + usize::from(at == skipped)])
            .collect();
        findings(&twice);
    }
}

#[test]
fn signs_at_the_start_of_every_kind_of_line() {
    for sign in [
        ")", "}", "{", "]", "->", "/", ",", ":", "&", "..", "3", "on", "in", "state", "forall", "end", "=",
        "!",
    ] {
        for place in [
            "system S { # }",
            "system S { machine M { # } }",
            "system S { component C { assume a { # } } }",
            "system S { machine M { state s { # } } }",
            "#",
            "system S { property p at macrostep: # }",
            "system S { input # }",
            "system S { machine M { a -> b on # } }",
        ] {
            findings(&place.replace('#', &format!("\n{sign}\n{sign} {sign}\n")));
        }
    }
}

#[test]
fn what_is_no_text_gives_one_finding() {
    assert_eq!(findings("\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}").len(), 1);
}
