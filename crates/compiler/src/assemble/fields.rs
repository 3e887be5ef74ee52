//! The fields of a contract, each checked as it is taken.

use std::rc::Rc;

use agent_surface_json::{Json, Pointer};
use agent_surface_manifest::format::MAX_META_BYTES;
use agent_surface_manifest::{Audit, Confirmation, Effect, Kind, Phase, PolicyAttachment};
use agent_surface_schema::{Limits, check};

use super::literal::Literal;
use super::{Findings, expect_object};
use crate::evaluate::{Node, Object, Value};
use crate::problem::{Place, Problem};

/// The fields of one object of a contract.
pub(super) struct Fields<'n, 'f> {
    object: &'n Rc<Object>,
    place: Place,
    /// What the object is, for messages: "an action".
    what: &'static str,
    allowed: &'static [&'static str],
    findings: &'f mut Findings,
}

impl<'n, 'f> Fields<'n, 'f> {
    /// The fields of an object that may have no others than `allowed`.
    pub(super) fn of(
        node: &'n Node,
        what: &'static str,
        allowed: &'static [&'static str],
        findings: &'f mut Findings,
    ) -> Option<Self> {
        let object = expect_object(node, &sentence(what), findings)?;
        let mut fields = Self { object, place: node.place.clone(), what, allowed, findings };
        fields.refuse_others();
        Some(fields)
    }

    fn refuse_others(&mut self) {
        for (key, value) in self.object.iter() {
            if !self.allowed.contains(&&**key) {
                let message = format!("{} has no field `{key}`", sentence(self.what));
                let problem = Problem::at(value.place.clone(), "unknown-field", message)
                    .label("not a field of the contract")
                    .help(format!("Its fields are {}.", list(self.allowed)));
                self.findings.push(problem);
            }
        }
    }

    /// A field's value; none where it is absent or `undefined`.
    pub(super) fn get(&self, name: &str) -> Option<&'n Node> {
        self.object.get(name).filter(|node| !matches!(node.value, Value::Undefined))
    }

    pub(super) fn findings(&mut self) -> &mut Findings {
        self.findings
    }

    /// A text that must be there.
    pub(super) fn required_text(&mut self, name: &str, max: Option<usize>) -> Option<&'n str> {
        let Some(node) = self.get(name) else {
            self.missing(name);
            return None;
        };
        let text = self.text(node, name)?;
        if text.trim().is_empty() {
            self.refuse(node, "wrong-value", format!("`{name}` is empty"), "Say in a few words what it is.");
            return None;
        }
        let length = text.encode_utf16().count();
        if let Some(max) = max.filter(|max| length > *max) {
            let message = format!("`{name}` has {length} characters, and {max} are allowed");
            self.refuse(node, "too-long", message, "Shorten it: it is read by a model on every turn.");
            return None;
        }
        Some(text)
    }

    fn text(&mut self, node: &'n Node, name: &str) -> Option<&'n str> {
        match &node.value {
            Value::String(text) => Some(text),
            Value::Unknown(unknown) => {
                self.findings.push_unknown(unknown);
                None
            }
            _ => {
                self.refuse(
                    node,
                    "wrong-value",
                    format!("`{name}` must be a string, and this is {}", node.describe()),
                    "",
                );
                None
            }
        }
    }

    /// One of a set of words; none where the field is absent or wrong.
    fn word<T>(&mut self, name: &str, words: &[&str], read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let node = self.get(name)?;
        let text = self.text(node, name)?;
        let value = read(text);
        if value.is_none() {
            let message = format!("`{name}` is \"{text}\"");
            self.refuse(node, "wrong-value", message, format!("It is one of {}.", list(words)));
        }
        value
    }

    pub(super) fn confirmation(&mut self) -> Option<Confirmation> {
        self.word("confirmation", Confirmation::WORDS, Confirmation::from_word)
    }

    pub(super) fn audit(&mut self) {
        self.word("audit", Audit::WORDS, Audit::from_word);
    }

    /// An effect that this kind of capability may have.
    pub(super) fn effect(&mut self, kind: Kind) -> Option<Effect> {
        if self.get("effect").is_none() {
            self.missing("effect");
            return None;
        }
        let allowed: Vec<_> = kind.allowed_effects().iter().map(|effect| effect.as_str()).collect();
        self.word("effect", &allowed, |word| Effect::from_word(word).filter(|effect| kind.allows(*effect)))
    }

    /// A truth value, a positive number: checked, and kept by the literal.
    pub(super) fn flag(&mut self, name: &str) {
        if let Some(node) = self.get(name)
            && !matches!(node.value, Value::Bool(_))
        {
            self.refuse_unless_unknown(
                node,
                format!("`{name}` must be true or false, and this is {}", node.describe()),
            );
        }
    }

    pub(super) fn number(&mut self, name: &str, allows: fn(f64) -> bool, expected: &str) {
        if let Some(node) = self.get(name) {
            match &node.value {
                Value::Number(number) if allows(*number) => {}
                Value::Number(_) => {
                    self.refuse(node, "wrong-value", format!("`{name}` must be {expected}"), "");
                }
                _ => self.refuse_unless_unknown(
                    node,
                    format!("`{name}` must be {expected}, and this is {}", node.describe()),
                ),
            }
        }
    }

    /// A field that is text where it is given.
    pub(super) fn optional_text(&mut self, name: &str) {
        if let Some(node) = self.get(name) {
            self.text(node, name);
        }
    }

    /// Agent-visible metadata: any JSON object of bounded size.
    pub(super) fn meta(&mut self) {
        let Some(node) = self.get("meta") else { return };
        if expect_object(node, "`meta`", self.findings).is_none() {
            return;
        }
        if let Some(meta) = Literal::default().convert(node, self.findings) {
            let bytes = meta.to_canonical().len();
            if bytes > MAX_META_BYTES {
                let message = format!("`meta` takes {bytes} bytes as JSON, and {MAX_META_BYTES} are allowed");
                self.refuse(
                    node,
                    "too-long",
                    message,
                    "Keep what the agent needs; the app can look up the rest.",
                );
            }
        }
    }

    /// The concurrency group of an action: checked, and kept by the literal.
    pub(super) fn concurrency(&mut self) {
        let Some(node) = self.get("concurrency") else { return };
        const ALLOWED: &[&str] = &["mode", "key", "max", "queueDepth"];
        let Some(mut group) = Fields::of(node, "a concurrency group", ALLOWED, self.findings) else { return };
        let mode = group.word("mode", &["instance", "capability", "key", "parallel"], |word| match word {
            "key" => Some(Some("key")),
            "parallel" => Some(Some("max")),
            "instance" | "capability" => Some(None),
            _ => None,
        });
        if group.get("mode").is_none() {
            group.missing("mode");
        }
        if let Some(Some(needed)) = mode
            && group.get(needed).is_none()
        {
            group.missing(needed);
        }
        group.optional_text("key");
        group.number("max", |max| max >= 1.0 && max.fract() == 0.0, "a whole number of at least 1");
        group.number(
            "queueDepth",
            |depth| depth >= 0.0 && depth.fract() == 0.0,
            "a whole number of at least 0",
        );
    }

    pub(super) fn timeout(&mut self) {
        self.number("timeoutMs", |ms| ms > 0.0 && ms.is_finite(), "a number of milliseconds above 0");
    }

    /// A schema's document, inside the subset.
    pub(super) fn schema(&mut self, name: &str, required: bool) -> Option<Json> {
        let Some(node) = self.get(name) else {
            if required {
                self.missing(name);
            }
            return None;
        };
        let document = match &node.value {
            Value::Schema { document, .. } => document,
            Value::Unknown(unknown) => {
                self.findings.push_unknown(unknown);
                return None;
            }
            _ => {
                let message = format!("`{name}` must be a schema, and this is {}", node.describe());
                let help = "Wrap a JSON Schema with fromJsonSchema(…), or a validator of a schema library with \
                            fromStandardSchema(validator, { jsonSchema: … }).";
                self.refuse(node, "schema", message, help);
                return None;
            }
        };
        let before = self.findings.count();
        let Some(json) = Literal::default().convert(document, self.findings) else {
            if self.findings.count() == before {
                self.refuse(
                    node,
                    "schema",
                    format!("`{name}` is a schema without a document"),
                    "Give it one: fromJsonSchema({ … }).",
                );
            }
            return None;
        };
        // A document with parts missing would be refused for what is not its fault.
        if self.findings.count() > before {
            return None;
        }
        if let Err(refusals) = check(&json, Limits::default(), &self.findings.patterns) {
            for refusal in refusals {
                let place = locate(document, &refusal.pointer);
                let message = format!("`{name}` lies outside the JSON Schema subset: {refusal}");
                self.findings.push(Problem::at(place, "schema", message).label("not in the subset"));
            }
            return None;
        }
        self.findings.documents.insert(Rc::as_ptr(document), json.clone());
        Some(json)
    }

    /// Policy attachments, as written; none where the field is absent.
    pub(super) fn policies(&mut self) -> Option<Vec<PolicyAttachment>> {
        let items = self.items("policies")?;
        let mut policies = Vec::with_capacity(items.len());
        for item in items {
            const ALLOWED: &[&str] = &["name", "phase"];
            let Some(mut policy) = Fields::of(item, "a policy attachment", ALLOWED, self.findings) else {
                continue;
            };
            let phase = policy.word("phase", Phase::WORDS, Phase::from_word);
            if let Some(name) = policy.required_text("name", None) {
                policies.push(PolicyAttachment { name: name.to_owned(), phase });
            }
        }
        Some(policies)
    }

    /// Tags, as written; none where the field is absent.
    pub(super) fn tags(&mut self) -> Option<Vec<String>> {
        let items = self.items("tags")?;
        Some(items.iter().filter_map(|item| self.text(item, "a tag").map(str::to_owned)).collect())
    }

    fn items(&mut self, name: &str) -> Option<&'n [Node]> {
        let node = self.get(name)?;
        match &node.value {
            Value::Array(items) => Some(items),
            _ => {
                self.refuse_unless_unknown(
                    node,
                    format!("`{name}` must be an array, and this is {}", node.describe()),
                );
                None
            }
        }
    }

    fn missing(&mut self, name: &str) {
        let message = format!("{} needs `{name}`", sentence(self.what));
        let problem = Problem::at(self.place.clone(), "missing-field", message)
            .label(format!("`{name}` is missing"))
            .help(format!("Its fields are {}.", list(self.allowed)));
        self.findings.push(problem);
    }

    pub(super) fn refuse(
        &mut self,
        node: &Node,
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.findings.push(Problem::at(node.place.clone(), code, message).help(help));
    }

    fn refuse_unless_unknown(&mut self, node: &Node, message: String) {
        match &node.value {
            Value::Unknown(unknown) => self.findings.push_unknown(unknown),
            _ => self.refuse(node, "wrong-value", message, ""),
        }
    }
}

/// The place of a part of a document, or of the nearest thing around it that was written.
fn locate(document: &Node, pointer: &Pointer) -> Place {
    let mut node = document;
    for token in pointer.as_str().split('/').skip(1) {
        let key = token.replace("~1", "/").replace("~0", "~");
        let next = match &node.value {
            Value::Object(object) => object.get(&key),
            Value::Array(items) => key.parse::<usize>().ok().and_then(|index| items.get(index)),
            _ => None,
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    node.place.clone()
}

/// "`a`, `b` and `c`".
fn list(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.join(""),
    }
}

/// "an action" at the head of a sentence.
fn sentence(what: &str) -> String {
    let mut letters = what.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
