//! The crawl: from the entries along the imports, and to a verdict.

use std::collections::BTreeMap;
use std::rc::Rc;

use agent_surface_compiler::{
    Answer, Close, Explain, Explanation, Neighbour, Output, Session, Stage, Transform, Union,
};
use oxc_allocator::Allocator;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::changes::News;
use crate::disk::Disk;
use crate::imports::Constants;
use crate::kind::{is_installed, path_of};
use crate::message::{Entry, Fact, Need, Options, Step};
use crate::page::Site;
use crate::resolve::{Resolver, Target};
use crate::times::changed_since;
use crate::visit::{Progress, Visit};

/// What an app imports to get its authority.
const CONTRACT: &str = "virtual:agent-surface-contract";

/// The module behind it.
pub(crate) const CONTRACT_MODULE: &str = "\0virtual:agent-surface-contract";

/// The graph of an app and what is proven of it; it follows the files.
pub struct Crawl {
    pub(crate) session: Session,
    pub(crate) disk: Disk,
    pub(crate) resolver: Resolver,
    pub(crate) constants: Constants,
    /// Where modules are parsed, one after the other.
    pub(crate) arena: Allocator,
    pub(crate) site: Site,
    pub(crate) options: Options,
    pub(crate) modules: FxHashMap<Rc<str>, Node>,
    /// Every id and specifier that the graph names, once.
    pub(crate) names: FxHashSet<Rc<str>>,
    pub(crate) entries: Vec<Rc<str>>,
    /// What is yet to be found of where the graph begins.
    beginnings: Vec<Entry>,
    /// Modules that are being read.
    pub(crate) visits: BTreeMap<Rc<str>, Visit>,
    /// What the host was found to need to say since it last did.
    pub(crate) needs: Vec<Need>,
    pub(crate) said: Said,
    /// Modules whose text the last verdict rests on.
    pub(crate) read: FxHashSet<String>,
    /// Whether something changed that a verdict may rest on.
    is_stale: bool,
    /// Whether the session knows that another verdict is to come.
    is_restarted: bool,
    /// What the session has yet to be told of.
    pub(crate) news: News,
    /// Whether modules came or went, or import other ones, since it was last found out who imports what.
    is_relinked: bool,
}

/// What the host said.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) resolved: FxHashMap<(String, String, bool), Option<Target>>,
    pub(crate) loaded: FxHashMap<String, Option<String>>,
    pub(crate) transformed: FxHashMap<String, Option<(String, Option<String>)>>,
    /// What plugins have outputs made of for a module's sake.
    pub(crate) emitted: FxHashMap<String, Vec<String>>,
}

impl Said {
    /// Forgets what was said of a module's text.
    pub(crate) fn forget(&mut self, id: &str) {
        self.loaded.remove(id);
        self.transformed.remove(id);
        self.emitted.remove(id);
    }
}

/// A module of the graph.
pub(crate) struct Node {
    /// Of the text it was read with.
    pub(crate) hash: blake3::Hash,
    /// Its text as it ships, where that is not the one of its file.
    pub(crate) text: Option<String>,
    /// What it imports, and where that leads.
    pub(crate) edges: Vec<(Rc<str>, Target)>,
    /// Whether its text names anything of ours.
    pub(crate) mentions: bool,
    /// Whether it is a script that no parser understands.
    pub(crate) is_unreadable: bool,
    pub(crate) importers: Vec<Rc<str>>,
}

impl Crawl {
    /// A crawl that has seen nothing yet.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            session: Session::new(options.session.clone()),
            disk: Disk::default(),
            resolver: Resolver::new(&options),
            constants: Constants::new(&options.session.defines),
            arena: Allocator::default(),
            site: Site::new(options.page_constants.clone(), options.public_dir.clone()),
            modules: FxHashMap::default(),
            names: FxHashSet::default(),
            entries: Vec::new(),
            beginnings: options.entries.clone(),
            visits: BTreeMap::new(),
            needs: Vec::new(),
            said: Said::default(),
            read: FxHashSet::default(),
            is_stale: true,
            is_restarted: true,
            news: News::default(),
            is_relinked: true,
            options,
        }
    }

    /// Lets go of everything: it has then seen nothing yet.
    pub fn release(&mut self) {
        *self = Self::new(self.options.clone());
    }

    /// Goes on with what the host said.
    pub fn advance(&mut self, facts: Vec<Fact>) -> Step {
        for fact in facts {
            self.learn(fact);
        }
        self.needs.clear();
        if !self.find_entries() {
            return Step::Ask(std::mem::take(&mut self.needs));
        }
        while let Some(waiting) = self.visit_all() {
            self.visits = waiting;
            if !self.needs.is_empty() {
                return Step::Ask(std::mem::take(&mut self.needs));
            }
        }
        self.sweep();
        let mut unreadable: Vec<&Rc<str>> =
            self.modules.iter().filter(|(_, node)| node.is_unreadable).map(|(id, _)| id).collect();
        unreadable.sort_unstable();
        if let Some(id) = unreadable.first() {
            return Step::Unreadable(format!("{id} is no script that can be read"));
        }
        if !self.is_stale {
            return Step::Unchanged;
        }
        // What there was to find is found: the next change looks again where it has to.
        self.resolver.forget();
        self.restart();
        self.tell_news();
        let Some(verdict) = self.settle(|session| match session.close() {
            Close::Ask(questions) => Err(questions),
            Close::Proven(proof) => Ok(Step::Proven(proof)),
            Close::Refused(report) => Ok(Step::Refused(report)),
        }) else {
            return Step::Ask(std::mem::take(&mut self.needs));
        };
        self.is_stale = false;
        self.is_restarted = false;
        verdict
    }

    /// A module's text, as the host's plugins are to see it next.
    #[must_use]
    pub fn text_of(&self, id: &str) -> Option<&str> {
        match self.visits.get(id)? {
            Visit::Transform { source, text } => Some(text.as_ref().unwrap_or(source)),
            _ => None,
        }
    }

    /// Where a specifier leads where no plugin has a say, and whether that is outside of the bundle.
    #[must_use]
    pub fn resolve(&self, importer: &str, specifier: &str) -> Option<(String, bool)> {
        match self.resolver.resolve(importer, specifier) {
            Target::Module(id) => Some((id.to_string(), false)),
            Target::External(id) => Some((id.to_string(), true)),
            Target::Lost => None,
        }
    }

    /// [`Session::serve`], for a module that a server hands out.
    pub fn serve(&mut self, id: &str, source: &str, stage: Stage) -> Option<Output> {
        let served = self.settle(|session| match session.serve(id, source, stage) {
            Transform::Ask(questions) => Err(questions),
            Transform::Changed(output) => Ok(Some(output)),
            Transform::Unchanged | Transform::Refused(_) => Ok(None),
        });
        // What only a plugin of the host's knows the way to is in no graph, or it would have been asked for.
        self.needs.clear();
        served.flatten()
    }

    /// [`Session::find_unproven`].
    #[must_use]
    pub fn find_unproven(&mut self, id: &str, source: &str, stage: Stage) -> Vec<String> {
        let found = self.settle(|session| session.find_unproven(id, source, stage));
        self.needs.clear();
        found.unwrap_or_default()
    }

    /// [`Session::unite`] with what other environments of the app proved, all of which have an entry.
    pub fn unite(&mut self, environment: &str, others: &[Neighbour]) -> Option<Union> {
        self.session.unite(environment, others, true)
    }

    /// [`Session::explain`], of a capability that was proven; nothing where the host would have to be asked more.
    pub fn explain(&mut self, capability_id: &str) -> Vec<Explanation> {
        let explained = self.settle(|session| match session.explain(capability_id) {
            Explain::Ask(questions) => Err(questions),
            Explain::Explained(explanations) => Ok(explanations),
        });
        self.needs.clear();
        explained.unwrap_or_default()
    }

    /// The session, once there is a verdict.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// How many modules the graph has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.modules.len()
    }

    /// The files of the graph that its author may change, for a watcher.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let modules = self.modules.keys().map(|id| path_of(id));
        let own = modules.filter(|path| path.starts_with('/') && !is_installed(path));
        own.chain(self.disk.contract_files())
    }

    /// Those of [`Crawl::files`] that were changed at this time or later; see [`changed_since`].
    pub fn changed_since(&self, time: f64) -> impl Iterator<Item = &str> {
        changed_since(time, self.files())
    }

    /// Begins at one more module, which a plugin has an output made of. [`Crawl::advance`] follows.
    pub fn enter(&mut self, entry: Entry) {
        self.beginnings.push(entry);
    }

    /// Finds the modules where the graph begins; false while the host has not said of one.
    fn find_entries(&mut self) -> bool {
        let importer = format!("{}/index.html", self.options.session.root.trim_end_matches('/'));
        let beginnings = std::mem::take(&mut self.beginnings);
        // All of them, so that all that is not known is asked for in one round.
        let targets: Vec<Option<Target>> =
            beginnings.iter().map(|entry| self.target(&importer, &entry.specifier)).collect();
        let Some(targets) = targets.into_iter().collect::<Option<Vec<_>>>() else {
            self.beginnings = beginnings;
            return false;
        };
        for target in targets {
            if let Target::Module(id) = target
                && !self.entries.contains(&id)
            {
                if !self.modules.contains_key(&id) {
                    self.visits.entry(id.clone()).or_insert(Visit::Load);
                }
                self.is_relinked = true;
                self.is_stale = true;
                self.entries.push(id);
            }
        }
        true
    }

    /// Brings every visit as far as it goes; those that wait for the host, or none when all are done.
    fn visit_all(&mut self) -> Option<BTreeMap<Rc<str>, Visit>> {
        if self.visits.is_empty() {
            return None;
        }
        let mut waiting = BTreeMap::new();
        while let Some((id, visit)) = self.visits.pop_first() {
            match self.go_on(&id, visit) {
                Progress::Waiting(visit) => {
                    waiting.insert(id, visit);
                }
                Progress::Done(node) => self.insert(id, node, &waiting),
            }
        }
        Some(waiting)
    }

    fn insert(&mut self, id: Rc<str>, mut node: Node, waiting: &BTreeMap<Rc<str>, Visit>) {
        for (_, target) in &node.edges {
            if let Target::Module(next) = target
                && !self.modules.contains_key(next)
                && !waiting.contains_key(next)
                && *next != id
            {
                self.visits.entry(next.clone()).or_insert(Visit::Load);
            }
        }
        let before = self.modules.get_mut(&id);
        let (is_other, is_relinked, mentioned) = match before {
            None => (true, true, false),
            Some(before) => {
                // They are the same for as long as no module imports other ones than before.
                node.importers = std::mem::take(&mut before.importers);
                let is_other = before.hash != node.hash || before.text != node.text;
                (is_other, before.edges != node.edges, before.mentions)
            }
        };
        let matters = mentioned || node.mentions || self.read.contains(&*id);
        self.is_stale |= is_relinked || is_other && matters;
        self.is_relinked |= is_relinked;
        if is_other || is_relinked {
            self.news.modules.insert(id.clone());
        }
        self.modules.insert(id, node);
    }

    /// Where a specifier leads; none while the host has not said.
    pub(crate) fn target(&mut self, importer: &str, specifier: &str) -> Option<Target> {
        if specifier == CONTRACT {
            return Some(Target::Module(CONTRACT_MODULE.into()));
        }
        if self.options.asks_first
            && let Some(target) = self.ask_for(importer, specifier, false)?
        {
            return Some(target);
        }
        if let Some(package) = self.resolver.asks_for(specifier) {
            let need = Need::Keep { package };
            if !self.needs.contains(&need) {
                self.needs.push(need);
            }
            return None;
        }
        match self.resolver.resolve(importer, specifier) {
            Target::Lost => {
                let found = self.ask_for(importer, specifier, true)?;
                Some(found.unwrap_or(Target::Lost))
            }
            target => Some(target),
        }
    }

    fn ask_for(&mut self, importer: &str, specifier: &str, lost: bool) -> Option<Option<Target>> {
        let key = (importer.to_owned(), specifier.to_owned(), lost);
        let said = self.said.resolved.get(&key).cloned();
        if said.is_none() {
            let (importer, specifier, lost) = key;
            let need = Need::Resolve { specifier, importer, lost };
            if !self.needs.contains(&need) {
                self.needs.push(need);
            }
        }
        said
    }

    fn learn(&mut self, fact: Fact) {
        match fact {
            Fact::Resolved { specifier, importer, lost, id, external } => {
                let target = id
                    .map(|id| if external { Target::External(id.into()) } else { Target::Module(id.into()) });
                self.said.resolved.insert((importer, specifier, lost), target);
            }
            Fact::Loaded { id, text } => {
                self.said.loaded.insert(id, text);
            }
            Fact::Transformed { id, text, map } => {
                self.said.transformed.insert(id, text.map(|text| (text, map)));
            }
            Fact::Emitted { id, entries } => {
                self.said.emitted.insert(id, entries);
            }
            Fact::Kept { package, inside } => self.resolver.learn(package, inside),
            Fact::Schema { key, outcome, libraries } => {
                self.session.answer(Answer::Schema { key, outcome, libraries });
            }
        }
    }

    /// Tells the session that another verdict is to come.
    pub(crate) fn restart(&mut self) {
        if !self.is_restarted {
            self.disk.forget();
            self.is_restarted = true;
            self.is_stale = true;
        }
        if self.news.is_general || !self.news.files.is_empty() {
            self.tell_news();
        }
    }

    /// Tells the session which of the things that it heard may be otherwise. That costs it no more than those.
    fn tell_news(&mut self) {
        let news = std::mem::take(&mut self.news);
        if news.is_general {
            self.session.restart();
            self.read.clear();
        } else {
            self.session.restart_about(|id| news.is_about(id));
        }
    }

    /// Drops what no entry leads to any more, and finds out who imports what.
    fn sweep(&mut self) {
        if !std::mem::take(&mut self.is_relinked) {
            return;
        }
        let mut reached: FxHashMap<Rc<str>, Vec<Rc<str>>> = FxHashMap::default();
        let mut next: Vec<Rc<str>> = self.entries.clone();
        for id in &self.entries {
            reached.insert(id.clone(), Vec::new());
        }
        while let Some(id) = next.pop() {
            let Some(node) = self.modules.get(&id) else { continue };
            for (_, target) in &node.edges {
                let Target::Module(to) = target else { continue };
                let importers = reached.entry(to.clone()).or_insert_with(|| {
                    next.push(to.clone());
                    Vec::new()
                });
                if importers.last() != Some(&id) {
                    importers.push(id.clone());
                }
            }
        }
        let gone: Vec<Rc<str>> =
            self.modules.keys().filter(|id| !reached.contains_key(*id)).cloned().collect();
        for id in gone {
            self.drop_module(&id);
        }
        for (id, mut importers) in reached {
            if let Some(node) = self.modules.get_mut(&id) {
                importers.sort_unstable();
                importers.shrink_to_fit();
                if node.importers != importers {
                    node.importers = importers;
                    self.news.modules.insert(id);
                }
            }
        }
    }

    pub(crate) fn drop_module(&mut self, id: &str) {
        if let Some(node) = self.modules.remove(id) {
            self.is_stale |= node.mentions || self.read.contains(id);
            self.is_relinked = true;
            self.news.modules.insert(id.into());
        }
        self.session.forget_module(id);
        self.said.forget(id);
    }

    /// The map that leads back from what plugins made of a module.
    pub(crate) fn map_of(&self, id: &str) -> Option<String> {
        self.said.transformed.get(id)?.as_ref()?.1.clone()
    }
}

impl Node {
    /// A module that imports nothing.
    pub(crate) fn leaf() -> Self {
        Self {
            hash: blake3::hash(b""),
            text: None,
            edges: Vec::new(),
            mentions: false,
            is_unreadable: false,
            importers: Vec::new(),
        }
    }

    /// What is compared with, once a module was linked anew.
    pub(crate) fn stand_in(node: &Self) -> Self {
        let Self { hash, mentions, text, importers, .. } = node;
        Self {
            hash: *hash,
            mentions: *mentions,
            text: text.clone(),
            importers: importers.clone(),
            ..Self::leaf()
        }
    }
}

/// The one copy of a name.
pub(crate) fn intern(names: &mut FxHashSet<Rc<str>>, name: &str) -> Rc<str> {
    match names.get(name) {
        Some(known) => Rc::clone(known),
        None => {
            let name: Rc<str> = name.into();
            names.insert(Rc::clone(&name));
            name
        }
    }
}
