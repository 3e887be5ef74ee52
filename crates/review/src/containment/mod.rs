//! Whether every value that one schema accepts is accepted by another, for the contract format's subset.
//!
//! The answer is *shown* or *not shown*, and never a guess. What is shown is a proof, so that a change called
//! narrowing or neutral lets no new value through; what is not shown may still hold.
//!
//! Both schemas become a list of **branches**: `$ref` and `anyOf` are multiplied out, so that a branch is a
//! conjunction of plain keywords. The inner schema lies within the outer one if each of its branches does. A branch
//! with finitely many values is decided by validating each of them; any other lies within the outer schema if, for
//! every type of value it has, some branch of the outer schema asks for nothing that it does not guarantee.
//!
//! Members and items are such questions again. A recursive schema leads back to a question that is being asked; it
//! is then taken to hold. That is induction over the value: every step down looks at a smaller part of it, since the
//! subset has no reference that leads back to itself without one.

mod bounds;
mod branch;

use agent_surface_json::{Json, Object};
use agent_surface_schema::NativePatterns;

use branch::{Branch, Kind, Member, Rooted, expand};

/// How many branches may be compared before nothing is shown. Contracts take some dozens.
const MAX_STEPS: usize = 20_000;

/// Whether it is shown that every value of `inner` is one of `outer`. Both lie inside the subset.
pub(crate) fn is_within(inner: &Json, outer: &Json, patterns: &NativePatterns) -> bool {
    let mut proof = Proof { patterns, open: Vec::new(), steps: MAX_STEPS };
    proof.within(&[Rooted::whole(inner)], Rooted::whole(outer))
}

/// A question: the places of the inner schemas, all of which hold, and that of the outer one.
type Question = (Vec<*const Json>, *const Json);

struct Proof<'p> {
    patterns: &'p NativePatterns,
    /// The questions that are being asked, outermost first.
    open: Vec<Question>,
    /// How many steps are left.
    steps: usize,
}

impl Proof<'_> {
    /// Whether every value that all of `inner` accept is one of `outer`.
    fn within(&mut self, inner: &[Rooted<'_>], outer: Rooted<'_>) -> bool {
        let place = |rooted: &Rooted<'_>| std::ptr::from_ref(rooted.schema);
        let question = (inner.iter().map(place).collect(), place(&outer));
        if self.open.contains(&question) {
            return true;
        }
        let (Some(branches), Some(outer_branches)) = (expand(inner), expand(&[outer])) else { return false };
        self.open.push(question);
        let shown = branches.iter().all(|branch| self.branch_within(branch, outer, &outer_branches));
        self.open.pop();
        shown
    }

    fn branch_within(
        &mut self,
        branch: &Branch<'_>,
        outer: Rooted<'_>,
        outer_branches: &[Branch<'_>],
    ) -> bool {
        if let Some(values) = branch.listed_values() {
            return self.values_within(branch, values, outer);
        }
        branch.kinds().all(|kind| match kind {
            Kind::Null => self.values_within(branch, &[Json::Null], outer),
            Kind::Boolean => self.values_within(branch, &[false.into(), true.into()], outer),
            _ => outer_branches.iter().any(|outer| self.guarantees(branch, outer, kind)),
        })
    }

    /// Whether each of these values that the branch has is one of `outer`.
    fn values_within(&self, branch: &Branch<'_>, values: &[Json], outer: Rooted<'_>) -> bool {
        let is_inner = |value: &&Json| branch.schemas().all(|schema| schema.accepts(value, self.patterns));
        values.iter().filter(is_inner).all(|value| outer.accepts(value, self.patterns))
    }

    /// Whether values of this kind in `branch` meet all that `outer` asks for.
    fn guarantees(&mut self, branch: &Branch<'_>, outer: &Branch<'_>, kind: Kind) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        outer.kinds().any(|outer| outer == kind)
            // A list of values can't be met by a branch that has none.
            && outer.listed_values().is_none()
            && match kind {
                Kind::Null | Kind::Boolean => true,
                Kind::Number => {
                    (branch.integers() || !outer.integers()) && bounds::numbers_within(branch, outer, self.patterns)
                }
                Kind::String => bounds::lengths_within(branch, outer) && bounds::forms_within(branch, outer),
                Kind::Array => self.arrays_within(branch, outer),
                Kind::Object => self.objects_within(branch, outer),
            }
    }

    fn arrays_within(&mut self, branch: &Branch<'_>, outer: &Branch<'_>) -> bool {
        if !bounds::counts_within(branch, outer) {
            return false;
        }
        if bounds::is_always_empty(branch) {
            return true;
        }
        let items = branch.items();
        outer.items().into_iter().all(|item| self.within(&items, item))
    }

    fn objects_within(&mut self, branch: &Branch<'_>, outer: &Branch<'_>) -> bool {
        outer.required().all(|name| branch.required().any(|guaranteed| guaranteed == name))
            && outer.closed_names().all(|names| is_closed_within(branch, names))
            && outer.properties().all(|(name, schema)| match branch.member(name) {
                Member::Forbidden => true,
                Member::Allowed(schemas) => self.within(&schemas, schema),
            })
    }
}

/// Whether no object of the branch has a member beyond these; `None` where no member may stand at all.
fn is_closed_within(branch: &Branch<'_>, names: Option<&Object>) -> bool {
    let has = |names: Option<&Object>, name: &str| names.is_some_and(|names| names.contains_key(name));
    branch.allowed_names().is_some_and(|allowed| allowed.into_iter().all(|name| has(names, name)))
}
