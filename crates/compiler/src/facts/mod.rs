//! Stage 1: what one module says, as a pure function of its text.
//!
//! Facts hold no syntax tree. Expressions are lowered ([`lower`]) as far as a macro's argument or an exported
//! constant may reach, so that a module is parsed once and later stages need its text only for code frames.

mod calls;
mod climb;
mod compiled_enum;
mod component;
mod dynamic;
mod exports;
mod exposure;
mod exposures;
mod expr;
mod index;
mod lower;
mod markup;
mod mutations;
mod pattern;
mod registrations;
mod source;
mod uses;

use std::cell::OnceCell;
use std::rc::Rc;

use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_semantic::SemanticBuilder;
use oxc_span::Span;
use rustc_hash::FxHashMap;

use index::Index;
use markup::Dialect;

pub(crate) use component::{Component, template_may_use};
pub(crate) use dynamic::DynamicRequest;
pub(crate) use exports::json_expr;
pub(crate) use exposure::{
    Exposure, ExposureKind, MODEL_CONTEXT, REGISTER_TOOL, TOOL_NAME, find_ignoring_case,
};
pub(crate) use expr::{Argument, BindingId, Element, Expr, ExprKind, Key, Member, Template, Unsupported};
pub(crate) use markup::{Markup, markup_of};
pub use source::with_room_for;
pub(crate) use source::{Language, Stage};
pub(crate) use uses::{Fate, Use};

/// What one module says.
#[derive(Debug)]
pub(crate) struct Facts {
    /// What makes the module unusable for a proof, if anything does. The rest is then empty.
    pub(crate) refusal: Option<Refusal>,
    /// The specifiers of its static imports and re-exports.
    pub(crate) requests: Vec<Request>,
    pub(crate) bindings: FxHashMap<BindingId, Binding>,
    pub(crate) exports: FxHashMap<String, Export>,
    /// `export * from`, as indices into `requests`.
    pub(crate) stars: Vec<usize>,
    /// Calls of whatever is imported, in source order.
    pub(crate) calls: Vec<Call>,
    /// Uses of imported bindings that are neither a call nor a read the analyser follows.
    pub(crate) strays: Vec<Stray>,
    /// What is used of each import, in no particular order.
    pub(crate) uses: Vec<ImportUse>,
    /// Calls of something named `register`, in source order.
    pub(crate) registrations: Vec<Registration>,
    /// `import(…)` and `require(…)`.
    pub(crate) dynamic_requests: Vec<DynamicRequest>,
    /// What it hands to the browser's agents by itself, in source order.
    pub(crate) exposures: Vec<Exposure>,
    /// Where the module gives the name `JSON` to something of its own, if it does.
    pub(crate) own_json: Option<Span>,
    /// Its imports and exports by what is asked about them; filled by whoever first asks.
    index: OnceCell<Index>,
}

/// Why a module can't be analysed.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) message: String,
    pub(crate) span: Option<Span>,
    /// Whether the text was not even parsed, because no parser should.
    pub(crate) beyond_bounds: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) specifier: String,
    /// The specifier with its quotes.
    pub(crate) span: Span,
    /// The first import or export that makes it.
    pub(crate) statement: Span,
}

/// A name of the module that some expression reaches.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) name: String,
    /// Where it is declared.
    pub(crate) span: Span,
    pub(crate) kind: BindingKind,
    /// Visible changes of its value: assignments to it, and changes inside the object it holds.
    pub(crate) changes: Vec<Change>,
    /// Imported functions that it is handed to.
    pub(crate) handed: Vec<Handed>,
    /// What a function does to what it is given, argument by argument.
    pub(crate) parameters: Vec<Parameter>,
}

/// A call that hands a value to an imported function.
#[derive(Clone, Debug)]
pub(crate) struct Handed {
    pub(crate) function: Expr,
    /// Which argument.
    pub(crate) argument: usize,
}

/// What a function does to an argument.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameter {
    pub(crate) changes: Vec<Change>,
    pub(crate) handed: Vec<Handed>,
}

#[derive(Clone, Debug)]
pub(crate) enum BindingKind {
    /// `const`, or a part of a `const` pattern.
    Constant(Expr),
    /// `let` or `var`, which may hold another value at another time.
    Reassignable {
        keyword: &'static str,
        /// What it is first given, where nothing else is ever assigned to it.
        only: Option<Expr>,
    },
    Import {
        request: usize,
        name: ImportedName,
    },
    Enum(Vec<EnumMember>),
    /// What a compiled enum's own function calls the enum.
    EnumObject(BindingId),
    EnumMember {
        owner: BindingId,
        name: String,
    },
    /// Not known before run time: "a parameter", "a function".
    Runtime(&'static str),
}

#[derive(Clone, Debug)]
pub(crate) struct EnumMember {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// None where it is counted up from the member before.
    pub(crate) value: Option<Expr>,
}

/// A visible change of a value.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) span: Span,
    /// What a person would call it: "assigned", "changed by push()".
    pub(crate) what: String,
    /// Whether the binding itself gets another value, rather than the object it holds another content.
    pub(crate) rebinds: bool,
    /// The first member on the way to what changes: `b` of `a.b.c = 1`.
    pub(crate) member: Option<String>,
}

/// What an import names in the other module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ImportedName {
    Named(String),
    Namespace,
}

#[derive(Clone, Debug)]
pub(crate) enum Export {
    /// A binding of this module.
    Binding(BindingId),
    /// `export default <expression>`.
    Default(Expr),
    /// `export { name } from`, `export * as name from`.
    From { request: usize, name: ImportedName },
}

/// A call whose callee is an imported binding, or a constant alias or member of one.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) callee: Expr,
    pub(crate) span: Span,
    pub(crate) arguments: Rc<[Argument]>,
    /// `?.(`
    pub(crate) optional: bool,
    /// With `new`.
    pub(crate) constructed: bool,
    pub(crate) placement: Placement,
    /// What becomes of the constant that holds the value, if one does.
    pub(crate) fate: Option<Fate>,
}

/// What a declaration is called, by where its call stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    /// `const name = …`, or `const name = { path: … }` as `name.path`.
    Named(String),
    /// `export default …`.
    Default,
    /// Anywhere else: "inside a function", "as an argument".
    Misplaced(&'static str),
}

/// What a module uses of one of its imports.
#[derive(Clone, Debug)]
pub(crate) struct ImportUse {
    pub(crate) request: usize,
    pub(crate) name: ImportedName,
    pub(crate) used: Use,
}

/// A call that may put a definition into a registry.
#[derive(Debug)]
pub(crate) struct Registration {
    /// What would have to be a registry's own `register`.
    pub(crate) callee: Expr,
    pub(crate) definition: Expr,
}

/// An imported binding that is used in a way the analyser does not follow.
#[derive(Debug)]
pub(crate) struct Stray {
    pub(crate) subject: Expr,
    pub(crate) span: Span,
    /// What happens to it: "is passed as a value".
    pub(crate) what: &'static str,
    /// The only members that get away, where no other can.
    pub(crate) members: Option<Vec<String>>,
    /// The name by which a component's template can reach it, and nothing else.
    pub(crate) for_template: Option<String>,
}

impl Facts {
    fn refused(refusal: Refusal) -> Self {
        Self { refusal: Some(refusal), ..Self::empty() }
    }

    pub(crate) fn empty() -> Self {
        Self {
            refusal: None,
            requests: Vec::new(),
            bindings: FxHashMap::default(),
            exports: FxHashMap::default(),
            stars: Vec::new(),
            calls: Vec::new(),
            strays: Vec::new(),
            uses: Vec::new(),
            registrations: Vec::new(),
            dynamic_requests: Vec::new(),
            exposures: Vec::new(),
            own_json: None,
            index: OnceCell::new(),
        }
    }
}

/// Bytes of syntax tree for a byte of text, at a guess: an arena of about the right size is one allocation.
const ARENA_FACTOR: usize = 24;

/// How many aliases of aliases are followed in one module: fewer than the evaluator follows through all of them. A circle
/// of them is possible.
const MAX_ALIASES: usize = 100;

/// How much of a module is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Extent {
    /// What its calls of imported functions reach: enough to judge the module's own contracts.
    Calls,
    /// Its exported constants too: what other modules may take from it.
    Whole,
}

/// Reads a module. `generated` names the framework whose compiler made the text out of a component file.
pub(crate) fn read(source: &str, language: Language, generated: Option<Component>, extent: Extent) -> Facts {
    if let Err(refusal) = source::check_bounds(source) {
        return Facts::refused(refusal);
    }
    if language == Language::Json {
        return exports::read_json(source);
    }
    source::with_room_for(source, || {
        let allocator = Allocator::with_capacity(source.len() * ARENA_FACTOR);
        let parsed = Parser::new(&allocator, source, language.source_type()).parse();
        if let Some(error) = parsed.diagnostics.errors().next() {
            let span =
                error.labels.first().map(|label| Span::new(label.offset(), label.offset() + label.len()));
            return Facts::refused(Refusal {
                message: format!("syntax error: {}", error.message),
                span,
                beyond_bounds: false,
            });
        }
        let semantic = SemanticBuilder::new().with_build_nodes(true).build(&parsed.program).semantic;
        let mut lowerer = lower::Lowerer::new(&semantic, generated, extent);
        let mut facts = Facts::empty();
        exports::read(&parsed.program, &mut lowerer, &mut facts);
        calls::read(&mut lowerer, &mut facts);
        dynamic::read(&mut lowerer, &mut facts);
        registrations::read(source, &mut lowerer, &mut facts);
        facts.exposures = exposures::read(source, &semantic, generated.is_none());
        facts.own_json = semantic
            .scoping()
            .get_root_binding("JSON".into())
            .map(|symbol| semantic.scoping().symbol_span(symbol));
        facts.bindings = lowerer.finish();
        facts
    })
}

/// Reads the scripts of a component file as its author wrote them, and the forms of its template.
pub(crate) fn read_component(component: Component, source: &str) -> Facts {
    let (scripts, language) = component::blank_markup(source);
    let mut facts = read(&scripts, language, None, Extent::Whole);
    let dialect = match component {
        Component::Vue => Dialect::Vue,
        Component::Svelte => Dialect::Svelte,
    };
    facts.exposures.extend(markup::read_forms(source, dialect));
    facts.exposures.sort_by_key(|it| (it.span.start, it.span.end));
    facts
}

/// Reads an HTML page, or a template in a file of its own: nothing of it but its forms. Scripts of a page are modules of
/// their own to a bundler.
pub(crate) fn read_page(source: &str, markup: Markup) -> Facts {
    Facts { exposures: markup::read_forms(source, markup.dialect()), ..Facts::empty() }
}

impl Facts {
    /// The import that a binding is, or is an alias of.
    pub(crate) fn import_behind(&self, mut id: BindingId) -> Option<(usize, &ImportedName)> {
        for _ in 0..=MAX_ALIASES {
            match &self.bindings.get(&id)?.kind {
                BindingKind::Import { request, name } => return Some((*request, name)),
                BindingKind::Constant(Expr { kind: ExprKind::Binding(aliased), .. }) => id = *aliased,
                _ => return None,
            }
        }
        None
    }

    /// The request whose import an expression begins with: that of `ns` in `ns.a.b(…)`, through aliases.
    pub(crate) fn root_request(&self, expr: &Expr) -> Option<usize> {
        let mut expr = expr;
        let mut aliases = 0;
        loop {
            match &expr.kind {
                ExprKind::Member { object, .. } => expr = object,
                ExprKind::Chain(inner) => expr = inner,
                ExprKind::Call { callee, .. } => expr = callee,
                ExprKind::Binding(id) if aliases <= MAX_ALIASES => match &self.bindings.get(id)?.kind {
                    BindingKind::Import { request, .. } => return Some(*request),
                    BindingKind::Constant(init) | BindingKind::Reassignable { only: Some(init), .. } => {
                        aliases += 1;
                        expr = init;
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
    }

    /// The imported name that a macro may be found under without resolving anything.
    pub(crate) fn written_name<'f>(&'f self, expr: &'f Expr) -> Option<&'f str> {
        let mut expr = expr;
        // An alias of an alias of …: bounded, as a circle of them is possible.
        for _ in 0..=MAX_ALIASES {
            match &expr.kind {
                ExprKind::Member { key, .. } => match &**key {
                    Key::Static { name, .. } => return Some(name),
                    Key::Computed(_) => return None,
                },
                ExprKind::Binding(id) => match &self.bindings.get(id)?.kind {
                    BindingKind::Import { name: ImportedName::Named(name), .. } => return Some(name),
                    BindingKind::Constant(init) => expr = init,
                    _ => return None,
                },
                ExprKind::Chain(inner) => expr = inner,
                _ => return None,
            }
        }
        None
    }
}
