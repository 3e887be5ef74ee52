//! One text of one module, and the ways to read it.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::facts::{Component, Extent, Facts, Language, Markup, Stage, read, read_component, read_page};
use crate::placeholder;
use crate::prove::Passing;

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
    /// Reads a text, whose hash is known.
    pub(crate) fn read(
        id: &str,
        origin: String,
        source: Rc<str>,
        hash: blake3::Hash,
        reading: Reading,
    ) -> Self {
        let facts = match reading {
            Reading::Script(stage, extent) => read_in_its_language(id, &source, stage, extent),
            Reading::Component(component) => read_component(component, &source),
            Reading::Markup(markup) => read_page(&source, markup),
        };
        Self {
            id: id.to_owned(),
            origin,
            hash,
            facts,
            source,
            lines: OnceCell::new(),
            passing: OnceCell::new(),
        }
    }

    /// The 0-based number of the line that an offset lies in, and where the line begins.
    pub(crate) fn line_at(&self, offset: usize) -> (usize, usize) {
        let starts = self.lines.get_or_init(|| {
            let ends = self.source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
        });
        let line = starts.partition_point(|start| *start <= offset).saturating_sub(1);
        (line, starts[line])
    }

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

/// How a module's text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reading {
    Script(Stage, Extent),
    /// A component file, as it was written.
    Component(Component),
    /// A page, or a template in a file of its own.
    Markup(Markup),
}

impl Reading {
    /// The reading that has all that this one has.
    pub(crate) fn whole(self) -> Self {
        match self {
            Self::Script(stage, _) => Self::Script(stage, Extent::Whole),
            Self::Component(_) | Self::Markup(_) => self,
        }
    }

    /// Whether it has all that another has.
    pub(crate) fn covers(self, other: Self) -> bool {
        self == other || self == other.whole()
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
