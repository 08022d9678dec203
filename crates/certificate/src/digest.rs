//! Digests of components and units: they show whether a certificate was made for the same model.
//!
//! FNV-1a with 128 bits [Fowler, Noll, Vo] over a canonical text. A digest identifies, it does not secure: two
//! components with the same digest can be constructed. No proof rests on it, since the evidence is judged on the
//! components themselves.

mod program;

use std::fmt::{self, Write};

use rely_base::Id;
use rely_lts::{Lts, Network, Rank};
use serde::{Deserialize, Serialize};

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// The digest of a part of a model, as 32 hexadecimal digits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Digest(String);

impl Digest {
    /// The digest of nothing at all.
    pub(crate) fn none() -> Self {
        Fnv::new().finish()
    }

    /// The digest of a component: its alphabet in order, its special states and its transitions.
    pub fn of_lts(lts: &Lts) -> Self {
        let mut hash = Fnv::new();
        for name in lts.alphabet().names() {
            hash.line(format_args!("action {} {name}", name.len()));
        }
        let raw = |state: Option<rely_base::StateId>| state.map_or(-1, |state| i64::from(state.raw()));
        let (initial, error, end) = (lts.initial().raw(), raw(lts.error()), raw(lts.end()));
        hash.line(format_args!("states {} {initial} {error} {end}", lts.state_count()));
        for transition in lts.transitions() {
            let (source, target) = (transition.source.raw(), transition.target.raw());
            hash.line(format_args!("{source} {} {target}", transition.label.raw()));
        }
        hash.finish()
    }

    /// The digest of everything in a network but its components: priority and hiding.
    pub fn of_operators(network: &Network) -> Self {
        let mut hash = Fnv::new();
        if let Some(priority) = network.priority() {
            hash.line(format_args!("priority {}", if priority.rank == Rank::High { "high" } else { "low" }));
        }
        for (action, name) in network.alphabet().iter() {
            let named = network.priority().is_some_and(|priority| priority.is_named(action));
            if network.priority().is_some_and(|priority| priority.actions.len() <= action.index()) {
                hash.line(format_args!("not ordered {} {name}", name.len()));
            }
            if named || network.is_hidden(action) {
                hash.line(format_args!("{named} {} {} {name}", network.is_hidden(action), name.len()));
            }
        }
        hash.finish()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The hash of the text so far.
struct Fnv(u128);

impl Fnv {
    fn new() -> Self {
        Self(OFFSET)
    }

    fn line(&mut self, text: fmt::Arguments<'_>) {
        writeln!(self, "{text}").expect("hashing does not fail");
    }

    fn finish(self) -> Digest {
        Digest(format!("{:032x}", self.0))
    }
}

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for &byte in text.as_bytes() {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(PRIME);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_hashes() {
        let hash = |text: &str| {
            let mut hash = Fnv::new();
            hash.write_str(text).unwrap();
            hash.finish().0
        };
        // From the reference vectors of FNV-1a.
        assert_eq!(hash(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(hash("a"), "d228cb696f1a8caf78912b704e4a8964");
        assert_eq!(hash("foobar"), "343e1662793c64bf6f0d3597ba446f18");
    }
}
