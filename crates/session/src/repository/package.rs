//! Packages as they are kept: texts and a certificate.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rely_base::Budget;
use rely_certificate::Certificate;
use rely_model::Loader;
use serde::{Deserialize, Serialize};

use crate::Project;
use crate::meaning::Meaning;
use crate::report::{PackageResult, PackageStatus, PackagedProperty, Verdict};

/// The version of the format of packages.
pub const PACKAGE_SCHEMA: &str = "rely/package/1";

/// A component with what was proved of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// The version of the format.
    pub schema: String,
    /// Its name in the repository.
    pub name: String,
    /// The component, by its name in the texts.
    pub component: String,
    /// The path of the file that it was made from.
    pub origin: String,
    /// The file and all that it imports, the file itself first.
    pub texts: Vec<PackageText>,
    /// Constants that have other values than the texts give them.
    pub defines: Vec<Define>,
    /// The properties that were verified.
    pub properties: Vec<String>,
    /// The evidence.
    pub certificate: Certificate,
}

/// A text of a package.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageText {
    /// The name of the file; of an imported one, as the import says it.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// A constant with a value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Define {
    /// The constant.
    pub name: String,
    /// The value.
    pub value: i32,
}

/// A file that a component is packed from.
#[derive(Clone)]
pub struct PackageSource {
    /// The name of the file, as findings show it.
    pub name: String,
    /// Its path, by which it is found when it may have changed.
    pub origin: String,
    /// Its content.
    pub text: String,
    /// What reads the files that it imports.
    pub loader: Arc<Loader<'static>>,
    /// Constants that get other values.
    pub defines: Vec<Define>,
}

/// The imported files that have been read, by the names that imports give them.
type Imported = Arc<Mutex<BTreeMap<String, String>>>;

impl PackageSource {
    /// The components that are meant where none is named.
    pub fn default_components(&self, budget: Budget<'_>) -> Vec<String> {
        Meaning::of(&self.project().0, budget).default_targets()
    }

    /// The project, and where the imported files are noted when they are read.
    pub(super) fn project(&self) -> (Project, Imported) {
        let imported = Imported::default();
        let (noted, loader) = (Arc::clone(&imported), Arc::clone(&self.loader));
        let loader = move |name: &str| {
            let bytes = loader(name)?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            noted.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), text);
            Ok(bytes)
        };
        let mut project = Project::new(self.name.clone(), self.text.clone(), Box::new(loader));
        for Define { name, value } in &self.defines {
            project.define(name, *value);
        }
        (project, imported)
    }

    /// The texts, when all imports have been read.
    pub(super) fn texts(&self, imported: &Imported) -> Vec<PackageText> {
        let imported = imported.lock().unwrap_or_else(PoisonError::into_inner);
        let itself = PackageText { name: self.name.clone(), text: self.text.clone() };
        let others =
            imported.iter().map(|(name, text)| PackageText { name: name.clone(), text: text.clone() });
        std::iter::once(itself).chain(others).collect()
    }
}

impl Package {
    /// Reads a package. What it says is not judged.
    ///
    /// # Errors
    /// Why it is none.
    pub fn from_json(bytes: &[u8]) -> Result<Self, String> {
        let package: Self =
            serde_json::from_slice(bytes).map_err(|error| format!("it is no package: {error}"))?;
        if package.schema != PACKAGE_SCHEMA {
            return Err(format!("the format {} is not {PACKAGE_SCHEMA}", package.schema));
        }
        if package.texts.is_empty() {
            return Err("it has no text".to_owned());
        }
        Ok(package)
    }

    /// The package as it is kept and exported. The same package gives the same bytes.
    ///
    /// # Panics
    /// Never: a package is plain data.
    pub fn to_json(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).expect("a package is plain data");
        bytes.push(b'\n');
        bytes
    }

    /// The texts as a file to pack from.
    pub fn source(&self) -> PackageSource {
        let texts: BTreeMap<String, String> =
            self.texts[1..].iter().map(|it| (it.name.clone(), it.text.clone())).collect();
        let load = move |name: &str| {
            let text = texts.get(name).map(|text| text.clone().into_bytes());
            text.ok_or_else(|| "the package does not have this file".to_owned())
        };
        PackageSource {
            name: self.texts[0].name.clone(),
            origin: self.origin.clone(),
            text: self.texts[0].text.clone(),
            loader: Arc::new(load),
            defines: self.defines.clone(),
        }
    }

    /// Whether a file and all that it imports are what was packed.
    pub fn is_made_from(&self, source: &PackageSource) -> bool {
        let is_there = |it: &PackageText| {
            (source.loader)(&it.name).is_ok_and(|found| String::from_utf8_lossy(&found) == it.text)
        };
        self.texts[0].text == source.text && self.texts[1..].iter().all(is_there)
    }

    /// What the texts say about the component. Nothing is verified.
    pub fn describe(&self, status: PackageStatus, budget: Budget<'_>) -> PackageResult {
        let (project, _) = self.source().project();
        let mut result = PackageResult::new(&self.name, &self.component, &self.origin, status);
        let mut meaning = Meaning::of(&project, budget);
        if let Ok(Some(ports)) = meaning.ports(&self.component) {
            (result.inputs, result.outputs) = (ports.inputs, ports.outputs);
        } else if let Ok(target) = meaning.behaviour(&self.component) {
            result.actions =
                target.behaviour.alphabet().sorted_names().into_iter().map(str::to_owned).collect();
        }
        let commitments = meaning.commitments(&self.component).ok().flatten();
        for name in &self.properties {
            let mut property = PackagedProperty::new(name, Verdict::Unknown);
            let commitment = commitments.as_ref().and_then(|all| all.all().find(|it| it.name == *name));
            if let Some(commitment) = commitment {
                property.claim = Some(commitment.show(&commitment.claim));
                property.assuming = commitment.assuming.iter().map(|it| commitment.show(it)).collect();
            }
            result.properties.push(property);
        }
        result
    }
}
