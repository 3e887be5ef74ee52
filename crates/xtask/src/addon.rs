//! The Node addon: built by cargo as a C library, used by Node under a name that tells the platform.

use std::{env::consts, fs, path::Path};

use agent_surface_json::{Json, parse};
use anyhow::{Context as _, Result, bail};

use crate::{step, workspace::Workspace};

/// The crate that is the addon.
const CRATE: &str = "agent-surface-napi-binding";

/// Builds the addon as it ships and puts it beside the package that loads it.
///
/// # Errors
/// Cargo's report, a platform without a name, and files that cannot be written.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    let arguments = ["build", "--release", "--package", CRATE, "--message-format", "json-render-diagnostics"];
    let messages = step::read_stdout("build the Node addon", workspace.cargo(&arguments))?;
    let library = messages.lines().find_map(library_in).context("cargo did not say where the addon is")?;
    let folder = workspace.path("npm/compiler/native");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    place(Path::new(&library), &folder.join(file_name()?))
}

/// Replaces `target` in one motion: a Node that has the old file mapped keeps it, none sees half a file.
/// An unchanged file is left alone.
fn place(library: &Path, target: &Path) -> Result<()> {
    let built = fs::read(library).with_context(|| format!("cannot read {}", library.display()))?;
    if fs::read(target).is_ok_and(|current| current == built) {
        return Ok(());
    }
    let beside = target.with_extension(format!("{}.tmp", std::process::id()));
    fs::write(&beside, built).with_context(|| format!("cannot write {}", beside.display()))?;
    fs::rename(&beside, target).with_context(|| format!("cannot replace {}", target.display()))
}

/// The library's path, if this line of cargo's messages is about it.
fn library_in(message: &str) -> Option<String> {
    let message = parse(message).ok()?;
    let target = message.get("target")?;
    let is_ours = message.get("reason")?.as_str()? == "compiler-artifact"
        && target.get("name")?.as_str()? == CRATE.replace('-', "_")
        && target.get("kind")?.as_array()?.iter().any(|kind| kind.as_str() == Some("cdylib"));
    let files = message.get("filenames")?.as_array()?.iter().filter_map(Json::as_str);
    let is_library = |path: &&str| path.ends_with(consts::DLL_SUFFIX);
    if is_ours { files.into_iter().find(is_library).map(str::to_owned) } else { None }
}

/// `agent-surface.linux-x64-gnu.node`: Node's own words for platform and processor, then the C library where
/// one platform has two.
fn file_name() -> Result<String> {
    let platform = match consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let arch = match consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        "x86" => "ia32",
        "arm" => "arm",
        other => bail!("the Node addon has no name for the processor {other}"),
    };
    let libc = match () {
        () if cfg!(target_env = "musl") => "-musl",
        () if cfg!(target_os = "linux") => "-gnu",
        () => "",
    };
    Ok(format!("agent-surface.{platform}-{arch}{libc}.node"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_the_one_cargo_reports() {
        let message = |name: &str, kind: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","target":{{"name":"{name}","kind":["{kind}"]}},"filenames":["/t/lib{}"]}}"#,
                consts::DLL_SUFFIX
            )
        };
        assert_eq!(
            library_in(&message("agent_surface_napi_binding", "cdylib")),
            Some(format!("/t/lib{}", consts::DLL_SUFFIX))
        );
        assert_eq!(library_in(&message("agent_surface_napi_binding", "test")), None);
        assert_eq!(library_in(&message("serde", "cdylib")), None);
        assert_eq!(library_in("warning: not JSON"), None);
    }

    #[test]
    fn placing_a_library_replaces_the_old_one_and_leaves_nothing_beside_it() {
        let folder = std::env::temp_dir().join(format!("xtask-addon-{}", std::process::id()));
        fs::create_dir_all(folder.join("native")).unwrap();
        let (library, target) = (folder.join("built"), folder.join("native/addon.node"));
        for text in ["old", "new"] {
            fs::write(&library, text).unwrap();
            place(&library, &target).unwrap();
        }
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.join("native")).unwrap().count(), 1);
    }
}
