//! The capabilities of a contract: how many, how far they reach, and what is declared to hold them back.

use std::collections::BTreeMap;
use std::fmt;

use agent_surface_manifest::{Contract, Effect, Entry, ExternalContract, Kind, Manifest, PolicyAttachment};
use anstyle::Style;

use super::paint::{
    BOLD, DIM, GAP, PLAIN, Paint, column_widths, line_width, pad, style_of_confirmation, style_of_effect,
};
use super::{count, one_line};

/// What stands for nothing, so that a column reads as one.
pub(super) const NONE: &str = "—";

/// How far an effect reaches, in one of three words: a log has no colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// It stays in the view.
    Low,
    /// It moves the user, or asks the server.
    Medium,
    /// It changes what stays changed.
    High,
}

impl Reach {
    const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        })
    }
}

pub(super) const fn reach_of(effect: Effect) -> Reach {
    match effect {
        Effect::Read | Effect::LocalState => Reach::Low,
        Effect::Navigation | Effect::ServerQuery => Reach::Medium,
        Effect::ServerMutation | Effect::ExternalSideEffect | Effect::Destructive => Reach::High,
    }
}

const HEADERS: [&str; 6] = ["CAPABILITY", "KIND", "EFFECT", "REACH", "CONFIRM", "POLICIES"];

/// How large the contract is: capabilities, declarations, and how many there are of each kind.
pub(super) fn size(contract: &Manifest) -> String {
    let entries = contract.capabilities();
    let mut parts = vec![
        count(entries.len(), "capability", "capabilities"),
        count(group(entries).len(), "declaration", "declarations"),
    ];
    let mut kinds: Vec<(usize, &str)> = Kind::ALL
        .iter()
        .map(|kind| (entries.iter().filter(|entry| entry.contract.kind == *kind).count(), kind.as_str()))
        .filter(|(number, _)| *number > 0)
        .collect();
    kinds.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    parts.extend(kinds.iter().map(|(number, kind)| count(*number, kind, &format!("{kind}s"))));
    parts.join(" · ")
}

/// How far the capabilities reach, and how many are declared to be held back.
pub(super) fn reach(contract: &Manifest) -> String {
    let entries = contract.capabilities();
    let of =
        |holds: &dyn Fn(&Contract) -> bool| entries.iter().filter(|entry| holds(&entry.contract)).count();
    let grades: Vec<String> = Reach::ALL
        .iter()
        .map(|grade| (of(&|contract| reach_of(contract.effect) == *grade), grade))
        .filter(|(number, _)| *number > 0)
        .map(|(number, grade)| format!("{number} {grade}"))
        .collect();
    let grades = if grades.is_empty() { NONE.to_owned() } else { grades.join(" · ") };
    let asked = of(&|contract| contract.confirmation.is_some_and(|it| it.as_str() != "never"));
    let guarded = of(&|contract| contract.policies.as_ref().is_some_and(|it| !it.is_empty()));
    let asked = count(asked, "confirmation", "confirmations");
    format!("reach {grades} · declared gates: {asked} · {}", count(guarded, "policy", "policies"))
}

/// The capabilities by declaration, in the order of the contract.
fn group(entries: &[Entry]) -> BTreeMap<&str, Vec<&Entry>> {
    let mut groups: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        groups.entry(&entry.contract.declaration_id).or_default().push(entry);
    }
    groups
}

/// A table of all capabilities.
pub(super) fn table(contract: &Manifest, paint: Paint, out: &mut Vec<String>) {
    let mut entries: Vec<&Entry> = contract.capabilities().iter().collect();
    entries.sort_by(|a, b| a.contract.capability_id.cmp(&b.contract.capability_id));
    let grid = Grid::new(&entries, 0, paint);
    grid.push_header(out);
    entries.iter().for_each(|entry| grid.push_row(entry, out));
}

/// All capabilities under their declarations, with what an agent reads of each.
pub(super) fn groups(contract: &Manifest, paint: Paint, out: &mut Vec<String>) {
    const INDENT: usize = 2;
    let entries: Vec<&Entry> = contract.capabilities().iter().collect();
    let grid = Grid::new(&entries, INDENT, paint);
    grid.push_header(out);
    for (declaration, entries) in group(contract.capabilities()) {
        out.push(String::new());
        out.push(format!("{} ({})", paint.word(declaration, BOLD), entries.len()));
        for entry in entries {
            grid.push_row(entry, out);
            let tags: String = entry.contract.tags.iter().flatten().map(|tag| format!(" #{tag}")).collect();
            let note = format!("      {} {}", one_line(&entry.contract.description), one_line(&tags));
            out.push(paint.word(&paint.wrap(note.trim_end(), 6), DIM));
        }
    }
}

/// The dependencies that some of the capabilities come from, each with the digest that was approved.
pub(super) fn contributions(contract: &Manifest, paint: Paint, out: &mut Vec<String>) {
    if contract.external_contracts().is_empty() {
        return;
    }
    out.push(String::new());
    out.push(paint.word("FROM DEPENDENCIES", DIM));
    for contribution in contract.external_contracts() {
        let ExternalContract { package, source, route, expected_digest, .. } = contribution;
        out.push(paint.wrap(&format!("{} · {route} {}", one_line(package), one_line(source)), 2));
        out.push(paint.word(&format!("  approved {expected_digest}"), DIM));
    }
}

/// The columns of the inventory, or, where a terminal is too narrow for them, two lines for each capability.
struct Grid {
    widths: [usize; HEADERS.len()],
    indent: usize,
    is_table: bool,
    paint: Paint,
}

impl Grid {
    fn new(entries: &[&Entry], indent: usize, paint: Paint) -> Self {
        let mut rows: Vec<_> = entries.iter().map(|entry| cells(&entry.contract)).collect();
        rows.push(HEADERS.map(str::to_owned));
        let widths = column_widths(&rows);
        Self { widths, indent, is_table: paint.fits(indent + line_width(&widths)), paint }
    }

    fn push_header(&self, out: &mut Vec<String>) {
        if self.is_table {
            out.push(self.line(&HEADERS.map(str::to_owned), &[DIM; HEADERS.len()]));
        }
    }

    fn push_row(&self, entry: &Entry, out: &mut Vec<String>) {
        let contract = &entry.contract;
        let cells = cells(contract);
        let effect = style_of_effect(contract.effect);
        let styles = [PLAIN, DIM, effect, effect, style_of_confirmation(contract.confirmation), PLAIN];
        if self.is_table {
            out.push(self.line(&cells, &styles));
            return;
        }
        let indent = " ".repeat(self.indent);
        out.push(format!("{indent}{}", cells[0]));
        let facts: Vec<String> =
            cells.iter().zip(styles).skip(1).map(|(cell, style)| self.paint.word(cell, style)).collect();
        out.push(self.paint.wrap(&format!("{indent}  {}", facts.join(" · ")), self.indent + 4));
    }

    fn line(&self, cells: &[String; HEADERS.len()], styles: &[Style; HEADERS.len()]) -> String {
        let last = cells.len() - 1;
        let painted: Vec<String> = (0..cells.len())
            .map(|at| {
                let filling = if at == last { 0 } else { self.widths[at] };
                let padded = pad(&cells[at], filling);
                let (word, blank) = padded.split_at(cells[at].len());
                format!("{}{blank}", self.paint.word(word, styles[at]))
            })
            .collect();
        format!("{}{}", " ".repeat(self.indent), painted.join(GAP))
    }
}

fn cells(contract: &Contract) -> [String; HEADERS.len()] {
    [
        contract.capability_id.clone(),
        contract.kind.to_string(),
        contract.effect.to_string(),
        reach_of(contract.effect).to_string(),
        contract.confirmation.map_or(NONE, |it| it.as_str()).to_owned(),
        policies(contract.policies.as_deref()),
    ]
}

/// `tenant@authorize, audit`
pub(super) fn policies(policies: Option<&[PolicyAttachment]>) -> String {
    match policies {
        None | Some([]) => NONE.to_owned(),
        Some(policies) => policies.iter().map(policy).collect::<Vec<_>>().join(", "),
    }
}

fn policy(policy: &PolicyAttachment) -> String {
    match policy.phase {
        Some(phase) => format!("{}@{phase}", policy.name),
        None => policy.name.clone(),
    }
}
