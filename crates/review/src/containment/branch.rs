//! Branches: schemas with their references and variants multiplied out.

use agent_surface_json::{Json, Object};
use agent_surface_schema::{NativePatterns, resolve, validate};

/// How many branches a schema may have. Each `anyOf` multiplies them.
const MAX_BRANCHES: usize = 128;

/// How many references and variants may follow one another at one value.
const MAX_CHAIN: usize = 64;

/// A schema, and the document whose definitions it refers to.
#[derive(Clone, Copy)]
pub(super) struct Rooted<'a> {
    root: &'a Json,
    pub(super) schema: &'a Json,
}

impl<'a> Rooted<'a> {
    /// A whole document.
    pub(super) fn whole(document: &'a Json) -> Self {
        Self { root: document, schema: document }
    }

    fn at(self, schema: &'a Json) -> Self {
        Self { schema, ..self }
    }

    /// Whether a value is valid, references and variants included.
    pub(super) fn accepts(self, value: &Json, patterns: &NativePatterns) -> bool {
        const DEFINITIONS: &str = "$defs";
        let mut document = self.schema.as_object().cloned().unwrap_or_default();
        document.remove(DEFINITIONS);
        if let Some(definitions) = self.root.get(DEFINITIONS) {
            document.insert(DEFINITIONS, definitions.clone());
        }
        validate(&document.into(), value, patterns).is_empty()
    }

    fn keyword(self, name: &str) -> Option<&'a Json> {
        self.schema.get(name)
    }
}

/// The kinds of value that schemas tell apart. An integer is a number; that a branch has no others is a fact of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    const ALL: [Self; 6] = [Self::Null, Self::Boolean, Self::Number, Self::String, Self::Array, Self::Object];

    fn is_named(self, name: &str) -> bool {
        match self {
            Self::Null => name == "null",
            Self::Boolean => name == "boolean",
            Self::Number => matches!(name, "number" | "integer"),
            Self::String => name == "string",
            Self::Array => name == "array",
            Self::Object => name == "object",
        }
    }
}

/// What a branch says of one member of an object.
pub(super) enum Member<'a> {
    /// No object has it.
    Forbidden,
    /// Where an object has it, all of these hold.
    Allowed(Vec<Rooted<'a>>),
}

/// A conjunction of schemas whose own keywords are meant, without `$ref` and `anyOf`.
#[derive(Clone)]
pub(super) struct Branch<'a>(Vec<Rooted<'a>>);

/// The branches of a conjunction of schemas; `None` where they are too many, or no schemas of the subset.
pub(super) fn expand<'a>(schemas: &[Rooted<'a>]) -> Option<Vec<Branch<'a>>> {
    schemas.iter().try_fold(vec![Branch(Vec::new())], |branches, schema| {
        multiply(&branches, &alternatives(*schema, MAX_CHAIN)?)
    })
}

fn alternatives(schema: Rooted<'_>, left: usize) -> Option<Vec<Branch<'_>>> {
    let left = left.checked_sub(1)?;
    schema.schema.as_object()?;
    let mut branches = vec![Branch(vec![schema])];
    if let Some(target) = schema.keyword("$ref") {
        let definition = resolve(schema.root, target.as_str()?)?;
        branches = multiply(&branches, &alternatives(schema.at(definition), left)?)?;
    }
    if let Some(variants) = schema.keyword("anyOf") {
        let mut all = Vec::new();
        for variant in variants.as_array()? {
            all.extend(alternatives(schema.at(variant), left)?);
        }
        branches = multiply(&branches, &all)?;
    }
    Some(branches)
}

fn multiply<'a>(these: &[Branch<'a>], those: &[Branch<'a>]) -> Option<Vec<Branch<'a>>> {
    if these.len().saturating_mul(those.len()) > MAX_BRANCHES {
        return None;
    }
    let both = |a: &Branch<'a>, b: &Branch<'a>| Branch(a.0.iter().chain(&b.0).copied().collect());
    Some(these.iter().flat_map(|a| those.iter().map(move |b| both(a, b))).collect())
}

impl<'a> Branch<'a> {
    /// The schemas that all hold.
    pub(super) fn schemas(&self) -> impl Iterator<Item = Rooted<'a>> {
        self.0.iter().copied()
    }

    /// Every operand of a keyword.
    pub(super) fn operands(&self, keyword: &'static str) -> impl Iterator<Item = &'a Json> {
        self.schemas().filter_map(move |schema| schema.keyword(keyword))
    }

    /// The kinds of value that the branch may have.
    pub(super) fn kinds(&self) -> impl Iterator<Item = Kind> {
        Kind::ALL
            .into_iter()
            .filter(|kind| self.operands("type").all(|types| names_in(types).any(|it| kind.is_named(it))))
    }

    /// Whether the branch has no numbers but integers.
    pub(super) fn integers(&self) -> bool {
        let only = |types| names_in(types).all(|name| name != "number");
        self.operands("type").any(only)
            || self.operands("multipleOf").filter_map(Json::as_number).any(|of| of.is_integer())
    }

    /// The values that the branch has at most, where a keyword lists them.
    pub(super) fn listed_values(&self) -> Option<&'a [Json]> {
        let constant = self.operands("const").next().map(std::slice::from_ref);
        constant.or_else(|| self.operands("enum").find_map(Json::as_array))
    }

    /// The schemas that hold for every item.
    pub(super) fn items(&self) -> Vec<Rooted<'a>> {
        self.schemas().filter_map(|schema| Some(schema.at(schema.keyword("items")?))).collect()
    }

    /// The members that every object has.
    pub(super) fn required(&self) -> impl Iterator<Item = &'a str> {
        self.operands("required").filter_map(Json::as_array).flatten().filter_map(Json::as_str)
    }

    /// Every member with a schema.
    pub(super) fn properties(&self) -> impl Iterator<Item = (&'a str, Rooted<'a>)> {
        self.schemas().flat_map(|schema| {
            let members = schema.keyword("properties").and_then(Json::as_object);
            members.into_iter().flat_map(Object::iter).map(move |(name, member)| (name, schema.at(member)))
        })
    }

    /// For each schema that allows no members but its own: those, if it has any.
    pub(super) fn closed_names(&self) -> impl Iterator<Item = Option<&'a Object>> {
        self.schemas().filter(|schema| is_closed(*schema)).map(properties_of)
    }

    /// The only names that members may have; `None` where any may stand.
    pub(super) fn allowed_names(&self) -> Option<Vec<&'a str>> {
        let first = self.closed_names().next()?;
        let is_allowed = |name: &&str| {
            self.closed_names().all(|names| names.is_some_and(|names| names.contains_key(name)))
        };
        Some(first.into_iter().flat_map(Object::keys).filter(is_allowed).collect())
    }

    /// What holds for the member `name`.
    pub(super) fn member(&self, name: &str) -> Member<'a> {
        let mut schemas = Vec::new();
        for schema in self.schemas() {
            match properties_of(schema).and_then(|members| members.get(name)) {
                Some(member) => schemas.push(schema.at(member)),
                None if is_closed(schema) => return Member::Forbidden,
                None => {}
            }
        }
        Member::Allowed(schemas)
    }
}

fn properties_of(schema: Rooted<'_>) -> Option<&Object> {
    schema.keyword("properties").and_then(Json::as_object)
}

fn is_closed(schema: Rooted<'_>) -> bool {
    schema.keyword("additionalProperties").and_then(Json::as_bool) == Some(false)
}

/// The names in the operand of `type`.
fn names_in(types: &Json) -> impl Iterator<Item = &str> {
    types.as_array().unwrap_or(std::slice::from_ref(types)).iter().filter_map(Json::as_str)
}
