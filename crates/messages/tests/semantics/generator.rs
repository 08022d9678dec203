//! Random message systems, as text.

use rely_testkit::rng::Rng;

/// A message that a process takes: its name, and the type of its parameter.
#[derive(Clone)]
struct Taken {
    name: String,
    param: Option<&'static str>,
    is_input: bool,
}

/// A process that is to be written.
struct Sketch {
    /// Its name as others write it: `P0` or `P0[1]`.
    addresses: Vec<String>,
    definition: String,
    takes: Vec<Taken>,
    variables: Vec<(String, &'static str, bool)>,
    states: usize,
}

const TYPES: [&str; 4] = ["bool", "R", "Colour", "0..1"];

/// A text whose component `System` is to be looked at.
pub(super) fn system(rng: &mut Rng) -> String {
    let mut text = "const N = 2\nrange R = 0..N\ntype Colour = {red, green}\n".to_owned();
    if rng.chance(1, 2) {
        text += &primitive(rng, "System", None);
        return text;
    }
    // Two components with one parameter type at the border, so that what is connected fits.
    let ty = *rng.pick(&["R", "bool"]);
    text += &primitive(rng, "A", Some(ty));
    text += &primitive(rng, "B", Some(ty));
    let (first, second) = if rng.chance(1, 3) { ("a", "a") } else { ("A", "B") };
    let parts = match first {
        "a" => "a[1..2]: A".to_owned(),
        _ => "A || B".to_owned(),
    };
    let (first, second) = match first {
        "a" => (format!("{first}[1]"), format!("{second}[2]")),
        _ => (first.to_owned(), second.to_owned()),
    };
    let mut wirings = Vec::new();
    if rng.chance(3, 4) {
        let export = if rng.chance(1, 2) { " and out" } else { "" };
        let several = if rng.chance(1, 3) { format!(", {first}.in0") } else { String::new() };
        wirings.push(format!("{first}.out0 -> {second}.in0{several}{export}"));
    }
    if rng.chance(1, 2) {
        wirings.push(format!("{second}.out0 -> {first}.in0"));
    }
    let name = if rng.chance(1, 3) { "Inner" } else { "System" };
    text += &format!("component {name} = {parts} {{ {} }}\n", wirings.join("\n"));
    if name == "Inner" {
        text += "component System = inner: Inner\n";
    }
    text
}

/// A component; with a border type it has the input `in0` and the output `out0` with one parameter of this type.
fn primitive(rng: &mut Rng, name: &str, border: Option<&'static str>) -> String {
    let count = 1 + rng.below(3);
    let is_open = border.is_some() || rng.chance(2, 3);
    let border = border.or_else(|| rng.chance(1, 2).then(|| *rng.pick(&TYPES)));
    let taker = rng.below(count);
    let mut sketches: Vec<Sketch> = (0..count).map(|number| sketch(rng, number)).collect();
    // Families do not take inputs of the component: several processes would.
    if is_open && sketches[taker].addresses.len() == 1 {
        sketches[taker].takes.push(Taken { name: "in0".to_owned(), param: border, is_input: true });
    } else if is_open {
        sketches.push(sketch_of(rng, count, false));
        let last = sketches.len() - 1;
        sketches[last].takes.push(Taken { name: "in0".to_owned(), param: border, is_input: true });
    }
    let shown = |name: &str| border.map_or(name.to_owned(), |ty| format!("{name}(v: {ty})"));
    let mut text = format!("component {name} {{\n");
    if is_open {
        text += &format!("    input {}\n", shown("in0"));
    }
    text += &format!("    output {}\n", shown("out0"));
    if rng.chance(1, 2) {
        text += &format!("    queue {}\n", 1 + rng.below(3));
    }
    for number in 0..sketches.len() {
        text += &process(rng, &sketches, number, border);
    }
    text + "}\n"
}

fn sketch(rng: &mut Rng, number: usize) -> Sketch {
    let is_family = rng.chance(1, 5);
    sketch_of(rng, number, is_family)
}

fn sketch_of(rng: &mut Rng, number: usize, is_family: bool) -> Sketch {
    let name = format!("P{number}");
    let (definition, addresses) = match is_family {
        true => (format!("{name}[i: 1..2]"), vec![format!("{name}[1]"), format!("{name}[2]")]),
        false => (name.clone(), vec![name.clone()]),
    };
    let takes = (0..1 + rng.below(2)).map(|message| {
        let param = rng.chance(1, 2).then(|| *rng.pick(&TYPES));
        Taken { name: format!("m{message}"), param, is_input: false }
    });
    let takes = takes.collect();
    let variables = (0..rng.below(4)).map(|it| (format!("x{it}"), *rng.pick(&TYPES), rng.chance(1, 3)));
    let variables = variables.collect();
    Sketch { addresses, definition, takes, variables, states: 1 + rng.below(3) }
}

fn process(rng: &mut Rng, sketches: &[Sketch], number: usize, border: Option<&'static str>) -> String {
    let own = &sketches[number];
    let mut text = format!("    process {} {{\n", own.definition);
    for taken in own.takes.iter().filter(|taken| !taken.is_input) {
        let param = taken.param.map_or(String::new(), |ty| format!("(v: {ty})"));
        text += &format!("        input {}{param}\n", taken.name);
    }
    for (name, ty, is_array) in &own.variables {
        let index = if *is_array { "[1..2]" } else { "" };
        let initial = if rng.chance(1, 2) { format!(" = {}", constant(rng, ty)) } else { String::new() };
        text += &format!("        visible {name}{index}: {ty}{initial}\n");
    }
    if rng.chance(1, 4) {
        text += &format!("        queue {}\n", 1 + rng.below(2));
    }
    for state in 0..own.states {
        let action = if rng.chance(2, 3) { block(rng, sketches, number, border, 2) } else { String::new() };
        let is_final = if rng.chance(1, 4) { "final " } else { "" };
        text += &format!("        {is_final}state s{state} {action}\n");
    }
    for taken in &own.takes {
        // Every message has at least one transition; an input has to have one.
        for _ in 0..1 + rng.below(own.states + 1) {
            let (from, to) = (rng.below(own.states), rng.below(own.states));
            let pattern = taken.param.map_or(String::new(), |ty| pattern(rng, own, ty));
            text += &format!("        s{from} -> s{to} on {}{pattern}\n", taken.name);
        }
    }
    text + "    }\n"
}

fn pattern(rng: &mut Rng, own: &Sketch, ty: &str) -> String {
    let fitting = own.variables.iter().find(|(_, other, is_array)| !is_array && *other == ty);
    match (rng.below(4), fitting) {
        (0, _) => "(_)".to_owned(),
        (1, _) => format!("({})", constant(rng, ty)),
        (2, Some((name, ..))) => format!("({name})"),
        _ => String::new(),
    }
}

fn block(
    rng: &mut Rng,
    sketches: &[Sketch],
    number: usize,
    border: Option<&'static str>,
    depth: usize,
) -> String {
    let count = rng.below(3) + 2 * usize::from(depth == 2);
    let statements: Vec<String> =
        (0..count).map(|_| statement(rng, sketches, number, border, depth)).collect();
    format!("{{ {} }}", statements.join("; "))
}

fn statement(
    rng: &mut Rng,
    sketches: &[Sketch],
    number: usize,
    border: Option<&'static str>,
    depth: usize,
) -> String {
    let own = &sketches[number];
    match rng.below(5) {
        0 if depth > 0 => {
            let condition = if rng.chance(1, 4) { "any bool".to_owned() } else { condition(rng, own, 1) };
            let then = block(rng, sketches, number, border, depth - 1);
            let otherwise = match rng.below(3) {
                0 => format!(" else {}", block(rng, sketches, number, border, depth - 1)),
                _ => String::new(),
            };
            format!("if {condition} {then}{otherwise}")
        }
        1 | 2 if !own.variables.is_empty() => {
            let (name, ty, is_array) = rng.pick(&own.variables).clone();
            let index = if is_array { format!("[{}]", index(rng, own)) } else { String::new() };
            format!("{name}{index} := {}", value(rng, own, ty))
        }
        3 => {
            let argument = border.map_or(String::new(), |ty| format!("({})", value(rng, own, ty)));
            format!("send out0{argument}")
        }
        _ => {
            let other = rng.pick(sketches);
            let taken = rng.pick(&other.takes);
            let mut address = rng.pick(&other.addresses).clone();
            if other.addresses.len() == 2 && rng.chance(1, 2) {
                let name = address.split('[').next().expect("a name").to_owned();
                address = format!("{name}[{}]", index(rng, own));
            }
            let argument = taken.param.map_or(String::new(), |ty| format!("({})", value(rng, own, ty)));
            format!("send {address}.{}{argument}", taken.name)
        }
    }
}

fn constant(rng: &mut Rng, ty: &str) -> String {
    let all: &[&str] = match ty {
        "bool" => &["true", "false"],
        "R" => &["0", "1", "N"],
        "Colour" => &["red", "green"],
        _ => &["0", "1"],
    };
    (*rng.pick(all)).to_owned()
}

/// A variable of a type, if there is one.
fn variable(rng: &mut Rng, own: &Sketch, fits: impl Fn(&str) -> bool) -> Option<String> {
    let fitting: Vec<_> = own.variables.iter().filter(|(_, ty, _)| fits(ty)).collect();
    if fitting.is_empty() {
        return None;
    }
    let (name, _, is_array) = rng.pick(&fitting);
    Some(if *is_array { format!("{name}[{}]", index(rng, own)) } else { name.clone() })
}

/// An index, which may lie outside of 1..2 where it is not constant.
fn index(rng: &mut Rng, own: &Sketch) -> String {
    let plain = |(_, ty, is_array): &&(String, &'static str, bool)| !is_array && matches!(*ty, "R" | "0..1");
    let numbers: Vec<_> = own.variables.iter().filter(plain).collect();
    match numbers.is_empty() || rng.chance(1, 2) {
        true => (1 + rng.below(2)).to_string(),
        false => format!("{} + {}", rng.pick(&numbers).0, rng.below(2)),
    }
}

fn value(rng: &mut Rng, own: &Sketch, ty: &'static str) -> String {
    if rng.chance(1, 5) {
        return format!("any {ty}");
    }
    match ty {
        "bool" => condition(rng, own, 1),
        "Colour" => match variable(rng, own, |other| other == "Colour") {
            Some(name) if rng.chance(2, 3) => name,
            _ => constant(rng, ty),
        },
        _ => match variable(rng, own, |other| matches!(other, "R" | "0..1")) {
            Some(name) => match rng.below(6) {
                0 => format!("{name} + 1"),
                1 => format!("{name} - 1"),
                2 => format!("{name} * {name}"),
                3 => format!("N / {name}"),
                4 => format!("({name} + 1) % N"),
                _ => name,
            },
            None => constant(rng, ty),
        },
    }
}

fn condition(rng: &mut Rng, own: &Sketch, depth: usize) -> String {
    match rng.below(6) {
        0 if depth > 0 => {
            let operator = *rng.pick(&["&&", "||", "->", "<->"]);
            format!("({} {operator} {})", condition(rng, own, 0), condition(rng, own, 0))
        }
        1 if depth > 0 => format!("!({})", condition(rng, own, 0)),
        2 => match variable(rng, own, |ty| ty == "Colour") {
            Some(name) => format!("{name} == red"),
            None => constant(rng, "bool"),
        },
        3 | 4 => match variable(rng, own, |ty| matches!(ty, "R" | "0..1")) {
            Some(name) => {
                format!("{name} {} {}", rng.pick(&["<", "<=", "==", "!=", ">", ">="]), rng.below(3))
            }
            None => constant(rng, "bool"),
        },
        _ => variable(rng, own, |ty| ty == "bool").unwrap_or_else(|| constant(rng, "bool")),
    }
}
