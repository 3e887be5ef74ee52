//! The compiler's questions, and how a crawl answers them.

use agent_surface_compiler::{Answer, Known, Question, Session};

use crate::crawl::Crawl;
use crate::kind::Kind;
use crate::message::Need;
use crate::resolve::Target;

impl Crawl {
    /// Calls `step` until it has a result, answering in between; none where the host has to say something first.
    pub(crate) fn settle<T>(
        &mut self,
        mut step: impl FnMut(&mut Session) -> Result<T, Vec<Question>>,
    ) -> Option<T> {
        loop {
            let questions = match step(&mut self.session) {
                Ok(result) => return Some(result),
                Err(questions) => questions,
            };
            let mut all_answered = true;
            for question in questions {
                match self.answer(question) {
                    Some(answer) => self.session.answer(answer),
                    None => all_answered = false,
                }
            }
            if !all_answered {
                return None;
            }
        }
    }

    fn answer(&mut self, question: Question) -> Option<Answer> {
        Some(match question {
            Question::Resolve { specifier, importer } => {
                let edge = self.modules.get(&*importer).and_then(|node| {
                    node.edges
                        .iter()
                        .find(|(written, _)| **written == *specifier)
                        .map(|(_, target)| target.clone())
                });
                let target = match edge {
                    Some(target) => target,
                    None => self.target(&importer, &specifier)?,
                };
                let (id, external) = match target {
                    Target::Module(id) => (Some(id.to_string()), false),
                    Target::External(id) => (Some(id.to_string()), true),
                    Target::Lost => (None, false),
                };
                Answer::Resolved { specifier, importer, id, external }
            }
            Question::Module { id } => {
                let known = self.modules.get(&*id).map(|node| Known {
                    importers: node.importers.iter().map(|id| id.to_string()).collect(),
                    // It answers each specifier at once.
                    imports: None,
                    is_entry: self.entries.iter().any(|entry| **entry == *id),
                });
                Answer::Module { id, known }
            }
            Question::Code { id } => {
                let text = self.modules.get(&*id).and_then(|node| match &node.text {
                    Some(text) => Some(text.clone()),
                    None if Kind::of(&id) == Kind::Foreign => None,
                    None => self.disk.read_source(&id),
                });
                self.read.insert(id.clone());
                Answer::Code { id, text }
            }
            Question::Source { id } => {
                let text = self.disk.read_source(&id);
                self.read.insert(id.clone());
                Answer::Source { id, text }
            }
            Question::Map { id } => Answer::Map { map: self.map_of(&id), id },
            Question::Package { id } => Answer::Package { package: self.disk.find_package(&id), id },
            Question::Installed => {
                let mut ids: Vec<String> = self
                    .modules
                    .keys()
                    .filter(|id| id.contains("node_modules"))
                    .map(|id| id.to_string())
                    .collect();
                ids.sort_unstable();
                Answer::Installed { ids }
            }
            Question::ContractFile { folder, path } => {
                let file = self.disk.read_contract(&folder, &path);
                Answer::ContractFile { folder, path, file }
            }
            // Only the host can load a library. What it says the session remembers.
            Question::Schema { key, imports, program } => {
                self.needs.push(Need::Schema { key, imports, program });
                return None;
            }
        })
    }
}
