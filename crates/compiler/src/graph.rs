//! The modules of a build, as far as the host has told about them: what a look at them is made with.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::answers::{Ground, distinct};
use crate::evaluate::Defines;
use crate::external::{Policy, Reading as ContractReading};
use crate::facts::{Component, Extent, Language, Stage};
use crate::id::Id;
use crate::library::Printed;
use crate::memory::{Memory, is_lasting};
use crate::message::{Known, Library, Package, Question, SchemaOutcome};
use crate::module::{Module, Reading};
use crate::prove::Memo;
use crate::text::Text;
use crate::written::Written;

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

/// One look at the modules. Whatever is missing is noted as a question, and the look goes on elsewhere.
pub(crate) struct Graph<'m> {
    memory: &'m Memory,
    view: View,
    questions: RefCell<BTreeSet<Question>>,
    /// How often something was missing.
    missed: Cell<usize>,
    /// The scopes, with their specifiers, on whose behalf somebody asked already.
    asked: RefCell<FxHashSet<(String, String)>>,
    /// What the look in hand rests on, where somebody wants to know.
    grounds: RefCell<Option<Vec<Ground>>>,
}

impl<'m> Graph<'m> {
    pub(crate) fn new(memory: &'m Memory, view: View) -> Self {
        Self {
            memory,
            view,
            questions: RefCell::default(),
            missed: Cell::new(0),
            asked: RefCell::default(),
            grounds: RefCell::default(),
        }
    }

    /// Takes a look, and notes what it rests on; none where the host must answer first. Such looks do not nest.
    pub(crate) fn trace<T>(&self, look: impl FnOnce() -> T) -> (T, Option<Vec<Ground>>) {
        let missed = self.missed.get();
        self.grounds.replace(Some(Vec::new()));
        let result = look();
        let grounds = self.grounds.take().filter(|_| self.missed.get() == missed);
        (result, grounds.map(distinct))
    }

    fn rest_on(&self, ground: &Ground) {
        if let Some(grounds) = &mut *self.grounds.borrow_mut() {
            grounds.push(ground.clone());
        }
    }

    /// Notes that the look in hand rests on a module's passage through the hooks.
    pub(crate) fn rest_on_passage(&self, id: &str) {
        if let Some(grounds) = &mut *self.grounds.borrow_mut() {
            grounds.push(self.memory.passage(id));
        }
    }

    /// Notes that the look in hand rests on something of which nobody tells when it changes.
    pub(crate) fn rest_on_chance(&self) {
        self.grounds.replace(None);
    }

    /// What an answer says, as ground for the look in hand; else asks.
    fn heard<V>(
        &self,
        answer: Option<(&'m V, &'m Ground)>,
        question: impl FnOnce() -> Question,
    ) -> Option<&'m V> {
        match answer {
            Some((value, ground)) => {
                self.rest_on(ground);
                Some(value)
            }
            None => {
                self.ask(question());
                None
            }
        }
    }

    pub(crate) fn view(&self) -> View {
        self.view
    }

    /// What was judged before.
    pub(crate) fn memo(&self) -> &'m RefCell<Memo> {
        &self.memory.memo
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
        self.rest_on_passage(&module.id);
        let earlier = self.memory.transformed.get(&module.id)?;
        (earlier.hash != module.hash).then(|| earlier.key())
    }

    /// The keys of the texts of a module in which macros were expanded.
    pub(crate) fn keys_of(&self, id: &str) -> Vec<String> {
        self.rest_on_passage(id);
        let compiled = self.memory.compiled.get(id).map(|compiled| &compiled.module);
        self.memory.transformed.get(id).into_iter().chain(compiled).map(|module| module.key()).collect()
    }

    /// A file right in the root, for what is asked on behalf of the app and not of a module.
    pub(crate) fn entrance(&self) -> String {
        format!("{}/index.html", self.memory.root.trim_end_matches('/'))
    }

    /// The questions noted so far, each once, in an order that does not depend on how they came up.
    pub(crate) fn into_questions(self) -> Vec<Question> {
        let questions = self.questions.into_inner();
        // A worker is started for the schemas: once, when all of them are known.
        let is_schema = |question: &Question| matches!(question, Question::Schema { .. });
        let has_others = questions.iter().any(|question| !is_schema(question));
        questions.into_iter().filter(|question| !has_others || !is_schema(question)).collect()
    }

    pub(crate) fn has_questions(&self) -> bool {
        !self.questions.borrow().is_empty()
    }

    /// Where a specifier leads from a module; none while the host has not said.
    pub(crate) fn resolve(&self, importer: &str, specifier: &str) -> Option<Target> {
        self.package(importer)?;
        let scope = self.memory.scope(importer, specifier);
        match self.memory.resolutions.get(scope).and_then(|answers| answers.get(specifier)) {
            Some((target, ground)) => {
                self.rest_on(ground);
                Some(target.clone())
            }
            None => {
                self.missed.set(self.missed.get() + 1);
                // Whichever importer of the package asks first asks for all: they are looked at in the same order
                // each time.
                if self.asked.borrow_mut().insert((scope.to_owned(), specifier.to_owned())) {
                    let (specifier, importer) = (specifier.to_owned(), importer.to_owned());
                    self.ask(Question::Resolve { specifier, importer });
                }
                None
            }
        }
    }

    /// Whether the host has said where a specifier leads from a module.
    pub(crate) fn is_resolved(&self, importer: &str, specifier: &str) -> bool {
        let scope = self.memory.scope(importer, specifier);
        self.memory.resolutions.get(scope).is_some_and(|answers| answers.get(specifier).is_some())
    }

    /// The package a module belongs to, if it belongs to one; the outer none while the host has not said.
    pub(crate) fn package(&self, id: &str) -> Option<Option<&'m Package>> {
        let package = self.heard(self.memory.packages.get(id), || Question::Package { id: id.to_owned() });
        package.map(Option::as_ref)
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

    /// One module of each installed package in the graph.
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
        let known = self.heard(self.memory.known.get(id), || Question::Module { id: id.to_owned() });
        known.map(Option::as_ref)
    }

    /// A module, read as a whole; the inner none where it can't be read.
    pub(crate) fn module(&self, id: &str) -> Option<Option<Rc<Module>>> {
        self.rest_on_passage(id);
        if let Some(module) = self.memory.transformed.get(id) {
            return Some(Some(Rc::clone(module)));
        }
        if self.view == View::Author
            && let Some(file) = Component::file_of(id)
        {
            return self.component(file);
        }
        if let Some(compiled) = self.memory.compiled.get(id) {
            return Some(Some(Rc::clone(&compiled.module)));
        }
        let (text, stage) = match self.view {
            View::Bundle => (self.text_in_bundle(id)?, Stage::Compiled),
            // What is no script before its own plugin has made one of it.
            View::Author if Language::of(id).is_none() => (self.text_in_bundle(id)?, Stage::Compiled),
            View::Loading | View::Author => (self.text_on_disk(id)?, Stage::Written),
        };
        let reading = Reading::Script(stage, Extent::Whole);
        Some(text.map(|text| self.memory.module_of(id, text, reading)))
    }

    /// Asks for a module, and for what nearly every look at one begins with, before anybody knows whether it will be
    /// looked at.
    pub(crate) fn ask_for_module(&self, id: &str) {
        if !self.is_loading() {
            self.package(id);
            self.module(id);
        }
    }

    /// A component file in its author's text; the inner none where its scripts can't be read.
    pub(crate) fn component(&self, file: &str) -> Option<Option<Rc<Module>>> {
        let text = self.text_on_disk(file)?;
        let reading = Component::of(file).map(Reading::Component);
        let module = text.zip(reading).map(|(text, reading)| self.memory.module_of(file, text, reading));
        Some(module.filter(|module| module.facts.refusal.is_none()))
    }

    fn text_in_bundle(&self, id: &str) -> Option<Option<&'m Text>> {
        let text = self.heard(self.memory.codes.get(id), || Question::Code { id: id.to_owned() });
        text.map(Option::as_ref)
    }

    fn text_on_disk(&self, id: &str) -> Option<Option<&'m Text>> {
        let text = self.heard(self.memory.sources.get(id), || Question::Source { id: id.to_owned() });
        text.map(Option::as_ref)
    }

    /// A module's text on disk; the inner none where it has none.
    pub(crate) fn disk_text(&self, id: &str) -> Option<Option<&'m str>> {
        Some(self.text_on_disk(id)?.map(Text::as_str))
    }

    /// A module's text as the bundler has it, unread; the inner none where it has none.
    pub(crate) fn shipped_text(&self, id: &str) -> Option<Option<&'m str>> {
        Some(self.text_in_bundle(id)?.map(Text::as_str))
    }

    /// A module as the bundler has it after every plugin's transform; the inner none where it has no text of it.
    pub(crate) fn shipped(&self, id: &str) -> Option<Option<Rc<Module>>> {
        let reading = Reading::Script(Stage::Compiled, Extent::Calls);
        Some(self.text_in_bundle(id)?.map(|text| self.memory.module_of(id, text, reading)))
    }

    /// Whether no other plugin touched a module after its macros were expanded.
    pub(crate) fn ships_as_expanded(&self, id: &str) -> Option<bool> {
        self.rest_on_passage(id);
        let text = self.text_in_bundle(id)?;
        Some(text.is_some_and(|text| self.memory.expanded.get(id) == Some(&text.hash())))
    }

    /// Whether a text of a module is the last in which macros were expanded, and no other plugin touched it then.
    pub(crate) fn ships_as_expanded_from(&self, module: &Module) -> Option<bool> {
        let ships_as_expanded = self.ships_as_expanded(&module.id)?;
        let compiled = self.memory.compiled.get(&module.id).map(|compiled| &compiled.module);
        let last = compiled.or_else(|| self.memory.transformed.get(&module.id));
        Some(ships_as_expanded && last.is_some_and(|last| last.hash == module.hash))
    }

    /// Whether a module went through a hook.
    pub(crate) fn is_hooked(&self, id: &str) -> bool {
        self.rest_on_passage(id);
        self.memory.transformed.contains_key(id) || self.memory.compiled.contains_key(id)
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

    /// Asks for what an earlier look rested on, all at once.
    pub(crate) fn ask_again<'g>(&self, grounds: impl Iterator<Item = &'g Ground>) {
        for question in grounds.filter_map(Ground::ask_again) {
            self.ask(question.clone());
        }
    }

    /// What a schema library makes of a program; none while the host has not said.
    pub(crate) fn schema(&self, printed: &Printed) -> Option<(&'m SchemaOutcome, &'m [Library])> {
        let key = printed.key();
        if let Some((outcome, libraries)) = self.memory.schemas.get(&key) {
            // What lasts is the same for as long as the key is.
            if !is_lasting(outcome, libraries) {
                self.rest_on_chance();
            }
            return Some((outcome, libraries));
        }
        let imports = printed.imports.iter().map(|entry| entry.to_import()).collect();
        self.ask(Question::Schema { key, imports, program: printed.program.clone() });
        None
    }

    /// The version of a library that is left out of the bundle, as the host found it.
    pub(crate) fn version_of(&self, library: &str) -> Option<String> {
        let libraries = self.memory.schemas.values().flat_map(|(_, libraries)| libraries);
        // Of several versions the same one whatever the order of a map.
        libraries.filter(|it| it.name == library).filter_map(|it| it.version.clone()).min()
    }

    fn ask(&self, question: Question) {
        self.missed.set(self.missed.get() + 1);
        self.questions.borrow_mut().insert(question);
    }
}
