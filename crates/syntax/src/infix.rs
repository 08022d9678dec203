//! Expressions with operators between their operands.
//!
//! **Idea.** An operator has a level: the higher, the more tightly it binds. A chain of operators of one level is one
//! flat node, however long it is, and its operands are expressions of higher levels (precedence climbing). A language
//! says which operators there are and what an operand is, and reports operators that are not its own.
//!
//! **Complexity.** Linear in the tokens. The depth of recursion is the number of levels between two operands; that of
//! operands is bounded by [`Parser::enter`].

use crate::{Completed, Kind, MAX_HEIGHT, Parser};

/// The operators and operands of a language, which it reads with a parser `P`.
pub trait Infix<P> {
    /// The level of the operator at the current token, if there is one.
    fn operator(&self, p: &P) -> Option<u8>;

    /// Reports the operator at the current token if it does not belong to the language, or must not follow the
    /// `before` operators of the same level before it.
    fn judge(&self, p: &mut P, level: u8, before: u32);

    /// Reads an operand, with the operators in front of it. It is called through [`operand`], which counts the depth.
    fn operand(&self, p: &mut P) -> Option<Completed>;

    /// Reports that the expression is nested too deeply, and skips it.
    fn too_deep(&self, p: &mut P);
}

/// An operand, with the operators in front of it, unless the expression is nested too deeply.
pub fn operand<'t, K: Kind, P: AsMut<Parser<'t, K>>>(
    p: &mut P,
    language: &impl Infix<P>,
) -> Option<Completed> {
    if !p.as_mut().enter() {
        language.too_deep(p);
        return None;
    }
    let operand = language.operand(p);
    p.as_mut().leave();
    operand
}

/// Operands joined by operators of at least the `weakest` level; each chain becomes a node.
pub fn infix<'t, K: Kind, P: AsMut<Parser<'t, K>>>(
    p: &mut P,
    language: &impl Infix<P>,
    chain: K,
    weakest: u8,
) -> Option<Completed> {
    let left = operand(p, language)?;
    infix_after(p, language, chain, left, weakest)
}

/// The operators and operands that follow the first operand.
pub fn infix_after<'t, K: Kind, P: AsMut<Parser<'t, K>>>(
    p: &mut P,
    language: &impl Infix<P>,
    chain: K,
    mut left: Completed,
    weakest: u8,
) -> Option<Completed> {
    while let Some(level) = language.operator(p).filter(|&level| level >= weakest) {
        let marker = p.as_mut().precede(left);
        let mut height = left.height;
        let mut is_read = true;
        let mut before = 0;
        while is_read && language.operator(p) == Some(level) {
            language.judge(p, level, before);
            before += 1;
            p.as_mut().bump();
            let right = infix(p, language, chain, level + 1);
            height = height.max(right.map_or(0, |right| right.height)) + 1;
            is_read = right.is_some() && height <= MAX_HEIGHT;
        }
        left = p.as_mut().complete(marker, chain);
        left.height = height;
        if height > MAX_HEIGHT {
            language.too_deep(p);
        }
        if !is_read {
            return None;
        }
    }
    Some(left)
}

impl<'t, K> AsMut<Self> for Parser<'t, K> {
    fn as_mut(&mut self) -> &mut Self {
        self
    }
}
