//! `rely certify`

use crate::args::Certify;
use crate::context::{Context, Exit};

pub(crate) fn run(_context: &Context, _verb: &Certify) -> anyhow::Result<Exit> {
    anyhow::bail!("certificates are not there yet")
}
