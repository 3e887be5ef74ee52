//! Policies and tags: what a capability carries of its own and from its component.

use agent_surface_json::{Json, Object, cmp_utf16, push_canonical_string};
use agent_surface_words::words;

use crate::{
    ShapeError,
    format::field,
    shape::{self, Members},
};

words! {
    /// The part of an invocation in which a policy has its say.
    pub enum Phase {
        /// Whether the capability is shown at all.
        Discovery = "discovery",
        /// Whether this consumer may use it.
        Authorize = "authorize",
        /// Around the invocation itself.
        Invoke = "invoke",
    }
}

/// A policy that must guard a capability at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyAttachment {
    /// The policy's name.
    pub name: String,
    /// The phase it must implement; any, when absent.
    pub phase: Option<Phase>,
}

impl PolicyAttachment {
    /// Reads `{ name, phase? }`.
    ///
    /// # Errors
    /// A missing, unknown or wrongly typed member.
    pub fn from_json(value: Json) -> Result<Self, ShapeError> {
        shape::read(value, Self::read)
    }

    /// The JSON form; an absent phase is absent.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut object = Object::new();
        object.insert(field::NAME, self.name.as_str());
        if let Some(phase) = self.phase {
            object.insert(field::PHASE, phase.as_str());
        }
        object.into()
    }

    pub(crate) fn read(members: &mut Members<'_>) -> Self {
        Self {
            name: members.required(field::NAME).text(),
            phase: members.optional(field::PHASE).map(|phase| phase.word()),
        }
    }

    pub(crate) fn push_canonical(&self, out: &mut String) {
        out.push_str("{\"name\":");
        push_canonical_string(&self.name, out);
        if let Some(phase) = self.phase {
            out.push_str(",\"phase\":\"");
            out.push_str(phase.as_str());
            out.push('"');
        }
        out.push('}');
    }
}

/// The policies of a capability of a component: the component's and its own, each once, ordered by their
/// canonical JSON; `None` when there are none.
///
/// Only component contracts inherit: those of procedures and external tools stay as their author wrote them.
#[must_use]
pub fn inherit_policies(
    component: &[PolicyAttachment],
    capability: &[PolicyAttachment],
) -> Option<Vec<PolicyAttachment>> {
    inherit(component, capability, PolicyAttachment::push_canonical)
}

/// The tags of a capability of a component, merged as [`inherit_policies`] merges policies.
#[must_use]
pub fn inherit_tags(component: &[String], capability: &[String]) -> Option<Vec<String>> {
    inherit(component, capability, |tag, out| push_canonical_string(tag, out))
}

fn inherit<T: Clone>(
    component: &[T],
    capability: &[T],
    push_canonical: impl Fn(&T, &mut String),
) -> Option<Vec<T>> {
    let mut keyed: Vec<(String, &T)> = component
        .iter()
        .chain(capability)
        .map(|value| {
            let mut key = String::new();
            push_canonical(value, &mut key);
            (key, value)
        })
        .collect();
    keyed.sort_by(|(a, _), (b, _)| cmp_utf16(a, b));
    keyed.dedup_by(|(a, _), (b, _)| a == b);
    (!keyed.is_empty()).then(|| keyed.into_iter().map(|(_, value)| value.clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(name: &str, phase: Option<Phase>) -> PolicyAttachment {
        PolicyAttachment { name: name.into(), phase }
    }

    fn tags<const N: usize>(tags: [&str; N]) -> Vec<String> {
        tags.map(String::from).into()
    }

    #[test]
    fn a_capability_inherits_its_components_policies_each_once() {
        let component = [policy("tenant", None), policy("audit", Some(Phase::Invoke))];
        let own = [policy("tenant", None), policy("admin", Some(Phase::Authorize))];
        let merged = inherit_policies(&component, &own).unwrap();
        assert_eq!(
            merged,
            [
                policy("admin", Some(Phase::Authorize)),
                policy("audit", Some(Phase::Invoke)),
                policy("tenant", None)
            ]
        );
    }

    #[test]
    fn one_policy_at_two_phases_is_two_attachments() {
        let merged = inherit_policies(
            &[policy("tenant", Some(Phase::Invoke))],
            &[policy("tenant", None), policy("tenant", Some(Phase::Discovery))],
        );
        // By canonical JSON: `,` sorts before `}`.
        let order = [Some(Phase::Discovery), Some(Phase::Invoke), None];
        assert_eq!(merged.unwrap(), order.map(|phase| policy("tenant", phase)));
    }

    #[test]
    fn tags_are_ordered_by_utf16_code_unit() {
        let merged = inherit_tags(&tags(["\u{FB33}", "z"]), &tags(["\u{1F600}", "B", "a", "z"]));
        assert_eq!(merged.unwrap(), ["B", "a", "z", "\u{1F600}", "\u{FB33}"]);
    }

    #[test]
    fn nothing_inherited_and_nothing_declared_is_absent() {
        assert_eq!(inherit_policies(&[], &[]), None);
        assert_eq!(inherit_tags(&[], &[]), None);
    }

    #[test]
    fn both_printings_of_an_attachment_agree() {
        for phase in [None, Some(Phase::Authorize)] {
            let policy = policy("a \"quoted\" name", phase);
            let mut printed = String::new();
            policy.push_canonical(&mut printed);
            assert_eq!(printed, policy.to_json().to_canonical());
            assert_eq!(PolicyAttachment::from_json(policy.to_json()), Ok(policy));
        }
    }
}
