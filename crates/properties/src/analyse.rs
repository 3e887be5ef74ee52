//! The analyser, from a module's text to the manifest or the report.

use std::collections::BTreeMap;

use agent_surface_compiler::{Proof, Report, Session, Severity};
use agent_surface_host::{Host, ROOT};
use agent_surface_json::{Json, parse};
use agent_surface_manifest::Manifest;
use agent_surface_soundness::Program;
use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;

/// Languages that the first byte chooses from.
const ENDINGS: [&str; 6] = ["ts", "tsx", "js", "mts", "json", "jsx"];

/// Everything that a contract needs.
const IMPORTS: &str = "import { actionContract, defineAgentComponentContract, defineAgentProcedureContract, \
    defineExternalAgentToolContract, emptyObjectSchema, fromJsonSchema, fromStandardSchema, observationContract } \
    from \"@agent-surface/core\";\n";

/// Entries that use another module, whose bytes are whatever they are.
const USES: [&str; 3] = [
    "import value from \"./input\";",
    "import { a as value } from \"./input\";",
    "import * as value from \"./input\";",
];

/// The contract of those.
const CONTRACT: &str = "import { defineExternalAgentToolContract, fromJsonSchema } from \"@agent-surface/core\";\n\
    export const c = defineExternalAgentToolContract({ id: \"external:t\", description: \"d\", effect: \"read\", \
    input: fromJsonSchema({ properties: { p: { const: value } } }) });\n";

/// A report is for people to read; this is what one problem may take of it, in bytes.
const MAX_PROBLEM: usize = 16 * 1024;

/// Holds the analyser to its word with one module of any bytes: it is the entry, or a contract uses what it exports. The first
/// byte says which, and what it is written in.
pub fn analyse_bytes(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(bytes);
    let choice = usize::from(choice);
    let ending = ENDINGS[choice % ENDINGS.len()];
    let use_of = (choice / ENDINGS.len()) % (USES.len() + 1);
    let files = match USES.get(use_of) {
        Some(import) => BTreeMap::from([
            (format!("{ROOT}/src/main.ts"), format!("{import}\n{CONTRACT}")),
            (format!("{ROOT}/src/input.{ending}"), text.into_owned()),
        ]),
        None => BTreeMap::from([(format!("{ROOT}/src/main.{ending}"), format!("{IMPORTS}{text}"))]),
    };
    hold_to_its_word(&files);
}

/// Holds the analyser to its word with a program. Text before the first module's name is `src/main.ts`.
pub fn analyse_fixtures(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let program = Program::parse(&format!("//// src/main.ts\n{text}"));
    let mut files = BTreeMap::new();
    for module in &program.modules {
        if !module.statements.is_empty() {
            files.insert(format!("{ROOT}/{}", module.path), module.text());
        }
    }
    hold_to_its_word(&files);
}

/// Builds three times at most, and compares.
fn hold_to_its_word(files: &BTreeMap<String, String>) {
    let mut host = Host::new(files, false);
    let outcome = host.build();
    for (id, text) in host.texts() {
        let is_whole = *text == files[id] || parses(id, text) || !parses(id, &files[id]);
        assert!(is_whole, "{id} no longer parses:\n{text}");
    }
    let again = Host::new(files, true).build();
    match (&outcome, &again) {
        (Ok(proof), Ok(again)) => {
            assert_eq!(proof.manifest, again.manifest, "the order of modules reaches the bytes");
            hold_proof(proof, &host);
            let longer = files.iter().map(|(id, text)| (id.clone(), format!("{text}\n"))).collect();
            let longer = Host::new(&longer, false).build().map(|proof| proof.manifest).map_err(|it| it.text);
            assert_eq!(longer.as_ref(), Ok(&proof.manifest), "a line's end changes what is proven");
        }
        (Err(report), Err(again)) => {
            assert_eq!(report.text, again.text, "the order of modules reaches the report");
            hold_report(report, &host, files);
        }
        _ => panic!("the order of modules decides whether there is a proof"),
    }
}

/// A proof is a manifest that verifies, with a place for each capability, and chunks without a placeholder.
fn hold_proof(proof: &Proof, host: &Host<'_>) {
    let manifest = Manifest::parse(&proof.manifest);
    let Ok(manifest) = manifest else { panic!("{manifest:?}") };
    assert_eq!(manifest.verify(), Ok(()));
    assert_eq!(manifest.to_file_text(), proof.manifest);
    assert_eq!(manifest.hash().to_hex(), proof.hash);
    let rows = manifest.capabilities().iter().map(|entry| &entry.contract);
    assert!(
        rows.map(|row| (&row.declaration_id, &row.capability_id))
            .eq(proof.capabilities.iter().map(|located| (&located.declaration_id, &located.capability_id))),
        "every capability has its place"
    );
    for warning in &proof.warnings {
        assert_eq!(warning.severity, Severity::Warning);
    }
    let prefix = Session::placeholder_prefix();
    for (id, text) in host.texts() {
        let Some(rendered) = host.session.render(text) else { continue };
        assert!(parses(id, &rendered.code), "{id} does not parse as it ships:\n{}", rendered.code);
        assert!(host.session.render(&rendered.code).is_none(), "{id} has a placeholder left: {prefix}");
        let map = rendered.map.as_deref().map(parse);
        assert!(matches!(map, Some(Ok(Json::Object(_)))), "an edit comes with a source map");
    }
}

/// A report has problems, each with a code and a place that is one.
fn hold_report(report: &Report, host: &Host<'_>, files: &BTreeMap<String, String>) {
    assert!(!report.diagnostics.is_empty(), "a refusal says why");
    assert!(report.text.len() <= report.diagnostics.len() * MAX_PROBLEM, "{} bytes", report.text.len());
    for diagnostic in &report.diagnostics {
        assert_eq!(diagnostic.severity, Severity::Error);
        assert!(diagnostic.code.starts_with("agent-surface("), "{}", diagnostic.code);
        assert!(!diagnostic.message.is_empty());
        let Some(id) = &diagnostic.id else {
            assert_eq!((diagnostic.line, diagnostic.column), (0, 0));
            continue;
        };
        let texts = [files.get(id), host.texts().get(id)];
        let is_place =
            texts.into_iter().flatten().any(|text| has_place(text, diagnostic.line, diagnostic.column));
        assert!(is_place, "{id}:{}:{} is nowhere", diagnostic.line, diagnostic.column);
    }
}

/// Whether a text has a line and column, both from 1 on. A line ends with its line feed, as in every editor.
fn has_place(text: &str, line: u32, column: u32) -> bool {
    let length = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
    let mut lines = text.split('\n');
    line > 0 && column > 0 && lines.nth(line as usize - 1).is_some_and(|found| column <= length(found) + 1)
}

/// Whether a text that the session was content with parses. What nests deeply it refused to read.
fn parses(id: &str, text: &str) -> bool {
    let Ok(source_type) = SourceType::from_path(id) else { return true };
    if text.len() > 256 * 1024 {
        return true;
    }
    let parse = || {
        let allocator = Allocator::default();
        Parser::new(&allocator, text, source_type.with_module(true)).parse().diagnostics.is_empty()
    };
    // The parser recurses with the text, and is asked about more than what the session would read.
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn_scoped(scope, parse)
            .ok()
            .and_then(|thread| thread.join().ok())
            .unwrap_or(false)
    })
}
