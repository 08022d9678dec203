//! Random components as texts: in FSP, and the same in Rust.
//!
//! A component is two processes side by side. A process has local processes with an index, and each of them has alternatives
//! with guards over the index. The processes share two actions, one has an action of its own, the other one another, and both
//! may take a silent step. Nobody but this module knows what the two texts have in common: `rely` reads the one, the compiler
//! the other.

use std::fmt::Write as _;

/// The actions; the first two and the last one, which is silent, are the component's own.
pub const NAMES: [&str; 5] = ["own.a", "own.b", "call.c", "call.d", "step"];

/// The actions of each of the two processes.
const ALPHABETS: [&[usize]; 2] = [&[0, 1, 3, 4], &[1, 2, 3]];

/// Indices are below this.
const VALUES: usize = 3;

/// Numbers at random: splitmix.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % count as u64).unwrap_or(0)
    }
}

/// When an alternative is there: always, or if the index compares with a number.
struct Alternative {
    guard: Option<(&'static str, usize)>,
    action: usize,
    target: usize,
    /// The next index, an expression that means the same in both languages.
    index: String,
}

/// Local processes, each with its alternatives.
struct Process(Vec<Vec<Alternative>>);

/// A component, an assumption and a property.
pub struct Text {
    number: usize,
    processes: [Process; 2],
    /// For each state and visible action the next state, if there is one.
    assumption: Vec<[Option<usize>; 4]>,
    property: Vec<[Option<usize>; 4]>,
}

impl Process {
    fn new(alphabet: &[usize], numbers: &mut Numbers) -> Self {
        let states = 1 + numbers.below(4);
        Self((0..states).map(|_| alternatives(alphabet, states, numbers)).collect())
    }
}

fn alternatives(alphabet: &[usize], states: usize, numbers: &mut Numbers) -> Vec<Alternative> {
    (0..numbers.below(4))
        .map(|_| Alternative {
            guard: match numbers.below(5) {
                0 => Some(("==", numbers.below(VALUES))),
                1 => Some(("<", 1 + numbers.below(VALUES))),
                2 => Some(("!=", numbers.below(VALUES))),
                _ => None,
            },
            action: alphabet[numbers.below(alphabet.len())],
            target: numbers.below(states),
            index: match numbers.below(4) {
                0 => format!("(v + {}) % {VALUES}", 1 + numbers.below(VALUES - 1)),
                1 => numbers.below(VALUES).to_string(),
                2 => format!("(v * v + {}) % {VALUES}", numbers.below(VALUES)),
                _ => "v".to_owned(),
            },
        })
        .collect()
}

fn automaton(numbers: &mut Numbers) -> Vec<[Option<usize>; 4]> {
    let states = 1 + numbers.below(3);
    let entry = |numbers: &mut Numbers| (numbers.below(6) > 0).then(|| numbers.below(states));
    (0..states).map(|_| std::array::from_fn(|_| entry(numbers))).collect()
}

impl Text {
    /// The text of a number.
    pub fn new(number: usize) -> Self {
        let mut numbers = Numbers(number as u64);
        let processes = ALPHABETS.map(|alphabet| Process::new(alphabet, &mut numbers));
        let assumption = automaton(&mut numbers);
        let property = automaton(&mut numbers);
        Self { number, processes, assumption, property }
    }

    /// In FSP: processes, assumption, property, and `PREMISE_…`, which is safe if the premise holds within the depth.
    pub fn fsp(&self) -> String {
        let n = self.number;
        let mut text = String::new();
        for (name, (process, alphabet)) in ["P", "Q"].into_iter().zip(self.processes.iter().zip(ALPHABETS)) {
            let _ = write!(text, "{name}_{n} = S0[0]");
            for (state, alternatives) in process.0.iter().enumerate() {
                let _ = write!(text, ",\nS{state}[v:0..{}] = ", VALUES - 1);
                let shown: Vec<String> = alternatives.iter().map(in_fsp).collect();
                match shown.is_empty() {
                    true => text.push_str("STOP"),
                    false => _ = write!(text, "({})", shown.join(" | ")),
                }
            }
            let alphabet: Vec<&str> = alphabet.iter().map(|&action| NAMES[action]).collect();
            let _ = writeln!(text, "\n  + {{{}}}.", alphabet.join(", "));
        }
        for (head, states) in [(format!("A_{n}"), &self.assumption), (format!("property B_{n}"), &self.property)] {
            let _ = write!(text, "{head} = S0");
            for (state, row) in states.iter().enumerate() {
                let moves = (0..4).filter_map(|action| Some(format!("{} -> S{}", NAMES[action], row[action]?)));
                let moves: Vec<String> = moves.collect();
                let shown = if moves.is_empty() { "STOP".to_owned() } else { format!("({})", moves.join(" | ")) };
                let _ = write!(text, ",\nS{state} = {shown}");
            }
            let _ = writeln!(text, "\n  + {{{}}}.", NAMES[..4].join(", "));
        }
        let _ = writeln!(text, "||PREMISE_{n} = (P_{n} || Q_{n} || A_{n} || OWN || CALLS || B_{n})\\{{step}}.\n");
        text
    }

    /// In Rust: a function that gives the moves of a state, and the tables of assumption and property.
    pub fn rust(&self) -> String {
        let mut text = format!("#[allow(unused_mut)]\nmod text_{} {{\n    use super::*;\n", self.number);
        for (name, process) in ["p", "q"].into_iter().zip(&self.processes) {
            let _ = writeln!(text, "    fn {name}((place, v): Local) -> Vec<(usize, Local)> {{");
            text.push_str("        let mut moves = Vec::new();\n        match place {\n");
            for (state, alternatives) in process.0.iter().enumerate() {
                let _ = writeln!(text, "            {state} => {{");
                alternatives.iter().for_each(|it| text.push_str(&in_rust(it)));
                text.push_str("            }\n");
            }
            text.push_str("            _ => {}\n        }\n        let _ = v;\n        moves\n    }\n");
        }
        text.push_str("    pub fn moves(state: State) -> Vec<(usize, State)> {\n        together(p(state[0]), q(state[1]), state)\n    }\n");
        for (name, states) in [("ASSUMPTION", &self.assumption), ("PROPERTY", &self.property)] {
            let entry = |next: &Option<usize>| next.map_or("VIOLATED".to_owned(), |next| next.to_string());
            let entries: Vec<String> = states.iter().flatten().map(entry).collect();
            let _ = writeln!(
                text,
                "    pub static {name}: Automaton = automaton(\"{name}\", &[{}]);",
                entries.join(", ")
            );
        }
        text.push_str("}\n");
        text
    }
}

/// Which actions both processes take part in.
pub fn is_shared(action: usize) -> bool {
    ALPHABETS.iter().all(|alphabet| alphabet.contains(&action))
}

fn in_fsp(alternative: &Alternative) -> String {
    let Alternative { guard, action, target, index } = alternative;
    let guard = guard.map_or(String::new(), |(how, value)| format!("when (v {how} {value}) "));
    format!("{guard}{} -> S{target}[{index}]", NAMES[*action])
}

fn in_rust(alternative: &Alternative) -> String {
    let Alternative { guard, action, target, index } = alternative;
    let guard = guard.map_or("true".to_owned(), |(how, value)| format!("v {how} {value}"));
    format!("                if {guard} {{\n                    moves.push(({action}, ({target}, {index})));\n                }}\n")
}

/// The FSP text of the first ones, with the bounds: this many steps of the component's own, and calls of its environment.
pub fn model(count: usize, own: usize, calls: usize) -> String {
    let mut text = format!(
        "OWN = LEFT[{own}], LEFT[n:0..{own}] = (when (n > 0) {{own.a, own.b, step}} -> LEFT[n - 1]).\n\
         CALLS = LEFT[{calls}], LEFT[n:0..{calls}] = (when (n > 0) {{call.c, call.d}} -> LEFT[n - 1]).\n\n"
    );
    (0..count).for_each(|number| text.push_str(&Text::new(number).fsp()));
    text
}
