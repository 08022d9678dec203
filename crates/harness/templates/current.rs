//! A test at the end of every harness.

#[test]
fn the_design_has_not_changed() {
    for (path, digest) in harness::SOURCES {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let text = std::fs::read(&path).expect("the design is where it was");
        let is_same = rely_runtime::digest(&[&text]) == *digest;
        assert!(is_same, "{} has changed: run `rely harness` again", path.display());
    }
}
