//! Where earlier results are kept.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use rely_repository::{DEFAULT_LIMIT, Repository};
use rely_session::{Key, Memory};

use crate::args::Kept;
use crate::context::say;
use crate::files::Unusable;
use crate::patience::Patience;

/// The folder in which results are kept; nothing is kept if it is empty.
const VARIABLE: &str = "RELY_CACHE";

/// Results of earlier runs, in a folder.
pub(crate) struct Cache {
    repository: Repository,
    folder: PathBuf,
    /// Whether the user says that nobody else can write to the folder.
    is_trusted: bool,
}

impl Cache {
    /// The results in the folder that is wanted, or else in the user's folder for such things, if there is one and results
    /// are to be kept.
    ///
    /// # Errors
    /// When the folder that is wanted cannot be used. If that of the user cannot, nothing is kept; where the user has named
    /// it, that is said.
    pub(crate) fn open(wanted: &Kept, patience: &Patience) -> anyhow::Result<Option<Self>> {
        if wanted.no_cache {
            return Ok(None);
        }
        let open = |folder: &Path| Self::in_folder(folder, wanted.trust_cache, patience);
        if let Some(folder) = &wanted.cache {
            return open(folder).map(Some);
        }
        let Some(folder) = usual_folder(|name| std::env::var_os(name)) else { return Ok(None) };
        match open(&folder) {
            Ok(cache) => Ok(Some(cache)),
            Err(error) => {
                if std::env::var_os(VARIABLE).is_some() {
                    say(format_args!("rely: {VARIABLE}: {error:#}"));
                }
                Ok(None)
            }
        }
    }

    fn in_folder(folder: &Path, is_trusted: bool, patience: &Patience) -> anyhow::Result<Self> {
        /// A record that has been read takes at most this many times its bytes on disk.
        const WHEN_READ: u64 = 32;
        let repository = Repository::open(folder, DEFAULT_LIMIT).with_context(|| Unusable::kept(folder))?;
        let repository = repository.reading_at_most(patience.most() / WHEN_READ);
        Ok(Self { repository, folder: folder.to_owned(), is_trusted })
    }

    /// Says on standard error what the user has to know.
    pub(crate) fn warn(&self) {
        if self.repository.rebuilt() {
            let folder = self.folder.display();
            say(format_args!(
                "rely: the results kept in {folder} were damaged; they are gone, and new ones are kept"
            ));
        }
    }
}

impl Memory for Cache {
    fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    fn recall(&self, key: &Key) -> Option<Vec<u8>> {
        self.repository.get(key)
    }

    fn remember(&self, entries: &[(Key, Vec<u8>)]) {
        self.repository.put(entries);
    }
}

/// The folder that the environment names.
fn usual_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(folder) = variable(VARIABLE) {
        return (!folder.is_empty()).then(|| folder.into());
    }
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let caches = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Caches"))
    } else {
        folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")))
    };
    caches.map(|caches| caches.join("rely"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn the_environment_says_where() {
        let folder = |pairs: &[(&str, &str)]| {
            usual_folder(|name| {
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(*value))
            })
        };
        assert_eq!(folder(&[]), None);
        assert_eq!(folder(&[("HOME", "/home/u")]), Some("/home/u/.cache/rely".into()));
        assert_eq!(folder(&[("HOME", "/home/u"), ("XDG_CACHE_HOME", "/c")]), Some("/c/rely".into()));
        // A relative path is to be ignored.
        assert_eq!(
            folder(&[("HOME", "/home/u"), ("XDG_CACHE_HOME", "c")]),
            Some("/home/u/.cache/rely".into())
        );
        assert_eq!(folder(&[("HOME", "/home/u"), ("RELY_CACHE", "here")]), Some("here".into()));
        assert_eq!(folder(&[("HOME", "/home/u"), ("RELY_CACHE", "")]), None);
    }
}
