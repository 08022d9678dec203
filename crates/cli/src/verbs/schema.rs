//! `rely schema`

use crate::context::{Exit, print_text};

pub(crate) fn run() -> anyhow::Result<Exit> {
    print_text(&(rely_session::json_schema() + "\n"))?;
    Ok(Exit::Success)
}
