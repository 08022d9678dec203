//! Learning an automaton from a teacher.
//!
//! A learner finds the minimal automaton of a regular language that only a [`Teacher`] knows: it asks whether words are
//! in the language, conjectures automata, and gets counterexamples, until a conjecture is accepted. The learner does
//! not know what the language describes.
//!
//! Everything is asked through one tree of observations: no learner asks the same word twice, and a teacher walks
//! each letter of the tree once. A hypothesis is conjectured only if it agrees with all that was observed. There are
//! at most as many conjectures as the result has states.
//!
//! ```
//! use rely_automata::Dfa;
//! use rely_learn::{ExactTeacher, Settings, learn};
//!
//! let even = Dfa::from_rows(2, 0, &[(true, &[1, 0]), (false, &[0, 1])]);
//! let mut teacher = ExactTeacher::new(&even);
//! let Ok(learned) = learn(&Settings::default(), 2, &mut teacher, None);
//! assert_eq!(learned.hypothesis, even);
//! ```

mod counterexample;
mod decision;
mod discrimination;
mod exact;
mod learner;
mod lsharp;
mod lstar;
mod observation;
mod separating;
mod teacher;
mod warm;
mod wrappers;

use rely_automata::Dfa;

use crate::discrimination::{DiscriminationTree, Tests};
use crate::learner::until_accepted;
use crate::lsharp::LSharp;
use crate::lstar::LStar;
use crate::observation::Observations;

pub use exact::ExactTeacher;
pub use separating::{SeparationTeacher, learn_separator};
pub use teacher::{ByWord, Path, Teacher, Word, WordTeacher};
pub use wrappers::{Counting, Limit, Limited, Quota};

/// The learning algorithms. All end with the same automaton; they differ in how much they ask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Algorithm {
    /// Angluin's table of rows and columns, with the counterexample analysis of Rivest and Schapire: many queries.
    LStar,
    /// A discrimination tree, as in observation packs, with one word at each inner node: about one query for each bit
    /// of information that identifies a state, and a conjecture for nearly every state. To be chosen if only whole
    /// words can be asked.
    DiscriminationTree,
    /// Apartness on the tree of observations: few queries, much computing.
    LSharp,
    /// A discrimination tree whose tests continue letter by letter, depending on the answers: the fewest queries and
    /// conjectures with a teacher that shows prefixes. With any other it is the plain discrimination tree.
    #[default]
    Adaptive,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::LStar, Self::DiscriminationTree, Self::LSharp, Self::Adaptive];
}

/// Settings of a learner. The default is the adaptive learner without knowledge about the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Whether the language is known to contain the prefixes of its words: below a rejected word nothing is asked.
    pub prefix_closed: bool,
}

impl Settings {
    /// An algorithm without knowledge about the language.
    pub fn new(algorithm: Algorithm) -> Self {
        Self { algorithm, prefix_closed: false }
    }

    /// An algorithm that knows the language to be prefix-closed.
    pub fn prefix_closed(algorithm: Algorithm) -> Self {
        Self { algorithm, prefix_closed: true }
    }
}

/// How much a learner asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Runs from the start that showed something new; for a teacher of words, the words that were asked.
    pub queries: usize,
    /// The letters in these.
    pub letters: usize,
    /// Steps that the teacher made: different words that were walked to.
    pub steps: usize,
    /// Hypotheses that the teacher was asked to check, the accepted one included.
    pub conjectures: usize,
    /// Counterexamples that were used.
    pub counterexamples: usize,
}

/// What was learned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Learned {
    /// The automaton that the teacher accepted: minimal, numbered breadth first.
    pub hypothesis: Dfa,
    /// What the teacher was asked.
    pub counts: Counts,
}

/// Learns the language of a teacher, over `letters` letters. A `start`, an automaton of a similar language over the
/// same letters, gives the learner words to begin with.
///
/// # Errors
/// The value with which the teacher ended the learning.
///
/// # Panics
/// When `start` has another number of letters.
pub fn learn<T: Teacher>(
    settings: &Settings,
    letters: usize,
    teacher: &mut T,
    start: Option<&Dfa>,
) -> Result<Learned, T::Stop> {
    if let Some(start) = start {
        assert_eq!(start.letter_count(), letters, "the automaton to start from has the same letters");
    }
    let mut tree = Observations::new(teacher, settings.prefix_closed)?;
    match settings.algorithm {
        Algorithm::LStar => {
            let learner = LStar::new(letters, &mut tree, start)?;
            until_accepted(tree, learner)
        }
        Algorithm::LSharp => {
            let learner = LSharp::new(letters, &mut tree, start)?;
            until_accepted(tree, learner)
        }
        Algorithm::DiscriminationTree => {
            let learner = DiscriminationTree::new(letters, Tests::Fixed, &mut tree, start)?;
            until_accepted(tree, learner)
        }
        Algorithm::Adaptive => {
            let learner = DiscriminationTree::new(letters, Tests::Adaptive, &mut tree, start)?;
            until_accepted(tree, learner)
        }
    }
}
