//! The JSON Schema that is shipped is the one of the types.

use std::path::Path;

#[test]
fn the_shipped_schema_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/rely-1.json");
    let current = rely_session::json_schema() + "\n";
    if std::env::var_os("UPDATE_SUITE").is_some() {
        std::fs::write(&path, &current).expect("the schema can be written");
    }
    let shipped = std::fs::read_to_string(&path).expect("the schema is shipped");
    assert_eq!(shipped, current, "run the tests with UPDATE_SUITE=1");
}
