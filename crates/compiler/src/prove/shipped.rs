//! The closing look: what ships of a module, after every other plugin, has no macro call without its proof.

use std::rc::Rc;

use oxc_span::Span;

use super::{Prover, not_expanded, passes_a_known_name, unreadable};
use crate::evaluate::place;
use crate::evaluate::{Evaluator, Unknown, Value};
use crate::expand::Expansion;
use crate::facts::Call;
use crate::macros::Macro;
use crate::module::Module;
use crate::placeholder;

impl Prover<'_, '_> {
    /// Judges what ships of a module whose own text is in order.
    pub(super) fn judge_shipped(&mut self, written: &Rc<Module>) {
        let shipped = match self.graph.ships_as_expanded(&written.id) {
            Some(true) => return,
            Some(false) => self.graph.shipped(&written.id),
            None => None,
        };
        let shipped = match shipped {
            None => {
                self.findings.waiting += 1;
                return;
            }
            // The module left the graph.
            Some(None) => return,
            Some(Some(shipped)) => shipped,
        };
        if let Some(refusal) = &shipped.facts.refusal {
            self.findings.push(unreadable(&shipped, refusal));
            return;
        }
        let facts = &shipped.facts;
        let leading = self.reach.requests_of(self.graph, &shipped);
        let leads = |request: Option<usize>| request.is_some_and(|request| leading.contains(&request));
        for call in &facts.calls {
            if leads(facts.root_request(&call.callee)) || passes_a_known_name(&shipped, &call.callee) {
                self.judge_shipped_call(&shipped, call);
            }
        }
        for stray in &facts.strays {
            if leads(facts.root_request(&stray.subject)) || passes_a_known_name(&shipped, &stray.subject) {
                self.judge_stray(&shipped, stray);
            }
        }
        self.judge_dynamic_requests(&shipped);
    }

    fn judge_shipped_call(&mut self, shipped: &Rc<Module>, call: &Call) {
        let callee = Evaluator::new(self.graph).evaluate(shipped, &call.callee);
        let kind = match &callee.value {
            Value::Unknown(Unknown::Waiting) => {
                self.findings.waiting += 1;
                return;
            }
            Value::Ours { package, name } if &**package == "core" => Macro::named(name),
            _ => None,
        };
        if let Some(kind) = kind
            && !self.carries_proof(shipped, call)
        {
            self.findings.push(not_expanded(place(shipped, call.callee.span), kind));
        }
    }

    /// Whether a call still has the placeholders that one of the module's own declarations was given.
    fn carries_proof(&self, shipped: &Module, call: &Call) -> bool {
        let [definition, proof, ..] = &*call.arguments else { return false };
        let text =
            |span: Span| shipped.source.get(span.start as usize..span.end as usize).unwrap_or_default();
        let stands = |span: Span, name: &str| placeholder::is_expression(text(span), name);
        let is_given = |expansion: &Expansion| {
            let length = if expansion.keeps_argument { 3 } else { 2 };
            call.arguments.len() == length
                && stands(definition.span, &expansion.definition())
                && stands(proof.span, &expansion.proof())
        };
        let is_plain = !call.constructed && call.arguments.iter().all(|argument| !argument.spread);
        is_plain
            && shipped.facts.own_json.is_none()
            && self
                .graph
                .keys_of(&shipped.id)
                .iter()
                .any(|key| self.expansions.get(key).is_some_and(|expansions| expansions.iter().any(is_given)))
    }
}
