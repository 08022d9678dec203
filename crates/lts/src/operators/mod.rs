//! Operators on transition systems: each takes one and gives a new one.
