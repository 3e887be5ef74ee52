//! SARIF 2.1.0 (OASIS): one run, one result for each finding, on the line that declares what it is about.

use agent_surface_json::{Json, Object};
use agent_surface_manifest::Digest;

use super::Options;
use super::findings::{Finding, Level, Rule, of_report, of_workspace};
use super::json;
use crate::{Report, Workspace};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub(super) fn report(report: &Report, options: &Options) -> String {
    log(report.command.as_str(), &of_report(report, options), options)
}

pub(super) fn workspace(workspace: &Workspace, options: &Options) -> String {
    log(workspace.command().as_str(), &of_workspace(workspace, options), options)
}

fn log(command: &str, findings: &[Finding<'_>], options: &Options) -> String {
    let mut driver = object([("name", Json::from("agent-surface"))]);
    if !options.version.is_empty() {
        driver.insert("version", options.version.as_str());
    }
    let mut warnings: Vec<Rule<'_>> =
        findings.iter().map(|it| it.rule).filter(|it| matches!(it, Rule::Warning(_))).collect();
    warnings.sort_unstable();
    warnings.dedup();
    driver.insert("rules", Rule::ALWAYS.into_iter().chain(warnings).map(rule).collect::<Vec<_>>());
    let run = object([
        ("tool", object([("driver", driver.into())]).into()),
        // What GitHub keeps apart: another command's results don't replace these.
        ("automationDetails", object([("id", Json::from(format!("agent-surface/{command}/")))]).into()),
        ("columnKind", Json::from("utf16CodeUnits")),
        ("results", findings.iter().map(result).collect::<Vec<_>>().into()),
    ]);
    json::print(object([
        ("$schema", Json::from(SCHEMA)),
        ("version", Json::from("2.1.0")),
        ("runs", Json::from(vec![run])),
    ]))
}

fn rule(rule: Rule<'_>) -> Json {
    object([
        ("id", Json::from(rule.id())),
        ("shortDescription", text(rule.description())),
        ("defaultConfiguration", object([("level", level(level_of(rule)))]).into()),
    ])
    .into()
}

const fn level_of(rule: Rule<'_>) -> Level {
    match rule {
        Rule::Change(crate::Class::Widening | crate::Class::Changed) | Rule::Warning(_) => Level::Warning,
        Rule::Change(_) => Level::Note,
        Rule::Snapshot | Rule::App => Level::Error,
    }
}

fn result(finding: &Finding<'_>) -> Json {
    // Code scanning places nothing without a line.
    let (line, column) = finding.position.unwrap_or((1, 1));
    let artifact =
        object([("uri", Json::from(encode_path(&finding.file))), ("uriBaseId", Json::from("%SRCROOT%"))]);
    let region = object([("startLine", Json::from(line)), ("startColumn", Json::from(column))]);
    let place = object([("artifactLocation", artifact.into()), ("region", region.into())]);
    let location = object([("physicalLocation", place.into())]);
    // Lines move; what a finding is about does not.
    let fingerprint = Digest::of(format!("{} {}", finding.file, finding.key)).to_hex();
    object([
        ("ruleId", Json::from(finding.rule.id())),
        ("level", level(finding.level)),
        ("message", text(&finding.message)),
        ("locations", vec![Json::from(location)].into()),
        ("partialFingerprints", object([("agentSurface/v1", Json::from(fingerprint))]).into()),
    ])
    .into()
}

fn level(level: Level) -> Json {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
    .into()
}

fn text(text: &str) -> Json {
    object([("text", Json::from(text))]).into()
}

fn object<const N: usize>(members: [(&str, Json); N]) -> Object {
    members.into_iter().collect()
}

/// A path as a URI reference (RFC 3986): what a segment may not have is percent-encoded.
fn encode_path(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' | b'@' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out += &format!("%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::encode_path;

    #[test]
    fn a_path_is_a_uri() {
        assert_eq!(encode_path("apps/Geräte 1/a.ts"), "apps/Ger%C3%A4te%201/a.ts");
        assert_eq!(encode_path("../c:/a#b.ts"), "../c%3A/a%23b.ts");
    }
}
