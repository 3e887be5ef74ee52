//! The modules of a build, as far as the host has told about them.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::Defines;
use crate::external::{self, Policy, Reading as ContractReading};
use crate::facts::{
    Binding, BindingId, BindingKind, Change, Component, Expr, ExprKind, Extent, Facts, Handed, ImportedName,
    Key, Language, Stage, read, read_component,
};
use crate::id::Id;
use crate::link::Denotation;
use crate::message::{Answer, Known, Package, Question};
use crate::origin::Origins;
use crate::placeholder;
use crate::problem::Place;
use crate::written::Written;

/// A module's text and what it says.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) id: String,
    /// The module's name in the manifest.
    pub(crate) origin: String,
    pub(crate) source: Rc<str>,
    /// Of the text.
    pub(crate) hash: blake3::Hash,
    pub(crate) facts: Facts,
    /// Where each line begins; filled by whoever first asks for a position.
    lines: OnceCell<Vec<usize>>,
}

impl Module {
    /// The 0-based number of the line that an offset lies in, and where the line begins.
    pub(crate) fn line_at(&self, offset: usize) -> (usize, usize) {
        let starts = self.lines.get_or_init(|| {
            let ends = self.source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
        });
        let line = starts.partition_point(|start| *start <= offset).saturating_sub(1);
        (line, starts[line])
    }
}

impl Module {
    /// A text to show, of which nothing is known but that its author wrote it.
    pub(crate) fn to_show(id: &str, origin: &str, text: &str) -> Self {
        Self {
            id: id.to_owned(),
            origin: origin.to_owned(),
            source: text.into(),
            hash: blake3::hash(text.as_bytes()),
            facts: Facts::empty(),
            lines: OnceCell::new(),
        }
    }

    /// The name that marks what was expanded in this text of this module.
    pub(crate) fn key(&self) -> String {
        placeholder::key(&self.origin, &self.hash)
    }
}

/// Where a specifier leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    Module(String),
    /// Left out of the bundle under this name.
    External(String),
    NotFound,
}

/// Which text of a module counts, where there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum View {
    /// The author's file, while the graph is still loading: who imports a module can't be known yet.
    Loading,
    /// What the bundler has after every plugin's transform: what ships.
    Bundle,
    /// The author's file again, now that the graph is complete. Its positions are the author's.
    Author,
}

/// A module as other plugins left it.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) module: Rc<Module>,
    /// The way back to its author's text, where a plugin's source map shows one.
    pub(crate) written: Option<Written>,
}

/// What the host has told, and what was made of it.
#[derive(Debug)]
pub(crate) struct Memory {
    root: String,
    origins: Origins,
    /// Modules that passed through the transform hook, in the author's text.
    pub(crate) transformed: FxHashMap<String, Rc<Module>>,
    /// The hash of the text that each of them left the hook with.
    pub(crate) expanded: FxHashMap<String, blake3::Hash>,
    /// Modules that passed through the later hook: those that are scripts only by then, and those in which
    /// there was more to be found by then.
    pub(crate) compiled: FxHashMap<String, Compiled>,
    pub(crate) defines: Defines,
    pub(crate) policy: Policy,
    resolutions: FxHashMap<(String, String), Target>,
    known: FxHashMap<String, Option<Known>>,
    codes: FxHashMap<String, Option<String>>,
    sources: FxHashMap<String, Option<String>>,
    packages: FxHashMap<String, Option<Package>>,
    maps: FxHashMap<String, Option<String>>,
    /// The ids of the modules in the graph that have `node_modules` in them.
    installed: Option<Vec<String>>,
    /// Contract files, by the folder of their package and their path.
    contract_files: FxHashMap<(String, String), ContractReading>,
    /// Modules read in this build, by id and the hash of their text.
    read: RefCell<ReadModules>,
    /// Modules read in the build before and not yet in this one. What two builds have no use for is dropped, so
    /// that a watcher does not keep every text a module ever had.
    read_before: RefCell<ReadModules>,
}

type ReadModules = FxHashMap<(String, blake3::Hash, Reading), Rc<Module>>;

/// How a module's text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reading {
    Script(Stage, Extent),
    /// The scripts of a component file, as they were written.
    Component,
}

impl Memory {
    pub(crate) fn new(root: &str, origins: Origins, defines: Defines, policy: Policy) -> Self {
        Self {
            root: root.to_owned(),
            origins,
            transformed: FxHashMap::default(),
            expanded: FxHashMap::default(),
            compiled: FxHashMap::default(),
            defines,
            policy,
            resolutions: FxHashMap::default(),
            known: FxHashMap::default(),
            codes: FxHashMap::default(),
            sources: FxHashMap::default(),
            packages: FxHashMap::default(),
            maps: FxHashMap::default(),
            installed: None,
            contract_files: FxHashMap::default(),
            read: RefCell::default(),
            read_before: RefCell::default(),
        }
    }

    pub(crate) fn origin(&self, id: &str) -> String {
        self.origins.name(id)
    }

    /// Forgets what another build may answer otherwise. The project's packages and module facts stay: the former
    /// don't move during a watch, the latter are keyed by their text.
    pub(crate) fn forget_answers(&mut self) {
        self.resolutions.clear();
        self.known.clear();
        self.codes.clear();
        self.sources.clear();
        self.packages.retain(|_, package| package.as_ref().is_none_or(|package| !package.installed));
        self.installed = None;
        self.contract_files.clear();
        self.read_before.replace(self.read.take());
    }

    pub(crate) fn learn(&mut self, answer: Answer) {
        match answer {
            Answer::Resolved { specifier, importer, id, external } => {
                let target = match id {
                    None => Target::NotFound,
                    Some(id) if external => Target::External(id),
                    Some(id) => Target::Module(id),
                };
                self.resolutions.insert((self.scope(&importer, &specifier), specifier), target);
            }
            Answer::Module { id, known } => {
                self.known.insert(id, known);
            }
            Answer::Code { id, text } => {
                self.codes.insert(id, text);
            }
            Answer::Source { id, text } => {
                self.sources.insert(id, text);
            }
            Answer::Map { id, map } => {
                self.maps.insert(id, map);
            }
            Answer::Package { id, package } => {
                self.packages.insert(id, package);
            }
            Answer::Installed { ids } => self.installed = Some(ids),
            Answer::ContractFile { folder, path, file } => {
                self.contract_files.insert((folder, path), external::read(file));
            }
        }
    }

    /// Reads a module's text, or finds that it was read before.
    pub(crate) fn module(&self, id: &str, source: &str, reading: Reading) -> Rc<Module> {
        let hash = blake3::hash(source.as_bytes());
        let key = (id.to_owned(), hash, reading);
        if let Some(module) = self.read.borrow().get(&key) {
            return Rc::clone(module);
        }
        let before = self.read_before.borrow_mut().remove(&key);
        let module = before.unwrap_or_else(|| {
            Rc::new(Module {
                id: id.to_owned(),
                origin: self.origin(id),
                source: Rc::from(source),
                hash,
                facts: match reading {
                    Reading::Script(stage, extent) => read_in_its_language(id, source, stage, extent),
                    Reading::Component => read_component(source),
                },
                lines: OnceCell::new(),
            })
        });
        self.read.borrow_mut().insert(key, Rc::clone(&module));
        module
    }

    /// Forgets a source map, which leads from one text of a module only.
    pub(crate) fn forget_map(&mut self, id: &str) {
        self.maps.remove(id);
    }

    /// Whether a place is in what other plugins made of a module.
    pub(crate) fn is_compiled(&self, place: &Place) -> bool {
        self.compiled.get(&place.module.id).is_some_and(|it| it.module.hash == place.module.hash)
    }

    /// A place where its author would look for it; none where nothing leads there.
    pub(crate) fn written_place(&self, place: &Place) -> Option<Place> {
        if !self.is_compiled(place) {
            return Some(place.clone());
        }
        self.compiled.get(&place.module.id)?.written.as_ref()?.place_of(place)
    }

    /// What answers for an importer: a bare specifier leads every module of a package to the same place, so
    /// it is asked once per package.
    fn scope(&self, importer: &str, specifier: &str) -> String {
        let is_bare = !specifier.starts_with(['.', '/', '\0']);
        match self.packages.get(importer) {
            Some(Some(package)) if is_bare => package.dir.clone(),
            _ => importer.to_owned(),
        }
    }
}

/// A JSON file may reach a bundler's graph as JSON or as the script another plugin made of it.
fn read_in_its_language(id: &str, source: &str, stage: Stage, extent: Extent) -> Facts {
    let (language, generated) = match stage {
        Stage::Written => (Language::of(id).unwrap_or(Language::JavaScript), None),
        Stage::Compiled => (Language::of_compiled(id), Component::of(id)),
    };
    let facts = read(source, language, generated, extent);
    match language {
        Language::Json if facts.refusal.is_some() => read(source, Language::JavaScript, generated, extent),
        Language::JavaScript if facts.refusal.is_some() && Language::is_guess(id) => {
            read(source, Language::TypeScript, generated, extent)
        }
        _ => facts,
    }
}

/// One look at the modules. Whatever is missing is noted as a question, and the look goes on elsewhere.
pub(crate) struct Graph<'m> {
    memory: &'m Memory,
    view: View,
    questions: RefCell<BTreeSet<Question>>,
    /// Modules that were looked at, since to find one by its text is to hash the text.
    seen: RefCell<FxHashMap<(String, Reading), Rc<Module>>>,
}

impl<'m> Graph<'m> {
    pub(crate) fn new(memory: &'m Memory, view: View) -> Self {
        Self { memory, view, questions: RefCell::default(), seen: RefCell::default() }
    }

    pub(crate) fn is_loading(&self) -> bool {
        self.view == View::Loading
    }

    /// The constants that the bundler puts in the place of names.
    pub(crate) fn defines(&self) -> &'m Defines {
        &self.memory.defines
    }

    /// A path's name in the manifest.
    pub(crate) fn origin(&self, id: &str) -> String {
        self.memory.origin(id)
    }

    /// The key of a module's earlier text, for a later text of a module that had one.
    pub(crate) fn earlier_key(&self, module: &Module) -> Option<String> {
        let earlier = self.memory.transformed.get(&module.id)?;
        (earlier.hash != module.hash).then(|| earlier.key())
    }

    /// The keys of the texts of a module in which macros were expanded.
    pub(crate) fn keys_of(&self, id: &str) -> Vec<String> {
        let compiled = self.memory.compiled.get(id).map(|compiled| &compiled.module);
        self.memory.transformed.get(id).into_iter().chain(compiled).map(|module| module.key()).collect()
    }

    /// A file right in the root, for what is asked on behalf of the app and not of a module.
    pub(crate) fn entrance(&self) -> String {
        format!("{}/index.html", self.memory.root.trim_end_matches('/'))
    }

    /// The questions noted so far, each once, in an order that does not depend on how they came up.
    pub(crate) fn into_questions(self) -> Vec<Question> {
        self.questions.into_inner().into_iter().collect()
    }

    pub(crate) fn has_questions(&self) -> bool {
        !self.questions.borrow().is_empty()
    }

    /// Where a specifier leads from a module; none while the host has not said.
    pub(crate) fn resolve(&self, importer: &str, specifier: &str) -> Option<Target> {
        self.package(importer)?;
        let key = (self.memory.scope(importer, specifier), specifier.to_owned());
        let found = self.memory.resolutions.get(&key).cloned();
        if found.is_none() {
            // Whichever importer of the package asks first asks for all; the least one, so that it is the
            // same one each time.
            let question =
                Question::Resolve { specifier: specifier.to_owned(), importer: importer.to_owned() };
            self.ask_for_scope(question, &key);
        }
        found
    }

    /// The package a module belongs to, if it belongs to one; the outer none while the host has not said.
    pub(crate) fn package(&self, id: &str) -> Option<Option<&'m Package>> {
        match self.memory.packages.get(id) {
            Some(package) => Some(package.as_ref()),
            None => {
                self.ask(Question::Package { id: id.to_owned() });
                None
            }
        }
    }

    /// What dependencies may contribute.
    pub(crate) fn policy(&self) -> &'m Policy {
        &self.memory.policy
    }

    /// A path, as the host spells it, for one that is written relative to the root.
    pub(crate) fn absolute(&self, path: &str) -> String {
        match Id::parse(path) {
            Id::Path(_) => path.to_owned(),
            _ => format!("{}/{path}", self.memory.root.trim_end_matches(['/', '\\'])),
        }
    }

    /// The modules of the graph that have `node_modules` in their ids.
    pub(crate) fn installed(&self) -> Option<&'m [String]> {
        if self.memory.installed.is_none() {
            self.ask(Question::Installed);
        }
        self.memory.installed.as_deref()
    }

    /// What is in a package's contract file.
    pub(crate) fn contract_file(&self, folder: &str, path: &str) -> Option<&'m ContractReading> {
        let key = (folder.to_owned(), path.to_owned());
        let reading = self.memory.contract_files.get(&key);
        if reading.is_none() {
            self.ask(Question::ContractFile { folder: key.0, path: key.1 });
        }
        reading
    }

    /// What the bundler knows of a module, if the module is in its graph.
    pub(crate) fn known(&self, id: &str) -> Option<Option<&'m Known>> {
        match self.memory.known.get(id) {
            Some(known) => Some(known.as_ref()),
            None => {
                self.ask(Question::Module { id: id.to_owned() });
                None
            }
        }
    }

    /// A module, read as a whole; the inner none where it can't be read.
    pub(crate) fn module(&self, id: &str) -> Option<Option<Rc<Module>>> {
        if let Some(module) = self.memory.transformed.get(id) {
            let reading = Reading::Script(Stage::Written, Extent::Whole);
            return Some(Some(self.look_at(id, &module.source, reading)));
        }
        if self.view == View::Author
            && let Some(file) = Component::file_of(id)
        {
            return self.component(file);
        }
        if let Some(compiled) = self.memory.compiled.get(id) {
            let reading = Reading::Script(Stage::Compiled, Extent::Whole);
            return Some(Some(self.look_at(id, &compiled.module.source, reading)));
        }
        let (texts, stage, question) = match self.view {
            View::Bundle => (&self.memory.codes, Stage::Compiled, Question::Code { id: id.to_owned() }),
            // What is no script before its own plugin has made one of it.
            View::Author if Language::of(id).is_none() => {
                (&self.memory.codes, Stage::Compiled, Question::Code { id: id.to_owned() })
            }
            View::Loading | View::Author => {
                (&self.memory.sources, Stage::Written, Question::Source { id: id.to_owned() })
            }
        };
        match texts.get(id) {
            Some(text) => {
                let reading = Reading::Script(stage, Extent::Whole);
                Some(text.as_deref().map(|text| self.look_at(id, text, reading)))
            }
            None => {
                self.ask(question);
                None
            }
        }
    }

    /// A component file in its author's text; the inner none where its scripts can't be read.
    pub(crate) fn component(&self, file: &str) -> Option<Option<Rc<Module>>> {
        let text = self.disk_text(file)?;
        let module = text.map(|text| self.look_at(file, text, Reading::Component));
        Some(module.filter(|module| module.facts.refusal.is_none()))
    }

    /// A module's text on disk; the inner none where it has none.
    pub(crate) fn disk_text(&self, id: &str) -> Option<Option<&'m str>> {
        match self.memory.sources.get(id) {
            Some(text) => Some(text.as_deref()),
            None => {
                self.ask(Question::Source { id: id.to_owned() });
                None
            }
        }
    }

    /// A module as the bundler has it after every plugin's transform; the inner none where it has no text of it.
    pub(crate) fn shipped(&self, id: &str) -> Option<Option<Rc<Module>>> {
        match self.memory.codes.get(id) {
            Some(text) => Some(
                text.as_deref()
                    .map(|text| self.look_at(id, text, Reading::Script(Stage::Compiled, Extent::Calls))),
            ),
            None => {
                self.ask(Question::Code { id: id.to_owned() });
                None
            }
        }
    }

    /// Reads a module; within a look each of its readings has one text.
    fn look_at(&self, id: &str, text: &str, reading: Reading) -> Rc<Module> {
        let key = (id.to_owned(), reading);
        if let Some(module) = self.seen.borrow().get(&key) {
            return Rc::clone(module);
        }
        let module = self.memory.module(id, text, reading);
        self.seen.borrow_mut().insert(key, Rc::clone(&module));
        module
    }

    /// Whether no other plugin touched a module after its macros were expanded.
    pub(crate) fn is_as_expanded(&self, shipped: &Module) -> bool {
        self.memory.expanded.get(&shipped.id) == Some(&shipped.hash)
    }

    /// The way from a module's text, as it was just handed over, back to its author's; the inner none where
    /// no plugin's source map shows one.
    pub(crate) fn written(&self, module: &Module) -> Option<Option<Written>> {
        let map = self.memory.maps.get(&module.id);
        if map.is_none() {
            self.ask(Question::Map { id: module.id.clone() });
        }
        let text = self.disk_text(&module.id)?;
        Some(map?.as_deref().and_then(|map| Written::read(map, module, text)))
    }

    fn ask(&self, question: Question) {
        self.questions.borrow_mut().insert(question);
    }

    fn ask_for_scope(&self, question: Question, key: &(String, String)) {
        let mut questions = self.questions.borrow_mut();
        let asked = questions.iter().any(|other| {
            matches!(other, Question::Resolve { specifier, importer }
                if *specifier == key.1 && self.memory.scope(importer, specifier) == key.0)
        });
        if !asked {
            questions.insert(question);
        }
    }
}

impl Graph<'_> {
    /// A change that another module makes to what a module exports under one of these names, with the binding
    /// it makes it through. The outer none while the host must answer first.
    pub(crate) fn foreign_change(
        &self,
        module: &Module,
        names: &[&str],
    ) -> Option<Option<(Rc<Module>, Binding, Change)>> {
        // While the graph is still loading nobody can know all importers; the last look does.
        if self.is_loading() {
            return Some(None);
        }
        let mut seen = FxHashSet::default();
        for name in names {
            if let Some(found) = self.change_through(&module.id, name, &mut seen)? {
                return Some(Some(found));
            }
        }
        Some(None)
    }

    /// A change that a function of another module makes to what a binding holds, which is handed to it.
    pub(crate) fn change_by_function(
        &self,
        module: &Rc<Module>,
        binding: &Binding,
    ) -> Option<Option<(Rc<Module>, Change)>> {
        if self.is_loading() {
            return Some(None);
        }
        self.change_by(module, &binding.handed, &mut FxHashSet::default())
    }

    fn change_by(
        &self,
        module: &Rc<Module>,
        handed: &[Handed],
        seen: &mut FxHashSet<(String, BindingId, usize)>,
    ) -> Option<Option<(Rc<Module>, Change)>> {
        for Handed { function, argument } in handed {
            let Some((other, id)) = self.function(module, function)? else { continue };
            if !seen.insert((other.id.clone(), id, *argument)) {
                continue;
            }
            let parameters = other.facts.bindings.get(&id).map(|binding| binding.parameters.as_slice());
            let Some(parameter) = parameters.and_then(|parameters| parameters.get(*argument)) else {
                continue;
            };
            if let Some(change) = parameter.changes.first() {
                return Some(Some((other.clone(), change.clone())));
            }
            if let Some(found) = self.change_by(&other, &parameter.handed, seen)? {
                return Some(Some(found));
            }
        }
        Some(None)
    }

    /// The function of another module that an expression names. An installed package's are not looked into.
    fn function(&self, module: &Rc<Module>, function: &Expr) -> Option<Option<(Rc<Module>, BindingId)>> {
        let (id, member) = match &function.kind {
            ExprKind::Binding(id) => (id, None),
            ExprKind::Member { object, key, .. } => match (&object.kind, &**key) {
                (ExprKind::Binding(id), Key::Static { name, .. }) => (id, Some(name)),
                _ => return Some(None),
            },
            _ => return Some(None),
        };
        let Some(BindingKind::Import { request, name }) = module.facts.bindings.get(id).map(|it| &it.kind)
        else {
            return Some(None);
        };
        let name = match (name, member) {
            (ImportedName::Namespace, Some(member)) => &ImportedName::Named(member.clone()),
            (ImportedName::Named(_), None) => name,
            _ => return Some(None),
        };
        let specifier = &module.facts.requests[*request].specifier;
        match self.resolve(&module.id, specifier)? {
            Target::Module(id) if !Id::parse(&id).is_installed() => {}
            _ => return Some(None),
        }
        Some(match self.import(module, specifier, name)? {
            Denotation::Binding(module, id) => Some((module, id)),
            _ => None,
        })
    }

    fn change_through(
        &self,
        id: &str,
        name: &str,
        seen: &mut FxHashSet<(String, String)>,
    ) -> Option<Option<(Rc<Module>, Binding, Change)>> {
        if !seen.insert((id.to_owned(), name.to_owned())) {
            return Some(None);
        }
        let Some(known) = self.known(id)? else { return Some(None) };
        let mut importers: Vec<&str> = known.importers.iter().map(String::as_str).collect();
        importers.sort_unstable();
        for importer in importers {
            let Some(importer) = self.module(importer)? else { continue };
            for (request, specifier) in importer.facts.requests.iter().enumerate() {
                let change = importer.facts.change_of_import(request, name);
                let passed_on = importer.facts.names_passed_on(request, name);
                // Only what matters is worth a question to the host.
                let is_handed =
                    importer.facts.imports_of(request, name).any(|binding| !binding.handed.is_empty());
                if change.is_none() && passed_on.is_empty() && !is_handed
                    || self.resolve(&importer.id, &specifier.specifier)? != Target::Module(id.to_owned())
                {
                    continue;
                }
                if let Some((binding, change)) = change {
                    return Some(Some((Rc::clone(&importer), binding.clone(), change.clone())));
                }
                for binding in importer.facts.imports_of(request, name) {
                    if let Some((module, change)) = self.change_by_function(&importer, binding)? {
                        return Some(Some((module, binding.clone(), change)));
                    }
                }
                for exported in passed_on {
                    if let Some(found) = self.change_through(&importer.id, &exported, seen)? {
                        return Some(Some(found));
                    }
                }
            }
        }
        Some(None)
    }
}
