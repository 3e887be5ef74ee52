//! A conversation with a session.

use std::collections::BTreeSet;
use std::fmt;

use agent_surface_compiler::{Close, Output, Proof, Question, Report, Session, Transform};

use crate::{Bundle, answer};

/// A session that goes round in circles: it waits for nothing, or for what it was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken(String);

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A conversation with one session. Nothing is asked twice in it, so it comes to an end.
#[derive(Default)]
pub struct Talk {
    asked: BTreeSet<Question>,
    /// Answers questions of a round in the opposite order.
    reversed: bool,
}

impl Talk {
    /// A conversation in which nothing was said yet; `reversed` answers the last question of a round first.
    #[must_use]
    pub fn new(reversed: bool) -> Self {
        Self { asked: BTreeSet::new(), reversed }
    }

    /// Hands a module over. The inner error is the session's report.
    ///
    /// # Errors
    /// The session does not decide.
    pub fn transform(
        &mut self,
        session: &mut Session,
        bundle: &impl Bundle,
        id: &str,
        source: &str,
    ) -> Result<Result<Option<Output>, Report>, Broken> {
        loop {
            match session.transform(id, source) {
                Transform::Unchanged => return Ok(Ok(None)),
                Transform::Changed(output) => return Ok(Ok(Some(output))),
                Transform::Refused(report) => return Ok(Err(report)),
                Transform::Ask(questions) => self.answer(session, bundle, questions)?,
            }
        }
    }

    /// Asks for the verdict. The inner error is the session's report.
    ///
    /// # Errors
    /// The session does not decide.
    pub fn close(
        &mut self,
        session: &mut Session,
        bundle: &impl Bundle,
    ) -> Result<Result<Proof, Report>, Broken> {
        loop {
            match session.close() {
                Close::Proven(proof) => return Ok(Ok(proof)),
                Close::Refused(report) => return Ok(Err(report)),
                Close::Ask(questions) => self.answer(session, bundle, questions)?,
            }
        }
    }

    fn answer(
        &mut self,
        session: &mut Session,
        bundle: &impl Bundle,
        mut questions: Vec<Question>,
    ) -> Result<(), Broken> {
        if questions.is_empty() {
            return Err(Broken("the session waits for nothing".to_owned()));
        }
        if self.reversed {
            questions.reverse();
        }
        for question in questions {
            if !self.asked.insert(question.clone()) {
                return Err(Broken(format!("asked twice: {question:?}")));
            }
            session.answer(answer(question, bundle));
        }
        Ok(())
    }
}
