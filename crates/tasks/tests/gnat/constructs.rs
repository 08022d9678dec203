//! Which constructs of the language occur in texts.

use std::fmt;

/// Each construct, and words that show it. Random programs are written in one way only, so that words are enough.
const CONSTRUCTS: &[(&str, &[&str])] = &[
    ("task", &["   task S0 is"]),
    ("task type with a discriminant", &["task type Client (Id : T)"]),
    ("array of tasks", &["array (1 .. 2) of S1_Type"]),
    ("entry", &[" entry E0;", " entry E1;"]),
    ("entry family", &[" entry E0 (T);", " entry E1 (T);"]),
    ("parameter of mode in", &["(P : in T)"]),
    ("parameter of mode out", &["(P : out T)"]),
    ("parameter of mode in out", &["(P : in out T)"]),
    ("accept without a body", &["accept E0;", "accept E1;"]),
    ("accept with a body", &["accept E0 do", "accept E1 do", ") do\n"]),
    ("select", &["select\n"]),
    (
        "guard",
        &["when B =>", "when Y =>", "when not Y =>", "when L = 0 =>", "when X = L =>", "when A (L) =>"],
    ),
    ("select with else", &["      else\n"]),
    ("terminate", &["or terminate;"]),
    ("delay alternative", &["or delay 1.0;"]),
    ("conditional call", &["      select S"]),
    ("timed call", &[";\n      or delay 1.0;\n"]),
    ("Boolean variable", &["Y : Boolean"]),
    ("enumeration", &["C := E'Val"]),
    ("integer range", &["X := "]),
    ("modular type", &["Z := Z + 1;"]),
    ("array", &["A (L) := ", "A (X) := ", "A (0)"]),
    ("array as a whole", &["A := (others"]),
    ("aggregate with names", &["A := (1 => B"]),
    ("variable without initial value", &["X : T;"]),
    ("if", &["      if "]),
    ("case", &["      case "]),
    ("loop", &["loop\n      select"]),
    ("while", &["      while "]),
    ("for", &["      for I"]),
    ("for, downwards", &["in reverse T range"]),
    ("exit", &["exit when"]),
    ("null", &["      null;"]),
    ("return", &["return;"]),
    ("block", &["      declare"]),
    ("procedure", &["      Step ("]),
    ("function", &["Is_Odd (L)", "Is_Odd (X)", "Is_Odd (1)"]),
    ("delay", &["      delay 0.1;"]),
    ("mark", &["pragma Annotate (Rely, Event"]),
    ("short-circuit operator", &["and then", "or else"]),
    ("membership", &["X in 0 .. L", "L not in 1 .. 1"]),
    ("conversion", &["T (Z)"]),
    ("attribute", &["T'Succ (L)", "T'Last - X"]),
];

/// In how many texts each construct occurs.
pub(crate) struct Counts(Vec<(&'static str, usize)>);

/// Counts all constructs.
pub(crate) fn count<'a>(texts: impl Iterator<Item = &'a str>) -> Counts {
    let texts: Vec<&str> = texts.collect();
    let count =
        |signs: &[&str]| texts.iter().filter(|text| signs.iter().any(|sign| text.contains(sign))).count();
    Counts(CONSTRUCTS.iter().map(|(name, signs)| (*name, count(signs))).collect())
}

impl Counts {
    /// The constructs that no text has.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        self.0.iter().filter(|(_, count)| *count == 0).map(|(name, _)| *name).collect()
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<String> = self.0.iter().map(|(name, count)| format!("{name} {count}")).collect();
        f.write_str(&shown.join(", "))
    }
}
