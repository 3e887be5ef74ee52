//! Scopes: which part of a surface a consumer asks for. They narrow what is discovered, and grant nothing.

/// Prefixes of component types. Without one, everything is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope(pub Vec<String>);

/// What is left of a requested scope under a floor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrowed {
    /// What may be discovered; `None` where the floor admits nothing of what was asked for.
    pub scope: Option<Scope>,
    /// The prefixes that the floor refuses, each once, as they were asked for.
    pub rejected: Vec<String>,
}

impl Scope {
    /// Whether a component type, or a path, lies inside.
    #[must_use]
    pub fn includes(&self, name: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|prefix| is_inside(name, prefix))
    }

    /// What is left of `requested` under this floor: the narrower of every two prefixes that overlap.
    ///
    /// To ask for nothing in particular is to ask for the floor.
    #[must_use]
    pub fn narrow(&self, requested: &Self) -> Narrowed {
        if requested.0.is_empty() {
            return Narrowed { scope: Some(self.clone()), rejected: Vec::new() };
        }
        if self.0.is_empty() {
            return Narrowed { scope: Some(requested.clone()), rejected: Vec::new() };
        }
        let (mut scope, mut rejected) = (Vec::new(), Vec::new());
        for asked in &requested.0 {
            let admitted: Vec<&String> = self
                .0
                .iter()
                .filter_map(|floor| {
                    if is_inside(asked, floor) {
                        Some(asked)
                    } else {
                        is_inside(floor, asked).then_some(floor)
                    }
                })
                .collect();
            if admitted.is_empty() {
                push_once(&mut rejected, asked);
            }
            for prefix in admitted {
                push_once(&mut scope, prefix);
            }
        }
        Narrowed { scope: (!scope.is_empty()).then_some(Self(scope)), rejected }
    }
}

fn is_inside(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn push_once(list: &mut Vec<String>, text: &String) {
    if !list.contains(text) {
        list.push(text.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(prefixes: &[&str]) -> Scope {
        Scope(prefixes.iter().map(|prefix| (*prefix).to_owned()).collect())
    }

    fn narrow(floor: &[&str], requested: &[&str]) -> (Option<Vec<String>>, Vec<String>) {
        let narrowed = scope(floor).narrow(&scope(requested));
        (narrowed.scope.map(|scope| scope.0), narrowed.rejected)
    }

    #[test]
    fn a_prefix_ends_at_a_dot() {
        let devices = scope(&["devices", "app.menu"]);
        for (name, inside) in [
            ("devices", true),
            ("devices.table", true),
            ("devices2", false),
            ("app", false),
            ("app.menu.item", true),
        ] {
            assert_eq!(devices.includes(name), inside, "{name}");
        }
        assert!(scope(&[]).includes("anything"));
    }

    #[test]
    fn a_request_narrows_the_floor_and_never_widens_it() {
        for (floor, requested, left, rejected) in [
            (vec!["a"], vec![], Some(vec!["a"]), vec![]),
            (vec![], vec!["b"], Some(vec!["b"]), vec![]),
            (vec!["a"], vec!["a.b"], Some(vec!["a.b"]), vec![]),
            (vec!["a.b", "a.c"], vec!["a"], Some(vec!["a.b", "a.c"]), vec![]),
            (vec!["a"], vec!["b", "a", "b"], Some(vec!["a"]), vec!["b"]),
            (vec!["a"], vec!["b"], None, vec!["b"]),
        ] {
            let (found, refused) = narrow(&floor, &requested);
            assert_eq!(found.as_deref().map(|it| it.iter().map(String::as_str).collect::<Vec<_>>()), left);
            assert_eq!(refused, rejected);
        }
    }
}
