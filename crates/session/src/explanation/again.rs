//! How an answer can be re-checked: the certificate, the command that judges it, and what it is about.

use rely_certificate::{Claim, Evidence};

use super::page::{Block, Table, Words};
use super::{Explanation, Origin};
use crate::report::Verdict;

/// The components and assumptions of claims, each with its digest in the certificate.
pub(crate) fn identities(claims: &[Claim]) -> Vec<(String, String)> {
    let mut known: Vec<(String, String)> = Vec::new();
    let mut assumptions = Vec::new();
    for claim in claims {
        for component in &claim.components {
            let identity = (component.name.clone(), component.digest.to_string());
            if !known.contains(&identity) {
                known.push(identity);
            }
        }
        match &claim.evidence {
            Evidence::Composition(proof) => {
                assumptions.extend(proof.assumptions.iter().map(|one| &one.digest));
            }
            Evidence::Interface(proof) => assumptions.push(&proof.assumption.digest),
            _ => {}
        }
    }
    let named =
        assumptions.into_iter().enumerate().map(|(i, digest)| (format!("A{}", i + 1), digest.to_string()));
    known.extend(named);
    known
}

/// Writes how an answer can be re-checked.
pub(super) fn write(explanation: &Explanation, origin: &Origin, blocks: &mut Vec<Block>) {
    match explanation.verdict {
        Verdict::Unknown => {}
        Verdict::Holds => holds(explanation, origin, blocks),
        Verdict::Violated => violated(origin, blocks),
    }
}

fn holds(explanation: &Explanation, origin: &Origin, blocks: &mut Vec<Block>) {
    if origin.judge.is_empty() {
        return;
    }
    blocks.push(Block::Heading(3, Words::new("Checking it again")));
    let words = match &origin.certificate {
        Some(_) => {
            "A certificate has everything that a proof needs. It is judged by code that shares nothing with the search:"
        }
        None => {
            "The certificate that was written in the same run is judged by code that shares nothing with the search:"
        }
    };
    blocks.push(Block::Paragraph(Words::new(words)));
    let commands: Vec<&str> = origin.certificate.iter().chain([&origin.judge]).map(String::as_str).collect();
    blocks.push(Block::Code(commands.join("\n")));
    if let Some(digest) = &origin.certificate_digest {
        blocks.push(Block::Facts(vec![("SHA-256 of the certificate", Words::of_name(digest))]));
    }
    if explanation.identities.is_empty() {
        return;
    }
    blocks.push(Block::Paragraph(Words::new(
        "The certificate knows what it is about by these digests. The judge reads the model by itself, and refuses \
         a certificate for other components.",
    )));
    let row = |(name, digest): &(String, String)| vec![Words::of_name(name), Words::of_name(digest)];
    let rows = explanation.identities.iter().map(row).collect();
    blocks.push(Block::Table(Table { head: vec![("Component", false), ("Digest", false)], rows }));
}

fn violated(origin: &Origin, blocks: &mut Vec<Block>) {
    if origin.command.is_empty() {
        return;
    }
    blocks.push(Block::Heading(3, Words::new("Checking it again")));
    blocks.push(Block::Paragraph(Words::new(
        "The run needs no certificate: each of its steps can be followed in the components. The command that found it:",
    )));
    blocks.push(Block::Code(origin.command.clone()));
}
