//! `rely schema`

use crate::context::{Context, Exit, print_text};

pub(crate) fn run(context: &Context) -> anyhow::Result<Exit> {
    context.has_printed();
    print_text(&(rely_session::json_schema() + "\n"))?;
    Ok(Exit::Success)
}
