//! The usual layout of a text.
//!
//! **Problem.** Texts by several people look alike only if a program lays them out. It must not change what they mean, lose a
//! comment, or destroy the tables that authors make of guards and arrows.
//!
//! **Idea.** Lines stay lines; what changes is how they begin and the blanks between tokens. Each line gets its indentation
//! from the bracket that is open where it begins:
//!
//! - definitions and local processes begin at the margin, and what goes on behind one is indented by four columns;
//! - in a bracket with something behind it on its line, `|` and `||` stand below the bracket, everything else behind it;
//! - in a bracket that ends its line, lines are indented by four columns more than that line.
//!
//! Where more than one blank was written between two tokens it is kept, since it may align them with another line. So is an
//! indentation that is deeper than it has to be, unless the line begins with `|`.
//!
//! **Invariants.** The result has the same tokens and comments in the same order, which is checked before it is returned.
//! Formatting it again changes nothing.

use rely_syntax::{Kind, extent};

use crate::Parse;
use crate::lexer::lex;
use crate::syntax::SyntaxKind::{
    self, Arrow, Bar, BarBar, Choice, Colon, ColonColon, Comma, CompositeDef, Dot, DoubleArrow, Equal,
    LeftBrace, LeftBracket, LeftParen, LineComment, LocalDef, Parallel, RightBrace, RightBracket, RightParen,
    Semicolon,
};
use crate::syntax::{SyntaxNode, SyntaxToken};

/// How far lines are indented.
const STEP: usize = 4;

/// The text of a file in the usual layout; nothing if the file has mistakes in its form.
pub(crate) fn formatted(parse: &Parse) -> Option<String> {
    if parse.has_errors() {
        return None;
    }
    let text = parse.syntax().text().to_string();
    let written = written(&parse.syntax());
    let mut layout = Layout::default();
    for (i, token) in written.iter().enumerate() {
        layout.add(&written[..i], token, &written[i + 1..]);
    }
    let mut result = layout.out;
    if !result.is_empty() {
        result.push('\n');
    }
    is_same(&text, &result).then_some(result)
}

/// Whether two texts have the same tokens and comments.
fn is_same(one: &str, other: &str) -> bool {
    fn words(text: &str) -> Vec<(SyntaxKind, &str)> {
        let tokens = lex(text).0.into_iter().filter(|token| token.kind != SyntaxKind::Blank);
        let word = |span: rely_base::Span| text[span.start as usize..span.end as usize].trim_end();
        tokens.map(|token| (token.kind, word(token.span))).collect()
    }
    words(one) == words(other)
}

/// A token or comment, and the blanks before it.
struct Written {
    token: SyntaxToken,
    /// The lines that end before it.
    breaks: usize,
    /// The blanks before it, on its line.
    blanks: usize,
    /// Whether a definition or a local process begins with it.
    begins: bool,
}

impl Written {
    fn kind(&self) -> SyntaxKind {
        self.token.kind()
    }

    fn is_comment(&self) -> bool {
        self.kind().is_trivia()
    }

    fn parent(&self) -> Option<SyntaxKind> {
        self.token.parent().map(|parent| parent.kind())
    }

    fn is_in(&self, kinds: &[SyntaxKind]) -> bool {
        self.parent().is_some_and(|parent| kinds.contains(&parent))
    }
}

fn written(root: &SyntaxNode) -> Vec<Written> {
    let mut all = Vec::new();
    let (mut breaks, mut blanks) = (0, 0);
    let mut beginnings: Vec<u32> = root.children().map(|node| first_place(&node)).collect();
    let locals = root.descendants().filter(|node| node.kind() == LocalDef);
    beginnings.extend(locals.map(|node| first_place(&node)));
    beginnings.sort_unstable();
    for token in root.descendants_with_tokens().filter_map(|element| element.into_token()) {
        if token.kind() == SyntaxKind::Blank {
            breaks += token.text().matches('\n').count();
            let line = token.text().rsplit('\n').next().unwrap_or_default();
            blanks = if token.text().contains('\n') { 0 } else { blanks } + line.chars().count();
            continue;
        }
        let begins = beginnings.binary_search(&token.text_range().start().into()).is_ok();
        all.push(Written { token, breaks, blanks, begins });
        (breaks, blanks) = (0, 0);
    }
    all
}

/// Where the first token of a node stands that is no comment and no blank.
fn first_place(node: &SyntaxNode) -> u32 {
    let mut tokens = node.descendants_with_tokens().filter_map(|element| element.into_token());
    let first = tokens.find(|token| !token.kind().is_trivia());
    first.map_or(extent(node).end, |token| token.text_range().start().into())
}

/// An open bracket.
struct Open {
    /// Its column.
    column: usize,
    /// The indentation of its line.
    indentation: usize,
    /// Whether it ends its line.
    hangs: bool,
}

/// What has been written so far.
#[derive(Default)]
struct Layout {
    out: String,
    /// The column behind the last character.
    column: usize,
    /// The indentation of the line.
    indentation: usize,
    open: Vec<Open>,
}

impl Layout {
    fn add(&mut self, before: &[Written], token: &Written, after: &[Written]) {
        let closes = matches!(token.kind(), RightParen | RightBrace | RightBracket);
        match before.last() {
            Some(previous) if token.breaks == 0 && previous.kind() != LineComment => {
                let blanks = gap(previous, token);
                self.write(&" ".repeat(blanks));
            }
            previous => {
                let empty = previous.is_some() && token.breaks > 1;
                let breaks = if previous.is_none() { 0 } else { 1 + usize::from(empty) };
                self.out.push_str(&"\n".repeat(breaks));
                self.column = 0;
                self.indentation = self.indentation(token, after, closes);
                self.write(&" ".repeat(self.indentation));
            }
        }
        if closes {
            self.open.pop();
        }
        if matches!(token.kind(), LeftParen | LeftBrace | LeftBracket) {
            let hangs = after.first().is_some_and(|next| next.breaks > 0 || next.kind() == LineComment);
            self.open.push(Open { column: self.column, indentation: self.indentation, hangs });
        }
        self.write(token.token.text().trim_end());
    }

    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.column = match text.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + text.chars().count(),
        };
    }

    /// How far a line is indented that begins with a token.
    fn indentation(&self, token: &Written, after: &[Written], closes: bool) -> usize {
        let Some(open) = self.open.last() else {
            // A comment belongs to what follows it.
            let next =
                if token.is_comment() { after.iter().find(|it| !it.is_comment()) } else { Some(token) };
            let at_margin = next.is_none_or(|next| next.begins || next.kind() == Comma);
            return if at_margin { 0 } else { token.blanks.max(STEP) };
        };
        let inside = open.indentation + STEP;
        match token.kind() {
            _ if closes && open.hangs => open.indentation,
            _ if closes => open.column,
            Bar | BarBar if open.hangs => inside,
            Bar | BarBar => open.column,
            _ if open.hangs => token.blanks.max(inside),
            _ => token.blanks.max(open.column + 1),
        }
    }
}

/// How many blanks stand between two tokens of a line.
fn gap(previous: &Written, token: &Written) -> usize {
    let (left, right) = (previous.kind(), token.kind());
    let alternatives = [Choice, Parallel];
    if token.is_comment() {
        return token.blanks.max(1);
    }
    if previous.is_comment() {
        return token.blanks.min(1);
    }
    // `||SYSTEM`: the name of a composite.
    let names_composite = left == BarBar && previous.is_in(&[CompositeDef]);
    let is_joined = names_composite
        || matches!(left, LeftParen | LeftBrace | LeftBracket | Colon | ColonColon)
        || matches!(right, RightParen | RightBrace | RightBracket | Comma | Semicolon | Colon | ColonColon)
        || right == Dot
        || left == Dot && !token.begins;
    if is_joined {
        return 0;
    }
    let is_separated = matches!(left, Arrow | DoubleArrow | Equal | Comma | Semicolon | Dot)
        || matches!(right, Arrow | DoubleArrow | Equal)
        || matches!(right, Bar | BarBar) && token.is_in(&alternatives)
        || left == BarBar && previous.is_in(&alternatives);
    if is_separated { token.blanks.max(1) } else { token.blanks }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    fn formatted(text: &str) -> String {
        let once = super::formatted(&parse(text)).expect("well-formed");
        assert_eq!(super::formatted(&parse(&once)).as_deref(), Some(&*once), "a second time");
        once
    }

    #[test]
    fn blanks_and_indentation_are_the_usual_ones() {
        let text = "P=(a->b->P|c ->Q ),\n  Q   = ( x[ i : 0..2 ]->P\n  | y -> STOP )+{ e,f }.\n\n\n\n||  S=( a : P||\nP ) .";
        let usual = "P = (a -> b -> P |c -> Q),\nQ   = (x[i:0..2] -> P\n      | y -> STOP)+{e, f}.\n\n||S = (a:P ||\n       P).\n";
        assert_eq!(formatted(text), usual);
        assert_eq!(formatted(""), "");
        assert_eq!(formatted("\n\n  // nothing\n\n"), "// nothing\n");
    }

    #[test]
    fn comments_stay_where_they_are() {
        let text = "// first\n   // second\nP = ( // why\n  a -> /* here */ P\n      // last\n).   // end\n/* a\n   b */";
        let usual = "// first\n// second\nP = ( // why\n    a -> /* here */ P\n      // last\n).   // end\n/* a\n   b */\n";
        assert_eq!(formatted(text), usual);
    }

    #[test]
    fn a_text_with_mistakes_is_left_alone() {
        assert_eq!(super::formatted(&parse("P = (a -> ")), None);
    }
}
