//! `rely verify --explanation`: the page, and the commands that it names.

use std::path::Path;

use rely_session::{Origin, PageFormat, Verified, explanation_page};

use crate::args::Verify;
use crate::context::{Context, Usage};
use crate::files;

/// Whether a page can be written before the work begins.
pub(super) fn check(verb: &Verify) -> anyhow::Result<()> {
    verb.explanation.as_deref().map_or(Ok(()), |path| format_of(path).map(|_| ()))
}

/// Writes the page, if one is wanted.
pub(super) fn save(context: &Context, verb: &Verify, verified: &Verified) -> anyhow::Result<()> {
    let Some(path) = &verb.explanation else { return Ok(()) };
    let page = explanation_page(&verified.explanations, &origin(context, verb), format_of(path)?);
    files::write(path, |out| {
        std::io::Write::write_all(out, page.as_bytes()).map_err(|error| error.to_string())
    })
}

fn format_of(path: &Path) -> anyhow::Result<PageFormat> {
    PageFormat::from_ending(&files::ending_of(path)).ok_or_else(|| {
        let path = path.display();
        Usage(format!("{path}: an explanation is written as .html, .md or .txt")).into()
    })
}

/// The command of this run, without what says where the page goes, and how to check its answers again.
fn origin(context: &Context, verb: &Verify) -> Origin {
    let file = verb.model.file.display().to_string();
    let mut words: Vec<String> = Vec::new();
    let mut arguments = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    while let Some(word) = arguments.next() {
        match word.as_str() {
            "--explanation" => drop(arguments.next()),
            other if other.starts_with("--explanation=") => {}
            _ => words.push(quoted(&word)),
        }
    }
    let command = format!("rely {}", words.join(" "));
    let written = verb.certificate.as_ref().map(|path| quoted(&path.display().to_string()));
    // A certificate is about the model with the constants that it was written for.
    let constant = |(name, value): &(String, i32)| format!(" --define {name}={value}");
    let constants: String = context.global.define.iter().map(constant).collect();
    let certificate = written.is_none().then(|| format!("{command} --certificate proof.cert"));
    let proof = written.unwrap_or_else(|| "proof.cert".to_owned());
    let judge = format!("rely certify {proof} {}{constants}", quoted(&file));
    Origin { file, command, certificate, judge }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,:=@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("node.1:NODE,a-b_c/d.lts"), "node.1:NODE,a-b_c/d.lts");
        assert_eq!(quoted("two words"), "'two words'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("$(rm)"), "'$(rm)'");
    }
}
