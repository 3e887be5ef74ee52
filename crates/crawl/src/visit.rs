//! Reading one module: from its id to what it imports, through the session's two looks and the app's plugins.

use std::rc::Rc;

use agent_surface_compiler::{Session, Transform};

use crate::crawl::{CONTRACT_MODULE, Crawl, Node, intern};
use crate::imports::{Setting, imports_of, source_types};
use crate::kind::{Kind, ending_of, is_installed, path_of};
use crate::message::Need;
use crate::page::PageScript;
use crate::resolve::Target;

/// How far the reading of a module has come.
pub(crate) enum Visit {
    Load,
    Written { source: String },
    Transform { source: String, text: Option<String> },
    Compiled { source: String, text: String },
    Link { node: Node, imports: Vec<Rc<str>> },
}

/// The end of a visit, or that the host must speak first.
pub(crate) enum Progress {
    Waiting(Visit),
    Done(Node),
}

impl Crawl {
    pub(crate) fn go_on(&mut self, id: &str, mut visit: Visit) -> Progress {
        let kind = Kind::of(id);
        loop {
            visit = match visit {
                Visit::Load => {
                    if self.options.asks_for_texts
                        && id != CONTRACT_MODULE
                        && !self.said.loaded.contains_key(id)
                    {
                        self.needs.push(Need::Load { id: id.to_owned() });
                        return Progress::Waiting(Visit::Load);
                    }
                    let Some(source) = self.load(id) else { return Progress::Done(Node::leaf()) };
                    if kind == Kind::Leaf {
                        let mut node = Node::leaf();
                        node.hash = blake3::hash(source.as_bytes());
                        return Progress::Done(node);
                    }
                    Visit::Written { source }
                }
                Visit::Written { source } if Session::may_mention(&source) => {
                    self.restart();
                    let transformed = self.settle(|session| match session.transform(id, &source) {
                        Transform::Ask(questions) => Err(questions),
                        Transform::Changed(output) => Ok(Some(output.code)),
                        // The verdict says why.
                        Transform::Unchanged | Transform::Refused(_) => Ok(None),
                    });
                    match transformed {
                        None => return Progress::Waiting(Visit::Written { source }),
                        Some(text) => Visit::Transform { source, text },
                    }
                }
                Visit::Written { source } => {
                    // What it declared before, it declares no more.
                    if self.modules.get(id).is_some_and(|before| before.mentions) {
                        self.restart();
                        self.session.forget_module(id);
                    }
                    Visit::Transform { source, text: None }
                }
                Visit::Transform { source, text } => {
                    let shown = text.as_ref().unwrap_or(&source);
                    let made = if self.asks_to_transform(id, shown) {
                        match self.said.transformed.get(id) {
                            None => {
                                self.needs.push(Need::Transform { id: id.to_owned() });
                                return Progress::Waiting(Visit::Transform { source, text });
                            }
                            Some(made) => made.as_ref().map(|(made, _)| made.clone()),
                        }
                    } else {
                        None
                    };
                    // The first look is for scripts; of those it has seen all there is.
                    let is_loaded = matches!(self.said.loaded.get(id), Some(Some(_)));
                    let is_new = kind == Kind::Foreign && is_loaded || id.contains("?html-proxy");
                    match made {
                        Some(text) => Visit::Compiled { text, source },
                        None if is_new => {
                            Visit::Compiled { text: text.unwrap_or_else(|| source.clone()), source }
                        }
                        None => self.read_imports(id, &source, text),
                    }
                }
                Visit::Compiled { source, text } => {
                    self.restart();
                    let transformed = self.settle(|session| match session.transform_compiled(id, &text) {
                        Transform::Ask(questions) => Err(questions),
                        Transform::Changed(output) => Ok(Some(output.code)),
                        Transform::Unchanged | Transform::Refused(_) => Ok(None),
                    });
                    match transformed {
                        None => return Progress::Waiting(Visit::Compiled { source, text }),
                        Some(expanded) => self.read_imports(id, &source, Some(expanded.unwrap_or(text))),
                    }
                }
                Visit::Link { mut node, imports } => {
                    // All of them, so that all that is not known is asked for in one round.
                    let targets: Vec<Option<Target>> =
                        imports.iter().map(|specifier| self.target(id, specifier)).collect();
                    let targets: Option<Vec<Target>> = targets.into_iter().collect();
                    let Some(targets) = targets else {
                        return Progress::Waiting(Visit::Link { node, imports });
                    };
                    let targets = targets.into_iter().map(|target| target.intern(&mut self.names));
                    node.edges = imports.into_iter().zip(targets).collect();
                    return Progress::Done(node);
                }
            };
        }
    }

    /// Whether plugins may make something else of a module's text.
    fn asks_to_transform(&self, id: &str, text: &str) -> bool {
        if id == CONTRACT_MODULE || matches!(Kind::of(id), Kind::Page | Kind::Raw) {
            return false;
        }
        // What Vite itself makes imports of.
        self.options.asks_for_texts || text.contains("import.meta.glob") || text.contains("import(`")
    }

    /// A module's text before any plugin; none for what has none.
    fn load(&self, id: &str) -> Option<String> {
        if id == CONTRACT_MODULE {
            return Some(self.session.authority_module());
        }
        let kind = Kind::of(id);
        if kind != Kind::Page
            && let Some(Some(text)) = self.said.loaded.get(id)
        {
            return Some(text.clone());
        }
        match kind {
            Kind::Raw => {
                let text = self.disk.read_source(id)?;
                Some(format!("export default {};\n", agent_surface_json::Json::from(text).to_canonical()))
            }
            Kind::Script if id.contains("?html-proxy") => {
                let (_, number) = id.rsplit_once("index=")?;
                let number: usize = number.strip_suffix(".js")?.parse().ok()?;
                self.site.scripts_of(&self.page(path_of(id))?).into_iter().find_map(|script| match script {
                    PageScript::Inline(other, text) if other == number => Some(text),
                    _ => None,
                })
            }
            Kind::Page => {
                let scripts = self.site.scripts_of(&self.page(id)?);
                Some(scripts.iter().map(|script| import_of(id, script)).collect())
            }
            _ => self.disk.read_source(id),
        }
    }

    /// The markup of a page, as plugins leave it where they have a say.
    fn page(&self, id: &str) -> Option<String> {
        match self.said.loaded.get(id) {
            Some(Some(markup)) => Some(markup.clone()),
            _ => self.disk.read_source(id),
        }
    }

    /// Reads what a module imports. `text` is what ships of it, where that is not its source.
    fn read_imports(&mut self, id: &str, source: &str, text: Option<String>) -> Visit {
        let kind = Kind::of(id);
        let mentions = Session::may_mention(source) || text.as_deref().is_some_and(Session::may_mention);
        let is_own = matches!(kind, Kind::Page | Kind::Raw) || id == CONTRACT_MODULE;
        let is_loaded = matches!(self.said.loaded.get(id), Some(Some(_)));
        let mut node = Node { hash: blake3::hash(source.as_bytes()), mentions, ..Node::leaf() };
        let mut imports = Vec::new();
        let shipped = text.as_deref().unwrap_or(source);
        // What no plugin made a script of is an asset.
        if kind != Kind::Foreign || text.is_some() || is_loaded || is_own {
            let setting = Setting {
                keeps_unused: self.resolver.keeps_unused_imports(path_of(id)),
                jsx_names: &self.options.jsx_names,
                constants: &self.constants,
            };
            let ending = match kind {
                Kind::Script => ending_of(path_of(id)),
                _ => "",
            };
            let found = source_types(ending).iter().find_map(|source_type| {
                self.arena.reset();
                imports_of(&self.arena, shipped, source_type(), setting)
            });
            node.is_unreadable = found.is_none() && !is_installed(id);
            // What is made an output of its own is in the graph as what is imported is.
            let emitted = self.said.emitted.get(id).cloned().unwrap_or_default();
            let all = found.into_iter().flatten().chain(emitted);
            imports = all.map(|it| intern(&mut self.names, &it)).collect();
            node.text = text.or_else(|| {
                (is_own || kind == Kind::Script && id.contains("?html-proxy")).then(|| source.to_owned())
            });
        }
        Visit::Link { node, imports }
    }
}

/// How a page's script stands in the module that a build makes of the page.
fn import_of(page: &str, script: &PageScript) -> String {
    let specifier = match script {
        PageScript::Named(url) => url.clone(),
        PageScript::Inline(number, _) => format!("{page}?html-proxy&index={number}.js"),
    };
    format!("import {};\n", agent_surface_json::Json::from(specifier).to_canonical())
}
