//! From a module of the author's to the JavaScript that a bundler has of it, by the tools that Vite 8 uses.

use std::collections::BTreeSet;
use std::path::Path;

use agent_surface_json::{Json, parse};
use oxc_allocator::Allocator;
use oxc_codegen::Codegen;
use oxc_parser::Parser;
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use oxc_transformer::{TransformOptions, Transformer};

/// A module without types, and what it imports at run time, in the order of its text.
pub(crate) struct Script {
    pub(crate) code: String,
    pub(crate) requests: Vec<String>,
}

/// Compiles a module. None where its text is not a module: a generated program never is that, a program made
/// smaller may be.
pub(crate) fn compile(path: &str, text: &str) -> Option<Script> {
    if path.ends_with(".json") {
        return Some(Script { code: json_module(text)?, requests: Vec::new() });
    }
    let allocator = Allocator::default();
    let source_type = SourceType::from_path(path).ok()?.with_module(true);
    let parsed = Parser::new(&allocator, text, source_type).parse();
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut program = parsed.program;
    let semantic = SemanticBuilder::new().with_excess_capacity(2.0).with_enum_eval(true).build(&program);
    if !semantic.diagnostics.is_empty() {
        return None;
    }
    let scoping = semantic.semantic.into_scoping();
    let transformed = Transformer::new(&allocator, Path::new(path), &TransformOptions::default())
        .build_with_scoping(scoping, &mut program);
    if !transformed.diagnostics.is_empty() {
        return None;
    }
    let code = Codegen::new().build(&program).code;
    let requests = requests(&code);
    Some(Script { code, requests })
}

/// What a script imports, read from its own text: the types are gone, and so are imports that only they used.
fn requests(code: &str) -> Vec<String> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, code, SourceType::mjs()).parse();
    let record = &parsed.module_record;
    let mut found: BTreeSet<(u32, String)> = BTreeSet::new();
    for (specifier, occurrences) in &record.requested_modules {
        found.extend(occurrences.first().map(|first| (first.span.start, specifier.to_string())));
    }
    for import in &record.dynamic_imports {
        let request = &code[import.module_request.start as usize..import.module_request.end as usize];
        found.insert((import.span.start, request.trim_matches(['"', '\'']).to_owned()));
    }
    found.into_iter().map(|(_, specifier)| specifier).collect()
}

/// A JSON file as Vite hands it on: each member that can be a name, and all of them by default.
pub(crate) fn json_module(text: &str) -> Option<String> {
    let value = parse(text).ok()?;
    let mut code = String::new();
    let mut members = String::new();
    if let Json::Object(object) = &value {
        for (key, member) in object.iter() {
            let quoted = Json::from(key).to_canonical();
            if is_plain_name(key) {
                code += &format!("export const {key} = {};\n", member.to_canonical());
                members += &format!("  {quoted}: {key},\n");
            } else {
                members += &format!("  {quoted}: {},\n", member.to_canonical());
            }
        }
        code += &format!("export default {{\n{members}}};\n");
    } else {
        code = format!("export default {};\n", value.to_canonical());
    }
    Some(code)
}

fn is_plain_name(key: &str) -> bool {
    const RESERVED: [&str; 6] = ["default", "delete", "new", "in", "null", "class"];
    key.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !RESERVED.contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_go_and_so_do_the_imports_that_only_types_used() {
        let script = compile(
            "src/a.ts",
            "import { T } from './t';\nimport { v } from './v';\nimport './s';\nexport const x: T = v as T;",
        )
        .unwrap();
        assert_eq!(script.requests, ["./v", "./s"]);
        assert!(!script.code.contains(": T"), "{}", script.code);
    }

    #[test]
    fn what_is_no_module_is_not_compiled() {
        assert!(compile("src/a.ts", "const x = ;").is_none());
        assert!(compile("src/a.ts", "const x = 1; const x = 2;").is_none());
        assert!(compile("src/a.json", "{").is_none());
    }

    #[test]
    fn the_members_of_a_json_file_are_exports_where_they_can_be() {
        let code = compile("src/a.json", r#"{ "a": 1, "b-c": [2] }"#).unwrap().code;
        assert_eq!(code, "export const a = 1;\nexport default {\n  \"a\": a,\n  \"b-c\": [2],\n};\n");
    }
}
