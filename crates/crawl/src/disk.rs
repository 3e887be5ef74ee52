//! What a session asks of the disk: a module's text, the package it belongs to, and that one's contract file.
//!
//! The compiler does no I/O, and a bundler has nothing to add here, so these answers never cross to JavaScript.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use agent_surface_compiler::{ContractFile, MAX_CONTRACT_FILE, Package, install_folder};
use agent_surface_json::{Json, parse};
use rustc_hash::FxHashMap;

/// Reads files, and remembers which package a folder belongs to.
#[derive(Default)]
pub struct Disk {
    packages: FxHashMap<PathBuf, Option<Package>>,
    /// Contract files that were asked for, there or not, and what names them.
    contracts: BTreeSet<String>,
    /// Where the links of folders lead, for those that hold modules.
    folders: FxHashMap<PathBuf, PathBuf>,
}

impl Disk {
    /// The text of a module; none where the id is no file's or the file is not UTF-8.
    pub fn read_source(&self, id: &str) -> Option<String> {
        fs::read_to_string(file_of(id)?).ok()
    }

    /// The package that a module belongs to; none for an id that is no file's, and where no `package.json` above has a
    /// name. Symbolic links are followed first: what is linked into `node_modules` lies elsewhere, and belongs there.
    pub fn find_package(&mut self, id: &str) -> Option<Package> {
        let file = self.real_path(file_of(id)?);
        match install_folder(file.to_str()?).map(PathBuf::from) {
            Some(folder) => {
                let package = self.packages.entry(folder.clone());
                package.or_insert_with(|| read_installed(&folder)).clone()
            }
            None => self.package_of_folder(file.parent()?),
        }
    }

    /// What is in a package's contract file.
    pub fn read_contract(&mut self, folder: &str, path: &str) -> ContractFile {
        self.contracts.insert(path.to_owned());
        self.contracts.insert(format!("{folder}/package.json"));
        read_contract(Path::new(folder), Path::new(path))
            .unwrap_or_else(|error| ContractFile::Unreadable { reason: error.to_string() })
    }

    /// The contract files of packages that were ever read, or were not there to be, and the `package.json` of each: no
    /// module, and a contract rests on them all the same.
    pub fn contract_files(&self) -> impl Iterator<Item = &str> {
        self.contracts.iter().map(String::as_str)
    }

    /// Whether it is one of [`Disk::contract_files`].
    pub(crate) fn is_contract_file(&self, path: &str) -> bool {
        self.contracts.contains(path)
    }

    /// Forgets what was read: between two builds files come and go.
    pub fn forget(&mut self) {
        self.packages.clear();
        self.folders.clear();
    }

    /// Where a file's symbolic links lead. A folder's are followed once, since following them is most of the work.
    fn real_path(&mut self, file: &Path) -> PathBuf {
        let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else { return real_path(file) };
        if fs::symlink_metadata(file).is_ok_and(|it| it.is_symlink()) {
            return real_path(file);
        }
        match self.folders.get(folder) {
            Some(real) => real.join(name),
            None => {
                let real = real_path(folder);
                let file = real.join(name);
                self.folders.insert(folder.to_path_buf(), real);
                file
            }
        }
    }

    fn package_of_folder(&mut self, folder: &Path) -> Option<Package> {
        if let Some(known) = self.packages.get(folder) {
            return known.clone();
        }
        let package = read_package(folder)
            .filter(|package| !package.name.is_empty())
            .or_else(|| folder.parent().and_then(|parent| self.package_of_folder(parent)));
        self.packages.insert(folder.to_path_buf(), package.clone());
        package
    }
}

/// The installed package in a folder, whatever there is of it.
fn read_installed(folder: &Path) -> Option<Package> {
    let nameless = || {
        Some(Package {
            name: String::new(),
            version: None,
            dir: folder.to_str()?.to_owned(),
            installed: true,
            declares_contract: false,
        })
    };
    read_package(folder).map(|package| Package { installed: true, ..package }).or_else(nameless)
}

/// The package whose folder this is. Many packages keep nameless `package.json` files in their subfolders, to
/// set the module type; those are not packages.
fn read_package(folder: &Path) -> Option<Package> {
    let manifest = parse(&fs::read_to_string(folder.join("package.json")).ok()?).ok()?;
    let contract = manifest.get("agentSurface").and_then(|it| it.get("contract"));
    Some(Package {
        name: manifest.get("name").and_then(Json::as_str).unwrap_or_default().to_owned(),
        version: manifest.get("version").and_then(Json::as_str).map(str::to_owned),
        dir: folder.to_str()?.to_owned(),
        installed: false,
        declares_contract: contract.is_some_and(|contract| *contract != Json::Null),
    })
}

fn read_contract(folder: &Path, path: &Path) -> io::Result<ContractFile> {
    let real = fs::canonicalize(path)?;
    let shown = without_verbatim_prefix(&real).to_string_lossy().into_owned();
    if !real.starts_with(fs::canonicalize(folder)?) {
        return Ok(ContractFile::Outside { path: shown });
    }
    let metadata = fs::metadata(&real)?;
    if !metadata.is_file() {
        return Ok(ContractFile::Unreadable { reason: "it is no file".to_owned() });
    }
    let mut bytes = Vec::new();
    // Whatever the file has become since: no more than is allowed is read.
    fs::File::open(&real)?.take(MAX_CONTRACT_FILE + 1).read_to_end(&mut bytes)?;
    let length = metadata.len().max(bytes.len() as u64);
    if length > MAX_CONTRACT_FILE {
        return Ok(ContractFile::TooLarge { bytes: length });
    }
    Ok(ContractFile::Found { path: shown, bytes })
}

/// Where a path's symbolic links lead; the path itself where there is nothing.
fn real_path(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return without_verbatim_prefix(&real).to_path_buf();
    }
    // The file may not be there, and its folder may.
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => real_path(folder).join(name),
        _ => path.to_path_buf(),
    }
}

/// Windows resolves links to paths that begin with `\\\\?\\`, in which no slash separates.
fn without_verbatim_prefix(path: &Path) -> &Path {
    let plain = path.to_str().and_then(|text| text.strip_prefix(r"\\?\"));
    plain.filter(|plain| plain.as_bytes().get(1) == Some(&b':')).map_or(path, Path::new)
}

/// The file of a module id: without its query, and without the prefix by which Vite's dev server serves files
/// from outside the root. A virtual module (`\0…`, `virtual:…`) has none.
fn file_of(id: &str) -> Option<&Path> {
    let id = match id.strip_prefix("/@fs/") {
        // `/@fs/C:/app` on Windows, `/@fs/home/app` elsewhere.
        Some(rest) if Path::new(rest).is_absolute() => rest,
        Some(_) => &id["/@fs".len()..],
        None => id,
    };
    let path = Path::new(id.split('?').next()?);
    path.is_absolute().then_some(path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{ContractFile, Disk, MAX_CONTRACT_FILE, file_of};

    /// A folder with files in it, by path.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let file = root.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        root
    }

    /// The name of the package that a file of a folder belongs to, and whether it is installed.
    fn owner(root: &tempfile::TempDir, path: &str) -> (String, bool) {
        let package = Disk::default().find_package(&format!("{}/{path}", root.path().display())).unwrap();
        (package.name, package.installed)
    }

    #[test]
    fn a_file_of_the_project_belongs_to_the_nearest_package_that_has_a_name() {
        let root = folder(&[
            ("package.json", r#"{"name": "app"}"#),
            ("packages/ui/package.json", r#"{"name": "ui", "version": "1.2.3"}"#),
            ("packages/ui/esm/package.json", r#"{"type": "module"}"#),
        ]);
        let mut disk = Disk::default();
        let id = format!("{}/packages/ui/esm/index.js?v=1", root.path().display());
        let package = disk.find_package(&id).unwrap();
        assert_eq!((package.name.as_str(), package.version.as_deref()), ("ui", Some("1.2.3")));
        assert_eq!(package.dir, fs::canonicalize(root.path()).unwrap().join("packages/ui").to_str().unwrap());
        assert_eq!(owner(&root, "src/main.ts"), ("app".into(), false));
    }

    #[test]
    fn an_installed_file_belongs_to_the_package_in_whose_folder_it_was_installed() {
        let root = folder(&[
            ("package.json", r#"{"name": "app"}"#),
            ("node_modules/dep/package.json", r#"{"name": "dep"}"#),
            // What a package says further inside makes it no other one.
            ("node_modules/dep/lib/package.json", r#"{"name": "@good/dep"}"#),
            ("node_modules/dep/lib/index.js", ""),
            ("node_modules/dep/node_modules/@s/inner/package.json", r#"{"name": "@s/inner"}"#),
            ("node_modules/dep/node_modules/@s/inner/index.js", ""),
            ("node_modules/.pnpm/far@1.0.0/node_modules/far/package.json", r#"{"name": "far"}"#),
            ("node_modules/.pnpm/far@1.0.0/node_modules/far/index.js", ""),
            // Under the name that the app chose; its own is what counts.
            ("node_modules/alias/package.json", r#"{"name": "original"}"#),
            ("node_modules/nameless/index.js", ""),
            ("node_modules/broken/package.json", "{"),
        ]);
        for (path, name) in [
            ("node_modules/dep/lib/index.js", "dep"),
            ("node_modules/dep/lib/missing.js", "dep"),
            ("node_modules/dep/node_modules/@s/inner/index.js", "@s/inner"),
            ("node_modules/.pnpm/far@1.0.0/node_modules/far/index.js", "far"),
            ("node_modules/alias/index.js", "original"),
            ("node_modules/nameless/index.js", ""),
            ("node_modules/broken/index.js", ""),
        ] {
            assert_eq!(owner(&root, path), (name.into(), true), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_belongs_to_where_links_lead() {
        use std::os::unix::fs::symlink;

        let root = folder(&[
            ("package.json", r#"{"name": "app"}"#),
            ("packages/ui/package.json", r#"{"name": "ui"}"#),
            ("packages/ui/index.js", ""),
            ("node_modules/.pnpm/far@1.0.0/node_modules/far/package.json", r#"{"name": "far"}"#),
            ("node_modules/.pnpm/far@1.0.0/node_modules/far/index.js", ""),
            ("src/main.js", ""),
        ]);
        let link = |target: &str, at: &str| symlink(root.path().join(target), root.path().join(at)).unwrap();
        link("packages/ui", "node_modules/ui");
        link("node_modules/.pnpm/far@1.0.0/node_modules/far", "node_modules/far");
        link("node_modules/.pnpm/far@1.0.0/node_modules/far/index.js", "src/far.js");
        // Code of a workspace is the project's own, wherever it is linked from; no link makes a dependency's code that.
        assert_eq!(owner(&root, "node_modules/ui/index.js"), ("ui".into(), false));
        assert_eq!(owner(&root, "node_modules/far/index.js"), ("far".into(), true));
        assert_eq!(owner(&root, "src/far.js"), ("far".into(), true));
    }

    #[test]
    fn a_package_says_whether_it_has_a_contract_file() {
        for (manifest, declares) in [
            (r#"{"name": "dep", "agentSurface": {"contract": "contract.json"}}"#, true),
            // What is wrong with it the compiler says.
            (r#"{"name": "dep", "agentSurface": {"contract": 1}}"#, true),
            (r#"{"name": "dep", "agentSurface": {"contract": null}}"#, false),
            (r#"{"name": "dep", "agentSurface": {}}"#, false),
            (r#"{"name": "dep"}"#, false),
        ] {
            let root = folder(&[("node_modules/dep/package.json", manifest)]);
            let id = format!("{}/node_modules/dep/index.js", root.path().display());
            assert_eq!(Disk::default().find_package(&id).unwrap().declares_contract, declares, "{manifest}");
        }
    }

    #[test]
    fn a_contract_file_is_read_whole_or_not_at_all() {
        let root = folder(&[("dep/contract.json", "{}"), ("dep/large.json", "")]);
        let folder = fs::canonicalize(root.path()).unwrap().join("dep");
        let read = |name: &str| {
            Disk::default().read_contract(folder.to_str().unwrap(), folder.join(name).to_str().unwrap())
        };
        let path = folder.join("contract.json").to_str().unwrap().to_owned();
        assert_eq!(read("contract.json"), ContractFile::Found { path, bytes: b"{}".to_vec() });
        fs::File::options()
            .write(true)
            .open(folder.join("large.json"))
            .unwrap()
            .set_len(MAX_CONTRACT_FILE + 1)
            .unwrap();
        assert_eq!(read("large.json"), ContractFile::TooLarge { bytes: MAX_CONTRACT_FILE + 1 });
        for name in ["missing.json", "."] {
            assert!(matches!(read(name), ContractFile::Unreadable { .. }), "{name}");
        }
        assert!(matches!(read("../dep/../x.json"), ContractFile::Unreadable { .. }));
    }

    #[cfg(unix)]
    #[test]
    fn a_contract_file_is_not_read_from_outside_of_its_package() {
        use std::os::unix::fs::symlink;

        let root = folder(&[("dep/real.json", "{}"), ("dep-two/contract.json", "{}")]);
        let folder = fs::canonicalize(root.path()).unwrap().join("dep");
        let read = |name: &str| {
            Disk::default().read_contract(folder.to_str().unwrap(), folder.join(name).to_str().unwrap())
        };
        symlink("../dep-two/contract.json", folder.join("out.json")).unwrap();
        symlink("real.json", folder.join("in.json")).unwrap();
        assert!(matches!(read("out.json"), ContractFile::Outside { .. }));
        assert!(matches!(read("../dep-two/contract.json"), ContractFile::Outside { .. }));
        let ContractFile::Found { path, .. } = read("in.json") else { panic!("a link within the package") };
        assert_eq!(path, folder.join("real.json").to_str().unwrap());
    }

    #[test]
    fn what_is_no_file_has_neither_text_nor_package() {
        let mut disk = Disk::default();
        for id in ["\0virtual:contract", "virtual:contract", "@agent-surface/core", ""] {
            assert_eq!(disk.read_source(id), None);
            assert_eq!(disk.find_package(id), None);
        }
    }

    #[test]
    fn a_served_id_leads_to_its_file() {
        assert_eq!(file_of("/@fs/app/src/a.ts?t=1").unwrap().to_str(), Some("/app/src/a.ts"));
        assert_eq!(file_of("/app/src/a.ts").unwrap().to_str(), Some("/app/src/a.ts"));
    }
}
