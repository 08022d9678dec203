//! What is measured: properties of systems that come in all sizes.
//!
//! A family is a file with the line `// family N: A B C D`, sizes of the constant `N`: the first is for tests, the others are
//! measured. What its properties are expected to do is in its `//! expect` lines.
//!
//! The five systems of the study are taken as the study has them, and once more with tasks that cannot be divided: a task
//! that the model writes as a composite, such as the list of a dispatcher with a process for each two of its artists, is
//! composed and reduced first, by the word `minimal`. The Chirons register in any order then, as in the programs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// A property of a system that comes in all sizes.
pub(in crate::bench) struct Subject {
    pub(in crate::bench) family: String,
    pub(in crate::bench) model: PathBuf,
    pub(in crate::bench) property: String,
    /// What the model says of it.
    pub(in crate::bench) expected: Option<String>,
    /// The size for tests.
    pub(in crate::bench) smallest: usize,
    /// Three sizes, from small to large.
    pub(in crate::bench) sizes: Vec<usize>,
    /// Whether nobody looks at it while settings are chosen.
    pub(in crate::bench) is_set_aside: bool,
}

impl Subject {
    /// Two sizes that take little time.
    pub(in crate::bench) fn small(&self) -> [usize; 2] {
        [self.smallest, self.smallest + 1]
    }
}

/// Families that were measured before the others were written, so that it is too late to set them aside.
const SEEN_BEFORE: [&str; 6] = ["election", "hops", "pipeline", "pool", "ring", "two-phase-commit"];

/// One of the five systems: the file, the composites that are tasks, what else is defined where they are not divided, and
/// sizes.
struct Task {
    name: &'static str,
    composites: &'static [&'static str],
    constants: &'static [(&'static str, &'static str)],
    sizes: [usize; 3],
    /// Without tasks that are divided. Lists in any order have many more states.
    whole_sizes: [usize; 3],
}

const TASKS: [Task; 6] = [
    Task {
        name: "chiron-single",
        composites: &["||DISPATCHER"],
        constants: &[("const Any_Order = 0", "const Any_Order = 1")],
        sizes: [4, 7, 10],
        whole_sizes: [2, 3, 4],
    },
    Task {
        name: "chiron-multiple",
        composites: &["||DISPATCH(E=1)"],
        constants: &[("const Any_Order = 0", "const Any_Order = 1")],
        sizes: [4, 7, 9],
        whole_sizes: [2, 3, 4],
    },
    Task { name: "gas-station", composites: &[], constants: &[], sizes: [4, 8, 11], whole_sizes: [4, 8, 11] },
    Task {
        name: "peterson",
        composites: &["||VARIABLES"],
        constants: &[],
        sizes: [2, 3, 4],
        whole_sizes: [2, 3, 4],
    },
    Task { name: "relay", composites: &[], constants: &[], sizes: [10, 20, 40], whole_sizes: [10, 20, 40] },
    Task {
        name: "smokers",
        composites: &["||TABLE"],
        constants: &[],
        sizes: [10, 20, 40],
        whole_sizes: [3, 5, 7],
    },
];

/// All subjects. Models that have to be changed are written to `folder`.
pub(in crate::bench) fn subjects(root: &Path, folder: &Path) -> Result<Vec<Subject>> {
    let mut subjects = families(root)?;
    for task in &TASKS {
        let model = root.join("models").join(format!("{}.lts", task.name));
        let text = std::fs::read_to_string(&model).with_context(|| model.display().to_string())?;
        subjects.extend(study(task.name, &model, &text, task.sizes));
        if !task.composites.is_empty() {
            let family = format!("{}-whole-tasks", task.name);
            let model = folder.join(format!("{family}.lts"));
            let text = whole(&text, task).with_context(|| family.clone())?;
            std::fs::write(&model, &text).context("the model")?;
            subjects.extend(study(&family, &model, &text, task.whole_sizes));
        }
    }
    Ok(subjects)
}

/// The model with tasks that are not divided.
fn whole(text: &str, task: &Task) -> Option<String> {
    let mut text = text.to_owned();
    for composite in task.composites {
        text = replaced(&text, composite, &format!("minimal {composite}"))?;
    }
    for (constant, other) in task.constants {
        text = replaced(&text, constant, other)?;
    }
    Some(text)
}

/// The text with a line that begins otherwise, if there is one.
fn replaced(text: &str, old: &str, new: &str) -> Option<String> {
    let (before, after) = text.split_once(&format!("\n{old}"))?;
    Some(format!("{before}\n{new}{after}"))
}

/// The properties of one of the five systems. All hold; the eighth of Chiron is none of the study.
fn study(family: &str, model: &Path, text: &str, sizes: [usize; 3]) -> Vec<Subject> {
    let properties = properties(text).into_iter().filter(|name| name != "A1_8_LIST_IS_LONG_ENOUGH");
    properties
        .map(|property| Subject {
            family: family.to_owned(),
            model: model.to_owned(),
            property,
            expected: Some("holds".to_owned()),
            smallest: 2,
            sizes: sizes.to_vec(),
            is_set_aside: false,
        })
        .collect()
}

/// The properties of all families, by name.
pub(in crate::bench) fn families(root: &Path) -> Result<Vec<Subject>> {
    let folder = root.join("models/families");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .context("models/families")?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.sort();
    let mut subjects = Vec::new();
    for model in files {
        let text = std::fs::read_to_string(&model).with_context(|| model.display().to_string())?;
        let family = model.file_stem().context("a name")?.to_string_lossy().into_owned();
        let line = text.lines().find_map(|line| line.strip_prefix("// family N: "));
        let sizes = line.with_context(|| format!("{family} has no line of sizes"))?.split_whitespace();
        let sizes: Vec<usize> = sizes.map(|size| Ok(size.parse()?)).collect::<Result<_>>()?;
        let is_set_aside = !SEEN_BEFORE.contains(&&*family) && !hash(&family).is_multiple_of(3);
        subjects.extend(properties(&text).into_iter().map(|property| Subject {
            family: family.clone(),
            model: model.clone(),
            expected: expected(&text, &property),
            property,
            smallest: sizes[0],
            sizes: sizes[1..].to_vec(),
            is_set_aside,
        }));
    }
    Ok(subjects)
}

/// The names of the property processes.
fn properties(text: &str) -> Vec<String> {
    let name = |line: &str| -> Option<String> {
        let rest = line.strip_prefix("property ")?;
        rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(str::to_owned)
    };
    text.lines().filter_map(name).collect()
}

fn expected(text: &str, property: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let line = line.strip_prefix("//! expect SYSTEM ")?;
        line.strip_prefix(property)?.strip_prefix(' ').map(str::to_owned)
    })
}

/// The FNV-1a hash of 64 bits: what is set aside does not depend on anybody's choice.
fn hash(name: &str) -> u64 {
    name.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
