//! Whether `package-lock.json` is what the packages ask for, and what is installed is what the lock says.
//!
//! npm leaves `node_modules/.package-lock.json`, a lock of what it really put there. Comparing the two is
//! exact where times of files are not: a restored cache or a `git checkout` changes times, not packages.

use agent_surface_json::{Json, Object, parse};

/// Whether everything `lock` asks for is `installed` with the same bytes, and nothing else is.
///
/// Packages that are optional may be absent: those are the builds for other platforms.
pub(crate) fn is_satisfied(lock: &str, installed: &str) -> bool {
    let (Ok(lock), Ok(installed)) = (parse(lock), parse(installed)) else { return false };
    let (Some(lock), Some(installed)) = (packages(&lock), packages(&installed)) else { return false };
    let complete = modules(lock).all(|(place, wanted)| match installed.get(place) {
        Some(found) => identity(found) == identity(wanted),
        None => wanted.get("optional").and_then(Json::as_bool) == Some(true),
    });
    complete && modules(installed).all(|(place, _)| lock.contains_key(place))
}

/// The fields of a package.json that the lock repeats, as far as they decide what is installed.
const REPEATED: [&str; 6] =
    ["version", "workspaces", "dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/// Whether `lock` repeats the package.json of our own package at `place` (`""` is the root) as it is now.
///
/// `npm ci` only complains when an installed version does not suit; a dependency that the lock happens to have
/// for another reason passes it.
pub(crate) fn repeats(lock: &str, place: &str, manifest: &str) -> bool {
    let (Ok(lock), Ok(manifest)) = (parse(lock), parse(manifest)) else { return false };
    let entry = packages(&lock).and_then(|packages| packages.get(place));
    entry.is_some_and(|entry| REPEATED.iter().all(|field| entry.get(field) == manifest.get(field)))
}

fn packages(lock: &Json) -> Option<&Object> {
    lock.get("packages")?.as_object()
}

/// The entries inside `node_modules`. The others describe our own packages, which are linked, not installed.
fn modules(packages: &Object) -> impl Iterator<Item = (&str, &Json)> {
    packages.iter().filter(|(place, _)| place.starts_with("node_modules/"))
}

/// What decides which bytes stand there: version and hash, or for a link its target. A download address is
/// no part of it.
fn identity(entry: &Json) -> (Option<&str>, Option<&str>, Option<&str>) {
    let text = |key| entry.get(key).and_then(Json::as_str);
    let is_link = entry.get("link").and_then(Json::as_bool) == Some(true);
    (text("version"), text("integrity"), if is_link { text("resolved") } else { None })
}

#[cfg(test)]
mod tests {
    use super::{is_satisfied, repeats};

    const LOCK: &str = r#"{"packages": {
        "": {"name": "root"},
        "npm/core": {"name": "core"},
        "node_modules/core": {"resolved": "npm/core", "link": true},
        "node_modules/vite": {"version": "8.0.0", "integrity": "sha512-a"},
        "node_modules/vite-win32": {"version": "8.0.0", "integrity": "sha512-b", "optional": true}
    }}"#;

    fn installed(vite: &str) -> String {
        format!(
            r#"{{"packages": {{
                "node_modules/core": {{"resolved": "npm/core", "link": true}},
                "node_modules/vite": {vite}
            }}}}"#
        )
    }

    #[test]
    fn builds_for_other_platforms_may_be_absent() {
        assert!(is_satisfied(LOCK, &installed(r#"{"version": "8.0.0", "integrity": "sha512-a"}"#)));
    }

    #[test]
    fn a_download_address_makes_no_difference() {
        let entry = r#"{"version": "8.0.0", "integrity": "sha512-a", "resolved": "https://mirror/vite.tgz"}"#;
        assert!(is_satisfied(LOCK, &installed(entry)));
    }

    #[test]
    fn another_version_or_another_hash_is_not_what_the_lock_says() {
        assert!(!is_satisfied(LOCK, &installed(r#"{"version": "8.0.1", "integrity": "sha512-a"}"#)));
        assert!(!is_satisfied(LOCK, &installed(r#"{"version": "8.0.0", "integrity": "sha512-c"}"#)));
    }

    #[test]
    fn a_package_that_the_lock_does_not_name_is_not_what_the_lock_says() {
        let more = installed(
            r#"{"version": "8.0.0", "integrity": "sha512-a"}, "node_modules/left-pad": {"version": "1.0.0"}"#,
        );
        assert!(!is_satisfied(LOCK, &more));
    }

    #[test]
    fn a_missing_package_or_an_unreadable_record_is_not_what_the_lock_says() {
        assert!(!is_satisfied(LOCK, r#"{"packages": {}}"#));
        assert!(!is_satisfied(LOCK, "not JSON"));
    }

    #[test]
    fn a_dependency_that_the_lock_does_not_repeat_makes_it_stale() {
        assert!(repeats(LOCK, "npm/core", r#"{"name": "core", "exports": "./dist/index.js"}"#));
        assert!(!repeats(LOCK, "npm/core", r#"{"name": "core", "dependencies": {"vite": "8.0.0"}}"#));
    }

    #[test]
    fn a_package_that_the_lock_does_not_know_makes_it_stale() {
        assert!(!repeats(LOCK, "fixtures/devices", r#"{"name": "devices"}"#));
    }
}
