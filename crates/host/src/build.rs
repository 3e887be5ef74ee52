//! A whole build.

use std::collections::BTreeMap;

use agent_surface_compiler::{Known, Proof, Report, Session};
use agent_surface_json::{Json, parse};

use crate::{Broken, Bundle, CORE, Talk, options, resolve};

/// A build of modules of any text, from the first of them to the last question. Modules whose file is called `main` are
/// entries.
pub struct Host<'p> {
    /// The session. It lives on after the verdict.
    pub session: Session,
    talk: Talk,
    bundle: Texts<'p>,
}

impl<'p> Host<'p> {
    /// A build of modules by id. `reversed` hands modules and answers over in the opposite order.
    #[must_use]
    pub fn new(files: &'p BTreeMap<String, String>, reversed: bool) -> Self {
        Self {
            session: Session::new(options()),
            talk: Talk::new(reversed),
            bundle: Texts { files, texts: BTreeMap::new(), reversed },
        }
    }

    /// The modules by id after the session's transform, as far as the build came.
    #[must_use]
    pub fn texts(&self) -> &BTreeMap<String, String> {
        &self.bundle.texts
    }

    /// Builds. Every module is in the graph, whoever imports it.
    ///
    /// # Errors
    /// The session's report.
    ///
    /// # Panics
    /// The session breaks its word: it goes round in circles, or changes a text without a source map.
    pub fn build(&mut self) -> Result<Proof, Report> {
        let mut modules: Vec<(&String, &String)> = self.bundle.files.iter().collect();
        if self.bundle.reversed {
            modules.reverse();
        }
        for (id, source) in modules {
            let changed = kept(self.talk.transform(&mut self.session, &self.bundle, id, source))?;
            let text = changed.map_or_else(
                || source.clone(),
                |output| {
                    let map = output.map.as_deref().map(parse);
                    assert!(
                        matches!(map, Some(Ok(Json::Object(_)))),
                        "{id}: an edit comes with a source map"
                    );
                    output.code
                },
            );
            self.bundle.texts.insert(id.clone(), text);
        }
        kept(self.talk.close(&mut self.session, &self.bundle))
    }
}

/// The outcome of a conversation that came to an end.
fn kept<T>(outcome: Result<T, Broken>) -> T {
    outcome.unwrap_or_else(|broken| panic!("{broken}"))
}

/// Modules as their author wrote them, and as the transform left them.
struct Texts<'p> {
    files: &'p BTreeMap<String, String>,
    texts: BTreeMap<String, String>,
    reversed: bool,
}

impl Texts<'_> {
    /// Every module that has another's name in its text may import it. Those that don't are looked at in vain.
    fn importers_of(&self, id: &str) -> Vec<String> {
        let file = id.rsplit('/').next().unwrap_or(id);
        let stem = file.split('.').next().unwrap_or(file);
        let mentions = |text: &&String| id == CORE || text.contains(stem);
        let mut importers: Vec<String> =
            self.texts.iter().filter(|(_, text)| mentions(text)).map(|(id, _)| id.clone()).collect();
        if self.reversed {
            importers.reverse();
        }
        importers
    }
}

impl Bundle for Texts<'_> {
    fn resolve(&self, specifier: &str, importer: &str) -> Option<String> {
        resolve(self.files, specifier, importer)
    }

    fn known(&self, id: &str) -> Option<Known> {
        (self.texts.contains_key(id) || id == CORE).then(|| Known {
            importers: self.importers_of(id),
            imports: None,
            is_entry: id.contains("/main."),
        })
    }

    fn code(&self, id: &str) -> Option<String> {
        self.texts.get(id).cloned()
    }

    fn source(&self, id: &str) -> Option<String> {
        self.files.get(id).cloned()
    }
}
