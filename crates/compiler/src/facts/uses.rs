//! What a module does with a value beyond passing it on under a name: the difference between a contract that is
//! bound somewhere and one that is only handed around.

use std::collections::BTreeSet;

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, VariableDeclarationKind};
use oxc_semantic::{NodeId, SymbolId};
use rustc_hash::FxHashSet;

use super::BindingId;
use super::climb::{climb, is_value_reference};
use super::lower::{Lowerer, binding_id};

/// What is used of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Use {
    /// Nothing: it is passed on, or not even that.
    #[default]
    Nothing,
    /// Members with these names.
    Members(BTreeSet<String>),
    /// The value itself, or a member that has no name.
    Whole,
}

/// What becomes of a declared constant in its own module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fate {
    /// Whether the module does anything with it but pass it on.
    pub(crate) used: bool,
    /// The names it goes by in the module: its own, and those of its aliases.
    pub(crate) names: Vec<BindingId>,
    /// Whether it is what `export default` names.
    pub(crate) is_default: bool,
}

impl Use {
    /// Whether anything is done with `name` of a module whose namespace this is the use of.
    pub(crate) fn reaches(&self, name: &str) -> bool {
        match self {
            Self::Nothing => false,
            Self::Members(names) => names.contains(name),
            Self::Whole => true,
        }
    }

    /// Whether anything is done with it at all.
    pub(crate) fn is_anything(&self) -> bool {
        *self != Self::Nothing
    }

    /// Adds the use of a member, or of the whole where it has no name.
    pub(super) fn add(&mut self, member: Option<&str>) {
        match (&mut *self, member) {
            (Self::Whole, _) => {}
            (_, None) => *self = Self::Whole,
            (Self::Members(names), Some(name)) => drop(names.insert(name.to_owned())),
            (Self::Nothing, Some(name)) => *self = Self::Members(BTreeSet::from([name.to_owned()])),
        }
    }
}

/// What one reference does.
enum Step {
    /// It exports the name.
    Export,
    ExportDefault,
    /// It is all that another constant is.
    Alias(SymbolId),
    /// Anything else.
    Use,
}

/// What becomes of a constant that is declared at the top of the module.
pub(super) fn fate(lowerer: &Lowerer<'_, '_>, symbol: SymbolId) -> Fate {
    let mut fate = Fate::default();
    let mut seen = FxHashSet::from_iter([symbol]);
    let mut names = vec![symbol];
    while let Some(name) = names.pop() {
        fate.names.push(binding_id(name));
        for reference in
            lowerer.semantic.symbol_references(name).filter(|reference| is_value_reference(reference))
        {
            match step(lowerer, reference.node_id()) {
                Step::Export => {}
                Step::ExportDefault => fate.is_default = true,
                Step::Alias(alias) if seen.insert(alias) => names.push(alias),
                Step::Alias(_) => {}
                Step::Use => fate.used = true,
            }
        }
    }
    fate
}

fn step(lowerer: &Lowerer<'_, '_>, reference: NodeId) -> Step {
    let nodes = lowerer.nodes();
    let mut is_member = false;
    let top = climb(nodes, reference, |_| is_member = true);
    if is_member {
        return Step::Use;
    }
    match nodes.parent_kind(top) {
        AstKind::ExportSpecifier(_) => Step::Export,
        AstKind::ExportDefaultDeclaration(_) => Step::ExportDefault,
        AstKind::VariableDeclarator(declarator) => match &declarator.id {
            BindingPattern::BindingIdentifier(name) if is_constant(lowerer, declarator.node_id.get()) => {
                name.symbol_id.get().map_or(Step::Use, Step::Alias)
            }
            _ => Step::Use,
        },
        _ => Step::Use,
    }
}

/// Whether a declarator declares a `const`.
pub(super) fn is_constant(lowerer: &Lowerer<'_, '_>, declarator: NodeId) -> bool {
    matches!(lowerer.nodes().parent_kind(declarator),
        AstKind::VariableDeclaration(declaration) if declaration.kind == VariableDeclarationKind::Const)
}
