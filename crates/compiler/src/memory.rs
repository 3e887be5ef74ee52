//! What a session knows from one call to the next: the host's answers, and what was made of them.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::answers::{Answers, Ground};
use crate::evaluate::Defines;
use crate::external::{self, Policy, Reading as ContractReading};
use crate::graph::Target;
use crate::message::{Answer, Known, Library, Package, Question, SchemaOutcome};
use crate::module::{Module, Reading};
use crate::origin::Origins;
use crate::problem::Place;
use crate::prove::Memo;
use crate::text::Text;
use crate::written::Compiled;

/// What the host has told, and what was made of it.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) root: String,
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
    pub(crate) resolutions: FxHashMap<String, Answers<Target>>,
    pub(crate) known: Answers<Option<Known>>,
    pub(crate) codes: Answers<Option<Text>>,
    pub(crate) sources: Answers<Option<Text>>,
    pub(crate) packages: Answers<Option<Package>>,
    pub(crate) maps: FxHashMap<String, Option<String>>,
    /// What schema libraries said, by the key of the question.
    pub(crate) schemas: FxHashMap<String, (SchemaOutcome, Vec<Library>)>,
    /// The ground that the passage of each module through the hooks is to what was made of it.
    hooked: RefCell<FxHashMap<String, Ground>>,
    /// What was judged before and still holds.
    pub(crate) memo: RefCell<Memo>,
    /// The id of one module of each installed package in the graph.
    pub(crate) installed: Option<Vec<String>>,
    /// Contract files, by the folder of their package and their path.
    pub(crate) contract_files: FxHashMap<(String, String), ContractReading>,
    /// Modules read in this build, by id and the hash of their text.
    read: RefCell<ReadModules>,
    /// Modules read in the build before and not yet in this one. What two builds have no use for is dropped, so
    /// that a watcher does not keep every text a module ever had.
    read_before: RefCell<ReadModules>,
}

type ReadModules = FxHashMap<(String, blake3::Hash, Reading), Rc<Module>>;

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
        self.read_before.replace(self.read.take());
        self.forget_answers_about_packages();
    }

    /// The same, where of modules only some may be others than they were: in their texts, in what they import, or in what
    /// imports them.
    pub(crate) fn forget_answers_about(&mut self, is_touched: impl Fn(&str) -> bool) {
        self.resolutions.retain(|importer, answers| {
            if is_touched(importer) {
                answers.doubt();
            }
            !answers.is_empty()
        });
        self.known.doubt_where(|id, _| is_touched(id));
        self.codes.doubt_where(|id, _| is_touched(id));
        self.sources.doubt_where(|id, _| is_touched(id));
        let before = self.read.get_mut().extract_if(|(id, ..), _| is_touched(id)).collect();
        self.read_before.replace(before);
        self.forget_answers_about_packages();
    }

    fn forget_answers_about_packages(&mut self) {
        self.packages.doubt_where(|_, package| package.as_ref().is_some_and(|package| package.installed));
        self.installed = None;
        self.contract_files.clear();
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

    /// Forgets everything that one build was told and made of it, with the room for it.
    pub(crate) fn clear(&mut self) {
        let root = std::mem::take(&mut self.root);
        let (defines, policy) = (std::mem::take(&mut self.defines), std::mem::take(&mut self.policy));
        // A bundler that has several outputs to write builds once for each, and schemas take a worker.
        let schemas = std::mem::take(&mut self.schemas);
        *self = Self { schemas, ..Self::new(&root, self.origins.clone(), defines, policy) };
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
                    for ids in std::iter::once(&mut known.importers).chain(&mut known.imports) {
                        ids.sort_unstable();
                        ids.dedup();
                    }
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
    pub(crate) fn module_of(&self, id: &str, text: &Text, reading: Reading) -> Rc<Module> {
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
        let module = Rc::new(Module::read(id, self.origin(id), source(), hash, reading));
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
    pub(crate) fn scope<'s>(&'s self, importer: &'s str, specifier: &str) -> &'s str {
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
pub(crate) fn is_lasting(outcome: &SchemaOutcome, libraries: &[Library]) -> bool {
    matches!(outcome, SchemaOutcome::Document(_)) && libraries.iter().all(|library| library.version.is_some())
}
