//! Objects, kept in canonical order.

use std::fmt;

use crate::{Json, cmp_utf16};

/// A JSON object: its members in UTF-16 code unit order of their keys, each key once.
///
/// Insertion order is not kept: the contract format has none, and keeping the canonical order makes equality,
/// lookup (binary search) and printing the plain thing.
#[derive(Clone, Default, PartialEq)]
pub struct Object {
    members: Vec<(String, Json)>,
}

impl Object {
    /// An object without members.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The value of `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.position(key).ok().map(|at| &self.members[at].1)
    }

    /// The value of `key`, to change in place.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        self.position(key).ok().map(|at| &mut self.members[at].1)
    }

    /// Whether `key` has a value.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.position(key).is_ok()
    }

    /// Sets `key`, and returns the value it replaces.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<Json>) -> Option<Json> {
        let (key, value) = (key.into(), value.into());
        match self.position(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.members[at].1, value)),
            Err(at) => {
                self.members.insert(at, (key, value));
                None
            }
        }
    }

    /// Removes `key`, and returns its value.
    pub fn remove(&mut self, key: &str) -> Option<Json> {
        self.position(key).ok().map(|at| self.members.remove(at).1)
    }

    /// The members in canonical order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Json)> {
        self.members.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// The keys in canonical order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &str> {
        self.members.iter().map(|(key, _)| key.as_str())
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Json> {
        self.members.iter().map(|(_, value)| value)
    }

    /// Sorts members that arrived in any order. The error is the index, as given, of the first key that had
    /// come before.
    pub(crate) fn from_members(members: Vec<(String, Json)>) -> Result<Self, usize> {
        // What was printed canonically is in order already.
        if members.is_sorted_by(|(a, _), (b, _)| cmp_utf16(a, b).is_lt()) {
            return Ok(Self { members });
        }
        let mut indexed: Vec<_> = members.into_iter().enumerate().collect();
        indexed.sort_by(|(_, (a, _)), (_, (b, _))| cmp_utf16(a, b));
        let repeated = |pair: &[(usize, (String, Json))]| (pair[0].1.0 == pair[1].1.0).then_some(pair[1].0);
        match indexed.windows(2).filter_map(repeated).min() {
            Some(index) => Err(index),
            None => Ok(Self { members: indexed.into_iter().map(|(_, member)| member).collect() }),
        }
    }

    fn position(&self, key: &str) -> Result<usize, usize> {
        self.members.binary_search_by(|(candidate, _)| cmp_utf16(candidate, key))
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Later members replace earlier ones of the same key, as in an object literal.
impl<K: Into<String>, V: Into<Json>> FromIterator<(K, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Self {
        let mut object = Self::new();
        for (key, value) in members {
            object.insert(key, value);
        }
        object
    }
}

impl IntoIterator for Object {
    type Item = (String, Json);
    type IntoIter = std::vec::IntoIter<(String, Json)>;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_stand_in_utf16_order_however_they_came() {
        let keys = ["\u{FB33}", "z", "\u{1F600}", "", "10", "9"];
        let inserted: Object = keys.map(|key| (key, 0)).into_iter().collect();
        let collected = Object::from_members(keys.map(|key| (key.to_owned(), Json::from(0))).into()).unwrap();
        assert_eq!(inserted.keys().collect::<Vec<_>>(), ["", "10", "9", "z", "\u{1F600}", "\u{FB33}"]);
        assert_eq!(inserted, collected);
    }

    #[test]
    fn a_later_value_replaces_an_earlier_one() {
        let mut object: Object = [("a", 1), ("b", 2), ("a", 3)].into_iter().collect();
        assert_eq!(object.get("a"), Some(&Json::from(3)));
        assert_eq!(object.insert("b", 4), Some(Json::from(2)));
        assert_eq!(object.len(), 2);
    }

    #[test]
    fn what_is_removed_is_gone_and_the_rest_is_still_found() {
        let mut object: Object = [("a", 1), ("b", 2), ("c", 3)].into_iter().collect();
        assert_eq!(object.remove("b"), Some(Json::from(2)));
        assert_eq!(object.remove("b"), None);
        assert!(!object.contains_key("b"));
        *object.get_mut("c").unwrap() = Json::Null;
        assert_eq!(
            object.into_iter().collect::<Vec<_>>(),
            [("a".to_owned(), Json::from(1)), ("c".to_owned(), Json::Null)]
        );
    }
}
