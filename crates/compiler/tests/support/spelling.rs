//! The ways in which hosts spell one path.

use super::ROOT;

/// How a host spells a path that lies below `/app` here.
#[derive(Clone, Copy)]
pub(crate) struct Spelling {
    /// What stands for `/app`.
    pub(crate) root: &'static str,
    /// What stands for `/app` in module ids.
    pub(crate) ids: &'static str,
    pub(crate) backslashes: bool,
    /// What every id of a module of the app ends with.
    pub(crate) suffix: &'static str,
}

impl Default for Spelling {
    fn default() -> Self {
        Self { root: ROOT, ids: ROOT, backslashes: false, suffix: "" }
    }
}

impl Spelling {
    pub(super) fn spell(self, id: &str) -> String {
        let Some(rest) = id.strip_prefix(ROOT) else { return id.to_owned() };
        let suffix = if id.contains("/node_modules/") || rest.is_empty() { "" } else { self.suffix };
        let spelled = format!("{}{rest}{suffix}", self.ids);
        if self.backslashes { spelled.replace('/', "\\") } else { spelled }
    }

    pub(super) fn read(self, spelled: &str) -> String {
        let plain = if self.backslashes { spelled.replace('\\', "/") } else { spelled.to_owned() };
        let plain = plain.strip_suffix(self.suffix).unwrap_or(&plain).to_owned();
        for root in [self.ids, self.root] {
            if let Some(rest) = plain.strip_prefix(root.replace('\\', "/").as_str()) {
                return format!("{ROOT}{rest}");
            }
        }
        plain
    }
}
