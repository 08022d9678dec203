//! Programs with packages and protected objects: they do what the same program does without.

mod common;
#[path = "common/random.rs"]
mod random;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use common::network;
use rely_tasks::Exact;
use rely_testkit::rng::{Rng, seeds};

/// A random program in three pieces: what a specification declares, the bodies, and the statements of the main procedure.
fn pieces(text: &str) -> [&str; 3] {
    let text = text.strip_prefix("procedure Main is\n").expect("it is a main procedure");
    let (specification, rest) = text.split_once("   procedure Step").expect("it has a procedure");
    let (bodies, statements) = rest.split_once("\nbegin\n").expect("it has statements");
    [specification, bodies, statements]
}

/// The program with everything in a package inside of the main procedure.
fn nested(text: &str) -> String {
    let [specification, bodies, statements] = pieces(text);
    format!(
        "procedure Main is\npackage P is\n{specification}\
         procedure Step (V : in out T; W : out T);\nfunction Is_Odd (V : T) return Boolean;\nend P;\n\
         package body P is\nprocedure Step{bodies}\nend P;\nuse P;\nbegin\n{statements}"
    )
}

/// The program with everything in a package of its own: specification, body, and the main procedure, which names everything
/// in full where that is short.
fn beside(text: &str) -> [String; 3] {
    let [specification, bodies, statements] = pieces(text);
    let specification = format!(
        "package P is\n{specification}procedure Step (V : in out T; W : out T);\n\
         function Is_Odd (V : T) return Boolean;\nend P;\n"
    );
    let body = format!("package body P is\nprocedure Step{bodies}\nend P;\n");
    let statements = statements.replace("Y := Is_Odd (1)", "P.Y := P.Is_Odd (T (1))");
    [specification, body, format!("with P; use P;\nprocedure Main is\nbegin\n{statements}")]
}

/// Everything that can be said about a network, without the name of the package.
fn shown(exact: &Exact) -> String {
    let mut text = String::new();
    for component in exact.network.components() {
        let lts = &component.lts;
        let _ = writeln!(text, "{} {:?} {:?}", component.name, lts.initial(), lts.error());
        for state in lts.states() {
            for edge in lts.edges(state) {
                let name = edge.label.action().map_or("tau", |action| lts.alphabet().name(action));
                let _ = writeln!(text, "{state:?} {name} {:?}", edge.target);
            }
        }
    }
    text.replace("p.", "")
}

#[test]
fn a_package_changes_nothing_but_names() {
    let mut kinds = [0; 2];
    for seed in seeds(300) {
        let mut rng = Rng::new(seed);
        let text = random::random_program(&mut rng);
        let plain = shown(&network(&text));
        let packaged = match rng.chance(1, 2) {
            true => {
                kinds[0] += 1;
                nested(&text)
            }
            // The units may stand in any order.
            false => {
                kinds[1] += 1;
                let mut units = beside(&text);
                for at in 0..units.len() {
                    let other = rng.below(units.len());
                    units.swap(at, other);
                }
                units.concat()
            }
        };
        let exact = network(&packaged);
        assert_eq!(shown(&exact), plain, "seed {seed}\n{packaged}");
        let names = exact.network.components().iter().map(|component| component.name.as_str());
        assert!(names.filter(|name| !name.starts_with("p.")).eq(["main"]), "seed {seed}");
    }
    println!("{} inside of the main procedure, {} beside it", kinds[0], kinds[1]);
}

/// A store as a protected object, and the users of it.
const PROTECTED: &str = "procedure Shop is
   protected Store is
      entry Put (N : in Natural);
      entry Get (Left : out Natural);
      procedure Clear;
   private
      Count : Integer range 0 .. 2 := 0;
   end Store;
   protected body Store is
      entry Put (N : in Natural) when Count < 2 is
      begin
         Count := Count + N;
      end Put;
      entry Get (Left : out Natural) when Count > 0 is
         Old : constant Integer := Count;
      begin
         Count := Old - 1;
         Left := Count;
      end Get;
      procedure Clear is
      begin
         if Count = 0 then return; end if;
         Count := 0;
      end Clear;
   end Store;
   task Producer;
   task Consumer;
   task body Producer is
   begin
      Store.Put (1);
      Store.Put (1);
      Store.Clear;
   end Producer;
   task body Consumer is
      Left : Natural := 0;
   begin
      select Store.Get (Left); else Store.Get (Left); end select;
   end Consumer;
begin
   null;
end Shop;
";

/// The store above as a task: a protected object is one with an entry for each operation.
const TASK: &str = "   task Store is
      entry Put (N : in Natural);
      entry Get (Left : out Natural);
      entry Clear;
   end Store;
   task body Store is
      Count : Integer range 0 .. 2 := 0;
   begin
      loop
         select
            when Count < 2 => accept Put (N : in Natural) do Count := Count + N; end Put;
         or
            when Count > 0 => accept Get (Left : out Natural) do
               declare
                  Old : constant Integer := Count;
               begin
                  Count := Old - 1;
                  Left := Count;
               end;
            end Get;
         or
            accept Clear do
               if Count = 0 then return; end if;
               Count := 0;
            end Clear;
         or
            terminate;
         end select;
      end loop;
   end Store;
";

#[test]
fn a_protected_object_does_one_operation_after_the_other() {
    let users = PROTECTED.find("   task Producer;").expect("it has users");
    let with_task = format!("procedure Shop is\n{TASK}{}", &PROTECTED[users..]);
    let protected = network(PROTECTED);
    assert_eq!(shown(&protected), shown(&network(&with_task)));
    assert_eq!(protected.race_names().count(), 0);
}

/// What is accepted here is accepted by a compiler, too, with one file for each unit.
#[test]
fn a_compiler_accepts_packages() {
    let is_there =
        Command::new("gnatmake").arg("--version").output().is_ok_and(|found| found.status.success());
    if !is_there {
        println!("SKIPPED: no `gnatmake` on this machine, 1 test of packages was not run");
        return;
    }
    for seed in seeds(6) {
        let mut rng = Rng::new(seed);
        let text = random::random_program(&mut rng);
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("packages-{}-{seed}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        for (file, unit) in ["p.ads", "p.adb", "main.adb"].iter().zip(beside(&text)) {
            std::fs::write(folder.join(file), unit).expect("a file can be written");
        }
        std::fs::write(folder.join("inside.adb"), nested(&text).replace("Main", "Inside"))
            .expect("a file can be written");
        std::fs::write(folder.join("shop.adb"), PROTECTED).expect("a file can be written");
        for main in ["main.adb", "inside.adb", "shop.adb"] {
            let arguments = ["-q", "-c", "-gnatc", "-gnatws", "-gnat2012", main];
            let output =
                Command::new("gnatmake").args(arguments).current_dir(&folder).output().expect("it starts");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "seed {seed}, {main}: {said}\n{text}");
        }
        std::fs::remove_dir_all(&folder).expect("it was made above");
    }
}
