//! Debian's compiler for the web, unpacked in a private folder and never installed.
//!
//! Debian builds its browsers with a Rust of its own (`rustc-web`), newer than the distribution's; with the
//! library's sources (`rust-web-src`) and LLVM's linker it makes WebAssembly. apt checks every package against
//! the archive's signature; unpacking needs no rights and leaves the machine's own packages alone.

use std::{
    borrow::Cow,
    env,
    ffi::OsString,
    fmt, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, bail, ensure};

use super::{name, read};

/// An unpacked toolchain.
#[derive(Debug)]
pub(super) struct Toolchain {
    version: String,
    rustc: PathBuf,
    linker: PathBuf,
    libraries: PathBuf,
}

impl Toolchain {
    /// The toolchain of the version that apt would install: from the cache folder, or downloaded into it.
    ///
    /// # Errors
    /// Where there is no apt, no such package, or a package can't be downloaded or doesn't run here.
    pub(super) fn find() -> Result<Self> {
        let packages = Packages::resolve()?;
        let cache = cache_folder()?;
        let folder = cache.join(packages.folder_name());
        if !folder.is_dir() {
            eprintln!("     unpacking Debian's rustc-web {} into {}", packages.version, folder.display());
            unpack_beside(&packages, &cache, &folder)?;
        }
        Self::open(packages.version, &folder)
    }

    /// Variables that make cargo use this toolchain.
    pub(super) fn environment(&self) -> Vec<(&'static str, OsString)> {
        vec![
            ("RUSTC", self.rustc.clone().into()),
            ("LD_LIBRARY_PATH", self.libraries.clone().into()),
            ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", self.linker.clone().into()),
            // It is a stable compiler; compiling the standard library is still cargo's unstable feature.
            ("RUSTC_BOOTSTRAP", "1".into()),
        ]
    }

    /// The toolchain in `folder`, after its compiler has answered.
    fn open(version: String, folder: &Path) -> Result<Self> {
        let usr = folder.join("usr");
        let toolchain = Self {
            version,
            rustc: usr.join("bin/rustc"),
            linker: only_child(&usr.join("lib"), "llvm-")?.join("bin/wasm-ld"),
            libraries: multiarch_folder(&usr.join("lib"))?,
        };
        read(Command::new(&toolchain.rustc).arg("--version").envs(toolchain.environment()))
            .context("the unpacked compiler does not start")?;
        Ok(toolchain)
    }
}

impl fmt::Display for Toolchain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Debian's rustc-web {}", self.version)
    }
}

/// The packages that make up one toolchain.
struct Packages {
    version: String,
    names: Vec<String>,
}

impl Packages {
    /// Asks apt for the candidate, after bringing its lists up to date if it knows none and we may.
    fn resolve() -> Result<Self> {
        // Where there is no apt at all, nothing else is worth saying.
        read(Command::new("apt-cache").arg("--version"))?;
        let record = match candidate("rustc-web") {
            Ok(record) => record,
            Err(_) => {
                update_lists()?;
                candidate("rustc-web")?
            }
        };
        let version = field(&record, "Version").context("rustc-web has no version")?.to_owned();
        let library = library_package(&version)?;
        let depends = candidate(&library)?;
        let llvm = field(&depends, "Depends")
            .and_then(llvm_version)
            .with_context(|| format!("{library} does not name the LLVM it needs"))?;
        let names = vec![
            "rustc-web".to_owned(),
            library,
            "libstd-rust-web-dev".to_owned(),
            SOURCES.to_owned(),
            format!("libllvm{llvm}"),
            format!("lld-{llvm}"),
            "libz3-4".to_owned(),
        ];
        Ok(Self { version, names })
    }

    /// A folder name of its own for each version. A colon would end a path in `LD_LIBRARY_PATH`.
    fn folder_name(&self) -> String {
        format!("rustc-web-{}", self.version.replace(':', "_"))
    }
}

/// The package with the standard library's sources, and much else that nobody needs here.
const SOURCES: &str = "rust-web-src";

/// The record of the version that apt would install.
fn candidate(package: &str) -> Result<String> {
    read(Command::new("apt-cache").args(["show", "--no-all-versions", package]))
}

/// `apt-get update`, where we may: an image is often delivered without lists.
fn update_lists() -> Result<()> {
    let user = read(Command::new("id").arg("--user"))?;
    ensure!(user.trim() == "0", "apt knows no rustc-web; `sudo apt-get update` may help");
    eprintln!("     apt knows no rustc-web yet, updating its lists");
    read(Command::new("apt-get").args(["--quiet", "update"])).map(drop)
}

/// A field of a package's record.
fn field<'a>(record: &'a str, key: &str) -> Option<&'a str> {
    record.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "))
}

/// The library package carries the compiler's minor version in its name: `libstd-rust-web-1.96`.
fn library_package(version: &str) -> Result<String> {
    let mut parts = version.split('.');
    match (parts.next(), parts.next()) {
        (Some(major), Some(minor)) => Ok(format!("libstd-rust-web-{major}.{minor}")),
        _ => bail!("rustc-web has the unexpected version {version}"),
    }
}

/// `22`, from a list of dependencies with `libllvm22`.
fn llvm_version(depends: &str) -> Option<&str> {
    depends.split([',', ' ']).find_map(|word| word.strip_prefix("libllvm"))
}

/// Downloads and unpacks into a folder beside the final one, then renames it: whoever looks sees a whole
/// toolchain or none, also when this is interrupted or runs twice at once.
fn unpack_beside(packages: &Packages, cache: &Path, folder: &Path) -> Result<()> {
    let partial = cache.join(format!(".partial-{}-{}", packages.folder_name(), std::process::id()));
    fs::create_dir_all(&partial).with_context(|| format!("cannot create {}", partial.display()))?;
    let result = unpack(packages, &partial).and_then(|()| match fs::rename(&partial, folder) {
        // Another run was faster, and its folder is as good.
        Err(_) if folder.is_dir() => Ok(()),
        renamed => renamed.with_context(|| format!("cannot create {}", folder.display())),
    });
    if partial.is_dir() {
        fs::remove_dir_all(&partial).with_context(|| format!("cannot remove {}", partial.display()))?;
    }
    result
}

fn unpack(packages: &Packages, folder: &Path) -> Result<()> {
    let archives = folder.join("archives");
    fs::create_dir(&archives)?;
    // As root, apt would hand the download to a user who can't write here; the folder is ours anyway.
    let sandbox = ["--option", "APT::Sandbox::User=root", "--quiet", "download"];
    read(Command::new("apt-get").args(sandbox).args(&packages.names).current_dir(&archives))?;
    for archive in fs::read_dir(&archives)? {
        let archive = archive?.path();
        if file_name(&archive).starts_with(&format!("{SOURCES}_")) {
            unpack_library_sources(&archive, folder)?;
        } else {
            read(Command::new("dpkg").arg("--extract").arg(&archive).arg(folder))?;
        }
    }
    fs::remove_dir_all(&archives).context("cannot remove the archives")
}

/// Of the compiler's whole source only the library, and the link by which `rustc` finds it.
fn unpack_library_sources(archive: &Path, folder: &Path) -> Result<()> {
    let mut dpkg = Command::new("dpkg-deb");
    let mut dpkg = dpkg.arg("--fsys-tarfile").arg(archive).stdout(Stdio::piped()).spawn()?;
    let members = dpkg.stdout.take().context("dpkg-deb has no output")?;
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--wildcards", "./usr/src/rustc-*/library", "./usr/lib/rustlib/src"]);
    let unpacked = tar.current_dir(folder).stdin(members).status();
    let read = dpkg.wait()?;
    ensure!(unpacked?.success() && read.success(), "{} of {} failed", name(&tar), archive.display());
    Ok(())
}

/// `lib/x86_64-linux-gnu` or its like, where Debian keeps shared libraries by machine.
fn multiarch_folder(lib: &Path) -> Result<PathBuf> {
    let folders = fs::read_dir(lib).with_context(|| format!("cannot read {}", lib.display()))?;
    let mut folders = folders.flatten().map(|entry| entry.path());
    folders
        .find(|path| file_name(path).contains("-linux-gnu"))
        .with_context(|| format!("no shared libraries in {}", lib.display()))
}

/// The folder in `lib` whose name begins with `prefix`.
fn only_child(lib: &Path, prefix: &str) -> Result<PathBuf> {
    let folders = fs::read_dir(lib).with_context(|| format!("cannot read {}", lib.display()))?;
    let mut folders = folders.flatten().map(|entry| entry.path());
    folders
        .find(|path| file_name(path).starts_with(prefix))
        .with_context(|| format!("no {prefix}* in {}", lib.display()))
}

fn file_name(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

/// `$XDG_CACHE_HOME` or `~/.cache`, as the XDG base directory specification has it.
fn cache_folder() -> Result<PathBuf> {
    let base = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| env::home_dir().map(|home| home.join(".cache")))
        .context("neither XDG_CACHE_HOME nor HOME is set")?;
    Ok(base.join("agent-surface").join("toolchains"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "Package: libstd-rust-web-1.96\nVersion: 1.96.0+dfsg1-1~deb12u2\n\
        Depends: libc6 (>= 2.34), libgcc-s1 (>= 4.2), libllvm22, libstdc++6 (>= 11)\n";

    #[test]
    fn a_record_tells_its_version_and_the_llvm_it_needs() {
        assert_eq!(field(RECORD, "Version"), Some("1.96.0+dfsg1-1~deb12u2"));
        assert_eq!(field(RECORD, "Depends").and_then(llvm_version), Some("22"));
        assert_eq!(field(RECORD, "Provides"), None);
    }

    #[test]
    fn the_library_package_is_named_after_the_minor_version() {
        assert_eq!(library_package("1.96.0+dfsg1-1~deb12u2").unwrap(), "libstd-rust-web-1.96");
        assert!(library_package("nonsense").is_err());
    }

    #[test]
    fn no_folder_name_has_a_colon() {
        let packages = Packages { version: "1:2.0".to_owned(), names: Vec::new() };
        assert_eq!(packages.folder_name(), "rustc-web-1_2.0");
    }
}
