//! What a server hands out: modules one by one, as they are asked for, with what was proven already in its place.

use std::rc::Rc;

use crate::expand::{Expansion, expand_to};
use crate::external::sealed_name;
use crate::facts::{self, Extent};
use crate::graph::{Graph, View};
use crate::macros;
use crate::message::{Question, Transform};
use crate::module::{Module, Reading};
use crate::placeholder;
use crate::prove::declared_name;
use crate::session::{Session, find_expansions, find_macro_calls};

/// How far the plugins of a server are with a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It is as its author wrote it.
    Written,
    /// They are through with it.
    Compiled,
}

impl Session {
    /// Names everything that a page was served of the proof: as long as it stays, no page needs to be loaded again.
    /// None before the proof.
    #[must_use]
    pub fn served_digest(&self) -> Option<String> {
        let manifest = self.values.get(&self.authority_placeholder())?;
        let mut declared: Vec<_> = self.declared.iter().collect();
        declared.sort_unstable_by_key(|(id, _)| *id);
        let mut hasher = blake3::Hasher::new();
        hasher.update(manifest.as_bytes());
        for (id, expansion) in declared {
            // The proof is a digest of the manifest and of what is in it; the definition has more than that.
            let definition = self.values.get(&expansion.definition()).map_or("", String::as_str);
            for text in [id.as_str(), definition] {
                hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
            }
        }
        Some(hasher.finalize().to_hex().to_string())
    }

    /// Expands the macros of a module to what [`Session::close`] proved for its declarations.
    ///
    /// Declarations are known by their names: a server compiles a component otherwise than a build does. One that was
    /// not proven, because no build has its module, stays as it is, and no registry admits what it binds; see
    /// [`Session::find_unproven`].
    pub fn serve(&self, id: &str, source: &str, stage: Stage) -> Transform {
        if self.declared.is_empty() {
            return Transform::Unchanged;
        }
        let Some((module, expansions)) = (match self.read_served(id, source, stage) {
            Ok(read) => read,
            Err(questions) => return Transform::Ask(questions),
        }) else {
            return Transform::Unchanged;
        };
        let mut proven = expansions
            .iter()
            .filter_map(|expansion| {
                let declared = self.declared.get(&name_of(&module, expansion)?)?;
                let [definition, proof] =
                    [declared.definition(), declared.proof()].map(|name| self.values.get(&name));
                Some((expansion, [definition?, proof?].map(|value| placeholder::expression_of(value))))
            })
            .peekable();
        if proven.peek().is_none() {
            return Transform::Unchanged;
        }
        Transform::Changed(expand_to(&module, proven, &[], self.options.source_maps))
    }

    /// The names of what a module that is served declares and [`Session::close`] did not prove: no entry leads to it.
    ///
    /// # Errors
    /// What must be answered first.
    pub fn find_unproven(&self, id: &str, source: &str, stage: Stage) -> Result<Vec<String>, Vec<Question>> {
        let Some((module, expansions)) = self.read_served(id, source, stage)? else { return Ok(Vec::new()) };
        // What has its proof was proven by whoever gave it that.
        let open =
            expansions.iter().filter(|it| sealed_name(&module, &module.facts.calls[it.call]).is_none());
        let names = open.filter_map(|expansion| name_of(&module, expansion));
        Ok(names.filter(|name| !self.declared.contains_key(name)).collect())
    }

    /// Reads a module that is served, and finds its macros; none where there is nothing to read.
    fn read_served(&self, id: &str, source: &str, stage: Stage) -> Result<Option<Served>, Vec<Question>> {
        if !macros::may_be_mentioned(source) {
            return Ok(None);
        }
        let stage = match stage {
            Stage::Written if facts::Language::of(id).is_none() => return Ok(None),
            Stage::Written => facts::Stage::Written,
            Stage::Compiled => facts::Stage::Compiled,
        };
        let module = self.memory.module(id, source, Reading::Script(stage, Extent::Calls));
        let graph = Graph::new(&self.memory, View::Loading);
        let expansions = find_expansions(&module, &find_macro_calls(&graph, &module));
        let questions = graph.into_questions();
        if questions.is_empty() { Ok(Some((module, expansions))) } else { Err(questions) }
    }
}

/// A module that is served, and its macros.
type Served = (Rc<Module>, Vec<Expansion>);

/// What a declaration is called in the manifest.
fn name_of(module: &Module, expansion: &Expansion) -> Option<String> {
    let call = &module.facts.calls[expansion.call];
    sealed_name(module, call)
        .or_else(|| Some(format!("{}#{}", module.origin, declared_name(&call.placement)?)))
}
