//! Compiling programs with GNAT, many at once, and running them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::acceptance::{Ending, Execution};

/// How many programs run at once.
const AT_ONCE: usize = 6;

/// A folder with one executable that has many programs in it.
pub(crate) struct Batch {
    folder: PathBuf,
}

/// Whether the compiler is there. If not, that is said, and counted as a skip.
pub(crate) fn is_there() -> bool {
    let found =
        Command::new("gnatmake").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        let message = "SKIPPED: no `gnatmake` on this machine, 1 test with real executions was not run\n";
        let _ = std::io::stderr().write_all(message.as_bytes());
    }
    found
}

impl Batch {
    /// Compiles units, each of which is a procedure without parameters.
    pub(crate) fn new(name: &str, units: &[(String, String)]) -> Self {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("gnat-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let write = |name: &str, text: &str| {
            std::fs::write(folder.join(name), text).expect("a file can be written");
        };
        write("rely_log.ads", include_str!("rely_log.ads"));
        write("rely_log.adb", include_str!("rely_log.adb"));
        let mut main = String::from("with Ada.Command_Line; use Ada.Command_Line;\nwith Rely_Log;\n");
        for (unit, text) in units {
            write(&format!("{}.adb", unit.to_lowercase()), text);
            let _ = writeln!(main, "with {unit};");
        }
        main += "procedure Rely_Batch is\n   function Number (N : Positive) return Integer is (Integer'Value (Argument (N)));\nbegin\n   Rely_Log.Start (Number (2), Number (3));\n   case Number (1) is\n";
        for (number, (unit, _)) in units.iter().enumerate() {
            let _ = writeln!(main, "   when {number} => {unit};");
        }
        main += "   when others => null;\n   end case;\n   Rely_Log.Finish;\nend Rely_Batch;\n";
        write("rely_batch.adb", &main);
        let output = Command::new("gnatmake")
            .args(["-q", "-j2", "-O0", "-gnatws", "-gnat2012", "rely_batch.adb"])
            .current_dir(&folder)
            .output()
            .expect("gnatmake can be started");
        assert!(
            output.status.success(),
            "GNAT refuses a program in {}:\n{}",
            folder.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        Self { folder }
    }

    /// Runs programs, several at once: while one waits, another one can run.
    pub(crate) fn run_all<'m>(
        &self,
        runs: &[(usize, u64)],
        main: impl Fn(usize) -> &'m str + Sync,
        enough: usize,
    ) -> Vec<Execution> {
        let run = |&(number, seed): &(usize, u64)| self.run(number, main(number), seed, enough);
        std::thread::scope(|scope| {
            let share = runs.len().div_ceil(AT_ONCE).max(1);
            let threads: Vec<_> = runs
                .chunks(share)
                .map(|part| scope.spawn(|| part.iter().map(run).collect::<Vec<_>>()))
                .collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("programs can be run")).collect()
        })
    }

    /// Runs a program, whose main procedure has a name, with a number for its random delays.
    fn run(&self, number: usize, main: &str, seed: u64, enough: usize) -> Execution {
        let output = Command::new(self.folder.join("rely_batch"))
            .args([number.to_string(), seed.to_string(), enough.to_string()])
            .output()
            .expect("the program can be started");
        let ending = match output.status.code() {
            Some(0) => Ending::Ended,
            Some(3) => Ending::Failed,
            Some(5 | 6) => Ending::Stopped,
            code => {
                panic!("program {number} ended with {code:?}: {}", String::from_utf8_lossy(&output.stderr))
            }
        };
        let mut lines: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut last = String::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Some((task, event)) = line.split_once('|') else { continue };
            let event: String = event.chars().filter(|c| *c != ' ').collect::<String>().to_lowercase();
            last = task_name(task, main);
            lines.entry(last.clone()).or_default().push(event);
        }
        Execution { lines, last, ending }
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        // What failed is kept, to be looked at.
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// The name of a task as GNAT writes it, `s(1)_0000A1`, as rely writes it.
fn task_name(image: &str, main: &str) -> String {
    let name = image.rsplit_once('_').map_or(image, |(name, _)| name).to_lowercase();
    if name == "main" && image == "main_task" || image.starts_with("main_task_") {
        return main.to_owned();
    }
    name.replace('(', ".").replace([')', ' '], "")
}
