//! All about one capability.

use agent_surface_manifest::{Entry, Manifest};

use super::inventory::{NONE, policies, reach_of};
use super::paint::{BOLD, DIM, GAP, Paint, pad, style_of_effect};
use super::{changes, one_line};
use crate::{Change, Explanation, Library, Place, Report, Subject};

/// The entries that a report explains, each with what is known of it.
pub(super) fn explained(report: &Report) -> impl Iterator<Item = (&Explanation, &Entry)> {
    report.explanations.iter().filter_map(|explanation| {
        Some((explanation, find(&report.contract, &explanation.declaration_id, &explanation.capability_id)?))
    })
}

fn find<'a>(contract: &'a Manifest, declaration_id: &str, capability_id: &str) -> Option<&'a Entry> {
    contract.capabilities().iter().find(|entry| {
        entry.contract.declaration_id == declaration_id && entry.contract.capability_id == capability_id
    })
}

/// The changes of a list that are about this capability, wherever it was declared.
pub(super) fn changes_of<'a>(changes: &'a [Change], capability_id: &str) -> Vec<&'a Change> {
    changes.iter().filter(|change| is_about(change, capability_id)).collect()
}

/// Whether a change is about this capability.
pub(super) fn is_about(change: &Change, capability_id: &str) -> bool {
    matches!(&change.subject, Subject::Capability { capability_id: id, .. } if id == capability_id)
}

pub(super) fn push(report: &Report, paint: Paint, out: &mut Vec<String>) {
    for (index, (explanation, entry)) in explained(report).enumerate() {
        if index > 0 {
            out.push(String::new());
        }
        push_one(report, explanation, entry, paint, out);
    }
}

fn push_one(report: &Report, explanation: &Explanation, entry: &Entry, paint: Paint, out: &mut Vec<String>) {
    let contract = &entry.contract;
    out.push(paint.word(&contract.capability_id, BOLD));
    out.push(paint.wrap(&format!("  {}", one_line(&contract.description)), 2));
    out.push(String::new());
    let effect = paint.word(contract.effect.as_str(), style_of_effect(contract.effect));
    let confirmation = contract.confirmation.map_or_else(
        || format!("{} (by its effect)", contract.effect.defaults().confirmation),
        |stated| stated.to_string(),
    );
    let tags = contract.tags.as_deref().filter(|tags| !tags.is_empty());
    let hash = entry.contract_hash.to_hex();
    let libraries: Vec<String> = explanation.libraries.iter().map(Library::describe).collect();
    let schemas = (!libraries.is_empty()).then(|| ("Schemas by", libraries.join(", ")));
    let rows = [
        ("Declared", explanation.place.to_string()),
        ("Declaration", contract.declaration_id.clone()),
        ("Kind", contract.kind.to_string()),
        ("Effect", format!("{effect} · reach {}", reach_of(contract.effect))),
        ("Confirmation", confirmation),
        ("Policies", policies(contract.policies.as_deref())),
        ("Tags", tags.map_or_else(|| NONE.to_owned(), |tags| one_line(&tags.join(", ")))),
        ("Targets", entry.targets.join(", ")),
        ("Contract hash", hash),
        ("Manifest hash", report.contract.hash().to_hex()),
    ];
    for (name, value) in rows.into_iter().chain(schemas) {
        out.push(paint.wrap(&format!("{}{GAP}{value}", paint.word(&pad(name, 13), DIM)), 15));
    }
    push_schema("INPUT", contract.input_schema.as_ref(), out, paint);
    push_schema("OUTPUT", contract.output_schema.as_ref(), out, paint);
    push_places(
        "EVALUATED FROM",
        explanation.constants.iter().map(|it| (it.name.as_str(), &it.place)),
        "literals alone, where it is declared",
        paint,
        out,
    );
    if let Some(binders) = &explanation.binders {
        push_places(
            "BOUND BY",
            binders.iter().map(|it| (it.name.as_str(), &it.place)),
            "nothing in this build",
            paint,
            out,
        );
    }
    push_changes(report, &contract.capability_id, paint, out);
}

fn push_schema(title: &str, schema: Option<&agent_surface_json::Json>, out: &mut Vec<String>, paint: Paint) {
    let Some(schema) = schema else { return };
    out.push(String::new());
    out.push(paint.word(title, BOLD));
    out.extend(schema.to_pretty().lines().map(|line| format!("  {line}")));
}

fn push_places<'a>(
    title: &str,
    places: impl Iterator<Item = (&'a str, &'a Place)>,
    otherwise: &str,
    paint: Paint,
    out: &mut Vec<String>,
) {
    out.push(String::new());
    out.push(paint.word(title, BOLD));
    let places: Vec<_> = places.collect();
    if places.is_empty() {
        out.push(format!("  {otherwise}"));
    }
    let width = places.iter().map(|(name, _)| textwrap::core::display_width(name)).max().unwrap_or(0);
    out.extend(places.iter().map(|(name, place)| format!("  {}{GAP}{}", pad(name, width), place)));
}

fn push_changes(report: &Report, capability_id: &str, paint: Paint, out: &mut Vec<String>) {
    let mut push = |title: String, all: &[Change]| {
        let own: Vec<Change> = changes_of(all, capability_id).into_iter().cloned().collect();
        out.push(String::new());
        changes::section(&title, &own, true, paint, out);
    };
    if let Some(integrity) = &report.integrity {
        push(format!("SOURCE ↔ SNAPSHOT · {}", integrity.status), &integrity.changes);
    }
    if let Some(drift) = &report.drift {
        push(changes::title(drift), &drift.changes);
    }
}
