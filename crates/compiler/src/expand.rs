//! Expansion: a macro's argument is replaced by the literal that was proven, so that what ships is what was
//! proven, whatever becomes of the author's object.

use std::ops::Range;

use oxc_span::Span;

use crate::facts::{Argument, BindingKind, Call, Expr, ExprKind, Key, Member};
use crate::library::SchemaLiteral;
use crate::macros::Macro;
use crate::message::Output;
use crate::module::Module;
use crate::placeholder;
use crate::source_map::source_map;

/// One expanded macro call of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expansion {
    /// Which of the module's calls.
    pub(crate) call: usize,
    /// The name of its placeholders, without their suffix.
    name: String,
    /// Whether the author's argument stays behind the literals, for the validators in it.
    pub(crate) keeps_argument: bool,
}

impl Expansion {
    pub(crate) fn new(key: &str, call: usize, kind: Macro, module: &Module, argument: &Expr) -> Self {
        Self {
            call,
            name: format!("{key}:{call}"),
            keeps_argument: may_hold_validator(kind, module, argument),
        }
    }

    /// The expansion of a call that another build has expanded: its definition and its proof are replaced.
    pub(crate) fn of_sealed(key: &str, index: usize, call: &Call) -> Self {
        Self { call: index, name: format!("{key}:{index}"), keeps_argument: call.arguments.len() > 2 }
    }

    pub(crate) fn definition(&self) -> String {
        format!("{}:definition", self.name)
    }

    pub(crate) fn proof(&self) -> String {
        format!("{}:proof", self.name)
    }
}

/// The one argument of a macro call, if the call has the form of a declaration.
pub(crate) fn only_argument(call: &Call) -> Option<&Argument> {
    match &*call.arguments {
        [argument] if !argument.spread && !call.optional && !call.constructed => Some(argument),
        _ => None,
    }
}

/// Whether a call is what became of an expansion in an earlier text of the module, whose key this is.
pub(crate) fn is_expanded(call: &Call, key: &str) -> bool {
    let Some(Argument { expr: Expr { kind: ExprKind::Call { arguments, .. }, .. }, .. }) =
        call.arguments.first()
    else {
        return false;
    };
    matches!(&**arguments, [Argument { expr: Expr { kind: ExprKind::String(text), .. }, spread: false, .. }]
        if text.strip_prefix(placeholder::PREFIX).is_some_and(|name| name.starts_with(key)))
}

/// A module's text with its macros expanded to placeholders.
pub(crate) fn expand(
    module: &Module,
    expansions: &[Expansion],
    schemas: &[SchemaLiteral],
    with_map: bool,
) -> Output {
    let placeholders = expansions
        .iter()
        .map(|it| (it, [it.definition(), it.proof()].map(|name| placeholder::expression(&name))));
    expand_to(module, placeholders, schemas, with_map)
}

/// A module's text with macro calls expanded to the expressions beside them: of the definition and of its proof.
pub(crate) fn expand_to<'e>(
    module: &Module,
    expansions: impl Iterator<Item = (&'e Expansion, [String; 2])>,
    schemas: &[SchemaLiteral],
    with_map: bool,
) -> Output {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut replaced: Vec<Range<usize>> = Vec::new();
    for (expansion, literals) in expansions {
        let call = &module.facts.calls[expansion.call];
        let Some(argument) = call.arguments.first() else { continue };
        // An unused contract may be shaken out of the bundle like any other constant.
        edits.push((at(call.span.start), "/* @__PURE__ */ ".to_owned()));
        let literals = literals.join(", ");
        if let [definition, proof, ..] = &*call.arguments {
            let sealed = definition.span.start as usize..proof.span.end as usize;
            edits.push((sealed, literals));
        } else if expansion.keeps_argument {
            edits.push((at(argument.span.start), literals + ", "));
        } else {
            replaced.push(range(argument.span));
            edits.push((range(argument.span), literals));
            edits.extend(keep_imports(module, &argument.expr));
        }
    }
    for literal in schemas {
        let is_gone =
            replaced.iter().any(|it| it.start <= literal.range.start && literal.range.end <= it.end);
        if !is_gone {
            edits.push((literal.range.clone(), literal.text()));
        }
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    // Two declarations may take constants from one import.
    edits.dedup();
    let mut code = String::with_capacity(module.source.len());
    let mut end = 0;
    for (range, text) in &edits {
        code.push_str(&module.source[end..range.start]);
        code.push_str(text);
        end = range.end;
    }
    code.push_str(&module.source[end..]);
    let map = with_map.then(|| source_map(&module.source, &module.id, edits));
    Output { code, map }
}

/// A TypeScript transform drops an import that nothing uses any more, and with it the module behind it. What
/// an argument took from there is part of the graph all the same, so a bare import keeps it.
fn keep_imports<'m>(
    module: &'m Module,
    argument: &'m Expr,
) -> impl Iterator<Item = (Range<usize>, String)> + 'm {
    let mut requests = Vec::new();
    argument.for_each_binding(&mut |id| {
        if let Some(BindingKind::Import { request, .. }) =
            module.facts.bindings.get(&id).map(|binding| &binding.kind)
            && !requests.contains(request)
        {
            requests.push(*request);
        }
    });
    requests.into_iter().filter_map(|request| {
        let request = &module.facts.requests[request];
        let specifier = module.source.get(range(request.span))?;
        Some((at(request.statement.start), format!("import {specifier};")))
    })
}

/// Whether some schema of the argument is, or may turn out to be, one whose validator is code. Names decide: what
/// is called `fromJsonSchema` and is not ours makes no contract in the end.
fn may_hold_validator(kind: Macro, module: &Module, argument: &Expr) -> bool {
    let ExprKind::Object(fields) = &argument.kind else { return true };
    match kind {
        Macro::Component => fields.iter().any(|field| match field {
            Member::Property { key: Key::Static { name, .. }, value }
                if name == "observations" || name == "actions" =>
            {
                match &value.kind {
                    ExprKind::Object(members) => members.iter().any(|member| match member {
                        Member::Property { value, .. } => capability_may_hold_validator(module, value),
                        _ => true,
                    }),
                    _ => true,
                }
            }
            Member::Property { key: Key::Static { .. }, .. } => false,
            _ => true,
        }),
        Macro::Procedure | Macro::External => capability_may_hold_validator(module, argument),
    }
}

fn capability_may_hold_validator(module: &Module, capability: &Expr) -> bool {
    let fields = match &capability.kind {
        ExprKind::Object(fields) => fields,
        // observationContract and actionContract return what they are given.
        ExprKind::Call { arguments, .. } => match &**arguments {
            [Argument { expr: Expr { kind: ExprKind::Object(fields), .. }, spread: false, .. }] => fields,
            _ => return true,
        },
        _ => return true,
    };
    fields.iter().any(|field| match field {
        Member::Property { key: Key::Static { name, .. }, value } if name == "input" || name == "output" => {
            !is_plain_schema(module, value)
        }
        Member::Property { key: Key::Static { .. }, .. } => false,
        _ => true,
    })
}

/// `fromJsonSchema(…)`, or `emptyObjectSchema`.
fn is_plain_schema(module: &Module, schema: &Expr) -> bool {
    match &schema.kind {
        ExprKind::Call { callee, .. } => module.facts.written_name(callee) == Some("fromJsonSchema"),
        _ => module.facts.written_name(schema) == Some("emptyObjectSchema"),
    }
}

fn at(offset: u32) -> Range<usize> {
    offset as usize..offset as usize
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}
