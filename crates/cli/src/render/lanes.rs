//! Lanes: a column for each component, with a mark where it takes part in a step.

use std::fmt::Write;

use super::Style;

/// The columns of some components.
pub(super) struct Lanes {
    count: usize,
    /// The width of a column: as wide as the largest number, and a blank.
    width: usize,
}

impl Lanes {
    pub(super) fn new(count: usize) -> Self {
        Self { count, width: count.to_string().len() + 1 }
    }

    /// Which number stands for which component.
    pub(super) fn legend(&self, components: &[String], style: Style) -> String {
        let width = self.width;
        let mut text = String::new();
        for (i, name) in components.iter().enumerate() {
            let _ = writeln!(text, "    {} {name}", style.bold(format!("{:>width$}", i + 1)));
        }
        text
    }

    /// The numbers above the columns.
    pub(super) fn numbers(&self, style: Style) -> String {
        let width = self.width;
        style.bold((1..=self.count).map(|i| format!("{i:>width$}")).collect::<String>())
    }

    /// One step: `●` takes part, `│` does not, and a line joins those that do.
    pub(super) fn row(&self, taking_part: &[usize]) -> String {
        rely_session::lane_marks(taking_part, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::Lanes;

    #[test]
    fn a_line_joins_the_components_that_move_together() {
        let lanes = Lanes::new(4);
        assert_eq!(lanes.row(&[1]), " │ ● │ │");
        assert_eq!(lanes.row(&[0, 2]), " ●─┼─● │");
        assert_eq!(lanes.row(&[2, 3]), " │ │ ●─●");
        assert_eq!(lanes.row(&[]), " │ │ │ │");
    }
}
