//! A text that the host handed over, and what was read in it.

use crate::module::{Module, Reading};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// A text. It is read once, however often it is looked at.
#[derive(Debug)]
pub(crate) struct Text {
    text: Rc<str>,
    hash: OnceCell<blake3::Hash>,
    readings: RefCell<Vec<(Reading, Rc<Module>)>>,
}

impl Text {
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.into(), hash: OnceCell::new(), readings: RefCell::default() }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn shared(&self) -> &Rc<str> {
        &self.text
    }

    pub(crate) fn hash(&self) -> blake3::Hash {
        *self.hash.get_or_init(|| blake3::hash(self.text.as_bytes()))
    }

    /// The module that a reading makes of the text, if it has been read so, or read more closely.
    pub(crate) fn known_reading(&self, reading: Reading) -> Option<Rc<Module>> {
        let readings = self.readings.borrow();
        let found = readings.iter().find(|(known, _)| known.covers(reading));
        found.map(|(_, module)| Rc::clone(module))
    }

    /// The module that a reading makes of the text.
    pub(crate) fn read(&self, reading: Reading, read: impl FnOnce() -> Rc<Module>) -> Rc<Module> {
        self.known_reading(reading).unwrap_or_else(|| {
            let module = read();
            self.readings.borrow_mut().push((reading, Rc::clone(&module)));
            module
        })
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}
