//! What a manifest must say of a definition: derived here a second time, from the rules and not from the
//! compiler's code.

use agent_surface_json::{Json, Object, cmp_utf16};

/// The rows of the manifest for one macro call, each in canonical JSON. None where the definition does not
/// have the shape that the rules ask for.
pub(crate) fn of_call(
    called: &str,
    definition: &Json,
    proof: &Json,
    validators: &[String],
) -> Option<Vec<String>> {
    let members = definition.as_object()?;
    let declaration_id = proof.get("declarationId")?.as_str()?;
    let declared_validators: Vec<String> = match proof.get("validators") {
        Some(list) => {
            list.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<_>>()?
        }
        None => Vec::new(),
    };
    if declared_validators != validators {
        return None;
    }
    let row = |kind: &str, id: String, source: &Object, component: Option<&Object>| {
        let mut row = Object::new();
        row.insert("kind", kind);
        row.insert("contractHash", proof.get("contracts")?.get(&id)?.clone());
        row.insert("capabilityId", id);
        row.insert("declarationId", declaration_id);
        row.insert("origin", declaration_id.split_once('#')?.0);
        row.insert("targets", vec!["web-production"]);
        row.insert("description", source.get("description")?.clone());
        row.insert("effect", source.get("effect").cloned().unwrap_or_else(|| Json::from("read")));
        for (field, slot) in
            [("inputSchema", "input"), ("outputSchema", "output"), ("confirmation", "confirmation")]
        {
            if let Some(value) = source.get(slot) {
                row.insert(field, value.clone());
            }
        }
        for field in ["policies", "tags"] {
            let list = match component {
                Some(component) => inherited(component.get(field), source.get(field)),
                None => source.get(field).cloned(),
            };
            if let Some(list) = list {
                row.insert(field, list);
            }
        }
        Some(Json::from(row).to_canonical())
    };
    if called != "defineAgentComponentContract" {
        let kind = if called == "defineAgentProcedureContract" { "procedure" } else { "external" };
        let id = members.get("id")?.as_str()?.to_owned();
        return row(kind, id, members, None).map(|row| vec![row]);
    }
    let component = members.get("type")?.as_str()?;
    let mut rows = Vec::new();
    for (group, kind) in [("observations", "observation"), ("actions", "action")] {
        let Some(group) = members.get(group) else { continue };
        for (name, capability) in group.as_object()?.iter() {
            let id = format!("view:{component}.{name}");
            rows.push(row(kind, id, capability.as_object()?, Some(members))?);
        }
    }
    Some(rows)
}

/// A component's list and a capability's as one: each item once, in the order of their canonical JSON.
fn inherited(component: Option<&Json>, own: Option<&Json>) -> Option<Json> {
    let mut items: Vec<&Json> =
        [component, own].into_iter().flatten().filter_map(Json::as_array).flatten().collect();
    items.sort_by(|a, b| cmp_utf16(&a.to_canonical(), &b.to_canonical()));
    items.dedup();
    (!items.is_empty()).then(|| Json::Array(items.into_iter().cloned().collect()))
}
