//! A map for the browser: a sorted vector. Most of ours are short, or grow at their end, and a B-tree for each type of key
//! is ten times the code.

use std::borrow::Borrow;

/// A map in the order of its keys.
#[derive(Debug)]
pub(crate) struct SortedMap<K, V> {
    /// Apart from the values, so that one search serves all maps with keys of a type.
    keys: Vec<K>,
    values: Vec<V>,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self { keys: Vec::new(), values: Vec::new() }
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.values.get(position(&self.keys, key).ok()?)
    }

    pub(crate) fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.values.get_mut(position(&self.keys, key).ok()?)
    }

    pub(crate) fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        position(&self.keys, key).is_ok()
    }

    /// Sets the value of `key`, whatever it was.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        match position(&self.keys, &key) {
            Ok(at) => self.values[at] = value,
            Err(at) => self.insert_at(at, key, value),
        }
    }

    pub(crate) fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = position(&self.keys, key).ok()?;
        self.keys.remove(at);
        Some(self.values.remove(at))
    }

    /// The value of `key`, which is the default where there was none.
    pub(crate) fn entry(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let at = match position(&self.keys, &key) {
            Ok(at) => at,
            Err(at) => {
                self.insert_at(at, key, V::default());
                at
            }
        };
        &mut self.values[at]
    }

    pub(crate) fn first(&self) -> Option<&K> {
        self.keys.first()
    }

    pub(crate) fn remove_first(&mut self) -> Option<K> {
        if self.is_empty() {
            return None;
        }
        self.values.remove(0);
        Some(self.keys.remove(0))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.keys.iter().zip(&self.values)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.values.iter()
    }

    fn insert_at(&mut self, at: usize, key: K, value: V) {
        self.keys.insert(at, key);
        self.values.insert(at, value);
    }
}

/// Where `key` stands, or would stand.
fn position<K: Borrow<Q>, Q: Ord + ?Sized>(keys: &[K], key: &Q) -> Result<usize, usize> {
    // What is new has the largest key in most of the maps.
    if keys.last().is_some_and(|last| last.borrow() < key) {
        return Err(keys.len());
    }
    keys.binary_search_by(|candidate| candidate.borrow().cmp(key))
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
