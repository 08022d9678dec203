//! Table 1 of the paper on verified components: a composition directly, its parts, and what follows from what.
//!
//! **Source.** Table 1 of [Xie & Browne 2003]: Sensor-to-Network directly, the Sensor, the Network, and the abstraction of both. The
//! re-use of packaged parts, whose evidence is judged and not found again, is counted apart. Three levels of composition
//! (`models/relay.aim`) are measured, too: there the direct way ends at a limit.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// A system, a property of it, and the constants of the model.
struct Case {
    model: &'static str,
    system: &'static str,
    property: &'static str,
    /// The components that it is made of in the end.
    parts: &'static str,
    defines: &'static [&'static str],
    /// Limits for the direct way.
    limits: &'static [&'static str],
}

const CASES: [Case; 3] = [
    Case {
        model: "models/sensor-to-network.aim",
        system: "SensorToNetwork",
        property: "transmits",
        parts: "Sensor,Network",
        defines: &["READINGS=1", "BYTES=1"],
        limits: &[],
    },
    Case {
        model: "models/sensor-to-network.aim",
        system: "SensorToNetwork",
        property: "transmits",
        parts: "Sensor,Network",
        defines: &[],
        limits: &[],
    },
    Case {
        model: "models/relay.aim",
        system: "Eight",
        property: "passes",
        parts: "Relay",
        defines: &[],
        limits: &["--max-memory", "2G", "--timeout", "10m"],
    },
];

pub(super) fn run(root: &Path) -> Result<()> {
    let rely = super::build(root)?;
    let folder = std::env::temp_dir().join(format!("rely-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).context("a folder for a repository")?;
    println!("| system | way | states | seconds |\n|---|---|---|---|");
    let done = CASES.iter().try_for_each(|case| measure(&rely, root, &folder, case));
    std::fs::remove_dir_all(&folder).context("the folder of the repository")?;
    done
}

fn measure(rely: &Path, root: &Path, folder: &Path, case: &Case) -> Result<()> {
    let name = format!("{} {}", case.system, case.defines.join(" "));
    let row =
        |way: &str, states: &str, seconds: f64| println!("| {name} | {way} | {states} | {seconds:.2} |");
    let whole = |strategy: &str, more: &[&str]| {
        let mut command = verify(rely, root, case);
        command.args(["--strategy", strategy]).args(more);
        timed(&mut command)
    };
    let (direct, seconds) = whole("monolithic", case.limits)?;
    let verdict = if direct["verdict"] == "holds" { "directly" } else { "directly, until a limit" };
    row(verdict, &direct["peak_states"].to_string(), seconds);
    let (proof, seconds) = whole("abstract", &[])?;
    ensure!(proof["verdict"] == "holds", "{name}: {}", proof["reason"]);
    let used = proof["used"].as_array().cloned().unwrap_or_default();
    let mut parts: Vec<&str> = used.iter().filter_map(|it| it["component"].as_str()).collect();
    parts.sort_unstable();
    parts.dedup();
    for part in parts {
        let own = || used.iter().filter(|it| it["component"] == part);
        let sum = |field: &str| own().filter_map(|it| it[field].as_f64()).sum::<f64>();
        let largest = own().filter_map(|it| it["states"].as_u64()).max().unwrap_or(0);
        let states = format!("{} in {} searches, the largest {largest}", sum("states"), own().count());
        row(part, &states, sum("time_ms") / 1000.0);
    }
    let abstraction = &proof["abstraction"];
    let milliseconds = abstraction["time_ms"].as_f64().unwrap_or(0.0);
    row("abstraction", &abstraction["states"].to_string(), milliseconds / 1000.0);
    row("from the parts, all together", "", seconds);
    let mut command = Command::new(rely);
    command.current_dir(root).args([
        "repository",
        "add",
        case.model,
        "--component",
        case.parts,
        "--json",
        "--in",
    ]);
    command.arg(folder);
    case.defines.iter().for_each(|define| _ = command.args(["--define", define]));
    let (_, seconds) = timed(&mut command)?;
    row("packing all properties of the parts", "", seconds);
    let (_, seconds) =
        timed(verify(rely, root, case).args(["--strategy", "abstract", "--repository"]).arg(folder))?;
    row("from packaged parts", "", seconds);
    Ok(())
}

fn verify(rely: &Path, root: &Path, case: &Case) -> Command {
    let mut command = Command::new(rely);
    command.current_dir(root).args(["verify", case.model, "--system", case.system]);
    command.args(["--property", case.property, "--no-cache", "--json"]);
    case.defines.iter().for_each(|define| _ = command.args(["--define", define]));
    command
}

/// The first result, and how many seconds it took.
fn timed(command: &mut Command) -> Result<(Value, f64)> {
    let start = Instant::now();
    let output = command.output().context("rely cannot be run")?;
    let seconds = start.elapsed().as_secs_f64();
    let report: Value = serde_json::from_slice(&output.stdout).context("rely gives no object")?;
    Ok((report["results"][0].clone(), seconds))
}
