//! Which files were changed since a time, by the clock that files go by.

use std::{
    fs::{self, Metadata},
    path::Path,
};

/// The files that were changed at this time or later, or went: for a folder tells that, too.
///
/// The time is in milliseconds since 1970, as Node has it of a file (`ctimeMs`), so that a file that was just written tells it.
pub fn changed_since<S: AsRef<str>>(time: f64, files: impl Iterator<Item = S>) -> impl Iterator<Item = S> {
    files.filter(move |file| {
        let file = Path::new(file.as_ref());
        // What has the form of a path may be a module that only a plugin knows; no folder tells of it.
        let change = change_of(file).or_else(|| change_of(file.parent()?));
        change.is_some_and(|change| change >= time)
    })
}

/// When a file was changed; none where there is none.
fn change_of(path: &Path) -> Option<f64> {
    milliseconds(&fs::metadata(path).ok()?)
}

/// By the change of the file's entry, which a tool that puts back an older content can't set back.
#[cfg(unix)]
fn milliseconds(metadata: &Metadata) -> Option<f64> {
    use std::os::unix::fs::MetadataExt;

    // As Node reckons, so that the same time is the same number. Neither is near the end of what a number holds.
    #[allow(clippy::cast_precision_loss, reason = "seconds since 1970, and less than a second's nanoseconds")]
    let (seconds, nanoseconds) = (metadata.ctime() as f64, metadata.ctime_nsec() as f64);
    Some(seconds * 1e3 + nanoseconds / 1e6)
}

/// Where the system's interface has no other time than that of the content.
#[cfg(not(unix))]
fn milliseconds(metadata: &Metadata) -> Option<f64> {
    let since = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(since.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_at_the_time_or_went_since_then_changed_and_nothing_else_did() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        fs::create_dir(path("kept")).unwrap();
        fs::create_dir(path("left")).unwrap();
        for name in ["kept/old", "left/gone"] {
            fs::write(path(name), "").unwrap();
        }
        // The clock of files ticks in steps of some milliseconds.
        let before = change_of(Path::new(&path("left"))).unwrap();
        let now = (0..)
            .find_map(|_| {
                fs::write(path("new"), "").unwrap();
                change_of(Path::new(&path("new"))).filter(|now| *now > before)
            })
            .unwrap();
        fs::remove_file(path("left/gone")).unwrap();
        let files = ["kept/old", "left/gone", "new", "nowhere/at/all", "kept/\0virtual"].map(path);
        let changed: Vec<&String> = changed_since(now, files.iter()).collect();
        assert_eq!(changed, [&path("left/gone"), &path("new")]);
    }
}
