//! `rely schema`

use crate::context::{Context, Exit, print_text};

pub(crate) fn run(context: &Context) -> anyhow::Result<Exit> {
    super::check_no_json(context, "a JSON Schema is no answer")?;
    print_text(&(rely_session::json_schema() + "\n"))?;
    Ok(Exit::Success)
}
