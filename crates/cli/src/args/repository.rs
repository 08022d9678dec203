//! The arguments of `rely repository`, and the option of other verbs that names a repository.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

/// The environment variable that names the folder of a repository.
const VARIABLE: &str = "RELY_REPOSITORY";

/// Keep components with their verified properties, find them, and use what was verified
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  rely repository add sensor.aim --component Sensor --in parts
  rely repository list --in parts
  rely repository search --in parts --input C_Intr --property 'Repeatedly(Output) assuming Repeatedly(C_Intr)'
  rely repository verify --in parts
  rely repository export Sensor -o sensor.package --in parts
  rely verify sensor-to-network.aim --system SensorToNetwork --repository parts

A component is added with its texts and a certificate of its properties. Nothing enters that does not
hold, and whatever is found is judged before it is believed. Without --in, the folder is the one that
RELY_REPOSITORY names.")]
pub(crate) struct Repository {
    #[command(subcommand)]
    pub(crate) verb: RepositoryVerb,

    /// The folder of the repository [default: the one that RELY_REPOSITORY names]
    #[arg(long = "in", value_name = "DIR", global = true)]
    pub(crate) folder: Option<PathBuf>,
}

impl Repository {
    /// The folder, if one is named.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        named(self.folder.as_deref())
    }
}

/// What to do with a repository.
#[derive(Subcommand, Debug)]
pub(crate) enum RepositoryVerb {
    /// Verify components, and add them with the properties that hold
    Add {
        /// The file
        file: PathBuf,
        /// The component; every default target of the file if none is given
        #[arg(short, long, value_name = "NAME", value_delimiter = ',')]
        component: Vec<String>,
        /// The name of the package; that of the component if none is given
        #[arg(short, long, value_name = "NAME")]
        name: Option<String>,
        /// A property, by name or kind; everything that the file declares of the component if none is given
        #[arg(short, long, value_name = "NAME", value_delimiter = ',')]
        property: Vec<String>,
    },
    /// What is there, and which files have changed since
    List,
    /// Interface, properties and assumptions of packages
    Show {
        /// The packages
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
    /// Which packages have an interface and properties, or can take the place of another
    Search {
        /// A message that it takes
        #[arg(long, value_name = "NAME", value_delimiter = ',')]
        input: Vec<String>,
        /// A message that it gives
        #[arg(long, value_name = "NAME", value_delimiter = ',')]
        output: Vec<String>,
        /// An action, in a language that knows neither inputs nor outputs
        #[arg(long, value_name = "NAME", value_delimiter = ',')]
        action: Vec<String>,
        /// A property that follows from the packaged ones, such as `After(a) Eventually(b) assuming Repeatedly(c)`
        #[arg(long, value_name = "TEXT")]
        property: Vec<String>,
        /// The package whose place it is to take
        #[arg(long, value_name = "NAME")]
        instead_of: Option<String>,
    },
    /// Judge packages again; where a file has changed, verify what the change has made stale
    Verify {
        /// The packages; all of them if none is given
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Take packages out
    Remove {
        /// The packages
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
    /// Write a package to a file
    Export {
        /// The package
        name: String,
        /// The file
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Judge the package in a file, and add it
    Import {
        /// The file
        file: PathBuf,
        /// Its name here; the one that it had if none is given
        #[arg(short, long, value_name = "NAME")]
        name: Option<String>,
    },
}

/// Where verified components are found.
#[derive(Args, Debug)]
pub(crate) struct Shelf {
    /// Use the evidence for properties of parts in this repository, after judging it [default: the one that RELY_REPOSITORY names]
    #[arg(long, value_name = "DIR")]
    repository: Option<PathBuf>,
}

impl Shelf {
    /// The folder, if one is named.
    pub(crate) fn named(&self) -> Option<PathBuf> {
        named(self.repository.as_deref())
    }
}

fn named(folder: Option<&Path>) -> Option<PathBuf> {
    let variable = || std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
    folder.map(Path::to_owned).or_else(variable)
}
