//! What a session asks of the disk: a module's text, and the package it belongs to.
//!
//! The compiler does no I/O, and a bundler has nothing to add here, so these answers never cross to JavaScript.

use std::{
    fs,
    path::{Path, PathBuf},
};

use agent_surface_compiler::Package;
use agent_surface_json::{Json, parse};
use rustc_hash::FxHashMap;

/// Reads files, and remembers which package a folder belongs to.
#[derive(Default)]
pub(crate) struct Disk {
    packages: FxHashMap<PathBuf, Option<Package>>,
}

impl Disk {
    /// The text of a module; none where the id is no file's or the file is not UTF-8.
    pub(crate) fn read_source(&self, id: &str) -> Option<String> {
        fs::read_to_string(file_of(id)?).ok()
    }

    /// The nearest `package.json` with a name above a module; none for an id that is no file's.
    pub(crate) fn find_package(&mut self, id: &str) -> Option<Package> {
        self.package_of_folder(file_of(id)?.parent()?)
    }

    /// Forgets what was read: between two builds files come and go.
    pub(crate) fn forget(&mut self) {
        self.packages.clear();
    }

    fn package_of_folder(&mut self, folder: &Path) -> Option<Package> {
        if let Some(known) = self.packages.get(folder) {
            return known.clone();
        }
        let package = read_package(folder)
            .or_else(|| folder.parent().and_then(|parent| self.package_of_folder(parent)));
        self.packages.insert(folder.to_path_buf(), package.clone());
        package
    }
}

/// The package whose folder this is. Many packages keep nameless `package.json` files in their subfolders, to
/// set the module type; those are not packages.
fn read_package(folder: &Path) -> Option<Package> {
    let manifest = parse(&fs::read_to_string(folder.join("package.json")).ok()?).ok()?;
    Some(Package {
        name: manifest.get("name").and_then(Json::as_str)?.to_owned(),
        version: manifest.get("version").and_then(Json::as_str).map(str::to_owned),
        dir: folder.to_str()?.to_owned(),
        installed: folder.components().any(|component| component.as_os_str() == "node_modules"),
    })
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

    use super::{Disk, file_of};

    #[test]
    fn a_file_belongs_to_the_nearest_package_that_has_a_name() {
        let root = tempfile::tempdir().unwrap();
        let dep = root.path().join("node_modules/dep");
        fs::create_dir_all(dep.join("esm")).unwrap();
        fs::write(root.path().join("package.json"), r#"{"name": "app"}"#).unwrap();
        fs::write(dep.join("package.json"), r#"{"name": "dep", "version": "1.2.3"}"#).unwrap();
        fs::write(dep.join("esm/package.json"), r#"{"type": "module"}"#).unwrap();

        let mut disk = Disk::default();
        let package = disk.find_package(&format!("{}/esm/index.js?v=1", dep.display())).unwrap();
        assert_eq!((package.name.as_str(), package.version.as_deref()), ("dep", Some("1.2.3")));
        assert_eq!(package.dir, dep.to_str().unwrap());
        assert!(package.installed);

        let app = disk.find_package(&format!("{}/src/main.ts", root.path().display())).unwrap();
        assert_eq!((app.name.as_str(), app.version, app.installed), ("app", None, false));
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
