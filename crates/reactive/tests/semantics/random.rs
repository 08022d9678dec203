//! Random systems as texts, for the interpreter: no indices, every state declared, no two events with one name.

use std::fmt::Write;

use rely_testkit::rng::Rng;

/// A component or the system, while it is being written.
struct Place {
    name: String,
    /// What machines here may read and send.
    reads: Vec<String>,
    sends: Vec<String>,
    /// What has to be sent by somebody here, so that it exists.
    owes: Vec<String>,
    machines: usize,
}

/// The text of a random system.
pub(crate) fn system(rng: &mut Rng) -> String {
    let one_of = if rng.chance(1, 4) { "one of " } else { "" };
    let mut text = format!("system S {{\n    input {one_of}i0, i1\n    output o0, o1, c0, c1\n");
    let components = if rng.chance(2, 3) { 2 } else { 0 };
    let mut atoms: Vec<String> = ["i0", "i1", "o0", "o1", "t"].map(str::to_owned).to_vec();
    for number in 0..components {
        let other = 1 - number;
        let name = format!("C{number}");
        let _ = writeln!(text, "    component {name} {{");
        let own_input = rng.chance(1, 2);
        if own_input {
            let _ = writeln!(text, "        input j{number}");
        }
        let takes_top = rng.chance(1, 2);
        let _ = writeln!(text, "        takes g{other}{}", if takes_top { ", t" } else { "" });
        let _ = writeln!(text, "        gives g{number}, shared");
        let own = [format!("l{number}"), format!("g{number}")];
        let mut reads: Vec<String> =
            ["i0".to_owned(), "shared".to_owned(), format!("g{other}"), own[0].clone(), own[1].clone()]
                .to_vec();
        reads.extend(own_input.then(|| format!("j{number}")));
        reads.extend(takes_top.then(|| "t".to_owned()));
        let owes = [own[0].clone(), own[1].clone(), "shared".to_owned(), format!("c{number}")].to_vec();
        let sends = owes.iter().cloned().chain(["o0".to_owned()]).collect();
        let mut place = Place { name, reads, sends, owes, machines: 1 + rng.below(2) };
        machines(rng, &mut text, &mut place);
        if rng.chance(1, 2) {
            let reads = [format!("g{other}")];
            let formula = assumption(rng, &reads);
            let _ = writeln!(text, "        assume a0: {formula}");
        }
        let mut own_atoms = place.reads.clone();
        own_atoms.push(format!("c{number}"));
        let known = states(rng, place.machines, "");
        properties(rng, &mut text, &own_atoms, &known);
        text.push_str("    }\n");
        atoms.extend([format!("g{number}")]);
    }
    let mut reads = vec!["i0".to_owned(), "i1".to_owned(), "t".to_owned()];
    if components > 0 {
        reads.extend(["g0", "g1", "shared"].map(str::to_owned));
    }
    let sends = ["t", "o0", "o1"].map(str::to_owned).to_vec();
    let machine_count = 1 + rng.below(if components > 0 { 1 } else { 3 });
    let owes = vec!["t".to_owned()];
    let mut place = Place { name: String::new(), reads, sends, owes, machines: machine_count };
    machines(rng, &mut text, &mut place);
    let mut known = states(rng, machine_count, "");
    for number in 0..components {
        known.extend(states(rng, 1, &format!("C{number}.")));
    }
    properties(rng, &mut text, &atoms, &known);
    text.push_str("}\n");
    text
}

/// States of the machines of a place that are certainly there.
fn states(rng: &mut Rng, machines: usize, prefix: &str) -> Vec<String> {
    let count = 1 + rng.below(3);
    (0..count).map(|_| format!("{prefix}M{}.s{}", rng.below(machines), rng.below(2))).collect()
}

fn machines(rng: &mut Rng, text: &mut String, place: &mut Place) {
    for number in 0..place.machines {
        let _ = writeln!(text, "        machine M{number} {{ // of {}", place.name);
        let mut states = vec!["s0".to_owned(), "s1".to_owned()];
        text.push_str("            state s0\n");
        if rng.chance(1, 3) {
            text.push_str("            state s1 { state n0 state n1 { state m0 state m1 } ");
            states.extend(["n0", "n1", "m0", "m1"].map(str::to_owned));
            if rng.chance(1, 2) {
                let condition = condition(rng, place, 1);
                let _ = write!(text, "n0 -> n1 on {condition} ");
            }
            text.push_str("}\n");
        } else {
            text.push_str("            state s1\n");
        }
        if rng.chance(1, 3) {
            text.push_str("            state s2\n");
            states.push("s2".to_owned());
        }
        for at in 0..2 + rng.below(4) {
            let from = if at == 0 { "s0".to_owned() } else { rng.pick(&states).clone() };
            let to = if at == 0 { "s1".to_owned() } else { rng.pick(&states).clone() };
            let condition = condition(rng, place, 2);
            let mut sent: Vec<String> = place.owes.drain(..).collect();
            if rng.chance(1, 2) && !place.sends.is_empty() {
                sent.push(rng.pick(&place.sends).clone());
            }
            let outputs = if sent.is_empty() { String::new() } else { format!(" / {}", sent.join(", ")) };
            let _ = writeln!(text, "            {from} -> {to} on {condition}{outputs}");
        }
        text.push_str("        }\n");
    }
}

/// A condition that mostly needs an event.
fn condition(rng: &mut Rng, place: &Place, depth: usize) -> String {
    match rng.below(if depth == 0 { 4 } else { 9 }) {
        0..=3 => rng.pick(&place.reads).clone(),
        4 => format!("({} & !{})", condition(rng, place, depth - 1), rng.pick(&place.reads)),
        5 => format!("({} | {})", condition(rng, place, depth - 1), condition(rng, place, depth - 1)),
        6 => format!(
            "({} & M{}.s{})",
            condition(rng, place, depth - 1),
            rng.below(place.machines),
            rng.below(2)
        ),
        7 => format!("after {}", 1 + rng.below(3)),
        _ => format!("!{}", rng.pick(&place.reads)),
    }
}

fn assumption(rng: &mut Rng, reads: &[String]) -> String {
    let event = rng.pick(reads);
    match rng.below(4) {
        0 => format!("ms == {} => !{event}", 1 + rng.below(2)),
        1 => format!("{event} => ms >= 2"),
        2 => format!("!{event}"),
        _ => format!("ms < 3 => {event}"),
    }
}

fn properties(rng: &mut Rng, text: &mut String, events: &[String], states: &[String]) {
    for number in 0..1 + rng.below(3) {
        let instant = match rng.below(4) {
            0 => "microstep".to_owned(),
            1 => format!("microstep {}", 1 + rng.below(3)),
            _ => "macrostep".to_owned(),
        };
        let is_microstep = instant.starts_with("micro");
        let formula = formula(rng, events, states, 2, is_microstep);
        let _ = writeln!(text, "        property p{number} at {instant}: {formula}");
    }
}

fn formula(rng: &mut Rng, events: &[String], states: &[String], depth: usize, has_ms: bool) -> String {
    let inner = |rng: &mut Rng| formula(rng, events, states, depth - 1, has_ms);
    match rng.below(if depth == 0 { 4 } else { 10 }) {
        0 => rng.pick(events).clone(),
        1 => rng.pick(states).clone(),
        2 => format!("old {}", rng.pick(states)),
        3 => format!("!{}", rng.pick(events)),
        4 | 5 => format!("({} => {})", inner(rng), inner(rng)),
        6 => format!("({} <=> {})", inner(rng), inner(rng)),
        7 => format!("({} | {})", inner(rng), inner(rng)),
        8 if has_ms => format!("({} | ms == {})", inner(rng), 1 + rng.below(3)),
        8 => format!("(old {} | {})", rng.pick(events), inner(rng)),
        _ => format!("({} & {})", inner(rng), inner(rng)),
    }
}
