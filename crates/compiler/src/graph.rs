//! The modules of a build, as far as the host has told about them.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::answers::{Answers, Ground, distinct};
use crate::evaluate::Defines;
use crate::external::{self, Policy, Reading as ContractReading};
use crate::facts::{Component, Extent, Facts, Language, Stage, read, read_component, read_page};
use crate::id::Id;
use crate::library::Printed;
use crate::message::{Answer, Known, Library, LibraryImport, Package, Question, SchemaOutcome};
use crate::origin::Origins;
use crate::placeholder;
use crate::problem::Place;
use crate::prove::{Memo, Passing};
use crate::text::Text;
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
    /// What it may pass on; filled by whoever first asks.
    pub(crate) passing: OnceCell<Passing>,
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
            passing: OnceCell::new(),
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
    /// HTML pages that passed through it, where they have anything to tell of.
    pub(crate) pages: FxHashMap<String, Rc<Module>>,
    /// The hash of the text that each of them left the hook with.
    pub(crate) expanded: FxHashMap<String, blake3::Hash>,
    /// Modules that passed through the later hook: those that are scripts only by then, and those in which
    /// there was more to be found by then.
    pub(crate) compiled: FxHashMap<String, Compiled>,
    pub(crate) defines: Defines,
    pub(crate) policy: Policy,
    /// Where specifiers lead, by what answers for their importers.
    resolutions: FxHashMap<String, Answers<Target>>,
    known: Answers<Option<Known>>,
    codes: Answers<Option<Text>>,
    sources: Answers<Option<Text>>,
    packages: Answers<Option<Package>>,
    maps: FxHashMap<String, Option<String>>,
    /// What schema libraries said, by the key of the question.
    schemas: FxHashMap<String, (SchemaOutcome, Vec<Library>)>,
    /// The ground that the passage of each module through the hooks is to what was made of it.
    hooked: RefCell<FxHashMap<String, Ground>>,
    /// What was judged before and still holds.
    pub(crate) memo: RefCell<Memo>,
    /// The id of one module of each installed package in the graph.
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
    /// A component file, as it was written.
    Component(Component),
    /// An HTML page.
    Page,
}

impl Reading {
    /// The reading that has all that this one has.
    fn whole(self) -> Self {
        match self {
            Self::Script(stage, _) => Self::Script(stage, Extent::Whole),
            Self::Component(_) | Self::Page => self,
        }
    }

    /// Whether it has all that another has.
    pub(crate) fn covers(self, other: Self) -> bool {
        self == other || self == other.whole()
    }
}

impl Memory {
    pub(crate) fn new(root: &str, origins: Origins, defines: Defines, policy: Policy) -> Self {
        Self {
            root: root.to_owned(),
            origins,
            transformed: FxHashMap::default(),
            pages: FxHashMap::default(),
            expanded: FxHashMap::default(),
            compiled: FxHashMap::default(),
            defines,
            policy,
            resolutions: FxHashMap::default(),
            known: Answers::default(),
            codes: Answers::default(),
            sources: Answers::default(),
            packages: Answers::default(),
            maps: FxHashMap::default(),
            schemas: FxHashMap::default(),
            installed: None,
            contract_files: FxHashMap::default(),
            hooked: RefCell::default(),
            memo: RefCell::default(),
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
        self.resolutions.retain(|_, answers| {
            answers.doubt();
            !answers.is_empty()
        });
        self.known.doubt();
        self.codes.doubt();
        self.sources.doubt();
        self.packages.doubt_where(|package| package.as_ref().is_some_and(|package| package.installed));
        self.installed = None;
        self.contract_files.clear();
        self.read_before.replace(self.read.take());
        self.forget_schemas();
    }

    /// Keeps what libraries said: the key of a question names the library's version too. What failed is tried again, and
    /// so is a library of which the version is not known.
    fn forget_schemas(&mut self) {
        if self.schemas.len() > MAX_SCHEMAS {
            self.schemas.clear();
        }
        self.schemas.retain(|_, (outcome, libraries)| is_lasting(outcome, libraries));
    }

    pub(crate) fn learn(&mut self, answer: Answer) {
        match answer {
            Answer::Resolved { specifier, importer, id, external } => {
                let target = match id {
                    None => Target::NotFound,
                    Some(id) if external => Target::External(id),
                    Some(id) => Target::Module(id),
                };
                let scope = self.scope(&importer, &specifier).to_owned();
                let question = Question::Resolve { specifier: specifier.clone(), importer };
                self.resolutions.entry(scope).or_default().learn(specifier, question, target);
            }
            Answer::Module { id, mut known } => {
                if let Some(known) = &mut known {
                    // A bundler that loads on several threads finds them in another order each time.
                    known.importers.sort_unstable();
                    known.importers.dedup();
                }
                let question = Question::Module { id: id.clone() };
                self.known.learn(id, question, known);
            }
            Answer::Code { id, text } => {
                let question = Question::Code { id: id.clone() };
                self.codes.learn(id, question, text.as_deref().map(Text::new));
            }
            Answer::Source { id, text } => {
                let question = Question::Source { id: id.clone() };
                self.sources.learn(id, question, text.as_deref().map(Text::new));
            }
            Answer::Map { id, map } => {
                self.maps.insert(id, map);
            }
            Answer::Package { id, package } => {
                let question = Question::Package { id: id.clone() };
                self.packages.learn(id, question, package);
            }
            Answer::Installed { ids } => self.installed = Some(external::one_of_each(ids)),
            Answer::ContractFile { folder, path, file } => {
                self.contract_files.insert((folder, path), external::read(file));
            }
            Answer::Schema { key, outcome, libraries } => {
                self.schemas.insert(key, (outcome, libraries));
            }
        }
    }

    /// Reads a module's text, or finds that it was read before.
    pub(crate) fn module(&self, id: &str, source: &str, reading: Reading) -> Rc<Module> {
        self.read_module(id, blake3::hash(source.as_bytes()), reading, || source.into())
    }

    /// The same for a text that the host was asked for.
    fn module_of(&self, id: &str, text: &Text, reading: Reading) -> Rc<Module> {
        text.read(reading, || self.read_module(id, text.hash(), reading, || Rc::clone(text.shared())))
    }

    fn read_module(
        &self,
        id: &str,
        hash: blake3::Hash,
        reading: Reading,
        source: impl FnOnce() -> Rc<str>,
    ) -> Rc<Module> {
        for reading in [reading.whole(), reading] {
            let key = (id.to_owned(), hash, reading);
            if let Some(module) = self.read.borrow().get(&key) {
                return Rc::clone(module);
            }
            if let Some(module) = self.read_before.borrow_mut().remove(&key) {
                self.read.borrow_mut().insert(key, Rc::clone(&module));
                return module;
            }
        }
        let source = source();
        let module = Rc::new(Module {
            id: id.to_owned(),
            origin: self.origin(id),
            hash,
            facts: match reading {
                Reading::Script(stage, extent) => read_in_its_language(id, &source, stage, extent),
                Reading::Component(component) => read_component(component, &source),
                Reading::Page => read_page(&source),
            },
            source,
            lines: OnceCell::new(),
            passing: OnceCell::new(),
        });
        self.read.borrow_mut().insert((id.to_owned(), hash, reading), Rc::clone(&module));
        module
    }

    /// The ground that a module's passage through the hooks is: that it went through with a certain text, or that it
    /// did not.
    pub(crate) fn passage(&self, id: &str) -> Ground {
        let mut hooked = self.hooked.borrow_mut();
        match hooked.get(id) {
            Some(ground) => ground.clone(),
            None => hooked.entry(id.to_owned()).or_insert_with(Ground::new).clone(),
        }
    }

    /// Whether anything rests on that ground.
    pub(crate) fn is_passage_ground(&self, id: &str) -> bool {
        self.hooked.borrow().contains_key(id)
    }

    /// Takes that ground away: something else went through, or nothing does any longer.
    pub(crate) fn revoke_passage(&self, id: &str) {
        if let Some(ground) = self.hooked.borrow_mut().remove(id) {
            ground.give_way();
        }
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
    fn scope<'s>(&'s self, importer: &'s str, specifier: &str) -> &'s str {
        let is_bare = !specifier.starts_with(['.', '/', '\0']);
        match self.packages.get(importer) {
            Some((Some(package), _)) if is_bare => &package.dir,
            _ => importer,
        }
    }
}

/// How many answers of schema libraries a watcher keeps.
const MAX_SCHEMAS: usize = 10_000;

/// Whether a library would say the same in the next build.
fn is_lasting(outcome: &SchemaOutcome, libraries: &[Library]) -> bool {
    matches!(outcome, SchemaOutcome::Document(_)) && libraries.iter().all(|library| library.version.is_some())
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
        let imports = printed.imports.iter().map(|entry| LibraryImport {
            specifier: entry.specifier.clone(),
            importer: entry.importer.clone(),
            id: entry.id.clone(),
        });
        let imports = imports.collect();
        self.ask(Question::Schema { key, imports, program: printed.program.clone() });
        None
    }

    /// The version of a library that is left out of the bundle, as the host found it.
    pub(crate) fn version_of(&self, library: &str) -> Option<String> {
        let libraries = self.memory.schemas.values().flat_map(|(_, libraries)| libraries);
        libraries.filter(|it| it.name == library).find_map(|it| it.version.clone())
    }

    fn ask(&self, question: Question) {
        self.missed.set(self.missed.get() + 1);
        self.questions.borrow_mut().insert(question);
    }
}
