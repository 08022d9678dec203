//! Packages: what enters is verified, what is found is judged, and what is forged is refused.

use std::sync::Arc;

use rely_base::Budget;
use rely_session::report::{PackageStatus, Verdict};
use rely_session::{
    Package, PackageSource, Packages, Project, SearchQuery, Strategy, VerifyQuery, judge_package, pack,
    renew, search, verify_with_packages,
};

const ANY: Budget<'static> = Budget::UNLIMITED;

const ECHO: &str = "
component Echo {
    input  ask(value: 0..1)
    output told(value: 0..1)
    process P {
        value: 0..1
        state idle
        state telling { send told(value) }
        idle, telling -> telling on ask(value)
    }
    property tells: After(ask) Eventually(told) assuming After(ask) Never(ask) UntilAfter(told)
    property once: After(told) Never(told) UntilAfter(ask) assuming After(ask) Never(ask) UntilAfter(told)
    property waits: Never(told) UntilAfter(ask) assuming After(ask) Never(ask) UntilAfter(told)
}
";

const USER: &str = "
import \"echo.aim\"
component Chain = first: Echo || second: Echo {
    first.told -> second.ask
    property tells: After(first.ask) Eventually(second.told)
        assuming After(first.ask) Never(first.ask) UntilAfter(second.told)
}
";

fn source(name: &str, text: &str, imported: &'static str) -> PackageSource {
    PackageSource {
        name: name.to_owned(),
        origin: format!("/models/{name}"),
        text: text.to_owned(),
        loader: Arc::new(move |file: &str| match file {
            "echo.aim" => Ok(imported.as_bytes().to_vec()),
            _ => Err("there is no such file".to_owned()),
        }),
        defines: Vec::new(),
    }
}

fn packed(text: &str) -> Package {
    let packed = pack(&source("echo.aim", text, ECHO), ("Echo", "Echo"), &[], None, ANY).expect("no mistake");
    packed.package.unwrap_or_else(|| panic!("{:?}", packed.result))
}

#[test]
fn what_holds_is_packed_and_judged_from_its_bytes() {
    let package = packed(ECHO);
    assert_eq!(package.properties, ["deadlock", "safety", "lost", "tells", "once", "waits"]);
    let read = Package::from_json(&package.to_json()).expect("it is a package");
    assert_eq!(read, package);
    let judged = judge_package(&read, ANY);
    assert_eq!(judged.status, PackageStatus::Verified);
    assert!(judged.properties.iter().all(|property| property.verdict == Verdict::Holds));
    assert_eq!(
        (judged.inputs, judged.outputs),
        (vec!["ask(0..1)".to_owned()], vec!["told(0..1)".to_owned()])
    );
    assert_eq!(judged.properties[3].claim.as_deref(), Some("After(ask) Eventually(told)"));
}

#[test]
fn nothing_enters_that_is_not_verified() {
    let mute = ECHO.replace("{ send told(value) }", "");
    let refused =
        pack(&source("echo.aim", &mute, ECHO), ("Echo", "Echo"), &[], None, ANY).expect("no mistake");
    assert!(refused.package.is_none());
    assert_eq!(refused.result.status, PackageStatus::Refused);
    let violated = refused.result.properties.iter().find(|it| it.verdict == Verdict::Violated);
    assert_eq!(violated.map(|it| it.name.as_str()), Some("tells"));
    // What is asked for holds, and nothing else is claimed.
    let only = ["waits".to_owned()];
    let some =
        pack(&source("echo.aim", &mute, ECHO), ("Echo", "Echo"), &only, None, ANY).expect("no mistake");
    assert_eq!(some.package.map(|it| it.properties), Some(vec!["waits".to_owned()]));
    let broken =
        pack(&source("echo.aim", "component {", ECHO), ("Echo", "Echo"), &[], None, ANY).expect("no mistake");
    assert!(broken.package.is_none() && !broken.findings.is_empty());
}

/// Every field of a package can be forged. None makes something accepted that is not so.
#[test]
fn forged_packages_are_refused() {
    let honest = packed(ECHO);
    let is_refused = |package: &Package| judge_package(package, ANY).status == PackageStatus::Refused;
    let forge = |change: &dyn Fn(&mut Package)| {
        let mut package = honest.clone();
        change(&mut package);
        package
    };
    // The evidence of a component is under the name of one that does something else.
    let text = ECHO.replace("{ send told(value) }", "");
    assert!(is_refused(&forge(&|it| it.texts[0].text.clone_from(&text))));
    // A property that nothing is known of.
    assert!(is_refused(&forge(&|it| it.properties.push("never_asked".to_owned()))));
    assert!(is_refused(&forge(&|it| it.properties.clear())));
    assert!(is_refused(&forge(&|it| it.certificate.claims.clear())));
    for number in 0..honest.certificate.claims.len() {
        assert!(is_refused(&forge(&|it| _ = it.certificate.claims.remove(number))), "without claim {number}");
    }
    // The claims of one property with the evidence of another.
    let claims = &honest.certificate.claims;
    let place = |name: &str| claims.iter().position(|claim| claim.property == name).expect("it was claimed");
    let (tells, waits) = (place("tells"), place("waits"));
    assert!(is_refused(&forge(&|it| it.certificate.claims[tells].evidence = claims[waits].evidence.clone())));
    // A component that is not there.
    assert!(is_refused(&forge(&|it| "Ghost".clone_into(&mut it.component))));
    for bytes in [&b"{}"[..], b"", b"[1, 2", b"{\"schema\": \"rely/package/9\"}"] {
        assert!(Package::from_json(bytes).is_err());
    }
    let foreign =
        String::from_utf8(honest.to_json()).expect("it is text").replace("rely/package/1", "rely/package/2");
    assert!(Package::from_json(foreign.as_bytes()).is_err());
}

fn verify_chain(packages: &dyn Packages, imported: &'static str) -> rely_session::Verified {
    let loader = move |_: &str| Ok(imported.as_bytes().to_vec());
    let project = Project::new("chain.aim", USER, Box::new(loader));
    let query = VerifyQuery { strategy: Strategy::Abstract, certify: true, ..VerifyQuery::about("Chain") };
    verify_with_packages(&project, &query, None, Some(packages), ANY).expect("runs can be replayed")
}

#[test]
fn a_composition_uses_what_is_packaged_only_if_it_is_true_of_its_parts() {
    let packages = vec![packed(ECHO)];
    let verified = verify_chain(&packages, ECHO);
    let result = &verified.report.results[0];
    assert_eq!(result.verdict, Verdict::Holds, "{:?}", result.reason);
    assert!(result.used.iter().all(|used| used.package.as_deref() == Some("Echo")), "{:?}", result.used);
    // The package is about another component of the same name: it is not believed, and everything is verified here.
    let mute: &'static str = Box::leak(ECHO.replace("{ send told(value) }", "").into_boxed_str());
    let verified = verify_chain(&packages, mute);
    let result = &verified.report.results[0];
    assert_eq!(result.verdict, Verdict::Unknown, "there is no proof, since `tells` is not true any more");
    assert!(result.used.is_empty());
}

#[test]
fn after_a_change_only_what_is_stale_is_verified_again() {
    let package = packed(ECHO);
    let unchanged = source("echo.aim", ECHO, ECHO);
    assert!(package.is_made_from(&unchanged));
    // A comment changes the text and nothing else.
    let commented = source("echo.aim", &format!("// An echo.\n{ECHO}"), ECHO);
    assert!(!package.is_made_from(&commented));
    let renewed = renew(&package, &commented, None, ANY).expect("no mistake");
    assert!(renewed.result.properties.iter().all(|property| property.kept), "{:?}", renewed.result);
    assert!(renewed.package.expect("it holds").is_made_from(&commented));
    // One claim is another one now.
    let stronger = ECHO.replace(
        "property once: After(told) Never(told) UntilAfter(ask)",
        "property once: Never(told) UntilAfter(ask)",
    );
    let renewed = renew(&package, &source("echo.aim", &stronger, ECHO), None, ANY).expect("no mistake");
    let again: Vec<&str> =
        renewed.result.properties.iter().filter(|it| !it.kept).map(|it| it.name.as_str()).collect();
    assert_eq!(again, ["once"]);
    assert!(renewed.package.is_some());
    // The component has a mistake now: nothing takes the place of what was packed.
    let mute = ECHO.replace("{ send told(value) }", "");
    let renewed = renew(&package, &source("echo.aim", &mute, ECHO), None, ANY).expect("no mistake");
    assert!(renewed.package.is_none());
    assert_eq!(renewed.result.status, PackageStatus::Refused);
}

#[test]
fn packages_are_found_by_interface_and_by_what_follows_from_them() {
    let packages = vec![packed(ECHO)];
    let find = |query: SearchQuery| {
        let found = search(&packages, &query, ANY).expect("no mistake");
        found.into_iter().map(|it| it.status).collect::<Vec<_>>()
    };
    let asking = |inputs: &[&str], properties: &[&str]| SearchQuery {
        inputs: inputs.iter().map(ToString::to_string).collect(),
        properties: properties.iter().map(ToString::to_string).collect(),
        ..SearchQuery::default()
    };
    assert_eq!(find(asking(&["ask"], &[])), [PackageStatus::Found]);
    assert_eq!(find(asking(&["ask(0..1)"], &[])), [PackageStatus::Found]);
    assert_eq!(find(asking(&["tell"], &[])), []);
    let assumed = "assuming After(ask) Never(ask) UntilAfter(told)";
    assert_eq!(
        find(asking(&[], &[&format!("After(ask) Eventually(told) {assumed}")])),
        [PackageStatus::Found]
    );
    // It follows, although nobody has written it down.
    let weaker = format!("IfRepeatedly(ask) Repeatedly(told) {assumed}");
    assert_eq!(find(asking(&[], &[&weaker])), [PackageStatus::Found]);
    // The assumption is not made.
    assert_eq!(find(asking(&[], &["After(ask) Eventually(told)"])), [PackageStatus::Unsuited]);
    assert_eq!(find(asking(&[], &[&format!("Eventually(told) {assumed}")])), [PackageStatus::Unsuited]);
    assert_eq!(find(asking(&[], &["After(nothing) Eventually(told)"])), [PackageStatus::Unsuited]);
    assert_eq!(find(asking(&[], &["After(("])), [PackageStatus::Unsuited]);
    // It can take its own place.
    assert_eq!(find(SearchQuery::instead_of(&packages[0], ANY)), [PackageStatus::Found]);
    // One whose evidence is none is not found by what it says of itself.
    let mut forged = packages[0].clone();
    forged.texts[0].text = ECHO.replace("{ send told(value) }", "");
    let found = search(&[forged], &asking(&[], &[&format!("After(ask) Eventually(told) {assumed}")]), ANY);
    assert_eq!(found.expect("no mistake")[0].status, PackageStatus::Unsuited);
}

/// A composition is packed with the proof from its parts.
#[test]
fn compositions_are_packed_too() {
    let source = source("chain.aim", USER, ECHO);
    let packages = vec![packed(ECHO)];
    let chain = pack(&source, ("Chain", "Chain"), &[], Some(&packages), ANY).expect("no mistake");
    let package = chain.package.unwrap_or_else(|| panic!("{:?}", chain.result));
    assert_eq!(package.texts.len(), 2, "with the file that it imports");
    assert_eq!(judge_package(&package, ANY).status, PackageStatus::Verified);
}

/// Any language has packages: what `check` certifies can be packed.
#[test]
fn processes_are_packed_too() {
    let text = "LAMP = (on -> off -> LAMP).\nprogress LIT = {on}\n";
    let source = source("lamp.lts", text, ECHO);
    let lamp = pack(&source, ("LAMP", "LAMP"), &[], None, ANY).expect("no mistake");
    let package = lamp.package.unwrap_or_else(|| panic!("{:?}", lamp.result));
    assert_eq!(package.properties, ["deadlock", "safety", "LIT"]);
    let judged = judge_package(&package, ANY);
    assert_eq!(
        (judged.status, judged.actions),
        (PackageStatus::Verified, vec!["off".to_owned(), "on".to_owned()])
    );
}
