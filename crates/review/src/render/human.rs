//! The report for people.

use super::paint::{
    BOLD, DIM, GAP, Paint, column_widths, line_width, pad, style_of_snapshot, style_of_status,
};
use super::{Options, Verbosity, changes, count, explanation, inventory, one_line, visible};
use crate::{App, Class, Command, Integrity, Report, SnapshotStatus, Status, Workspace};

/// What a contract can't tell.
const CAVEAT: &str = "This is what the production code declares. Whether a policy admits, denies or hides a capability \
                      is decided at run time, for one actor and one input, and no command here does that.";

pub(super) fn report(report: &Report, options: &Options) -> String {
    let paint = Paint::new(options);
    let mut out = Vec::new();
    match report.command {
        Command::Inspect => inspect(report, paint, &mut out),
        Command::Snapshot => snapshot(report, paint, &mut out),
        Command::Check => check(report, paint, &mut out),
        Command::Explain => explanation::push(report, paint, &mut out),
    }
    finish(&out)
}

fn finish(lines: &[String]) -> String {
    let mut text: String = lines.iter().flat_map(|line| [line.trim_end(), "\n"]).collect();
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn inspect(report: &Report, paint: Paint, out: &mut Vec<String>) {
    let detail = paint.verbosity == Verbosity::Detail;
    if detail {
        push_banner(report, paint, out);
    }
    push_headline(report, paint, out);
    if detail {
        push_facts(report, paint, out);
    }
    // Without a base and without drift there is nothing to say of it.
    let has_changes = report.integrity.as_ref().is_some_and(|integrity| !integrity.changes.is_empty());
    push_comparisons(report, detail || has_changes, paint, out);
    push_warnings(report, paint, out);
    if paint.verbosity != Verbosity::Min {
        push_inventory(report, paint, out);
    }
}

fn snapshot(report: &Report, paint: Paint, out: &mut Vec<String>) {
    push_banner(report, paint, out);
    push_headline(report, paint, out);
    out.push(String::new());
    out.push(format!("wrote {}", report.snapshot_path));
    push_warnings(report, paint, out);
    if paint.verbosity == Verbosity::Detail {
        push_facts(report, paint, out);
        push_inventory(report, paint, out);
    }
}

fn check(report: &Report, paint: Paint, out: &mut Vec<String>) {
    push_banner(report, paint, out);
    push_headline(report, paint, out);
    if paint.verbosity != Verbosity::Min {
        push_facts(report, paint, out);
    }
    push_comparisons(report, true, paint, out);
    push_warnings(report, paint, out);
    if paint.verbosity == Verbosity::Detail {
        push_inventory(report, paint, out);
    }
}

fn push_banner(report: &Report, paint: Paint, out: &mut Vec<String>) {
    out.push(banner(report.command, report.status(), paint));
    out.push(String::new());
}

fn banner(command: Command, status: Status, paint: Paint) -> String {
    let name = command.as_str().to_uppercase();
    let verdict = paint.word(&status.as_str().to_uppercase(), style_of_status(status));
    format!("AGENT SURFACE {name} · {verdict}")
}

fn push_headline(report: &Report, paint: Paint, out: &mut Vec<String>) {
    out.push(paint.wrap(&paint.word(&inventory::size(&report.contract), BOLD), 2));
    let snapshot = match (&report.integrity, report.command) {
        // There the verdict says it.
        (Some(integrity), Command::Inspect) => {
            format!(" · snapshot {}", snapshot_word(integrity, paint))
        }
        _ => String::new(),
    };
    out.push(paint.wrap(&format!("{}{snapshot}", inventory::reach(&report.contract)), 2));
}

fn snapshot_word(integrity: &Integrity, paint: Paint) -> String {
    paint.word(integrity.status.as_str(), style_of_snapshot(integrity.status))
}

fn push_facts(report: &Report, paint: Paint, out: &mut Vec<String>) {
    let contract = &report.contract;
    let targets = match contract.targets() {
        [] => inventory::NONE.to_owned(),
        targets => targets.join(", "),
    };
    let mut facts = vec![
        ("Contract", contract.hash().to_hex()),
        ("Compiler", contract.compiler_version().to_owned()),
        ("Completeness", "proven".to_owned()),
        ("Targets", targets),
        ("Snapshot", report.snapshot_path.clone()),
    ];
    if let Some(integrity) = &report.integrity {
        facts.push(("Integrity", snapshot_word(integrity, paint)));
    }
    out.push(String::new());
    for (name, value) in facts {
        out.push(paint.wrap(&format!("{}{GAP}{value}", paint.word(&pad(name, 12), DIM)), 14));
    }
}

fn push_comparisons(report: &Report, integrity: bool, paint: Paint, out: &mut Vec<String>) {
    let rows = paint.verbosity != Verbosity::Min;
    if let Some(found) = report.integrity.as_ref().filter(|_| integrity) {
        out.push(String::new());
        // Against nothing, everything is new, and has its row in the inventory.
        let rows = rows && found.status != SnapshotStatus::Missing;
        changes::section("SOURCE ↔ SNAPSHOT", &found.changes, rows, paint, out);
    }
    if let Some(drift) = &report.drift {
        out.push(String::new());
        changes::section(&changes::title(drift), &drift.changes, rows, paint, out);
    }
}

/// What the compiler warns of: how much, what and where, or as it draws it.
fn push_warnings(report: &Report, paint: Paint, out: &mut Vec<String>) {
    let warnings = report.shown_warnings();
    if warnings.is_empty() {
        return;
    }
    out.push(String::new());
    out.push(format!("{} ({})", paint.word("WARNINGS", BOLD), warnings.len()));
    for warning in warnings {
        match paint.verbosity {
            Verbosity::Min => {}
            Verbosity::Normal => out.push(paint.wrap(&format!("! {}", one_line(&warning.describe())), 2)),
            Verbosity::Detail => out.extend(warning.frame.lines().map(visible)),
        }
    }
}

fn push_inventory(report: &Report, paint: Paint, out: &mut Vec<String>) {
    out.push(String::new());
    match paint.verbosity {
        Verbosity::Detail => inventory::groups(&report.contract, paint, out),
        _ => inventory::table(&report.contract, paint, out),
    }
    inventory::contributions(&report.contract, paint, out);
    out.push(String::new());
    let caveat = paint.wrap(CAVEAT, 0);
    // For a pipe too: nobody reads a line of two hundred columns.
    let caveat = if caveat.contains('\n') { caveat } else { textwrap::fill(CAVEAT, 100) };
    out.extend(caveat.lines().map(|line| paint.word(line, DIM)));
}

const HEADERS: [&str; 6] = ["APP", "CAPABILITIES", "SNAPSHOT", "WIDENING", "CHANGED", "RESULT"];

pub(super) fn workspace(workspace: &Workspace, options: &Options) -> String {
    let paint = Paint::new(options);
    let mut out = vec![banner(workspace.command(), workspace.status(), paint), String::new()];
    let rows: Vec<_> = workspace.apps().iter().map(|(path, app)| cells(path, app)).collect();
    let mut all = vec![HEADERS.map(str::to_owned)];
    all.extend(rows.iter().cloned());
    let widths = column_widths(&all);
    let is_table = paint.fits(line_width(&widths));
    if is_table {
        out.push(paint.word(&line(&all[0], &widths), DIM));
    }
    for (row, (_, app)) in rows.iter().zip(workspace.apps()) {
        if !is_table {
            let facts: Vec<String> =
                (1..row.len()).map(|at| format!("{} {}", HEADERS[at].to_lowercase(), row[at])).collect();
            out.push(row[0].clone());
            out.push(paint.wrap(&format!("  {}", facts.join(" · ")), 4));
            continue;
        }
        let text = line(row, &widths);
        let (facts, result) = text.split_at(text.len() - row[HEADERS.len() - 1].len());
        let status = match app {
            App::Reported(report) => report.status(),
            App::Failed(_) => Status::Fail,
        };
        out.push(format!("{facts}{}", paint.word(result, style_of_status(status))));
    }
    out.push(String::new());
    out.push(summary(workspace));
    for (path, app) in workspace.apps() {
        push_app(path, app, paint, &mut out);
    }
    finish(&out)
}

fn line(cells: &[String; HEADERS.len()], widths: &[usize]) -> String {
    let padded: Vec<String> = cells.iter().zip(widths).map(|(cell, width)| pad(cell, *width)).collect();
    padded.join(GAP).trim_end().to_owned()
}

fn cells(path: &str, app: &App) -> [String; HEADERS.len()] {
    let none = || inventory::NONE.to_owned();
    let App::Reported(report) = app else {
        return [path.to_owned(), none(), none(), none(), none(), "error".to_owned()];
    };
    let number = |class: Class| {
        let changes = report.drift.as_ref().map(|drift| &drift.changes);
        let changes = changes.or(report.integrity.as_ref().map(|integrity| &integrity.changes));
        changes.map_or_else(none, |changes| {
            changes.iter().filter(|change| change.class == class).count().to_string()
        })
    };
    [
        path.to_owned(),
        report.contract.capabilities().len().to_string(),
        report.integrity.as_ref().map_or_else(none, |integrity| integrity.status.to_string()),
        number(Class::Widening),
        number(Class::Changed),
        report.status().to_string(),
    ]
}

fn summary(workspace: &Workspace) -> String {
    let apps = workspace.apps();
    let failed = apps.iter().filter(|(_, app)| matches!(app, App::Failed(_))).count();
    let capabilities: usize = apps
        .iter()
        .map(|(_, app)| match app {
            App::Reported(report) => report.contract.capabilities().len(),
            App::Failed(_) => 0,
        })
        .sum();
    let mut parts = vec![count(apps.len(), "app", "apps"), count(capabilities, "capability", "capabilities")];
    let warnings: usize = apps
        .iter()
        .map(|(_, app)| match app {
            App::Reported(report) => report.shown_warnings().len(),
            App::Failed(_) => 0,
        })
        .sum();
    if warnings > 0 {
        parts.push(count(warnings, "warning", "warnings"));
    }
    if failed > 0 {
        parts.push(format!("{failed} could not be read"));
    }
    parts.join(" · ")
}

/// What the table has no room for: rows of changes, and why an app could not be read.
fn push_app(path: &str, app: &App, paint: Paint, out: &mut Vec<String>) {
    match app {
        App::Failed(message) => {
            out.push(String::new());
            out.push(paint.word(path, BOLD));
            out.extend(message.lines().map(|line| format!("  {line}")));
        }
        App::Reported(report) => {
            let rows = paint.verbosity != Verbosity::Min;
            let has_changes = report.integrity.iter().any(|it| !it.changes.is_empty())
                || report.drift.iter().any(|it| !it.changes.is_empty());
            let has_more = has_changes || !report.shown_warnings().is_empty();
            if rows && (has_more || paint.verbosity == Verbosity::Detail) {
                out.push(String::new());
                out.push(paint.word(path, BOLD));
                push_comparisons(report, report.is_stale(), paint, out);
                push_warnings(report, paint, out);
                if paint.verbosity == Verbosity::Detail {
                    push_inventory(report, paint, out);
                }
            }
        }
    }
}
