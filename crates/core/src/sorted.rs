//! A map for the browser: a sorted vector. Most of ours are short, or grow at their end, and a B-tree for each type of key
//! is ten times the code.

use std::borrow::Borrow;

/// A map in the order of its keys.
#[derive(Debug)]
pub(crate) struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.entries = Vec::new();
    }

    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.position(key).ok().map(|at| &self.entries[at].1)
    }

    pub(crate) fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.position(key).ok().map(|at| &mut self.entries[at].1)
    }

    pub(crate) fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.position(key).is_ok()
    }

    /// Sets the value of `key`, whatever it was.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        match self.position(&key) {
            Ok(at) => self.entries[at].1 = value,
            Err(at) => self.entries.insert(at, (key, value)),
        }
    }

    pub(crate) fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.position(key).ok().map(|at| self.entries.remove(at).1)
    }

    /// The value of `key`, which is the default where there was none.
    pub(crate) fn entry(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let at = match self.position(&key) {
            Ok(at) => at,
            Err(at) => {
                self.entries.insert(at, (key, V::default()));
                at
            }
        };
        &mut self.entries[at].1
    }

    pub(crate) fn first(&self) -> Option<&K> {
        self.entries.first().map(|(key, _)| key)
    }

    pub(crate) fn remove_first(&mut self) -> Option<K> {
        (!self.entries.is_empty()).then(|| self.entries.remove(0).0)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
    }

    fn position<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        // What is new has the largest key in most of the maps.
        if self.entries.last().is_some_and(|(last, _)| last.borrow() < key) {
            return Err(self.entries.len());
        }
        self.entries.binary_search_by(|(candidate, _)| candidate.borrow().cmp(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_inserted_in_any_order_is_found_and_stands_in_order() {
        let mut map = SortedMap::default();
        for key in ["c", "a", "d", "b", "a"] {
            map.insert(key.to_owned(), key.len());
        }
        *map.entry("b".to_owned()) += 5;
        *map.entry("e".to_owned()) += 7;
        assert_eq!((map.len(), map.get("b"), map.get("e"), map.get("x")), (5, Some(&6), Some(&7), None));
        assert_eq!(map.iter().map(|(key, _)| key.as_str()).collect::<String>(), "abcde");
        assert_eq!((map.remove("c"), map.remove("c")), (Some(1), None));
        assert_eq!(map.remove_first().as_deref(), Some("a"));
        assert_eq!(map.first().map(String::as_str), Some("b"));
        map.clear();
        assert!(map.is_empty() && map.remove_first().is_none());
    }
}
