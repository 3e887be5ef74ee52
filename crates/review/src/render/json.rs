//! The report for programs. Its published schema is `report.schema.json` at the root of this crate.
//!
//! What the reference system's reports have too has the same names here.

use agent_surface_json::{Json, Object};

use super::explanation::explained;
use crate::{App, Change, Difference, Explanation, Place, Report, Subject, Warning, Workspace};

/// The version of the report's shape. A member that is added does not change it.
const REPORT_VERSION: i32 = 1;

pub(super) fn print(report: Object) -> String {
    let mut text = Json::from(report).to_pretty();
    text.push('\n');
    text
}

pub(super) fn report(report: &Report) -> Object {
    let mut object = head(report.command.as_str(), report.status().as_str());
    object.insert("manifest", report.contract.to_json());
    object.insert("snapshotPath", report.snapshot_path.as_str());
    if let Some(integrity) = &report.integrity {
        let mut found = Object::new();
        found.insert("status", integrity.status.as_str());
        found.insert("changes", changes(report, &integrity.changes));
        object.insert("integrity", found);
    }
    if let Some(drift) = &report.drift {
        let mut found = Object::new();
        found.insert("base", drift.base.as_str());
        found.insert("baseStatus", drift.base_status.as_str());
        found.insert("head", drift.head);
        found.insert("changes", changes(report, &drift.changes));
        found.insert("policy", report.policy.as_str());
        found.insert("selected", u32::try_from(report.selected()).unwrap_or(u32::MAX));
        object.insert("pullRequest", found);
    }
    let capabilities = report.contract.capabilities().iter().filter_map(|entry| {
        let contract = &entry.contract;
        let place = report.places.get(&contract.declaration_id, &contract.capability_id)?;
        let mut located = Object::new();
        located.insert("declarationId", contract.declaration_id.as_str());
        located.insert("capabilityId", contract.capability_id.as_str());
        located.insert("location", location(place));
        Some(Json::from(located))
    });
    object.insert("locations", capabilities.collect::<Vec<_>>());
    let explanations: Vec<Json> = explained(report).map(|(it, _)| explanation(it)).collect();
    if !explanations.is_empty() {
        object.insert("explanations", explanations);
    }
    object.insert("warnings", report.warnings.iter().map(warning).collect::<Vec<_>>());
    object
}

pub(super) fn workspace(workspace: &Workspace) -> Object {
    let mut object = head(workspace.command().as_str(), workspace.status().as_str());
    let apps = workspace.apps().iter().map(|(path, app)| {
        let mut entry = Object::new();
        entry.insert("path", path.as_str());
        match app {
            App::Reported(found) => entry.insert("report", report(found)),
            App::Failed(message) => entry.insert("error", message.as_str()),
        };
        Json::from(entry)
    });
    object.insert("apps", apps.collect::<Vec<_>>());
    object
}

fn head(command: &str, status: &str) -> Object {
    let mut object = Object::new();
    object.insert("reportVersion", REPORT_VERSION);
    object.insert("command", command);
    object.insert("status", status);
    object
}

fn changes(report: &Report, changes: &[Change]) -> Json {
    changes.iter().map(|it| change(report, it)).collect::<Vec<_>>().into()
}

fn change(report: &Report, change: &Change) -> Json {
    let mut object = Object::new();
    match &change.subject {
        Subject::Contract => {}
        Subject::Package(package) => drop(object.insert("package", package.as_str())),
        Subject::Capability { declaration_id, capability_id } => {
            object.insert("declarationId", declaration_id.as_str());
            object.insert("capabilityId", capability_id.as_str());
            if let Some(place) = report.places.get(declaration_id, capability_id) {
                object.insert("location", location(place));
            }
        }
    }
    object.insert("kind", change.kind.as_str());
    object.insert("field", change.field);
    object.insert("classification", change.class.as_str());
    insert_values(&mut object, change.before.as_ref(), change.after.as_ref());
    if !change.differences.is_empty() {
        object.insert("differences", change.differences.iter().map(difference).collect::<Vec<_>>());
    }
    object.into()
}

fn difference(difference: &Difference) -> Json {
    let mut object = Object::new();
    object.insert("pointer", difference.pointer.as_str());
    insert_values(&mut object, difference.before.as_ref(), difference.after.as_ref());
    object.into()
}

fn insert_values(object: &mut Object, before: Option<&Json>, after: Option<&Json>) {
    for (name, value) in [("before", before), ("after", after)] {
        if let Some(value) = value {
            object.insert(name, value.clone());
        }
    }
}

fn location(place: &Place) -> Json {
    let mut object = Object::new();
    object.insert("file", place.file.as_str());
    if let Some((line, column)) = place.position() {
        object.insert("line", line);
        object.insert("column", column);
    }
    object.into()
}

fn warning(warning: &Warning) -> Json {
    let mut object = Object::new();
    object.insert("code", warning.code.as_str());
    object.insert("message", warning.message.as_str());
    if let Some(help) = &warning.help {
        object.insert("help", help.as_str());
    }
    if let Some(place) = &warning.place {
        object.insert("location", location(place));
    }
    object.into()
}

fn explanation(explanation: &Explanation) -> Json {
    let named = |name: &str, place: &Place| {
        let mut object = Object::new();
        object.insert("name", name);
        object.insert("location", location(place));
        Json::from(object)
    };
    let mut object = Object::new();
    object.insert("declarationId", explanation.declaration_id.as_str());
    object.insert("capabilityId", explanation.capability_id.as_str());
    object.insert("location", location(&explanation.place));
    let constants = explanation.constants.iter().map(|it| named(&it.name, &it.place));
    object.insert("constants", constants.collect::<Vec<_>>());
    if let Some(binders) = &explanation.binders {
        object.insert("binders", binders.iter().map(|it| named(&it.name, &it.place)).collect::<Vec<_>>());
    }
    if !explanation.libraries.is_empty() {
        let libraries = explanation.libraries.iter().map(|library| {
            let mut object = Object::new();
            object.insert("name", library.name.as_str());
            if let Some(version) = &library.version {
                object.insert("version", version.as_str());
            }
            Json::from(object)
        });
        object.insert("libraries", libraries.collect::<Vec<_>>());
    }
    object.into()
}
