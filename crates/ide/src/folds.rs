//! What can be folded: declarations, brackets and comments that take several lines.

use rely_base::{SourceToken, Span, TokenClass};

use crate::{Document, Lines};

/// What is folded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FoldKind {
    /// A declaration, or what stands in a bracket.
    Region,
    /// Comments.
    Comment,
}

/// Lines that can be folded, from 0: the first stays to be seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fold {
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
    /// What is folded.
    pub kind: FoldKind,
}

impl Document<'_> {
    /// What can be folded, by first line, each first line once: with the largest fold.
    pub fn folds(&self) -> Vec<Fold> {
        let lines = Lines::new(self.text());
        let fold = |span: Span, kind| {
            let (first, last) = lines.of(span);
            Fold { first, last, kind }
        };
        let mut folds: Vec<Fold> = self
            .project
            .declarations()
            .iter()
            .map(|it| fold(self.trimmed(it.extent), FoldKind::Region))
            .collect();
        folds.extend(self.brackets().into_iter().map(|span| fold(span, FoldKind::Region)));
        folds.extend(self.comments(&lines).into_iter().map(|span| fold(span, FoldKind::Comment)));
        folds.retain(|fold| fold.first < fold.last);
        folds.sort_unstable_by_key(|fold| (fold.first, std::cmp::Reverse(fold.last)));
        folds.dedup_by_key(|fold| fold.first);
        folds
    }

    /// A place without the blanks and comments around what stands there.
    fn trimmed(&self, span: Span) -> Span {
        let is_inside = |token: &&SourceToken| {
            token.class != TokenClass::Comment && span.start <= token.span.start && token.span.end <= span.end
        };
        let mut inside = self.tokens.iter().filter(is_inside);
        let Some(first) = inside.next() else { return span };
        let last = inside.next_back().unwrap_or(first);
        Span::new(first.span.start, last.span.end)
    }

    /// From each opening bracket to the one that closes it.
    fn brackets(&self) -> Vec<Span> {
        let mut open: Vec<(&str, u32)> = Vec::new();
        let mut pairs = Vec::new();
        for token in self.tokens.iter().filter(|token| token.class == TokenClass::Sign) {
            let closing = self.at(token.span);
            let opening = match closing {
                "(" | "[" | "{" => {
                    open.push((closing, token.span.start));
                    continue;
                }
                ")" => "(",
                "]" => "[",
                "}" => "{",
                _ => continue,
            };
            // A bracket that fits to none is passed over.
            if open.last().is_some_and(|(last, _)| *last == opening)
                && let Some((_, start)) = open.pop()
            {
                pairs.push(Span::new(start, token.span.end));
            }
        }
        pairs
    }

    /// Comments of several lines, and comments in lines that follow each other.
    fn comments(&self, lines: &Lines<'_>) -> Vec<Span> {
        let mut groups: Vec<Span> = Vec::new();
        let mut previous_is_comment = false;
        for token in &self.tokens {
            let is_comment = token.class == TokenClass::Comment;
            if is_comment {
                match groups.last_mut() {
                    Some(group)
                        if previous_is_comment && lines.of(*group).1 + 1 >= lines.of(token.span).0 =>
                    {
                        group.end = token.span.end;
                    }
                    _ => groups.push(token.span),
                }
            }
            previous_is_comment = is_comment;
        }
        groups
    }
}
