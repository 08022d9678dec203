//! Teachers: a teacher knows a language and answers two kinds of questions about it [Angluin 1987].
//!
//! A learner asks whether words are in the language, and whether a hypothesis is right. Two interfaces are offered.
//! A [`Teacher`] walks: it says what it needs to remember after a word, and goes on from there by one letter, so that
//! no word is ever simulated again from its start. A [`WordTeacher`] answers for whole words; [`ByWord`] makes it a
//! [`Teacher`]. Either may end the learning with an error value at every question: a limit that was reached, or a
//! verdict that was found before the language was known.

use std::rc::Rc;

use rely_automata::Dfa;
use rely_base::ActionId;

/// A word: letters by number.
pub type Word = Vec<ActionId>;

/// Answers a learner's questions, walking letter by letter.
pub trait Teacher {
    /// What the teacher remembers of a word: enough to go on from its end.
    type Place;
    /// Why the teacher ends the learning.
    type Stop;

    /// Where the empty word leads.
    ///
    /// # Errors
    /// When the teacher ends the learning.
    fn start(&mut self) -> Result<Self::Place, Self::Stop>;

    /// Where a word leads that goes on from `from` by one letter.
    ///
    /// # Errors
    /// When the teacher ends the learning.
    fn step(&mut self, from: &Self::Place, letter: ActionId) -> Result<Self::Place, Self::Stop>;

    /// Whether the words that lead here are in the language.
    ///
    /// # Errors
    /// When the teacher ends the learning.
    fn accepts(&mut self, place: &Self::Place) -> Result<bool, Self::Stop>;

    /// Words on which the hypothesis is wrong; none when it is accepted. There may be any number of them, of any
    /// length; each is used as long as it is still a counterexample after the learner has used those before it.
    ///
    /// # Errors
    /// When the teacher ends the learning.
    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Self::Stop>;

    /// Reports now and then how many bytes the learner holds, so that a teacher with a limit can end the learning.
    ///
    /// # Errors
    /// When the teacher ends the learning.
    fn learner_holds(&mut self, _bytes: usize) -> Result<(), Self::Stop> {
        Ok(())
    }

    /// Whether [`Teacher::accepts`] costs next to nothing after a step was made. A learner then looks at every prefix
    /// of a word on its way; otherwise only at the words that it needs.
    fn shows_prefixes(&self) -> bool {
        true
    }
}

/// Answers a learner's questions about whole words.
pub trait WordTeacher {
    /// Why the teacher ends the learning.
    type Stop;

    /// Whether the word is in the language.
    ///
    /// # Errors
    /// When the teacher ends the learning.
    fn member(&mut self, word: &[ActionId]) -> Result<bool, Self::Stop>;

    /// Words on which the hypothesis is wrong; none when it is accepted. See [`Teacher::conjecture`].
    ///
    /// # Errors
    /// When the teacher ends the learning.
    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Self::Stop>;
}

/// A [`WordTeacher`] as a [`Teacher`]: a place is the word that leads there.
#[derive(Clone, Debug)]
pub struct ByWord<W>(pub W);

/// A word, as its last letter and what comes before it: words of a tree share their beginnings.
#[derive(Clone, Debug, Default)]
pub struct Path(Option<Rc<(Path, ActionId)>>);

impl Path {
    /// The letters in order.
    pub fn word(&self) -> Word {
        let mut word = Word::new();
        let mut path = self;
        while let Some(link) = &path.0 {
            word.push(link.1);
            path = &link.0;
        }
        word.reverse();
        word
    }
}

impl Drop for Path {
    /// Long words are taken apart in a loop: recursion would be as deep as the word is long.
    fn drop(&mut self) {
        let mut link = self.0.take();
        while let Some(Ok((mut before, _))) = link.map(Rc::try_unwrap) {
            link = before.0.take();
        }
    }
}

impl<W: WordTeacher> Teacher for ByWord<W> {
    type Place = Path;
    type Stop = W::Stop;

    fn start(&mut self) -> Result<Path, W::Stop> {
        Ok(Path::default())
    }

    fn step(&mut self, from: &Path, letter: ActionId) -> Result<Path, W::Stop> {
        Ok(Path(Some(Rc::new((from.clone(), letter)))))
    }

    fn accepts(&mut self, place: &Path) -> Result<bool, W::Stop> {
        self.0.member(&place.word())
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, W::Stop> {
        self.0.conjecture(hypothesis)
    }

    fn shows_prefixes(&self) -> bool {
        false
    }
}
