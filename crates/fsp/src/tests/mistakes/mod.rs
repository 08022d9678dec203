//! Mistakes that are often made, and the one message that each of them gets.

mod definitions;
mod interfaces;
mod processes;
mod recovery;
