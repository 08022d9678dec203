//! What was written is on the page, with its lines; the ways between answers lead somewhere; digests are those of the
//! certificate.

use std::collections::BTreeSet;

use rely_base::Budget;

use super::super::{Details, PageFormat};
use super::{FORMATS, page, verified};
use crate::{Project, Rule, Strategy, Verified, VerifyQuery, verify};

const TEXT: &str = "const N = 2
range R = 1..N
CELL(I=1) = (put[I] -> get[I] -> CELL).
// Nothing is taken
// before it is there.
property ORDER = (put[i:R] -> TAKE[i]),
TAKE[i:R]      = (get[i] -> ORDER).

set Puts = {put[R]}
fluent FULL[i:R] = <{put[i]}, {get[i]}>
assert NEVER_BOTH = [] !(FULL[1] && FULL[2])
assert UNUSED = <> FULL[1]
||CELLS = (forall[i:R] CELL(i) || ORDER).
";

fn asked(properties: &[&str]) -> Verified {
    let project = Project::new("cells.lts", TEXT, Box::new(|_| Err("no imports".into())));
    let query = VerifyQuery {
        properties: properties.iter().map(|&name| name.to_owned()).collect(),
        details: Details { explanation: true, coverage: false },
        ..VerifyQuery::about("CELLS")
    };
    let verified = verify(&project, &query, Budget::UNLIMITED).unwrap_or_else(|error| panic!("{error}"));
    assert!(!verified.report.has_errors(), "{:?}", verified.report.diagnostics);
    verified
}

fn lines(verified: &Verified, member: &str) -> Vec<usize> {
    let mut members = verified.explanations.iter().flat_map(|explanation| &explanation.members);
    let source = members.find(|one| one.name == member).and_then(|one| one.source.clone());
    let source = source.unwrap_or_else(|| panic!("{member} has no source"));
    let text: Vec<&str> = TEXT.lines().collect();
    assert!(source.lines.iter().all(|(number, line)| text[number - 1] == line), "{source:?}");
    source.lines.into_iter().map(|(number, _)| number).collect()
}

#[test]
fn a_definition_comes_with_its_comment_and_what_it_names() {
    let verified = asked(&["ORDER", "NEVER_BOTH"]);
    assert_eq!(lines(&verified, "ORDER"), [1, 2, 4, 5, 6, 7]);
    assert_eq!(lines(&verified, "NEVER_BOTH"), [1, 2, 10, 11]);
    assert_eq!(lines(&verified, "CELL(1)"), [3]);
    let text = page(&verified.explanations, PageFormat::Text);
    assert!(text.contains("As written in cells.lts, lines 6–7:"), "{text}");
    assert!(
        text.contains("    5  // before it is there.\n    6  property ORDER = (put[i:R] -> TAKE[i]),"),
        "{text}"
    );
    assert!(text.contains("As written in cells.lts, line 11:"), "{text}");
    assert!(!text.contains("UNUSED"), "{text}");
}

#[test]
fn every_way_leads_to_one_place() {
    let verified = asked(&["ORDER", "NEVER_BOTH"]);
    let html = page(&verified.explanations, PageFormat::Html);
    let after = |mark: &str| -> Vec<String> {
        html.split(mark).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
    };
    let (ids, ways) = (after(" id=\""), after(" href=\"#"));
    let places: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(ids.len(), places.len(), "{ids:?}");
    assert!(ways.len() > 8 && ways.iter().all(|way| places.contains(way)), "{ways:?} {ids:?}");
    for id in ["answers", "answer-1", "answer-2", "answer-2-who-broke-what", "model"] {
        assert!(ids.iter().any(|known| known == id), "{id}: {ids:?}");
    }
    let markdown = page(&verified.explanations, PageFormat::Markdown);
    assert!(markdown.contains("[`NEVER_BOTH`](#answer-2)") && markdown.contains("<a id=\"answer-2\"></a>"));
    // One answer needs no way back to all of them.
    let one = page(&verified.explanations[..1], PageFormat::Html);
    assert!(!one.contains("class=\"back\"") && html.contains("class=\"back\""));
}

#[test]
fn the_page_names_what_the_certificate_names() {
    for (rule, strategy) in
        [(Rule::Simple, Strategy::Learn), (Rule::Chain, Strategy::Direct), (Rule::Simple, Strategy::Auto)]
    {
        let verified = verified("PAIR", rule, strategy, Budget::UNLIMITED);
        let [claim] = &verified.certificate.claims[..] else { panic!("one claim") };
        let written = serde_json::to_string(claim).expect("a claim is JSON");
        let explanation = &verified.explanations[0];
        assert!(explanation.identities.len() > claim.components.len() - 1, "{:?}", explanation.identities);
        for (name, digest) in &explanation.identities {
            assert!(written.contains(digest.as_str()), "{name} {digest}");
            assert!(
                FORMATS.iter().all(|&format| page(&verified.explanations, format).contains(digest.as_str()))
            );
        }
        let assumptions = verified.report.results[0].assumptions.len();
        let named = explanation.identities.iter().filter(|(name, _)| name.starts_with('A')).count();
        assert_eq!(named, assumptions, "{:?}", explanation.identities);
    }
}

#[test]
fn the_origin_is_complete() {
    let verified = verified("PAIR", Rule::Simple, Strategy::Learn, Budget::UNLIMITED);
    for format in FORMATS {
        let page = page(&verified.explanations, format);
        for said in [
            "rely 0",
            "N = 3",
            "0123abcd",
            "rely verify model.lts --certificate p",
            "rely certify p model.lts",
            "The model",
        ] {
            assert!(page.contains(said), "{said}: {page}");
        }
    }
}
