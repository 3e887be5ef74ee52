//! The module as plain JavaScript, for pages and hosts that may not compile WebAssembly: binaryen's `wasm2js`.
//!
//! It is the same module, instruction by instruction, and so the same kernel; it is larger and slower. What binaryen
//! writes does its work when it is imported, so all of it is put into one function with the shape of the loader in
//! `npm/core/src/kernel/module.ts`.

use std::{fs, path::Path};

use anyhow::{Context as _, Result, ensure};

use super::FEATURES;
use crate::{stamp, step, workspace::Workspace};

/// Where the script goes; made here, never committed.
const SCRIPT: &str = "npm/core/src/generated/module.wasm2js.ts";

/// What JavaScript has no short words for is put in terms of what it has.
const LOWERINGS: [&str; 3] =
    ["--llvm-nontrapping-fptoint-lowering", "--llvm-memory-copy-fill-lowering", "--signext-lowering"];

/// What `wasm2js` writes first.
const IMPORT: &str = "import * as env from 'env';\n";

/// Where the functions end and the module begins to be an instance.
const INSTANCE: &str = "var retasmFunc = asmFunc({";

/// Translates a module, after every pass that makes it small.
///
/// # Errors
/// Where binaryen is not installed, fails, or writes something else than it used to.
pub(super) fn write(workspace: &Workspace, module: &Path) -> Result<()> {
    let tool = |name| workspace.path("node_modules/binaryen/bin").join(name);
    ensure!(tool("wasm2js").exists(), "binaryen is not installed; run `npm ci`");
    let (lowered, script) = (module.with_extension("lowered.wasm"), workspace.path(SCRIPT));
    let inputs = [
        module.to_owned(),
        workspace.path("package-lock.json"),
        workspace.path("crates/xtask/src/wasm/script.rs"),
    ];
    stamp::unless_unchanged(workspace, "wasm2js", &inputs, &script, || {
        let mut lower = workspace.command("node");
        lower.arg(tool("wasm-opt")).args(FEATURES).args(LOWERINGS).arg(module).arg("--output").arg(&lowered);
        step::run("the browser module, lowered", lower)?;
        let mut translate = workspace.command("node");
        translate.arg(tool("wasm2js")).arg("-Oz").arg(&lowered).arg("--output").arg(&script);
        step::run("the browser module as JavaScript", translate)?;
        let text = fs::read_to_string(&script)?;
        fs::write(&script, wrap(&text)?).with_context(|| format!("cannot write {}", script.display()))
    })
}

/// The module as a function that makes an instance.
fn wrap(script: &str) -> Result<String> {
    let body = script.strip_prefix(IMPORT).context("wasm2js begins otherwise than it used to")?;
    let (body, _) = body.split_once(INSTANCE).context("wasm2js ends otherwise than it used to")?;
    Ok([
        "// @ts-nocheck\n\
         // Made by `cargo xtask build` from crates/wasm-binding, and not committed.\n\n\
         import type { Exports, Imports } from \"../kernel/module.js\";\n\n\
         /** The kernel as plain JavaScript. */\n\
         export function instantiate(env: Imports): Exports {\n",
        body.trim_end(),
        "\nreturn asmFunc({ env });\n}\n",
    ]
    .concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_at_import_is_done_when_an_instance_is_made() {
        let script = "import * as env from 'env';\nvar table = 1;\nfunction asmFunc(imports) {}\n\n\
                      var retasmFunc = asmFunc({\n  \"env\": env,\n});\nexport var memory = retasmFunc.memory;\n";
        let wrapped = wrap(script).unwrap();
        let body = wrapped.split_once("Exports {\n").unwrap().1;
        assert_eq!(body, "var table = 1;\nfunction asmFunc(imports) {}\nreturn asmFunc({ env });\n}\n");
    }

    #[test]
    fn a_script_of_another_shape_is_refused() {
        assert!(wrap("export var memory;").is_err());
        assert!(wrap("import * as env from 'env';\nexport var memory;").is_err());
    }
}
