//! The example models are read without a finding.

use std::path::Path;

use rely_base::Budget;
use rely_messages::{Elaborator, Options, parse};

#[test]
fn the_example_models_have_no_findings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let loader = |path: &str| std::fs::read(folder.join(path)).map_err(|error| error.to_string());
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the models are there") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_none_or(|extension| extension != "aim") {
            continue;
        }
        count += 1;
        let text = std::fs::read_to_string(&path).expect("it is a text");
        let read = parse(&text);
        assert!(read.diagnostics().is_empty(), "{}: {:?}", path.display(), read.diagnostics());
        let mut elaborator = Elaborator::new(&read, &loader, Budget::UNLIMITED);
        assert!(elaborator.diagnostics().is_empty(), "{}: {:?}", path.display(), elaborator.diagnostics());
        for target in elaborator.target_names() {
            assert!(elaborator.system(&target, &Options::default()).is_ok(), "{target}");
        }
    }
    assert!(count >= 4, "some models are missing");
}
