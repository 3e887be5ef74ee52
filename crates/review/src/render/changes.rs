//! Changes as rows.

use agent_surface_json::Json;
use agent_surface_manifest::PolicyAttachment;

use super::inventory::{NONE, policies};
use super::one_line;
use super::paint::{BOLD, DIM, Paint, pad, style_of_class};
use crate::{BaseStatus, Change, ChangeKind, Class, Difference, Drift, Subject};

/// How many characters of a value are shown. All of it is in the JSON report.
const MAX_VALUE: usize = 80;

/// How many differing places of a schema are shown below its row.
const MAX_PLACES: usize = 12;

/// Where a row's text begins: behind the mark and the longest class.
const TEXT_AT: usize = 12;

/// How often each class occurs; *changed* only where it does.
pub(super) fn tally(changes: &[Change]) -> String {
    let number = |class| changes.iter().filter(|change| change.class == class).count();
    let mut parts: Vec<String> = [Class::Widening, Class::Narrowing, Class::Neutral]
        .into_iter()
        .map(|class| format!("{class} {}", number(class)))
        .collect();
    if number(Class::Changed) > 0 {
        parts.insert(1, format!("{} {}", Class::Changed, number(Class::Changed)));
    }
    parts.join(" · ")
}

/// What was compared with the base.
pub(super) fn title(drift: &Drift) -> String {
    let none = if drift.base_status == BaseStatus::Missing { " · no snapshot there" } else { "" };
    format!("{} ↔ {}{none}", drift.head.to_uppercase(), one_line(&drift.base))
}

/// A title with counts, and a row for each change unless only counts are asked for.
pub(super) fn section(title: &str, changes: &[Change], rows: bool, paint: Paint, out: &mut Vec<String>) {
    let heading = format!("{} ({}) · {}", paint.word(title, BOLD), changes.len(), tally(changes));
    out.push(paint.wrap(&heading, 2));
    if !rows {
        return;
    }
    if changes.is_empty() {
        out.push(paint.word("no changes", DIM));
    }
    for change in changes {
        let class = pad(change.class.as_str(), TEXT_AT - 3);
        let line = format!(
            "{} {} {}",
            mark(change.kind),
            class.replacen(
                change.class.as_str(),
                &paint.word(change.class.as_str(), style_of_class(change.class)),
                1
            ),
            sentence(change)
        );
        out.push(paint.wrap(&line, TEXT_AT));
        let shown = change.differences.iter().take(MAX_PLACES);
        out.extend(
            shown.map(|it| paint.wrap(&format!("{}{}", " ".repeat(TEXT_AT), difference(it)), TEXT_AT + 2)),
        );
        if let Some(more) = change.differences.len().checked_sub(MAX_PLACES).filter(|more| *more > 0) {
            out.push(format!("{}and {more} more", " ".repeat(TEXT_AT)));
        }
    }
}

const fn mark(kind: ChangeKind) -> char {
    match kind {
        ChangeKind::Added => '+',
        ChangeKind::Removed => '-',
        ChangeKind::Moved => '>',
        ChangeKind::Changed => '~',
    }
}

/// What a change is about and what happened, in one line without its class.
pub(super) fn sentence(change: &Change) -> String {
    match &change.subject {
        Subject::Capability { capability_id, .. } if change.kind == ChangeKind::Moved => {
            format!("{capability_id} · moved: {}", values(change))
        }
        Subject::Capability { declaration_id, capability_id } => {
            format!("{capability_id} · {declaration_id} · {}", what(change))
        }
        Subject::Package(package) => format!("{package} · {}", what(change)),
        Subject::Contract => format!("contract · {}", what(change)),
    }
}

/// What happened, without what it is about.
pub(super) fn what(change: &Change) -> String {
    match change.kind {
        ChangeKind::Added | ChangeKind::Removed => format!("{} {}", change.field, change.kind),
        ChangeKind::Moved => format!("moved: {}", values(change)),
        ChangeKind::Changed if !change.differences.is_empty() => change.field.to_owned(),
        ChangeKind::Changed if change.before.is_none() && change.after.is_none() => {
            format!("{} changed", change.field)
        }
        ChangeKind::Changed => format!("{}: {}", change.field, values(change)),
    }
}

/// `before → after`
fn values(change: &Change) -> String {
    let print = |value: Option<&Json>| match change.field {
        "policies" => policies(attachments(value).as_deref()),
        _ => value_text(value),
    };
    format!("{} → {}", print(change.before.as_ref()), print(change.after.as_ref()))
}

fn attachments(value: Option<&Json>) -> Option<Vec<PolicyAttachment>> {
    value?.as_array()?.iter().map(|policy| PolicyAttachment::from_json(policy.clone()).ok()).collect()
}

/// `/properties/max/maximum: 10 → 100`
pub(super) fn difference(difference: &Difference) -> String {
    let pointer = if difference.pointer.as_str().is_empty() { "/" } else { difference.pointer.as_str() };
    let (before, after) = (difference.before.as_ref(), difference.after.as_ref());
    format!("{pointer}: {} → {}", value_text(before), value_text(after))
}

/// A value on one line: words as they are, lists with commas, all else as JSON; cut where it gets long.
fn value_text(value: Option<&Json>) -> String {
    let text = match value {
        None => NONE.to_owned(),
        Some(Json::String(text)) => text.clone(),
        Some(Json::Array(items)) if !items.is_empty() && items.iter().all(|item| item.as_str().is_some()) => {
            items.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(", ")
        }
        Some(value) => value.to_canonical(),
    };
    let text = one_line(&text);
    match text.char_indices().nth(MAX_VALUE) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
