//! What the host has said, and whether it still holds: what was derived from an answer is good for as long as the
//! answer is.

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::message::Question;

/// Something that a result rests on. It gives way when the host, or the session, says otherwise.
#[derive(Clone, Debug)]
pub(crate) struct Ground(Rc<Footing>);

#[derive(Debug)]
struct Footing {
    state: Cell<State>,
    /// What to ask the host to know whether it holds; none where the session knows.
    question: Option<Question>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Holds,
    /// The host must say it again.
    Doubtful,
    /// The host is asked, and if it says something else this stays as it is.
    Asked,
    Gone,
}

impl Ground {
    /// Ground that holds until the session takes it away.
    pub(crate) fn new() -> Self {
        Self::with(None)
    }

    fn with(question: Option<Question>) -> Self {
        Self(Rc::new(Footing { state: Cell::new(State::Holds), question }))
    }

    /// Whether it holds now.
    pub(crate) fn holds(&self) -> bool {
        self.0.state.get() == State::Holds
    }

    /// What to ask the host, where nobody has asked yet whether it still holds.
    pub(crate) fn ask_again(&self) -> Option<&Question> {
        let question = self.0.question.as_ref().filter(|_| self.0.state.get() == State::Doubtful)?;
        self.set(State::Asked);
        Some(question)
    }

    fn set(&self, state: State) {
        self.0.state.set(state);
    }

    /// Takes it away for good.
    pub(crate) fn give_way(self) {
        self.set(State::Gone);
    }

    /// Tells two grounds apart.
    fn address(&self) -> *const Footing {
        Rc::as_ptr(&self.0)
    }
}

/// Sorts grounds, each once.
pub(crate) fn distinct(mut grounds: Vec<Ground>) -> Vec<Ground> {
    grounds.sort_unstable_by_key(Ground::address);
    grounds.dedup_by_key(|ground| ground.address());
    grounds
}

/// The host's answers to one kind of question, by what was asked about.
///
/// Between two builds answers are not thrown away but doubted. One that the host then repeats gives everything that
/// rests on it its ground back; one that it does not repeat is dropped at the next doubt.
#[derive(Debug)]
pub(crate) struct Answers<V> {
    told: FxHashMap<String, Told<V>>,
}

#[derive(Debug)]
struct Told<V> {
    value: V,
    ground: Ground,
}

impl<V> Default for Answers<V> {
    fn default() -> Self {
        Self { told: FxHashMap::default() }
    }
}

impl<V: PartialEq> Answers<V> {
    /// Takes the answer to a question about something.
    pub(crate) fn learn(&mut self, about: String, question: Question, value: V) {
        match self.told.get(&about) {
            Some(told) if told.value == value => told.ground.set(State::Holds),
            _ => {
                let ground = Ground::with(Some(question));
                if let Some(old) = self.told.insert(about, Told { value, ground }) {
                    old.ground.give_way();
                }
            }
        }
    }

    /// An answer and the ground that it is.
    pub(crate) fn get(&self, about: &str) -> Option<(&V, &Ground)> {
        let told = self.told.get(about)?;
        told.ground.holds().then_some((&told.value, &told.ground))
    }

    /// Doubts every answer.
    pub(crate) fn doubt(&mut self) {
        self.doubt_where(|_, _| true);
    }

    /// Doubts some answers, by what was asked about and what was said.
    pub(crate) fn doubt_where(&mut self, is_doubtful: impl Fn(&str, &V) -> bool) {
        self.told.retain(|about, told| {
            if !is_doubtful(about, &told.value) {
                return true;
            }
            let was_repeated = told.ground.holds();
            told.ground.set(if was_repeated { State::Doubtful } else { State::Gone });
            was_repeated
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.told.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Question {
        Question::Code { id: "a".to_owned() }
    }

    /// One answer and a copy of its ground.
    fn told() -> (Answers<u8>, Ground) {
        let mut answers = Answers::default();
        answers.learn("a".to_owned(), question(), 1);
        let ground = answers.get("a").unwrap().1.clone();
        (answers, ground)
    }

    #[test]
    fn an_answer_that_is_repeated_gives_its_ground_back() {
        let (mut answers, ground) = told();
        assert_eq!(ground.ask_again(), None);
        answers.doubt();
        assert!(!ground.holds());
        assert!(answers.get("a").is_none());
        assert_eq!(ground.ask_again(), Some(&question()));
        assert_eq!(ground.ask_again(), None);
        answers.learn("a".to_owned(), question(), 1);
        assert!(ground.holds());
    }

    #[test]
    fn another_answer_takes_the_ground_away_for_good() {
        let (mut answers, ground) = told();
        answers.learn("a".to_owned(), question(), 2);
        assert!(!ground.holds());
        answers.learn("a".to_owned(), question(), 1);
        assert!(!ground.holds());
        assert!(answers.get("a").unwrap().1.holds());
    }

    #[test]
    fn an_answer_that_two_builds_have_no_use_for_is_dropped() {
        let (mut answers, ground) = told();
        answers.doubt();
        answers.doubt();
        assert!(answers.is_empty());
        assert_eq!(ground.ask_again(), None);
        answers.learn("a".to_owned(), question(), 1);
        assert!(!ground.holds());
    }

    #[test]
    fn an_answer_that_nobody_doubts_goes_on_holding() {
        let (mut answers, ground) = told();
        answers.learn("b".to_owned(), question(), 2);
        answers.doubt_where(|about, _| about == "b");
        assert!(ground.holds());
        assert!(answers.get("b").is_none());
    }

    #[test]
    fn grounds_are_told_apart_by_what_they_are_and_not_by_how_they_stand() {
        let (first, second) = (Ground::new(), Ground::new());
        assert_eq!(distinct(vec![first.clone(), second.clone(), first]).len(), 2);
        assert!(second.holds());
    }
}
