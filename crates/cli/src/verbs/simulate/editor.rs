//! Lines from whoever types: with history, completion and arrows at a terminal, and as they come from anywhere else.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, IsTerminal};
use std::rc::Rc;

use anyhow::Context as _;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Editor, Helper};

use crate::context::print_text;
use crate::files;
use crate::patience::{Awaited, Patience};

const PROMPT: &str = "> ";

/// Where lines come from.
pub(super) enum Lines<'p> {
    /// A terminal. While somebody thinks nothing else happens: limits are looked at between lines.
    Terminal(Box<Editor<Words, MemHistory>>),
    /// A file or a pipe.
    Stream(BufReader<Awaited<'p>>),
}

impl<'p> Lines<'p> {
    /// The lines of standard input.
    ///
    /// # Errors
    /// They cannot be read.
    pub(super) fn of_standard_input(patience: &'p Patience, words: Words) -> anyhow::Result<Self> {
        if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            return Ok(Self::Stream(BufReader::new(files::standard_input(patience)?)));
        }
        let config = Config::builder().auto_add_history(true).build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history)?;
        editor.set_helper(Some(words));
        Ok(Self::Terminal(Box::new(editor)))
    }

    /// The next line, without its end; nothing if there is none.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<String>> {
        match self {
            Self::Terminal(editor) => match editor.readline(PROMPT) {
                Ok(line) => Ok(Some(line)),
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(error) => Err(error).context("standard input cannot be read"),
            },
            Self::Stream(lines) => {
                print_text(PROMPT)?;
                let mut line = Vec::new();
                let count = lines.read_until(b'\n', &mut line).context("standard input cannot be read")?;
                // What is no text names no action.
                let line = String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned();
                // Nobody typed this where the prompt is.
                print_text(&format!("{line}\n"))?;
                Ok((count > 0).then_some(line))
            }
        }
    }
}

/// The words that a line can be completed to.
#[derive(Clone, Default)]
pub(super) struct Words(Rc<RefCell<Vec<String>>>);

impl Words {
    /// Sets the words.
    pub(super) fn set(&self, words: Vec<String>) {
        self.0.replace(words);
    }

    /// Where the last word of a line begins, and what it can become. A name may contain blanks only as its commands do.
    fn completions(&self, line: &str) -> (usize, Vec<String>) {
        let start = line.rfind(' ').map_or(0, |blank| blank + 1);
        let words = self.0.borrow();
        (start, words.iter().filter(|word| word.starts_with(&line[start..])).cloned().collect())
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.completions(&line[..position]))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_a_line_is_completed() {
        let words = Words::default();
        words.set(["a.get", "a.put", "b.get"].map(str::to_owned).to_vec());
        assert_eq!(words.completions("a."), (0, vec!["a.get".to_owned(), "a.put".to_owned()]));
        assert_eq!(words.completions("why b"), (4, vec!["b.get".to_owned()]));
        assert_eq!(words.completions("x"), (0, Vec::new()));
    }
}
