//! Builds the browser module: `crates/wasm-binding` compiled to WebAssembly, shrunk, and embedded as text in
//! `@agent-surface/core`, which loads it without a request; beside it stands the small module of `crates/packing` that
//! makes the text a module again. The browser module as plain JavaScript is a second file.
//!
//! The same sources and the same toolchain give the same bytes, wherever the checkout lies. (Where the toolchain
//! lies does count for Debian's: cargo names the crates of the standard library after the folder of their sources.)

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};

use crate::{stamp, step, workspace::Workspace};

mod debian;
mod embed;
mod script;
mod toolchain;

use toolchain::{TARGET, Toolchain};

/// The crate that becomes the browser module.
const BINDING: &str = "agent-surface-wasm-binding";

/// The crate that becomes the module which unpacks it.
const PACKING: &str = "agent-surface-packing";

/// Where the embedded module goes; made here, never committed.
const EMBEDDED: &str = "npm/core/src/generated/module.ts";

/// What rustc's default processor for the target may use, all of it in browsers since 2021. A stripped module
/// does not say so itself, and binaryen refuses an instruction that it was not told of.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// What makes the module small, with nothing in it but what runs.
const PASSES: [&str; 5] = [
    "-Oz",
    // The first kilobyte is the end of the stack, so an address never lies so low that its offset could wrap around.
    "--low-memory-unused",
    // A large function with one caller stays one: the module gets larger, but compresses to two percent less.
    "--one-caller-inline-max-function-size=50",
    "--strip-producers",
    "--strip-target-features",
];

/// The built browser module.
pub(crate) struct Module {
    /// The file.
    pub(crate) path: PathBuf,
    /// Its size in bytes.
    pub(crate) size: usize,
    /// The toolchain that compiled it, in words.
    pub(crate) toolchain: String,
}

/// Builds the browser module and embeds it in `npm/core`.
///
/// # Errors
/// Where no toolchain for WebAssembly can be had (the error says what to run), or where a step fails.
pub(crate) fn build(workspace: &Workspace) -> Result<Module> {
    let toolchain = Toolchain::find()?;
    let folder = compile(workspace, &toolchain)?;
    let path = shrink(workspace, &folder, BINDING)?;
    let module = read_bytes(&path)?;
    let unpacker = read_bytes(&shrink(workspace, &folder, PACKING)?)?;
    embed::write(&workspace.path(EMBEDDED), &module, &unpacker)?;
    script::write(workspace, &path)?;
    Ok(Module { path, size: module.len(), toolchain: toolchain.to_string() })
}

fn read_bytes(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Compiles both crates and returns the folder of the modules that the linker wrote.
fn compile(workspace: &Workspace, toolchain: &Toolchain) -> Result<PathBuf> {
    // A folder of its own: another compiler than the workspace's would make cargo forget what that one built.
    let target =
        workspace.path(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into())).join("wasm");
    let mut command = workspace.cargo(&["build", "--locked", "--package", BINDING, "--package", PACKING]);
    command
        .args(["--profile", "wasm", "--target", TARGET, "--target-dir"])
        .arg(&target)
        .args(toolchain.cargo_arguments())
        .env_remove("RUSTFLAGS")
        .env("CARGO_ENCODED_RUSTFLAGS", rust_flags(workspace, toolchain))
        .envs(toolchain.environment());
    step::run(&format!("the browser module, compiled with {toolchain}"), command)?;
    Ok(target.join(TARGET).join("wasm"))
}

/// The flags of every crate in the module. Paths of this machine are mapped away, or they could be in the bytes.
fn rust_flags(workspace: &Workspace, toolchain: &Toolchain) -> OsString {
    // SHA-256 as a loop instead of 64 rounds in a row: 7 kB less, and a manifest is verified once.
    let mut flags = vec![OsString::from("--cfg=sha2_backend_soft=\"compact\"")];
    flags.extend(toolchain.rust_flags().iter().map(Into::into));
    let cargo_home =
        env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    for (folder, name) in [(Some(workspace.path("")), "/agent-surface"), (cargo_home, "/cargo")] {
        if let Some(folder) = folder {
            let mut flag = OsString::from("--remap-path-prefix=");
            flag.push(folder);
            flag.push("=");
            flag.push(name);
            flags.push(flag);
        }
    }
    // Cargo splits the variable at this separator, so that a path may have blanks.
    flags.join(&OsString::from("\x1f"))
}

/// Lets binaryen have a go at a crate's module, where it is installed, and returns the smaller one.
fn shrink(workspace: &Workspace, folder: &Path, package: &str) -> Result<PathBuf> {
    let compiled = folder.join(package.replace('-', "_")).with_extension("wasm");
    let wasm_opt = workspace.path("node_modules/binaryen/bin/wasm-opt");
    if !wasm_opt.exists() {
        eprintln!("     binaryen is not installed: {package} stays a fifth larger (`npm ci` brings it)");
        return Ok(compiled);
    }
    let shrunk = compiled.with_extension("opt.wasm");
    let inputs =
        [compiled.clone(), workspace.path("package-lock.json"), workspace.path("crates/xtask/src/wasm.rs")];
    stamp::unless_unchanged(workspace, &format!("wasm-opt {package}"), &inputs, &shrunk, || {
        let mut command = workspace.command("node");
        command.arg(wasm_opt).args(PASSES).args(FEATURES).arg(compiled).arg("--output").arg(&shrunk);
        step::run(&format!("{package}, shrunk by binaryen"), command)
    })?;
    Ok(shrunk)
}

/// Runs a command quietly and returns what it printed; its complaint becomes the error.
fn read(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {}", name(command)))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!("{} failed ({}): {}", name(command), output.status, complaint.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn name(command: &Command) -> String {
    Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned()
}
