//! What a change of files makes of what is known.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::crawl::{Crawl, Node};
use crate::kind::{Kind, is_installed, path_of};
use crate::visit::Visit;

/// What is otherwise than the session knows it.
#[derive(Default)]
pub(crate) struct News {
    /// Whether files came or went: anything may be.
    pub(crate) is_general: bool,
    /// Files with other texts.
    pub(crate) files: FxHashSet<String>,
    /// Modules with another text, other imports or other importers.
    pub(crate) modules: FxHashSet<Rc<str>>,
}

impl News {
    /// Whether a module is another than it was.
    pub(crate) fn is_about(&self, id: &str) -> bool {
        self.modules.contains(id) || self.files.contains(path_of(id)) || self.files.contains(id)
    }
}

impl Crawl {
    /// Takes note of files that changed, came or went. [`Crawl::advance`] follows.
    pub fn note_changes(&mut self, files: &[String], came_or_went: bool) {
        if files.iter().any(|file| self.decides_over_others(file)) {
            self.read_anew();
            return;
        }
        self.news.files.extend(files.iter().cloned());
        if came_or_went {
            self.forget_places();
            for (id, node) in std::mem::take(&mut self.modules) {
                // What is already to be read anew, for another file's sake, is linked anew by that.
                if is_installed(&id) || self.visits.contains_key(&id) {
                    self.modules.insert(id, node);
                    continue;
                }
                let stand_in = Node { edges: node.edges.clone(), ..Node::stand_in(&node) };
                self.modules.insert(id.clone(), stand_in);
                let imports = node.edges.iter().map(|(specifier, _)| Rc::clone(specifier)).collect();
                self.visits.insert(id, Visit::Link { node: Node { edges: Vec::new(), ..node }, imports });
            }
        }
        let changed: FxHashSet<&str> = files.iter().map(String::as_str).collect();
        let touched: Vec<Rc<str>> = self
            .modules
            .keys()
            .filter(|id| changed.contains(path_of(id)) || changed.contains::<str>(id))
            .cloned()
            .collect();
        for id in touched {
            // The parts of a component are made anew when the whole is.
            if id.contains('?') && Kind::of(&id) == Kind::Foreign && changed.contains(path_of(&id)) {
                self.drop_module(&id);
                continue;
            }
            self.said.forget(&id);
            self.visits.insert(id, Visit::Load);
        }
    }

    /// Whether a file says something of modules that are not in it: where they lead, how they are read, or what a
    /// package may contribute.
    fn decides_over_others(&self, file: &str) -> bool {
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let is_config = name == "package.json" || name.ends_with(".json") && !self.modules.contains_key(file);
        is_config || self.disk.is_contract_file(file)
    }

    /// Begins once more, but for what is known of texts that are still the same.
    fn read_anew(&mut self) {
        self.forget_places();
        self.said.loaded.clear();
        self.said.transformed.clear();
        self.said.emitted.clear();
        self.visits = self.modules.keys().map(|id| (id.clone(), Visit::Load)).collect();
        self.restart();
    }

    /// Forgets where specifiers lead.
    fn forget_places(&mut self) {
        self.news.is_general = true;
        self.resolver.forget();
        self.said.resolved.clear();
        self.disk.forget();
    }
}
