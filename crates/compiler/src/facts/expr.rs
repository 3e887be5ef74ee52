//! The small language that initialisers and macro arguments are lowered to: what the evaluator may fold, and
//! a name for everything it may not.

use std::rc::Rc;

use oxc_span::Span;
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

/// A module's binding, by its number in the module's symbol table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BindingId(pub(crate) u32);

/// An expression and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) span: Span,
    pub(crate) kind: ExprKind,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    /// A regular expression: nothing that JSON carries, and something that a schema library may be given.
    Pattern(Box<Pattern>),
    Array(Vec<Element>),
    Object(Vec<Member>),
    Template(Box<Template>),
    Member {
        object: Rc<Expr>,
        key: Box<Key>,
        /// Written as `?.`.
        optional: bool,
    },
    /// The extent of one optional chain: what `?.` cuts short ends here.
    Chain(Box<Expr>),
    Unary(UnaryOperator, Box<Expr>),
    Binary(BinaryOperator, Box<(Expr, Expr)>),
    Logical(LogicalOperator, Box<(Expr, Expr)>),
    Conditional(Box<(Expr, Expr, Expr)>),
    Call {
        callee: Box<Expr>,
        /// Shared with the module's list of calls.
        arguments: Rc<[Argument]>,
        optional: bool,
    },
    /// A binding of the module, in whatever scope the name was resolved.
    Binding(BindingId),
    /// A name no scope of the module binds.
    Global(String),
    ImportMeta,
    /// A destructured member with a default: the default counts where the value is `undefined`.
    Default {
        value: Rc<Expr>,
        fallback: Box<Expr>,
    },
    /// `...rest` of an object pattern: the object without these keys.
    ObjectRest {
        object: Rc<Expr>,
        taken: Box<[Key]>,
    },
    /// `...rest` of an array pattern: the array from this index.
    ArrayRest {
        array: Rc<Expr>,
        from: usize,
    },
    /// What no analysis can fold, by the name a person would give it: "a function", "an awaited value".
    Runtime(&'static str),
    /// What the language forbids in a contract although it has a value.
    Unsupported(&'static Unsupported),
}

// A module has many, and most are small.
const _: () = assert!(size_of::<Expr>() <= 40 && size_of::<Member>() <= 72);

/// A regular expression.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) source: String,
    pub(crate) flags: String,
}

/// A template literal without a tag.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(crate) quasis: Vec<String>,
    pub(crate) expressions: Vec<Expr>,
}

/// What the language forbids in a contract, and what to write instead.
#[derive(Debug)]
pub(crate) struct Unsupported {
    pub(crate) what: &'static str,
    pub(crate) help: &'static str,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) span: Span,
    pub(crate) expr: Expr,
    pub(crate) spread: bool,
}

/// An item of an array.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    Item(Expr),
    Spread(Expr),
    /// A hole, as in `[1, , 2]`.
    Hole(Span),
}

/// A property of an object literal.
#[derive(Clone, Debug)]
pub(crate) enum Member {
    Property {
        key: Key,
        value: Expr,
    },
    Spread(Expr),
    /// `__proto__: value`, which sets the prototype and makes no property.
    Prototype(Span),
    /// A getter or setter.
    Accessor {
        key: Key,
        span: Span,
    },
}

/// A property key.
#[derive(Clone, Debug)]
pub(crate) enum Key {
    Static { name: String, span: Span },
    Computed(Box<Expr>),
}

impl Key {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Static { span, .. } => *span,
            Self::Computed(expr) => expr.span,
        }
    }
}

impl Expr {
    pub(crate) fn new(span: Span, kind: ExprKind) -> Self {
        Self { span, kind }
    }

    pub(crate) fn member(object: &Rc<Expr>, key: Key) -> Self {
        Self::new(
            key.span(),
            ExprKind::Member { object: Rc::clone(object), key: Box::new(key), optional: false },
        )
    }
}

impl Expr {
    /// Visits every binding that the expression itself names.
    pub(crate) fn for_each_binding(&self, visit: &mut dyn FnMut(BindingId)) {
        fn elements(elements: &[Element], visit: &mut dyn FnMut(BindingId)) {
            for element in elements {
                if let Element::Item(expr) | Element::Spread(expr) = element {
                    expr.for_each_binding(visit);
                }
            }
        }
        match &self.kind {
            ExprKind::Binding(id) => visit(*id),
            ExprKind::Array(items) => elements(items, visit),
            ExprKind::Object(members) => {
                for member in members {
                    match member {
                        Member::Property { key, value } => {
                            key.for_each_binding(visit);
                            value.for_each_binding(visit);
                        }
                        Member::Spread(expr) => expr.for_each_binding(visit),
                        Member::Prototype(_) => {}
                        Member::Accessor { key, .. } => key.for_each_binding(visit),
                    }
                }
            }
            ExprKind::Template(template) => {
                template.expressions.iter().for_each(|expr| expr.for_each_binding(visit));
            }
            ExprKind::Member { object, key, .. } => {
                object.for_each_binding(visit);
                key.for_each_binding(visit);
            }
            ExprKind::Chain(inner) | ExprKind::Unary(_, inner) => inner.for_each_binding(visit),
            ExprKind::Binary(_, operands) | ExprKind::Logical(_, operands) => {
                operands.0.for_each_binding(visit);
                operands.1.for_each_binding(visit);
            }
            ExprKind::Conditional(parts) => {
                parts.0.for_each_binding(visit);
                parts.1.for_each_binding(visit);
                parts.2.for_each_binding(visit);
            }
            ExprKind::Call { callee, arguments, .. } => {
                callee.for_each_binding(visit);
                arguments.iter().for_each(|argument| argument.expr.for_each_binding(visit));
            }
            ExprKind::Default { value, fallback } => {
                value.for_each_binding(visit);
                fallback.for_each_binding(visit);
            }
            ExprKind::ObjectRest { object, .. } => object.for_each_binding(visit),
            ExprKind::ArrayRest { array, .. } => array.for_each_binding(visit),
            ExprKind::Null
            | ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::String(_)
            | ExprKind::Pattern(_)
            | ExprKind::Global(_)
            | ExprKind::ImportMeta
            | ExprKind::Runtime(_)
            | ExprKind::Unsupported(_) => {}
        }
    }
}

impl Key {
    fn for_each_binding(&self, visit: &mut dyn FnMut(BindingId)) {
        if let Self::Computed(expr) = self {
            expr.for_each_binding(visit);
        }
    }
}
