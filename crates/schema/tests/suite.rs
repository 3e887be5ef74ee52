//! The official JSON Schema test suite, draft 2020-12: all of it that lies inside the subset passes.
//!
//! The snapshot holds what ran and what did not, by name and with the reason, so that neither can change unseen.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use agent_surface_json::{Json, parse};
use agent_surface_schema::{Limits, NativePatterns, check, validate};

/// Tests inside the subset whose expectation is not ours: the draft lets an implementation choose whether `format`
/// asserts or only annotates, and the contract format asserts.
const ANNOTATION_ONLY: [(&str, &str); 5] = [
    ("date format", "invalid date string is only an annotation by default"),
    ("date-time format", "invalid date-time string is only an annotation by default"),
    ("email format", "invalid email string is only an annotation by default"),
    ("uri format", "invalid uri string is only an annotation by default"),
    ("uuid format", "invalid uuid string is only an annotation by default"),
];

#[test]
fn the_official_suite_passes_inside_the_subset() {
    let Some(data) = std::env::var_os("AGENT_SURFACE_TEST_DATA") else {
        eprintln!("skipped: AGENT_SURFACE_TEST_DATA is not set");
        return;
    };
    let suite = PathBuf::from(data).join("json-schema-test-suite/tests/draft2020-12");
    let patterns = NativePatterns::default();
    let mut report = Report::default();
    for file in files(&suite) {
        let name = file.strip_prefix(&suite).unwrap().with_extension("").to_str().unwrap().replace('\\', "/");
        let groups = parse(&fs::read_to_string(&file).unwrap()).unwrap();
        for group in groups.as_array().unwrap() {
            report.run(&name, group, &patterns);
        }
    }
    assert!(report.failures.is_empty(), "\n{}", report.failures.join("\n"));
    insta::assert_snapshot!("suite", report.to_string());
}

/// The suite's files in order, those of its folders last.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files): (Vec<_>, Vec<_>) =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).partition(|path| path.is_dir());
    files.sort();
    folders.sort();
    files.extend(folders.iter().flat_map(|folder| self::files(folder)));
    files
}

#[derive(Default)]
struct Report {
    /// How many groups and tests of a file ran.
    ran: BTreeMap<String, (usize, usize)>,
    /// Tests that must come out the other way, because `format` asserts.
    inverted: Vec<String>,
    outside: Vec<String>,
    failures: Vec<String>,
}

impl Report {
    fn run(&mut self, file: &str, group: &Json, patterns: &NativePatterns) {
        let description = text(group, "description");
        let schema = group.get("schema").unwrap();
        if let Err(refusals) = check(schema, Limits::default(), patterns) {
            let first = &refusals[0];
            // The variant alone: the reason's text would repeat the suite's data and our own wording.
            let reason = format!("{:?}", first.reason);
            let variant = reason.split([' ', '(']).next().unwrap();
            self.outside.push(format!("{file} | {description} | #{} {variant}", first.pointer));
            return;
        }
        let tests = group.get("tests").unwrap().as_array().unwrap();
        for test in tests {
            let name = text(test, "description");
            let issues = validate(schema, test.get("data").unwrap(), patterns);
            let mut expected = test.get("valid").unwrap().as_bool().unwrap();
            if file == "format" && ANNOTATION_ONLY.contains(&(description, name)) {
                self.inverted.push(format!("{file} | {description} | {name}"));
                expected = !expected;
            }
            if issues.is_empty() != expected {
                self.failures.push(format!("{file} | {description} | {name} | {issues:?}"));
            }
        }
        let (groups, ran) = self.ran.entry(file.to_owned()).or_default();
        *groups += 1;
        *ran += tests.len();
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let groups: usize = self.ran.values().map(|(groups, _)| groups).sum();
        let tests: usize = self.ran.values().map(|(_, tests)| tests).sum();
        writeln!(f, "ran: {groups} groups, {tests} tests")?;
        for (file, (groups, tests)) in &self.ran {
            writeln!(f, "  {file}: {groups} groups, {tests} tests")?;
        }
        list(f, "the other way, because `format` asserts", &self.inverted)?;
        list(f, "outside", &self.outside)
    }
}

fn list(f: &mut std::fmt::Formatter<'_>, title: &str, names: &[String]) -> std::fmt::Result {
    let mut lines = String::new();
    for name in names {
        writeln!(lines, "  {name}")?;
    }
    write!(f, "{title}: {}\n{lines}", names.len())
}

fn text<'a>(value: &'a Json, key: &str) -> &'a str {
    value.get(key).unwrap().as_str().unwrap()
}
