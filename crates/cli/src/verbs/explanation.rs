//! `--explanation` of `check` and `verify`: the page, and the commands that it names.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use rely_session::{Origin, PageFormat, Project};
use sha2::{Digest, Sha256};

use crate::context::{Context, Usage};
use crate::files;

/// Whether a page can be written before the work begins.
pub(super) fn check(path: Option<&Path>) -> anyhow::Result<()> {
    path.map_or(Ok(()), |path| format_of(path).map(|_| ()))
}

/// Writes the page, if one is wanted, as `page` tells it.
pub(super) fn save(
    context: &Context,
    path: Option<&Path>,
    asked: Asked<'_>,
    page: impl FnOnce(&Origin, PageFormat) -> String,
) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    let page = page(&origin(context, asked), format_of(path)?);
    context
        .write(path, |out| std::io::Write::write_all(out, page.as_bytes()).map_err(|error| error.to_string()))
}

/// What a page is about.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) project: &'a Project,
    /// The file of the model.
    pub(super) file: &'a Path,
    /// The certificate that was written.
    pub(super) certificate: Option<&'a Path>,
}

fn format_of(path: &Path) -> anyhow::Result<PageFormat> {
    PageFormat::from_ending(&files::ending_of(path)).ok_or_else(|| {
        let path = path.display();
        Usage(format!("{path}: an explanation is written as .html, .md or .txt")).into()
    })
}

/// The command of this run, without what says where the page goes, and how to check its answers again.
fn origin(context: &Context, asked: Asked<'_>) -> Origin {
    let Asked { project, file: path, certificate: written } = asked;
    let file = path.display().to_string();
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
    let certificate_digest = written.and_then(digest);
    let written = written.map(|path| quoted(&path.display().to_string()));
    // A certificate is about the model with the constants that it was written for.
    let constant = |(name, value): &(String, i32)| format!(" --define {name}={value}");
    let constants: String = context.global.define.iter().map(constant).collect();
    let certificate = written.is_none().then(|| format!("{command} --certificate proof.cert"));
    let proof = written.unwrap_or_else(|| "proof.cert".to_owned());
    let judge = format!("rely certify {proof} {}{constants}", quoted(&file));
    Origin {
        program: format!("rely {}", env!("CARGO_PKG_VERSION")),
        text: project.text_of(project.name()).to_owned(),
        digests: digests(path, project),
        constants: context.global.define.clone(),
        certificate_digest,
        file,
        command,
        certificate,
        judge,
    }
}

/// The model and what it imports, each with a digest. A model that is not as it was when it was read has none.
fn digests(path: &Path, project: &Project) -> Vec<(String, String)> {
    let text = project.text_of(project.name());
    let is_same =
        || text.is_empty() || std::fs::read(path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes) == text);
    let named = |path: &Path| Some((path.display().to_string(), digest(path)?));
    let Some(model) = named(path).filter(|_| is_same()) else { return Vec::new() };
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut imports = project.imports();
    imports.sort_unstable();
    imports.dedup();
    let imported = imports.into_iter().filter_map(|import| named(&folder.join(import)));
    std::iter::once(model).chain(imported).collect()
}

/// The SHA-256 digest of a file. What is no plain file can be read only once, if at all.
fn digest(path: &Path) -> Option<String> {
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let mut file = File::open(path).ok()?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => break,
            count => hash.update(&buffer[..count]),
        }
    }
    Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
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
