//! `rely explain`

use rely_session::report::Report;

use crate::args::Explain;
use crate::context::{Context, Exit, Usage, print_text};

pub(crate) fn run(context: &Context, verb: &Explain) -> anyhow::Result<Exit> {
    let results = match &verb.code {
        None => rely_session::explanations(),
        Some(code) => vec![rely_session::explain(&written_out(code)).ok_or_else(|| {
            Usage(format!("there is no code `{code}`; `rely explain` without a code lists all of them"))
        })?],
    };
    if context.global.json {
        context.answer(&Report::new("explain", results, Vec::new()));
        return Ok(Exit::Success);
    }
    let text: String = if verb.code.is_some() {
        results
            .iter()
            .map(|result| {
                format!(
                    "{}: {}\n\n{}\n",
                    context.style.bold(&result.code),
                    result.title,
                    result.text.trim_end()
                )
            })
            .collect()
    } else {
        results
            .iter()
            .map(|result| format!("{}  {}\n", context.style.bold(&result.code), result.title))
            .collect()
    };
    print_text(&text)?;
    Ok(Exit::Success)
}

/// A code as it is printed: `112` and `e0112` mean E0112.
fn written_out(code: &str) -> String {
    match code.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("E{code:0>4}"),
        false => code.to_ascii_uppercase(),
    }
}
