//! The arguments of the verbs for people who write: `format` and `serve`.

use std::path::PathBuf;

use clap::Args;

/// Write texts in their usual layout
///
/// Lines stay lines; their indentation and the blanks between words and signs change. What aligns a table stays. The meaning of a
/// text does not change, and no comment is lost. A text with mistakes in its form is left as it is.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely format model.lts            change the file
  rely format models --check       exit with 1 if a file of the folder would change
  rely format - < model.lts        write the text to standard output")]
pub(crate) struct Format {
    /// Files, or folders with files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Change nothing: name the files that would change, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
}

/// Show a page in the browser: edit, check, step through traces
///
/// The page asks this program, over a connection that does not leave the computer. Whoever has the link can ask; it changes each
/// time. The program ends with Ctrl-C. No file is changed: what is typed stays in the browser.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely serve
  rely serve model.lts
  rely serve model.lts --port 8080")]
pub(crate) struct Serve {
    /// A model to begin with
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// The port; a free one if it is not given
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
}
