//! What was judged before. A judgement holds for as long as everything that it was made from, so a round of answers
//! costs the judging of what waited for them, and a rebuild that of what it changed.

use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Proven;
use super::reach::AllPassed;
use crate::answers::Ground;
use crate::expand::Expansion;
use crate::graph::View;
use crate::problem::Problem;

/// The judgements of all views.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    views: FxHashMap<View, Judged>,
}

/// The judgements of one view.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// Of modules, by id.
    pub(super) modules: Table<(Subject, String), Premise, Rc<Judgement>>,
    /// Whether anything binds what a call declares: by the module's id and which of its calls.
    pub(super) bound: Table<(String, usize), blake3::Hash, bool>,
    /// What modules passed on when they were last explored, and how often that has changed.
    passed: (AllPassed, u64),
    /// What the exploring rested on.
    pub(super) explored: Vec<Ground>,
}

/// Which text of a module is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Subject {
    /// Its own.
    Own,
    /// What other plugins made of it.
    Altered,
}

/// What a judgement of a module was made from, besides what the graph says.
#[derive(Debug, PartialEq)]
pub(super) struct Premise {
    /// Of the text that was judged; none for one that the graph has to find.
    pub(super) text: Option<blake3::Hash>,
    pub(super) expansions: Vec<Expansion>,
    pub(super) is_reader: bool,
    pub(super) is_macro_reader: bool,
    /// Which state of [`Judged::passed`].
    pub(super) passed: u64,
}

/// What there was to say of a module.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    pub(super) problems: Vec<Problem>,
    pub(super) proven: Vec<Rc<Proven>>,
}

impl Memo {
    pub(super) fn of(&mut self, view: View) -> &mut Judged {
        self.views.entry(view).or_default()
    }
}

impl Judged {
    /// A number for what modules pass on now: the same as the last time if that is the same.
    pub(super) fn count_passed(&mut self, passed: &AllPassed) -> u64 {
        let (known, count) = &mut self.passed;
        if known != passed {
            known.clone_from(passed);
            *count += 1;
        }
        *count
    }

    /// Everything that the judgements rest on.
    pub(super) fn grounds(&self) -> impl Iterator<Item = &Ground> {
        self.explored.iter().chain(self.modules.grounds()).chain(self.bound.grounds())
    }

    /// Whether a judgement of a module still holds.
    pub(super) fn holds(&self, about: &(Subject, String), premise: &Premise) -> bool {
        self.modules.results.get(about).is_some_and(|known| known.holds(premise))
    }

    /// Drops what the last pass had no use for.
    pub(super) fn forget_unused(&mut self) {
        self.modules.forget_unused();
        self.bound.forget_unused();
    }
}

/// Results by what they are about, each with what it was made from.
#[derive(Debug)]
pub(super) struct Table<K, P, V> {
    results: FxHashMap<K, Remembered<P, V>>,
}

#[derive(Debug)]
struct Remembered<P, V> {
    value: V,
    premise: P,
    grounds: Vec<Ground>,
    is_used: bool,
}

impl<P: PartialEq, V> Remembered<P, V> {
    fn holds(&self, premise: &P) -> bool {
        self.premise == *premise && self.grounds.iter().all(Ground::holds)
    }
}

impl<K, P, V> Default for Table<K, P, V> {
    fn default() -> Self {
        Self { results: FxHashMap::default() }
    }
}

impl<K: Eq + Hash, P: PartialEq, V: Clone> Table<K, P, V> {
    /// A result that still holds.
    pub(super) fn recall(&mut self, about: &K, premise: &P) -> Option<V> {
        let known = self.results.get_mut(about)?;
        let holds = known.holds(premise);
        known.is_used |= holds;
        holds.then(|| known.value.clone())
    }

    /// Keeps a result.
    pub(super) fn keep(&mut self, about: K, premise: P, grounds: Vec<Ground>, value: V) {
        self.results.insert(about, Remembered { value, premise, grounds, is_used: true });
    }

    fn grounds(&self) -> impl Iterator<Item = &Ground> {
        self.results.values().flat_map(|result| &result.grounds)
    }

    fn forget_unused(&mut self) {
        self.results.retain(|_, result| std::mem::take(&mut result.is_used));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_holds_while_its_premise_and_its_grounds_do() {
        let ground = Ground::new();
        let mut table = Table::default();
        table.keep("a", 1, vec![Ground::new(), ground.clone()], "result");
        assert_eq!(table.recall(&"a", &1), Some("result"));
        assert_eq!(table.recall(&"a", &2), None);
        assert_eq!(table.recall(&"b", &1), None);
        ground.give_way();
        assert_eq!(table.recall(&"a", &1), None);
    }

    #[test]
    fn a_result_that_a_pass_has_no_use_for_is_forgotten_after_it() {
        let mut table = Table::default();
        table.keep("a", 1, Vec::new(), "result");
        table.forget_unused();
        assert_eq!(table.recall(&"a", &1), Some("result"));
        table.forget_unused();
        table.forget_unused();
        assert_eq!(table.recall(&"a", &1), None);
    }

    #[test]
    fn what_is_passed_on_is_counted_by_its_changes() {
        let mut judged = Judged::default();
        let some = AllPassed::from([("/app/a.ts".to_owned(), std::collections::BTreeMap::new())]);
        assert_eq!(judged.count_passed(&AllPassed::new()), 0);
        assert_eq!(judged.count_passed(&some), 1);
        assert_eq!(judged.count_passed(&some), 1);
        assert_eq!(judged.count_passed(&AllPassed::new()), 2);
    }
}
