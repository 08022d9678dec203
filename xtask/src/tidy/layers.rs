//! What the crates use: each other, in one direction, and crates of others, with a reason.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// The crates in dependency order: a crate uses only crates above it, and of those only the ones named here.
pub(super) const LAYERS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("automata", &["base"]),
    ("lts", &["base"]),
    ("omega", &["base"]),
    ("explore", &["base", "lts"]),
    ("certificate", &["base", "lts", "omega"]),
    ("decide", &["base", "lts", "omega", "explore", "certificate"]),
    ("learn", &["base", "automata"]),
    ("assume", &["base", "automata", "lts", "explore", "certificate", "decide", "learn"]),
    ("interface", &["base", "automata", "lts", "explore", "certificate", "decide", "learn", "assume"]),
    ("model", &["base", "lts", "omega", "explore"]),
    ("syntax", &["base"]),
    ("fsp", &["base", "lts", "omega", "explore", "model", "syntax"]),
    ("tasks", &["base", "automata", "lts", "model", "syntax"]),
    ("reactive", &["base", "lts", "explore", "model", "syntax"]),
    ("messages", &["base", "lts", "omega", "model", "syntax"]),
    ("draw", &["base", "lts"]),
    ("monitor", &["base", "lts"]),
    ("runtime", &[]),
    ("harness", &["base", "lts", "monitor", "runtime", "syntax"]),
    (
        "session",
        &[
            "base",
            "lts",
            "omega",
            "explore",
            "certificate",
            "decide",
            "assume",
            "interface",
            "model",
            "syntax",
            "fsp",
            "tasks",
            "reactive",
            "messages",
            "draw",
            "monitor",
            "runtime",
            "harness",
        ],
    ),
    ("rely", &["base", "automata", "lts", "explore", "certificate", "learn", "model", "session"]),
    ("ide", &["base", "model", "session"]),
    ("wasm", &["ide"]),
    ("repository", &[]),
    ("cli", &["base", "repository", "session", "ide", "model"]),
    ("testkit", &["base", "lts", "omega"]),
];

/// What Cargo knows about the workspace.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Clone, Deserialize)]
struct Package {
    name: String,
    description: Option<String>,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Clone, Deserialize)]
struct Dependency {
    name: String,
    /// `dev` or `build`; nothing for an ordinary one.
    kind: Option<String>,
}

/// Reports what is wrong with the crates.
pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root)
        .output()
        .context("cargo does not start")?;
    ensure!(output.status.success(), "cargo metadata failed");
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    let mut problems = layer_problems(LAYERS, &metadata.packages);
    for package in &metadata.packages {
        let manifest = std::fs::read_to_string(&package.manifest_path)
            .with_context(|| package.manifest_path.display().to_string())?;
        problems.extend(lint_problem(&package.name, &manifest));
    }
    let read = |name: &str| std::fs::read_to_string(root.join(name)).context(name.to_owned());
    let manifest = read("Cargo.toml")?;
    if !section(&manifest, "workspace.lints.rust").contains(&"unsafe_code = \"forbid\"") {
        problems.push("Cargo.toml does not forbid unsafe code".to_owned());
    }
    problems.extend(reason_problems(&manifest, &read("deny.toml")?, &metadata.packages));
    Ok(problems)
}

/// The folder of a package of ours.
fn crate_name(package: &str) -> Option<&str> {
    if package == "rely" { Some("rely") } else { package.strip_prefix("rely-") }
}

/// Every crate has its place, and uses only what its place allows, except in tests.
fn layer_problems(layers: &[(&str, &[&str])], packages: &[Package]) -> Vec<String> {
    let mut problems = Vec::new();
    for (place, (name, allowed)) in layers.iter().enumerate() {
        let is_above = |used: &&str| layers[..place].iter().any(|(above, _)| above == used);
        for used in allowed.iter().filter(|used| !is_above(used)) {
            problems.push(format!("the layers allow crate {name} to use {used}, which is not above it"));
        }
        if !packages.iter().any(|package| crate_name(&package.name) == Some(name)) {
            problems.push(format!("the layers have a crate {name}, which does not exist"));
        }
    }
    for package in packages {
        let Some(name) = crate_name(&package.name) else { continue };
        let Some((_, allowed)) = layers.iter().find(|(layer, _)| *layer == name) else {
            problems.push(format!("crate {name} has no place among the layers of xtask/src/tidy/layers.rs"));
            continue;
        };
        if package.description.is_none() {
            problems.push(format!("crate {name} has no description"));
        }
        let is_for_tests = |dependency: &&Dependency| dependency.kind.as_deref() == Some("dev");
        for dependency in package.dependencies.iter().filter(|dependency| !is_for_tests(dependency)) {
            if let Some(used) = crate_name(&dependency.name)
                && !allowed.contains(&used)
            {
                problems.push(format!("crate {name} must not use crate {used}"));
            }
        }
    }
    problems
}

/// A crate obeys the lints of the workspace; among them are those against unsafe code and public items without
/// documentation.
fn lint_problem(name: &str, manifest: &str) -> Option<String> {
    let obeys = section(manifest, "lints").contains(&"workspace = true");
    (!obeys).then(|| format!("{name} does not obey the lints of the workspace"))
}

/// Every dependency of the workspace that is not ours has a reason in deny.toml, and is used.
fn reason_problems(manifest: &str, deny: &str, packages: &[Package]) -> Vec<String> {
    let mut problems = Vec::new();
    // Names stand at the margin of the comment, in one line each or with commas between them.
    let reasons: Vec<&str> = deny
        .lines()
        .filter_map(|line| line.strip_prefix("# "))
        .filter(|line| !line.starts_with(' '))
        .flat_map(|line| line.split("  ").next().unwrap_or_default().split(", "))
        .collect();
    let dependencies = section(manifest, "workspace.dependencies");
    let names = dependencies.iter().filter_map(|line| line.split(" =").next());
    for name in names.filter(|name| crate_name(name).is_none()) {
        if !reasons.contains(&name) {
            problems.push(format!("deny.toml gives no reason for the dependency {name}"));
        }
        let uses = |package: &Package| package.dependencies.iter().any(|dependency| dependency.name == name);
        if !packages.iter().any(uses) {
            problems.push(format!("nobody uses the dependency {name}"));
        }
    }
    problems
}

/// The lines of a section of a manifest.
fn section<'m>(manifest: &'m str, name: &str) -> Vec<&'m str> {
    let heading = format!("[{name}]");
    let inside = manifest.lines().skip_while(|line| *line != heading).skip(1);
    inside.take_while(|line| !line.starts_with('[')).filter(|line| !line.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Package {
        let dependency = |&(name, kind): &(&str, Option<&str>)| Dependency {
            name: name.to_owned(),
            kind: kind.map(str::to_owned),
        };
        Package {
            name: name.to_owned(),
            description: Some("something".to_owned()),
            manifest_path: PathBuf::new(),
            dependencies: dependencies.iter().map(dependency).collect(),
        }
    }

    #[test]
    fn crates_use_what_is_above_them() {
        let layers: &[(&str, &[&str])] = &[("base", &[]), ("lts", &["base"]), ("cli", &["base"])];
        let with = |lts: &[(&str, Option<&str>)]| {
            let packages = [package("rely-base", &[]), package("rely-lts", lts), package("rely-cli", &[])];
            layer_problems(layers, &packages)
        };
        assert_eq!(with(&[("rely-base", None), ("serde", None), ("rely-cli", Some("dev"))]), [""; 0]);
        assert_eq!(with(&[("rely-cli", None)]), ["crate lts must not use crate cli"]);
        assert_eq!(with(&[("rely-cli", Some("build"))]), ["crate lts must not use crate cli"]);
    }

    #[test]
    fn layers_are_in_order_and_complete() {
        let packages = [package("rely-base", &[]), package("rely-lts", &[])];
        let upside_down: &[(&str, &[&str])] = &[("base", &["lts"]), ("lts", &[])];
        let found = layer_problems(upside_down, &packages);
        assert_eq!(found, ["the layers allow crate base to use lts, which is not above it"]);
        let found = layer_problems(&[("base", &[])], &packages);
        assert_eq!(found, ["crate lts has no place among the layers of xtask/src/tidy/layers.rs"]);
        let found = layer_problems(&[("base", &[]), ("lts", &[]), ("gone", &[])], &packages);
        assert_eq!(found, ["the layers have a crate gone, which does not exist"]);
        let silent = Package { description: None, ..package("rely-base", &[]) };
        assert_eq!(layer_problems(&[("base", &[])], &[silent]), ["crate base has no description"]);
    }

    #[test]
    fn crates_obey_the_lints() {
        assert_eq!(
            lint_problem("rely-lts", "[package]\n[lints]\nworkspace = true\n\n[dependencies]\n"),
            None
        );
        for manifest in ["[package]\n", "[lints]\n[dependencies]\nworkspace = true\n"] {
            assert!(lint_problem("rely-lts", manifest).is_some(), "{manifest}");
        }
    }

    #[test]
    fn dependencies_have_reasons() {
        let manifest = "[workspace.dependencies]\nrely-base = { path = \"x\" }\n\nserde = \"1\"\nclap = \"4\"\n[x]\ny = 1\n";
        let users = [package("rely-base", &[("serde", None), ("clap", None)])];
        let good = "# serde  for JSON\n# clap, clap_mangen\n#        for arguments\n\n[graph]\n";
        assert_eq!(reason_problems(manifest, good, &users), [""; 0]);
        let found = reason_problems(manifest, "# serde  for JSON, and clap\n#   clap  no name\n", &users);
        assert_eq!(found, ["deny.toml gives no reason for the dependency clap"]);
        let found = reason_problems(manifest, good, &[package("rely-base", &[("serde", None)])]);
        assert_eq!(found, ["nobody uses the dependency clap"]);
    }
}
