//! Module ids, by kind, as bundlers and operating systems spell them.

use std::borrow::Cow;

/// What kind of thing an id names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Id<'a> {
    /// A file, by its absolute path.
    Path(Path<'a>),
    /// Something a plugin made up and keeps from others by a leading NUL, which is not part of the text.
    Virtual(&'a str),
    /// Anything else: a package's name, or something made up without a NUL (`virtual:panel`).
    Bare(&'a str),
}

/// An absolute path, segment by segment: whichever way its slashes lean, however its drive letter is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Path<'a> {
    segments: Vec<Cow<'a, str>>,
}

impl<'a> Id<'a> {
    /// Reads an id. A path's query and fragment are no part of it; of other ids they may be all that tells two apart.
    pub(crate) fn parse(id: &'a str) -> Self {
        if let Some(name) = id.strip_prefix('\0') {
            return Self::Virtual(name);
        }
        // Vite's way to name a file outside of the served root by URL.
        let id = match id.strip_prefix("/@fs/") {
            Some(rest) if has_drive(rest) => rest,
            Some(_) => &id["/@fs".len()..],
            None => id,
        };
        if let Some(url) = id.strip_prefix("file://") {
            let url = without_query(url);
            let path = url.strip_prefix('/').filter(|rest| has_drive(rest)).unwrap_or(url);
            return Self::Path(Path::owned(&decode_percent(path)));
        }
        let id = without_verbatim_prefix(id);
        if id.starts_with(['/', '\\']) || has_drive(id) {
            Self::Path(Path::parse(without_query(id)))
        } else {
            Self::Bare(id)
        }
    }

    /// Whether it lies in a `node_modules` folder. A module that a plugin wraps around an installed one carries that
    /// one's path in its own id.
    pub(crate) fn is_installed(&self) -> bool {
        match self {
            Self::Path(path) => path.segments.iter().any(|segment| segment == "node_modules"),
            Self::Virtual(text) | Self::Bare(text) => {
                text.split(['/', '\\']).any(|part| part == "node_modules")
            }
        }
    }
}

impl<'a> Path<'a> {
    /// Reads an absolute path without a query.
    fn parse(path: &'a str) -> Self {
        let mut segments: Vec<Cow<'a, str>> = Vec::new();
        for segment in path.split(['/', '\\']) {
            match segment {
                "" | "." => {}
                // Above the drive there is nothing.
                ".." if matches!(segments.as_slice(), [drive] if is_drive(drive)) => {}
                ".." => drop(segments.pop()),
                // The one part of a path that every tool spells in its own case.
                drive if segments.is_empty() && is_drive(drive) => {
                    segments.push(drive.to_ascii_uppercase().into());
                }
                segment => segments.push(segment.into()),
            }
        }
        Self { segments }
    }

    fn owned(path: &str) -> Self {
        let segments =
            Path::parse(path).segments.into_iter().map(|segment| segment.into_owned().into()).collect();
        Self { segments }
    }

    /// Where a relative specifier leads from a module, read as a path; none from a module that has no path.
    pub(crate) fn written(importer: &'a str, specifier: &'a str) -> Option<Self> {
        let Id::Path(Self { mut segments }) = Id::parse(importer) else { return None };
        segments.pop();
        for segment in without_query(specifier).split('/') {
            match segment {
                "" | "." => {}
                ".." => drop(segments.pop()),
                segment => segments.push(segment.into()),
            }
        }
        Some(Self { segments })
    }

    /// Whether it names a file, its ending or `index` left out.
    pub(crate) fn seems_to_be(&self, file: &Path<'_>) -> bool {
        let Some((file, folders)) = file.segments.split_last() else { return false };
        let is_file = self.segments.split_last().is_some_and(|(written, written_folders)| {
            written_folders == folders
                && (written == file || **written == *stem(file) || stem(written) == stem(file))
        });
        is_file || stem(file) == "index" && self.segments == folders
    }

    /// What lies between a folder and this path, if it lies in the folder.
    pub(crate) fn below(&self, folder: &Path<'_>) -> Option<String> {
        let rest = self.segments.strip_prefix(folder.segments.as_slice())?;
        Some(rest.join("/"))
    }

    /// The way from a folder to this path, with `..` where it leads up.
    pub(crate) fn from(&self, folder: &Path<'_>) -> String {
        let shared = folder.segments.iter().zip(&self.segments).take_while(|(a, b)| a == b).count();
        let up = std::iter::repeat_n("..", folder.segments.len() - shared);
        up.chain(self.segments[shared..].iter().map(AsRef::as_ref)).collect::<Vec<_>>().join("/")
    }

    /// Keeps the path beyond the text it was read from.
    pub(crate) fn into_owned(self) -> Path<'static> {
        Path { segments: self.segments.into_iter().map(|segment| segment.into_owned().into()).collect() }
    }
}

/// An id without its query (`?v=2`) and its fragment (`#x`). A `#` in a name of a file or folder is no fragment, so one
/// counts only behind an ending.
pub(crate) fn without_query(id: &str) -> &str {
    let path = id.split_once('?').map_or(id, |(path, _)| path);
    let file = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    match path[file..].split_once('#') {
        Some((name, _)) if name.contains('.') => &path[..file + name.len()],
        _ => path,
    }
}

/// The folder of the package that holds a file, as its installer laid it out: what stands behind the last
/// `node_modules` of a path, two segments for a scoped name. None where no package is installed there.
///
/// A `package.json` further inside, such as those that only set a module type, makes no package of its own.
#[must_use]
pub fn install_folder(path: &str) -> Option<&str> {
    let mut end = None;
    let mut segments = segments_with_ends(path).peekable();
    while let Some((segment, _)) = segments.next() {
        if segment != "node_modules" {
            continue;
        }
        end = match segments.peek() {
            Some((name, _)) if name.starts_with('@') => {
                let mut scoped = segments.clone();
                scoped.next();
                scoped.next().map(|(_, end)| end)
            }
            next => next.map(|(_, end)| *end),
        };
    }
    end.map(|end| &path[..end])
}

/// The package that a file belongs to in one of the archives that Yarn's PnP reads packages from, by the name of its
/// folder. Node looks into them where Yarn patched it, and nobody else does.
pub(crate) fn archived_package(path: &str) -> Option<&str> {
    let (archive, name) = install_folder(path)?.rsplit_once("node_modules")?;
    archive.trim_end_matches(['/', '\\']).ends_with(".zip").then(|| name.trim_start_matches(['/', '\\']))
}

/// The segments of a path, each with the offset at which it ends.
fn segments_with_ends(path: &str) -> impl Iterator<Item = (&str, usize)> + Clone {
    let mut start = 0;
    path.split(['/', '\\'])
        .map(move |segment| {
            let end = start + segment.len();
            start = end + 1;
            (segment, end)
        })
        .filter(|(segment, _)| !segment.is_empty())
}

/// A file of a folder, by its path from there; none where the path is absolute or leads out of the folder.
pub(crate) fn join_below(folder: &str, relative: &str) -> Option<String> {
    if !matches!(Id::parse(relative), Id::Bare(_)) {
        return None;
    }
    let mut segments: Vec<&str> = Vec::new();
    for segment in relative.split(['/', '\\']) {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()?),
            segment => segments.push(segment),
        }
    }
    (!segments.is_empty()).then(|| format!("{}/{}", folder.trim_end_matches(['/', '\\']), segments.join("/")))
}

/// Whether a relative specifier, read as a path, names the module with this id, its ending or `index` left out.
pub(crate) fn seems_to_lead_to(importer: &str, specifier: &str, id: &str) -> bool {
    if !specifier.starts_with('.') || !may_be_named(specifier, id) {
        return false;
    }
    match (Path::written(importer, specifier), Id::parse(id)) {
        (Some(written), Id::Path(file)) => written.seems_to_be(&file),
        _ => false,
    }
}

/// Whether the last name of a relative specifier is anywhere in an id, or left out: most pairs are told apart by that.
fn may_be_named(specifier: &str, id: &str) -> bool {
    let name = without_query(specifier).rsplit('/').next().unwrap_or_default();
    // A file's URL may spell it otherwise.
    id.contains(stem(name)) || id.contains("index") || id.starts_with("file:")
}

/// The name of a file without its ending.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// `C:/` or `C:\`.
fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

fn is_drive(segment: &str) -> bool {
    matches!(segment.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

/// Windows writes `\\?\C:\app` and `\\?\UNC\server\share` for paths that are not to be interpreted any further.
fn without_verbatim_prefix(id: &str) -> &str {
    for prefix in ["\\\\?\\", "//?/"] {
        if let Some(rest) = id.strip_prefix(prefix) {
            // One backslash is left to show that the path is absolute.
            return match rest.strip_prefix("UNC") {
                Some(share) if share.starts_with(['/', '\\']) => share,
                _ => rest,
            };
        }
    }
    id
}

/// Decodes `%20` and the like in a URL's path; whatever is no UTF-8 then is left as it was.
fn decode_percent(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return path.into();
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((byte, tail)) = rest.split_first() {
        let code = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| *byte == b'%') {
            Some(decoded) => {
                bytes.push(decoded);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*byte);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).map_or_else(|_| path.into(), Cow::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(id: &str) -> String {
        match Id::parse(id) {
            Id::Path(path) => path.segments.join("|"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_package_in_an_archive_is_told_from_one_that_is_unpacked() {
        for (path, package) in [
            ("/home/a/.yarn/cache/charts-npm-1.0.0-1a.zip/node_modules/charts/a.js", Some("charts")),
            ("C:\\app\\.yarn\\cache\\kit.zip\\node_modules\\kit\\x.js", Some("kit")),
            ("/app/.yarn/__virtual__/@a-b-0f/2/cache/@a-b.zip/node_modules/@a/b/x.js", Some("@a/b")),
            ("/app/.yarn/unplugged/charts-npm-1.0.0/node_modules/charts/a.js", None),
            ("/app/kit.zip/src/a.js", None),
        ] {
            assert_eq!(archived_package(path), package, "{path}");
        }
    }

    #[test]
    fn every_spelling_of_a_path_is_the_same_path() {
        for (id, segments) in [
            ("/app/src/x.ts", "app|src|x.ts"),
            ("/app//src/./x.ts", "app|src|x.ts"),
            ("/app/src/deep/../x.ts", "app|src|x.ts"),
            ("/../../app/x.ts", "app|x.ts"),
            ("/app/src/x.ts?v=2", "app|src|x.ts"),
            ("/app/src/x.ts?raw&path=/other/y.ts", "app|src|x.ts"),
            ("/app/src/x.ts#top", "app|src|x.ts"),
            ("/@fs/app/src/x.ts?t=1", "app|src|x.ts"),
            ("file:///app/my%20src/%C3%A9.ts?v=1", "app|my src|é.ts"),
            ("C:\\app\\src\\x.ts", "C:|app|src|x.ts"),
            ("c:/app/src/x.ts", "C:|app|src|x.ts"),
            ("C:\\app/src\\x.ts?v=2", "C:|app|src|x.ts"),
            ("C:\\..\\app\\x.ts", "C:|app|x.ts"),
            ("/@fs/c:/app/src/x.ts", "C:|app|src|x.ts"),
            ("file:///c:/app/x.ts", "C:|app|x.ts"),
            ("\\\\?\\C:\\app\\x.ts", "C:|app|x.ts"),
            ("\\\\server\\share\\app\\x.ts", "server|share|app|x.ts"),
            ("//server/share/app/x.ts", "server|share|app|x.ts"),
            ("\\\\?\\UNC\\server\\share\\app\\x.ts", "server|share|app|x.ts"),
        ] {
            assert_eq!(path(id), segments, "{id}");
        }
    }

    #[test]
    fn a_name_is_kept_letter_by_letter() {
        // One e with an accent, and an e followed by one: two names to a file system that does not fold them.
        assert_eq!(path("/app/caf\u{e9}.ts"), "app|caf\u{e9}.ts");
        assert_eq!(path("/app/cafe\u{301}.ts"), "app|cafe\u{301}.ts");
        // An id is no URL.
        assert_eq!(path("/app/a%20b.ts"), "app|a%20b.ts");
        assert_eq!(path("/app/C#/100%.ts"), "app|C#|100%.ts");
        assert_eq!(path("/app/a#b.ts"), "app|a#b.ts");
        assert_eq!(path("/App/X.ts"), "App|X.ts");
        let long = format!("/{}", vec!["x".repeat(255); 200].join("/"));
        assert_eq!(path(&long).len(), long.len() - 1);
    }

    #[test]
    fn what_is_no_path_is_virtual_or_bare() {
        assert_eq!(Id::parse("\0virtual:panel?a"), Id::Virtual("virtual:panel?a"));
        assert_eq!(Id::parse("\0/app/src/x.ts"), Id::Virtual("/app/src/x.ts"));
        for id in ["virtual:panel", "@scope/package", "react", "", "c:", "x:y"] {
            assert_eq!(Id::parse(id), Id::Bare(id));
        }
    }

    #[test]
    fn installed_code_is_known_by_its_folder_however_it_is_spelled() {
        for id in [
            "/app/node_modules/x/index.js",
            "C:\\app\\node_modules\\x\\index.js",
            "/@fs/app/node_modules/x/index.js?v=1",
            "\0/app/node_modules/x/index.js?commonjs-module",
            "\0wrapped:C:\\app\\node_modules\\x\\index.js",
        ] {
            assert!(Id::parse(id).is_installed(), "{id}");
        }
        for id in
            ["/app/src/my_node_modules/x.ts", "/app/src/x.ts?from=/node_modules/", "\0node_modules_list"]
        {
            assert!(!Id::parse(id).is_installed(), "{id}");
        }
    }

    #[test]
    fn a_package_lies_where_its_installer_put_it() {
        for (path, folder) in [
            ("/app/node_modules/x/dist/esm/index.js", Some("/app/node_modules/x")),
            ("/app/node_modules/@s/x/index.js", Some("/app/node_modules/@s/x")),
            // Nested, and as pnpm lays it out.
            ("/app/node_modules/y/node_modules/x/index.js", Some("/app/node_modules/y/node_modules/x")),
            (
                "/app/node_modules/.pnpm/@s+x@1.0.0_y@2/node_modules/@s/x/a.js",
                Some("/app/node_modules/.pnpm/@s+x@1.0.0_y@2/node_modules/@s/x"),
            ),
            ("C:\\app\\node_modules\\x\\dist\\index.js", Some("C:\\app\\node_modules\\x")),
            ("C:\\app\\node_modules\\@s\\x\\index.js", Some("C:\\app\\node_modules\\@s\\x")),
            ("C:/app\\node_modules/@s\\x/index.js", Some("C:/app\\node_modules/@s\\x")),
            ("\\\\server\\share\\node_modules\\x\\a.js", Some("\\\\server\\share\\node_modules\\x")),
            ("/app/node_modules//x//a.js", Some("/app/node_modules//x")),
            ("/app/node_modules/x", Some("/app/node_modules/x")),
            ("/app/src/x.ts", None),
            ("/app/my_node_modules/x/index.js", None),
            ("/app/node_modules", None),
            ("/app/node_modules/@s", None),
            ("", None),
        ] {
            assert_eq!(install_folder(path), folder, "{path}");
        }
    }

    #[test]
    fn a_file_of_a_package_stays_in_it() {
        for (folder, relative, file) in [
            ("/x", "contract.json", Some("/x/contract.json")),
            ("/x/", "./dist/contract.json", Some("/x/dist/contract.json")),
            ("/x", "dist//../contract.json", Some("/x/contract.json")),
            ("C:\\x", "dist\\contract.json", Some("C:\\x/dist/contract.json")),
            ("/x", "../contract.json", None),
            ("/x", "dist/../../contract.json", None),
            ("/x", "..\\contract.json", None),
            ("/x", "/etc/contract.json", None),
            ("/x", "C:\\contract.json", None),
            ("/x", "\\\\server\\share\\contract.json", None),
            ("/x", "file:///x/contract.json", None),
            ("/x", "", None),
            ("/x", ".", None),
        ] {
            assert_eq!(join_below(folder, relative).as_deref(), file, "{folder} {relative}");
        }
    }

    #[test]
    fn a_relative_specifier_is_held_against_a_path() {
        for (specifier, id) in [
            ("./y", "/app/src/y.ts"),
            ("./y.js", "/app/src/y.ts"),
            ("../y", "/app/y.mts"),
            ("./y", "/app/src/y/index.ts"),
            (".", "/app/src/index.ts"),
            ("./y?v=1", "/app/src/y.ts"),
            ("./y.gen", "/app/src/y.gen.ts"),
        ] {
            assert!(seems_to_lead_to("/app/src/x.ts", specifier, id), "{specifier} {id}");
        }
        for (specifier, id) in
            [("./y", "/app/y.ts"), ("y", "/app/src/y.ts"), ("./y", "/app/src/z.ts"), ("./y", "\0y")]
        {
            assert!(!seems_to_lead_to("/app/src/x.ts", specifier, id), "{specifier} {id}");
        }
    }
}
