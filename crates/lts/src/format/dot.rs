//! Graphviz text, for layouts other than the one of `rely_draw`.
//!
//! The initial state has an arrow from nowhere, π is red and called ERROR, END has a double circle. Transitions
//! between the same two states share an arrow, and an arrow with nothing but τ on it is dashed.

use std::io::{self, Write};

use rely_base::{Label, StateId, is_unprintable};

use super::{Bundle, bundles};
use crate::Lts;

/// Writes a system under a name.
///
/// # Errors
/// When `out` fails.
pub fn write(lts: &Lts, name: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "digraph \"{}\" {{", escape(name))?;
    writeln!(out, "  rankdir=LR;")?;
    writeln!(out, "  node [shape=circle, fontname=\"Helvetica\"];")?;
    writeln!(out, "  edge [fontname=\"Helvetica\", fontsize=11];")?;
    writeln!(out, "  start [shape=point, style=invis, label=\"\"];")?;
    for state in lts.states() {
        writeln!(out, "  {} [{}];", state.raw(), node_attributes(lts, state))?;
    }
    writeln!(out, "  start -> {};", lts.initial().raw())?;
    for state in lts.states() {
        for bundle in bundles(lts, state) {
            write_bundle(lts, state, &bundle, out)?;
        }
    }
    writeln!(out, "}}")
}

fn node_attributes(lts: &Lts, state: StateId) -> String {
    if Some(state) == lts.error() {
        "label=\"ERROR\", color=red, fontcolor=red".to_owned()
    } else if Some(state) == lts.end() {
        format!("label=\"{}\", shape=doublecircle", state.raw())
    } else {
        format!("label=\"{}\"", state.raw())
    }
}

fn write_bundle(lts: &Lts, source: StateId, bundle: &Bundle, out: &mut impl Write) -> io::Result<()> {
    write!(out, "  {} -> {} [label=\"", source.raw(), bundle.target.raw())?;
    for (i, &label) in bundle.labels.iter().enumerate() {
        let separator = if i == 0 { "" } else { ",\\n" };
        write!(out, "{separator}{}", escape(lts.alphabet().label_name(label)))?;
    }
    let style = if bundle.labels == [Label::TAU] { ", style=dashed" } else { "" };
    writeln!(out, "\"{style}];")
}

/// A text inside quotes. Graphviz treats backslashes as escapes, so they are escaped; a character that cannot be
/// printed is written as its number.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            c if is_unprintable(c) => escaped.push_str(&c.escape_unicode().to_string().replace('\\', "\\\\")),
            c => escaped.push(c),
        }
    }
    escaped
}
