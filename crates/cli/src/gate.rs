//! Reports for systems for continuous integration, beside what is printed.

use std::io::Write;

use rely_session::Gate;

use crate::args::Reports;
use crate::context::Context;

/// Writes the reports that are asked for.
pub(crate) fn write(context: &Context, reports: &Reports, gate: &Gate<'_>) -> anyhow::Result<()> {
    let text = |text: String| {
        move |out: &mut crate::files::Output<'_>| {
            out.write_all(text.as_bytes()).map_err(|error| error.to_string())
        }
    };
    if let Some(path) = &reports.junit {
        context.write(path, text(gate.junit()))?;
    }
    if let Some(path) = &reports.sarif {
        context.write(path, text(gate.sarif()))?;
    }
    if let Some(path) = &reports.summary {
        // Several runs add to one summary.
        let before = if path.is_file() { crate::files::read(path)? } else { Vec::new() };
        let summary = gate.summary();
        context.write(path, |out| {
            let written = out.write_all(&before).and_then(|()| out.write_all(summary.as_bytes()));
            written.map_err(|error| error.to_string())
        })?;
    }
    if reports.annotations {
        crate::context::print_text(&gate.annotations())?;
    }
    Ok(())
}
