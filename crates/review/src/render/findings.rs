//! What a report has to say about single lines of the repository.

use super::changes::{difference, what};
use super::explanation::is_about;
use super::{Options, one_line};
use crate::{App, Change, Class, Command, Place, Report, SnapshotStatus, Subject, Warning, Workspace};

/// The file for what concerns an app and none of its files.
const WHOLE_APP: &str = "package.json";

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// The check fails for it.
    Error,
    /// A reviewer should see it.
    Warning,
    /// It is told.
    Note,
}

/// The kinds of finding: the classes of changes, what is wrong with a whole app, and what the compiler warns of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule<'r> {
    Change(Class),
    Snapshot,
    App,
    /// By the compiler's own name for it.
    Warning(&'r str),
}

impl<'r> Rule<'r> {
    /// Those that there are in every run.
    pub(super) const ALWAYS: [Self; 6] = [
        Self::Change(Class::Widening),
        Self::Change(Class::Changed),
        Self::Change(Class::Narrowing),
        Self::Change(Class::Neutral),
        Self::Snapshot,
        Self::App,
    ];

    pub(super) const fn id(self) -> &'r str {
        match self {
            Self::Change(class) => class.as_str(),
            Self::Snapshot => "snapshot",
            Self::App => "not-compiled",
            Self::Warning(code) => code,
        }
    }

    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::Change(Class::Widening) => "An agent may do more, or is held back less",
            Self::Change(Class::Changed) => {
                "What this change means could not be shown: review it as a widening"
            }
            Self::Change(Class::Narrowing) => "An agent may do less, or is held back more",
            Self::Change(Class::Neutral) => "What an agent may do is the same",
            Self::Snapshot => "The committed snapshot is not what the source compiles to",
            Self::App => "The contract of an app could not be compiled or compared",
            Self::Warning(_) => "What the compiler warns of in a contract that it proved",
        }
    }
}

/// One thing to say about one line.
pub(super) struct Finding<'r> {
    pub(super) level: Level,
    pub(super) rule: Rule<'r>,
    pub(super) title: String,
    pub(super) message: String,
    /// From the repository's root.
    pub(super) file: String,
    /// Line and column, counted from 1; none for a file as a whole.
    pub(super) position: Option<(u32, u32)>,
    /// What tells it from others, and stays the same while lines move.
    pub(super) key: String,
}

/// The findings of one app, the snapshot's first and the compiler's last.
pub(super) fn of_report<'r>(report: &'r Report, options: &Options) -> Vec<Finding<'r>> {
    let mut findings = Vec::new();
    let is_check = report.command == Command::Check;
    if let Some(integrity) = &report.integrity {
        let message = match integrity.status {
            SnapshotStatus::Current => None,
            SnapshotStatus::Stale => Some("is not what the source compiles to"),
            SnapshotStatus::Missing => Some("does not exist"),
        };
        if let Some(message) = message {
            findings.push(Finding {
                level: if is_check { Level::Error } else { Level::Warning },
                rule: Rule::Snapshot,
                title: format!("contract snapshot is {}", integrity.status),
                message: format!(
                    "{} {message}. Run `agent-surface snapshot` and commit the file.",
                    report.snapshot_path
                ),
                file: options.file(&report.snapshot_path),
                position: None,
                key: "snapshot".to_owned(),
            });
        }
        // Of a snapshot that never was, every capability would be news.
        if integrity.status == SnapshotStatus::Stale {
            findings.extend(asked(report, &integrity.changes).map(|change| {
                let level = level_of(change.class);
                of_change(report, change, level, "since the snapshot", "integrity", options)
            }));
        }
    }
    if let Some(drift) = &report.drift {
        let since = format!("since {}", one_line(&drift.base));
        findings.extend(asked(report, &drift.changes).map(|change| {
            let is_selected = is_check && report.policy.selects(change.class);
            let level = if is_selected { Level::Error } else { level_of(change.class) };
            of_change(report, change, level, &since, "drift", options)
        }));
    }
    for (index, warning) in report.shown_warnings().iter().enumerate() {
        let earlier = &report.shown_warnings()[..index];
        let repeats = earlier.iter().filter(|other| is_alike(other, warning)).count();
        findings.push(of_warning(warning, repeats, options));
    }
    findings
}

/// Whether two warnings are told apart by their lines alone.
fn is_alike(a: &Warning, b: &Warning) -> bool {
    let file = |it: &Warning| it.place.as_ref().map(|place| place.file.clone());
    a.code == b.code && a.message == b.message && file(a) == file(b)
}

/// A warning as a finding; `repeats` is how many like it come before.
fn of_warning<'r>(warning: &'r Warning, repeats: usize, options: &Options) -> Finding<'r> {
    let message = one_line(&warning.message);
    let place = warning.place.as_ref();
    Finding {
        level: Level::Warning,
        rule: Rule::Warning(warning.kind()),
        title: format!("contract warning: {}", warning.kind()),
        message: warning
            .help
            .as_ref()
            .map_or_else(|| message.clone(), |help| format!("{message}. {}", one_line(help))),
        file: options.file(place.map_or(WHOLE_APP, |place| &place.file)),
        position: place.and_then(Place::position),
        key: format!("warning {} {repeats} {message}", warning.code),
    }
}

/// The changes that the command is about: all of them, or those of the capability to explain.
fn asked<'a>(report: &'a Report, changes: &'a [Change]) -> impl Iterator<Item = &'a Change> {
    changes.iter().filter(|change| {
        report.command != Command::Explain
            || report.explanations.iter().any(|it| is_about(change, &it.capability_id))
    })
}

/// The findings of all apps. The prefix is the path of the workspace's root.
pub(super) fn of_workspace<'r>(workspace: &'r Workspace, options: &Options) -> Vec<Finding<'r>> {
    let of_app = |(path, app): &'r (String, App)| {
        let prefix = super::join_path(&options.prefix, path);
        match app {
            App::Reported(report) => of_report(report, &Options { prefix, ..options.clone() }),
            App::Failed(message) => vec![Finding {
                level: Level::Error,
                rule: Rule::App,
                title: "contract not compiled".to_owned(),
                message: message.clone(),
                file: super::join_path(&prefix, WHOLE_APP),
                position: None,
                key: format!("app {path}"),
            }],
        }
    };
    workspace.apps().iter().flat_map(of_app).collect()
}

const fn level_of(class: Class) -> Level {
    match class {
        Class::Widening | Class::Changed => Level::Warning,
        Class::Narrowing | Class::Neutral => Level::Note,
    }
}

fn of_change(
    report: &Report,
    change: &Change,
    level: Level,
    since: &str,
    comparison: &str,
    options: &Options,
) -> Finding<'static> {
    let (name, place) = match &change.subject {
        Subject::Capability { declaration_id, capability_id } => {
            (capability_id.as_str(), report.places.get(declaration_id, capability_id))
        }
        Subject::Package(package) => (package.as_str(), None),
        Subject::Contract => ("contract", None),
    };
    let places: Vec<String> = change.differences.iter().map(difference).collect();
    let details = if places.is_empty() { String::new() } else { format!(" ({})", places.join("; ")) };
    Finding {
        level,
        rule: Rule::Change(change.class),
        title: format!("{} {since}: {name}", change.class),
        message: format!("{name}: {}{details}", what(change)),
        // What is gone has its line in the snapshot's history only.
        file: options.file(place.map_or(&report.snapshot_path, |place| &place.file)),
        position: place.and_then(Place::position),
        key: format!("{comparison} {name} {} {}", change.kind, change.field),
    }
}
