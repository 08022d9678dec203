//! `rely merge`

use anyhow::Context as _;
use rely_session::Internal;
use rely_session::report::{Report, Verdict};
use rely_session::study::Collection;

use super::study::store::{RESULTS, read, write_documents};
use crate::args::Merge;
use crate::context::{Context, Exit};

pub(crate) fn run(context: &Context, verb: &Merge) -> anyhow::Result<Exit> {
    let mut whole = Collection::default();
    for folder in &verb.folders {
        let path = folder.join(RESULTS);
        let part = read(context, &path)?;
        whole.merge(part).with_context(|| format!("{} contradicts what comes before it", path.display()))?;
    }
    let results = whole.results();
    std::fs::create_dir_all(&verb.output)
        .with_context(|| format!("cannot make the folder {}", verb.output.display()))?;
    context.write(&verb.output.join(RESULTS), |out| {
        let line = |result| std::io::Write::write_all(out, Collection::line(result).as_bytes());
        results.iter().try_for_each(line).map_err(|error| error.to_string())
    })?;
    write_documents(context, &verb.output, &results)?;
    whole.check().map_err(|contradiction| Internal(contradiction.to_string()))?;
    let verdicts: Vec<Verdict> = results.iter().map(|result| result.verdict).collect();
    match context.global.json {
        true => context.answer(&Report::new("merge", results, Vec::new())),
        false => super::study::print_summary(context, &results, &verb.output)?,
    }
    Ok(Exit::of_verdicts(&verdicts))
}
