//! What is shown when somebody points at a name.

use rely_base::{Budget, Limits, Span, TokenClass};
use rely_model::NameClass;
use rely_session::report::Level;

use crate::{Board, Document, Lines};

/// How much may be built to tell the size of a component.
const LIMITS: Limits = Limits { states: Some(100_000), bytes: Some(256 << 20) };

/// How many actions are listed.
const ACTIONS: usize = 12;

/// What is shown of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The place of the name.
    pub place: Span,
    /// What it is, in a few words.
    pub title: String,
    /// The line that defines it, as it is written.
    pub code: Option<String>,
    /// What there is to say, in paragraphs.
    pub text: Vec<String>,
}

impl Document<'_> {
    /// What is shown of the name at a byte: what it is, the comment above its definition, its size, and its verdicts.
    pub fn hover(&self, byte: u32, board: &Board) -> Option<Hover> {
        let name = self.name_at(byte)?;
        let word = self.at(name.place);
        let title = format!("{} `{word}`", name.class.word());
        let mut text = Vec::new();
        let mut code = None;
        match (name.class, name.means) {
            (NameClass::Unknown, _) if self.knows_all_names => {
                text.push("Nothing defines this name.".to_owned());
            }
            (NameClass::Unknown, _) => return None,
            (NameClass::Action, _) => {
                let count = self.references(byte).len();
                text.push(format!(
                    "Named at {count} place{} in this text.",
                    if count == 1 { "" } else { "s" }
                ));
            }
            (_, Some(place)) => {
                code = Some(self.line_of(place));
                text.extend(self.comment_above(place));
                if let Some(declaration) = self.declared_at(place) {
                    text.extend(self.size(&declaration.name));
                    text.extend(board.in_words(self.project.name(), &declaration.name));
                }
            }
            (_, None) => {}
        }
        Some(Hover { place: name.place, title, code, text })
    }

    /// The line of a place, without blanks around it.
    fn line_of(&self, place: Span) -> String {
        let text = self.text();
        let start = text[..place.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let end = text[place.end as usize..].find('\n').map_or(text.len(), |at| place.end as usize + at);
        text[start..end].trim().to_owned()
    }

    /// The comment right above the line of a place, as one paragraph.
    fn comment_above(&self, place: Span) -> Option<String> {
        let lines = Lines::new(self.text());
        let mut line = lines.position(place.start).line;
        let mut found = Vec::new();
        let comments = self.tokens.iter().filter(|token| token.class == TokenClass::Comment).rev();
        for comment in comments.filter(|token| token.span.end <= place.start) {
            let (first, last) = lines.of(comment.span);
            if last + 1 != line {
                break;
            }
            line = first;
            let text = self.at(comment.span).trim_end_matches("*/");
            let text = text.trim_start_matches(['/', '-', '*', '!']).trim();
            if !text.is_empty() {
                found.push(text);
            }
        }
        found.reverse();
        (!found.is_empty()).then(|| found.join(" "))
    }

    /// How large a component or composite is, if it is one and has a meaning.
    fn size(&self, name: &str) -> Option<String> {
        let errors = self.project.targets(Budget::new(LIMITS, None)).1;
        if !errors.iter().any(|known| known == name) {
            return None;
        }
        let target = rely_session::target(self.project, Some(name), Budget::new(LIMITS, None)).ok()?;
        let alphabet = target.behaviour.alphabet();
        let mut actions: Vec<&str> = alphabet.names().collect();
        actions.sort_unstable();
        let more = actions.len().saturating_sub(ACTIONS);
        let listed =
            actions.iter().take(ACTIONS).map(|action| format!("`{action}`")).collect::<Vec<_>>().join(", ");
        let listed = if more > 0 { format!("{listed} and {more} more") } else { listed };
        let parts = target.behaviour.part_names();
        let size = match target.behaviour.as_network().map(|network| network.components()) {
            Some([only]) => {
                let states = only.lts.state_count();
                format!(
                    "{states} state{}, {} transitions",
                    if states == 1 { "" } else { "s" },
                    only.lts.transition_count()
                )
            }
            _ => format!("{} components: {}", parts.len(), shortened(&parts)),
        };
        Some(format!("{size}; {} actions: {listed}", actions.len()))
    }

    /// Whether the text has errors that are known without a search.
    pub fn has_errors(&self) -> bool {
        let findings = rely_session::review(self.project, Budget::new(LIMITS, None));
        findings.iter().any(|finding| finding.severity == Level::Error)
    }
}

fn shortened(names: &[&str]) -> String {
    const SHOWN: usize = 8;
    let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown} …") } else { shown }
}
