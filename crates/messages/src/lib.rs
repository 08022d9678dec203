//! Message components, the language of `.aim` files: the lossless syntax tree, and its meaning as components and as
//! programs.
//!
//! **Source.** The computation model is that of [Xie & Browne 2003]: processes that interleave, each with a queue, which
//! take messages in transitions and send them in the actions of states.
//!
//! **The language.** A file has constants, ranges and types, imports, and components:
//!
//! ```text
//! const N = 2
//! range Level = 0..N
//! type Mode = {calm, busy}
//! import "pump.aim"
//!
//! component Tank {
//!     input  fill(amount: Level), drain            // messages from outside
//!     output full, level(now: Level)               // messages to the outside
//!     queue  3                                     // how many messages a queue holds; 4 if nobody says so
//!     process Keeper {
//!         input   checked(ok: bool)                // from other processes; without parameters no declaration is needed
//!         visible mode: Mode = calm                // properties may speak of it
//!         now: Level                               // starts with the least value
//!         seen[1..N]: bool                         // an array
//!         state waiting                            // the first state is where it starts
//!         state filling {                          // done when it is entered, in one step
//!             if now == N { send full } else { now := any Level };
//!             send Valve[1].close                  // to another process, of a family
//!         }
//!         final state done                         // a system may rest in final states
//!         waiting, filling -> filling on fill(now) // the parameter becomes the value of the variable
//!         filling -> waiting on checked(true)      // only with this value
//!         filling -> done    on drain
//!     }
//!     process Valve[i: 1..N] { … }                 // a family: Valve.1, Valve.2
//!     property drains: After(fill) Eventually(drain.received)
//!         assuming Repeatedly(drain), [](full -> <>drain)
//! }
//!
//! component Two = left: Tank || right: Tank {
//!     left.full  -> right.drain, left.drain        // an output may go to several inputs
//!     left.level -> right.fill and out             // and stay an output of the composition
//! }
//! ```
//!
//! [`parse`] reads a text and never fails. An [`Elaborator`] gives components and their [`System`]s, and collects what is wrong;
//! [`explanations`] says more about each code. [`system`] tells what a component means.

pub mod ast;
pub mod codes;
pub mod component;
mod elaborate;
mod front_end;
pub mod lexer;
mod lower;
mod parse;
pub mod syntax;
pub mod system;

pub use elaborate::Elaborator;
pub use front_end::Messages;
pub use parse::{Parse, parse};
pub use system::{Environment, Options, Overflow, System, Unexpected};

/// What all codes of this crate mean.
pub fn explanations() -> impl Iterator<Item = &'static codes::Explanation> {
    codes::SYNTAX.iter().chain(codes::MEANING)
}

#[cfg(test)]
mod tests;
