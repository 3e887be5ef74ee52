//! What a server hands out: modules one by one, as they are asked for, with what was proven already in its place.

use crate::expand::expand_to;
use crate::external::sealed_name;
use crate::facts::{self, Extent};
use crate::graph::{Graph, View};
use crate::macros;
use crate::message::Transform;
use crate::module::Reading;
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
    /// not proven, because no build has its module, stays as it is, and no registry admits what it binds.
    pub fn serve(&self, id: &str, source: &str, stage: Stage) -> Transform {
        if self.declared.is_empty() || !macros::may_be_mentioned(source) {
            return Transform::Unchanged;
        }
        let stage = match stage {
            Stage::Written if facts::Language::of(id).is_none() => return Transform::Unchanged,
            Stage::Written => facts::Stage::Written,
            Stage::Compiled => facts::Stage::Compiled,
        };
        let module = self.memory.module(id, source, Reading::Script(stage, Extent::Calls));
        let graph = Graph::new(&self.memory, View::Loading);
        let expansions = find_expansions(&module, &find_macro_calls(&graph, &module));
        let questions = graph.into_questions();
        if !questions.is_empty() {
            return Transform::Ask(questions);
        }
        let mut proven = expansions
            .iter()
            .filter_map(|expansion| {
                let call = &module.facts.calls[expansion.call];
                let name = sealed_name(&module, call)
                    .or_else(|| Some(format!("{}#{}", module.origin, declared_name(&call.placement)?)))?;
                let declared = self.declared.get(&name)?;
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
}
