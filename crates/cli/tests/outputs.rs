//! Where output goes: pipes that nobody reads, links that lead to one file, and streams that are full or closed.
#![cfg(unix)]

mod common;

use std::path::PathBuf;
use std::time::Duration;

use common::{Run, file_in, folder, shell, start};

/// A folder with a model whose output does not fit into a pipe.
struct Desk(PathBuf);

impl Desk {
    fn new(name: &str) -> Self {
        let desk = Self(folder(&format!("outputs-{name}")));
        file_in(&desk.0, "m.lts", "A = (a -> b -> A).\nproperty P = (a -> b -> P).\n||GOOD = (A || P).\n");
        file_in(&desk.0, "large.lts", "range R = 0..40\nA = A[0][0], A[x:R][y:R] = (to[i:R] -> A[i][x]).\n");
        desk
    }

    #[track_caller]
    fn run(&self, line: &str) -> Run {
        let mut command = shell(line);
        command.current_dir(&self.0);
        start(command, b"").end()
    }
}

#[test]
fn nobody_waits_for_a_reader_who_does_not_read() {
    let desk = Desk::new("unread");
    assert_eq!(desk.run("mkfifo pipe.aut").status, 0);
    // The shell holds the pipe open, and never reads from it.
    let held = "exec 3<>pipe.aut;";
    let run = desk.run(&format!("{held} rely convert large.lts -o pipe.aut --timeout 700ms"));
    assert_eq!(run.status, 4, "{}", run.stderr);
    assert!(run.stderr.contains("cannot write pipe.aut: time ran out"), "{}", run.stderr);
    assert!(run.took < Duration::from_secs(20), "{:?}", run.took);
    let run = desk.run(&format!("{held} rely convert large.lts -o pipe.aut --timeout 700ms --json"));
    assert_eq!((run.status, run.codes()), (4, vec!["E0001".to_owned()]), "{}", run.stderr);
    assert_eq!(run.json()["diagnostics"][0]["file"], "pipe.aut");
}

#[test]
fn whoever_is_asked_to_stop_does_not_wait_for_a_reader() {
    let desk = Desk::new("stopped");
    assert_eq!(desk.run("mkfifo pipe.aut").status, 0);
    let mut command = shell("exec 3<>pipe.aut; exec rely convert large.lts -o pipe.aut");
    command.current_dir(&desk.0);
    let running = start(command, b"");
    std::thread::sleep(Duration::from_millis(1500));
    running.signal("TERM");
    let run = running.end();
    assert_eq!(run.status, 4, "{}", run.stderr);
    assert!(run.stderr.contains("stopped on request"), "{}", run.stderr);
}

#[test]
fn a_slow_reader_gets_everything() {
    let desk = Desk::new("slow");
    assert_eq!(desk.run("rely convert large.lts -o plain.aut").status, 0);
    let run = desk.run(
        "mkfifo pipe.aut; (sleep 0.5; cat pipe.aut > copy.aut) & rely convert large.lts -o pipe.aut && wait \
         && cmp plain.aut copy.aut",
    );
    assert_eq!(run.status, 0, "{} {}", run.stdout, run.stderr);
    let gone = desk.run("(head -c 10 pipe.aut > /dev/null) & rely convert large.lts -o pipe.aut");
    assert_eq!(gone.status, 3, "{}", gone.stderr);
    assert!(gone.stderr.contains("cannot write pipe.aut"), "{}", gone.stderr);
}

#[test]
fn two_outputs_are_two_files_whatever_links_lead_there() {
    let desk = Desk::new("links");
    for links in ["ln -s file.txt link.txt", "ln -s other.txt link.txt; ln -s file.txt other.txt"] {
        assert_eq!(desk.run(&format!("rm -f *.txt; {links}")).status, 0);
        for (certificate, explanation) in [("file.txt", "link.txt"), ("link.txt", "./file.txt")] {
            let line = format!(
                "rely verify m.lts -s GOOD --certificate {certificate} --explanation {explanation} --json"
            );
            let run = desk.run(&line);
            assert_eq!((run.status, run.codes()), (2, vec!["E0009".to_owned()]), "{line}: {}", run.stderr);
            assert!(run.stderr.contains("is to be written twice"), "{line}: {}", run.stderr);
            assert!(!desk.0.join("file.txt").exists(), "{line}");
        }
    }
    let line = "rely verify m.lts -s GOOD --certificate one.txt --explanation link.txt";
    assert_eq!(desk.run(line).status, 0);
    assert!(desk.0.join("one.txt").exists() && desk.0.join("file.txt").exists());
}

/// A program finds `/dev/null` in the place of a standard output that was closed, and cannot tell the two apart.
#[test]
fn a_closed_output_is_like_one_that_throws_everything_away() {
    let desk = Desk::new("closed");
    for (line, status) in [
        ("rely check m.lts -t GOOD", 0),
        ("rely check m.lts -t GOOD --json", 0),
        ("rely check nothing.lts --json", 3),
        ("rely check m.lts --timeout 0", 4),
        ("rely --help", 0),
    ] {
        let [closed, thrown] = [">&-", "> /dev/null"].map(|to| desk.run(&format!("{line} {to}")));
        assert_eq!((closed.status, thrown.status), (status, status), "{line}: {}", closed.stderr);
        assert_eq!(closed.stderr, thrown.stderr, "{line}");
    }
    // What is closed is not written into a file that happens to be opened next.
    let run = desk.run(
        "rely convert m.lts -t GOOD -o kept.aut; rely check m.lts -t GOOD --certificate c.cert >&- 2>&-",
    );
    assert_eq!((run.status, &*run.stdout), (0, ""), "{}", run.stderr);
    assert_eq!(desk.run("rely certify c.cert m.lts").status, 0);
}
