//! Markdown for a comment on a pull request: what needs a reviewer is in view, the rest is folded.

use super::changes::{difference, tally, what};
use super::explanation::{changes_of, explained};
use super::{count, inventory, one_line};
use crate::{App, BaseStatus, Change, Class, Command, Report, Subject, Warning, Workspace};

/// GitHub takes 65,536 characters in a comment. What is left out of the rows says so.
const MAX_LENGTH: usize = 60_000;

/// How many differing places of a schema one row tells.
const MAX_PLACES: usize = 6;

pub(super) fn report(report: &Report) -> String {
    let mut out = format!("## Agent surface {}: {}\n", report.command, report.status());
    push_report(report, "###", &mut out);
    out
}

fn push_report(report: &Report, heading: &str, out: &mut String) {
    *out +=
        &format!("\n**{}**<br>\n{}\n", inventory::size(&report.contract), inventory::reach(&report.contract));
    if let Some(integrity) = &report.integrity {
        *out += &format!("\n{heading} Source ↔ snapshot: {}\n\n", integrity.status);
        let remedy = if report.command == Command::Check && report.is_stale() {
            "Run `agent-surface snapshot` and commit the file.\n\n"
        } else {
            ""
        };
        *out += remedy;
        push_changes(&integrity.changes, out);
    }
    if let Some(drift) = &report.drift {
        let head = if drift.head == "snapshot" { "Snapshot" } else { "Source" };
        *out += &format!("\n{heading} {head} ↔ {}\n\n", code(&drift.base));
        if drift.base_status == BaseStatus::Missing {
            *out += "There is no snapshot yet, so everything is new.\n\n";
        }
        if report.command == Command::Check && !drift.changes.is_empty() {
            let selected = report.selected();
            *out += &format!(
                "Policy {}: {selected} of {} rows fail the check.\n\n",
                code(report.policy.as_str()),
                drift.changes.len()
            );
        }
        push_changes(&drift.changes, out);
    }
    push_warnings(report.shown_warnings(), heading, out);
    if matches!(report.command, Command::Inspect | Command::Snapshot) {
        push_inventory(report, out);
    }
    for (explanation, entry) in explained(report) {
        *out += &format!(
            "\n{heading} {}\n\n{}\n\n",
            code(&entry.contract.capability_id),
            plain(&entry.contract.description)
        );
        *out += &format!("- declared at {}\n", code(&explanation.place.to_string()));
        *out += &format!("- contract hash {}\n", code(&entry.contract_hash.to_hex()));
        for library in &explanation.libraries {
            *out += &format!("- schemas by {}\n", code(&library.describe()));
        }
        for constant in &explanation.constants {
            *out += &format!(
                "- evaluated from {} at {}\n",
                code(&constant.name),
                code(&constant.place.to_string())
            );
        }
        for binder in explanation.binders.iter().flatten() {
            *out += &format!("- bound by {} at {}\n", code(&binder.name), code(&binder.place.to_string()));
        }
        let changes =
            report.drift.iter().flat_map(|drift| changes_of(&drift.changes, &explanation.capability_id));
        *out += &format!("- {} changes since the base\n", changes.count());
    }
    *out += &format!("\nContract {}\n", code(&report.contract.hash().to_hex()));
}

pub(super) fn workspace(workspace: &Workspace) -> String {
    let mut out = format!("## Agent surface {}: {}\n\n", workspace.command(), workspace.status());
    out += "| App | Capabilities | Snapshot | Result |\n|---|---:|---|---|\n";
    for (path, app) in workspace.apps() {
        match app {
            App::Failed(_) => out += &format!("| {} | | | **error** |\n", code(path)),
            App::Reported(report) => {
                let snapshot = report.integrity.as_ref().map_or("", |integrity| integrity.status.as_str());
                let capabilities = report.contract.capabilities().len();
                out +=
                    &format!("| {} | {capabilities} | {snapshot} | **{}** |\n", code(path), report.status());
            }
        }
    }
    for (path, app) in workspace.apps() {
        out += &format!("\n### {}\n", code(path));
        match app {
            App::Failed(message) => {
                // A fence that is longer than any run of backticks in it can't be closed from inside.
                let fence = "`".repeat(longest_run(message, '`').max(2) + 1);
                out += &format!("\n{fence}text\n{message}\n{fence}\n");
            }
            App::Reported(report) => push_report(report, "####", &mut out),
        }
    }
    out
}

fn push_changes(changes: &[Change], out: &mut String) {
    if changes.is_empty() {
        *out += "No changes.\n";
        return;
    }
    let (folded, shown): (Vec<_>, Vec<_>) = changes.iter().partition(|change| change.class == Class::Neutral);
    *out += &format!("{}\n", tally(changes));
    if !shown.is_empty() {
        out.push('\n');
        push_rows(&shown, out);
    }
    if !folded.is_empty() {
        *out += &format!("\n<details><summary>{} neutral</summary>\n\n", folded.len());
        push_rows(&folded, out);
        *out += "\n</details>\n";
    }
}

fn push_rows(changes: &[&Change], out: &mut String) {
    *out += "| Class | Capability | Change |\n|---|---|---|\n";
    for (index, change) in changes.iter().enumerate() {
        if out.len() > MAX_LENGTH {
            *out += &format!("| | | and {} more rows |\n", changes.len() - index);
            return;
        }
        let subject = match &change.subject {
            Subject::Capability { declaration_id, capability_id } => {
                format!("{}<br>{}", code(capability_id), code(declaration_id))
            }
            Subject::Package(package) => code(package),
            Subject::Contract => "contract".to_owned(),
        };
        let places: String = change
            .differences
            .iter()
            .take(MAX_PLACES)
            .map(|it| format!("<br>{}", code(&difference(it))))
            .collect();
        let more = match change.differences.len().saturating_sub(MAX_PLACES) {
            0 => String::new(),
            more => format!("<br>and {more} more places"),
        };
        *out += &format!("| **{}** | {subject} | {}{places}{more} |\n", change.class, code(&what(change)));
    }
}

fn push_warnings(warnings: &[Warning], heading: &str, out: &mut String) {
    if warnings.is_empty() {
        return;
    }
    *out += &format!(
        "\n{heading} {}\n\n| Warning | Place | |\n|---|---|---|\n",
        count(warnings.len(), "warning", "warnings")
    );
    for (index, warning) in warnings.iter().enumerate() {
        if out.len() > MAX_LENGTH {
            *out += &format!("| | | and {} more rows |\n", warnings.len() - index);
            return;
        }
        let place = warning.place.as_ref().map_or_else(String::new, |place| code(&place.to_string()));
        *out += &format!("| {} | {place} | {} |\n", code(warning.kind()), plain(&warning.message));
    }
}

fn push_inventory(report: &Report, out: &mut String) {
    *out += "\n<details><summary>Capabilities</summary>\n\n";
    *out += "| Capability | Kind | Effect | Reach | Confirm | Policies |\n|---|---|---|---|---|---|\n";
    for entry in report.contract.capabilities() {
        let contract = &entry.contract;
        let confirm = contract.confirmation.map_or(inventory::NONE, |it| it.as_str());
        let policies = plain(&inventory::policies(contract.policies.as_deref()));
        *out += &format!(
            "| {} | {} | {} | {} | {confirm} | {policies} |\n",
            code(&contract.capability_id),
            contract.kind,
            contract.effect,
            inventory::reach_of(contract.effect),
        );
    }
    *out += "\n</details>\n";
    if report.contract.external_contracts().is_empty() {
        return;
    }
    *out += "\n| Dependency | Route | Source | Approved digest |\n|---|---|---|---|\n";
    for contribution in report.contract.external_contracts() {
        *out += &format!(
            "| {} | {} | {} | {} |\n",
            code(&contribution.package),
            contribution.route,
            code(&contribution.source),
            code(&contribution.expected_digest.to_hex()),
        );
    }
}

/// A code span in a table's cell. A span that holds backticks needs longer ones around it (CommonMark, 6.1), and a bar
/// would end the cell even there.
fn code(text: &str) -> String {
    let text = one_line(text).replace('|', "\\|");
    match longest_run(&text, '`') {
        0 => format!("`{text}`"),
        run => {
            let fence = "`".repeat(run + 1);
            format!("{fence} {text} {fence}")
        }
    }
}

fn longest_run(text: &str, char: char) -> usize {
    text.split(|other| other != char).map(str::len).max().unwrap_or(0)
}

/// Prose of the app's, with nothing in it that Markdown or a forge would take for more: no links, no mentions.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for char in one_line(text).chars() {
        match char {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '@' => out += "&#64;",
            '#' => out += "&#35;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '!' | '|' | '~' => out.extend(['\\', char]),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{code, plain};

    #[test]
    fn a_code_span_holds_whatever_is_in_it() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a | b"), "`a \\| b`");
        assert_eq!(code("a `b` c"), "`` a `b` c ``");
    }

    #[test]
    fn prose_of_the_app_is_only_prose() {
        assert_eq!(plain("ask @team [x](y) <img>"), "ask &#64;team \\[x\\]\\(y\\) &lt;img>");
    }
}
