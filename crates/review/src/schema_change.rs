//! A capability's schemas: whether the new one accepts more, and where the two differ.

use std::collections::BTreeSet;

use agent_surface_json::{Json, Object, Pointer};
use agent_surface_manifest::format::field;
use agent_surface_schema::{Limits, NativePatterns, check};

use crate::{Change, Class, Difference, Subject, containment::is_within};

/// The change of what a capability takes. One that begins to take input takes more; what no schema says any more
/// is for the runtime to decide, so that nothing is shown.
pub(crate) fn of_input(subject: &Subject, before: Option<&Json>, after: Option<&Json>) -> Option<Change> {
    of_field(subject, field::INPUT_SCHEMA, before, after, [Class::Widening, Class::Changed])
}

/// The change of what a capability gives. Without a schema nothing bounds that.
pub(crate) fn of_output(subject: &Subject, before: Option<&Json>, after: Option<&Json>) -> Option<Change> {
    of_field(subject, field::OUTPUT_SCHEMA, before, after, [Class::Narrowing, Class::Widening])
}

fn of_field(
    subject: &Subject,
    field: &'static str,
    before: Option<&Json>,
    after: Option<&Json>,
    [added, removed]: [Class; 2],
) -> Option<Change> {
    let class = match (before, after) {
        (Some(before), Some(after)) => {
            if before == after {
                return None;
            }
            classify(before, after)
        }
        (None, Some(_)) => added,
        (Some(_), None) => removed,
        (None, None) => return None,
    };
    let mut change = Change::of_field(subject, field, class, before.cloned(), after.cloned());
    if let (Some(before), Some(after)) = (before, after) {
        differences(before, after, &Pointer::root(), &mut change.differences);
    }
    Some(change)
}

/// Whether the newer schema accepts more values, fewer, the same, or nothing that can be shown.
pub(crate) fn classify(before: &Json, after: &Json) -> Class {
    let patterns = NativePatterns::default();
    let is_known = |schema| check(schema, Limits::default(), &patterns).is_ok();
    if !is_known(before) || !is_known(after) {
        return Class::Changed;
    }
    match (is_within(after, before, &patterns), is_within(before, after, &patterns)) {
        (true, true) => Class::Neutral,
        (true, false) => Class::Narrowing,
        (false, true) => Class::Widening,
        (false, false) => Class::Changed,
    }
}

/// Notes the innermost places where two documents differ.
fn differences(before: &Json, after: &Json, at: &Pointer, found: &mut Vec<Difference>) {
    if before == after {
        return;
    }
    match (before, after) {
        (Json::Object(old), Json::Object(new)) => members(old, new, at, found),
        // The variants of an `anyOf`. Lists of anything else are sets, and read better as a whole.
        (Json::Array(old), Json::Array(new))
            if old.len() == new.len() && old.iter().chain(new).all(|item| item.as_object().is_some()) =>
        {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                differences(old, new, &at.item(index), found);
            }
        }
        _ => found.push(Difference {
            pointer: at.clone(),
            before: Some(before.clone()),
            after: Some(after.clone()),
        }),
    }
}

fn members(before: &Object, after: &Object, at: &Pointer, found: &mut Vec<Difference>) {
    let names: BTreeSet<&str> = before.keys().chain(after.keys()).collect();
    for name in names {
        let place = at.member(name);
        match (before.get(name), after.get(name)) {
            (Some(old), Some(new)) => differences(old, new, &place, found),
            (old, new) => {
                found.push(Difference { pointer: place, before: old.cloned(), after: new.cloned() });
            }
        }
    }
}
