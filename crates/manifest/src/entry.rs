//! Entries: one capability each, sealed by the hash of its contract.

use agent_surface_json::{Json, Object, push_canonical_string};

use crate::{
    Confirmation, Digest, Effect, Kind, PolicyAttachment, ShapeError,
    digest::Hasher,
    format::field,
    shape::{self, Members},
};

/// What one declaration says of one capability: the part of an entry that its hash covers.
///
/// An absent field is absent in JSON, and so in the hash. Order and repetition in `policies` and `tags` count:
/// see [`inherit_policies`](crate::inherit_policies) for how a component's become its capabilities'.
#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    /// Where it is declared: the module's path from the project's root, `#`, and the variable.
    pub declaration_id: String,
    /// What an agent calls it: see [`ids`](crate::ids).
    pub capability_id: String,
    /// What kind of declaration it comes from.
    pub kind: Kind,
    /// The text an agent reads.
    pub description: String,
    /// What using it does.
    pub effect: Effect,
    /// The JSON Schema of its input: an object.
    pub input_schema: Option<Json>,
    /// The JSON Schema of its output: an object.
    pub output_schema: Option<Json>,
    /// Whether a person is asked, where the contract says it.
    pub confirmation: Option<Confirmation>,
    /// The policies that must guard it.
    pub policies: Option<Vec<PolicyAttachment>>,
    /// The author's labels.
    pub tags: Option<Vec<String>>,
    /// The module's path from the project's root.
    pub origin: String,
}

/// A contract with its hash and the build targets that contain it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What was declared.
    pub contract: Contract,
    /// The contract's hash, as stated: [`Contract::hash`] tells whether it is right.
    pub contract_hash: Digest,
    /// The names of the build targets that contain the declaration.
    pub targets: Vec<String>,
}

impl Contract {
    /// The SHA-256 of the canonical form and a newline.
    #[must_use]
    pub fn hash(&self) -> Digest {
        let mut text = String::new();
        self.push_up_to_hash(&mut text);
        self.push_after_hash(&mut text);
        text.push_str("}\n");
        Digest::of(text)
    }

    /// The entry that this contract makes in a build of `target`.
    #[must_use]
    pub fn seal(self, target: impl Into<String>) -> Entry {
        Entry { contract_hash: self.hash(), contract: self, targets: vec![target.into()] }
    }

    /// Appends the canonical members that come before `contractHash`, with the opening brace.
    fn push_up_to_hash(&self, out: &mut String) {
        out.push('{');
        push_key(field::CAPABILITY_ID, out);
        push_canonical_string(&self.capability_id, out);
        if let Some(confirmation) = self.confirmation {
            push_text(field::CONFIRMATION, confirmation.as_str(), out);
        }
    }

    /// Appends the canonical members between `contractHash` and `targets`.
    fn push_after_hash(&self, out: &mut String) {
        push_text(field::DECLARATION_ID, &self.declaration_id, out);
        push_text(field::DESCRIPTION, &self.description, out);
        push_text(field::EFFECT, self.effect.as_str(), out);
        if let Some(schema) = &self.input_schema {
            push_next_key(field::INPUT_SCHEMA, out);
            schema.push_canonical(out);
        }
        push_text(field::KIND, self.kind.as_str(), out);
        push_text(field::ORIGIN, &self.origin, out);
        if let Some(schema) = &self.output_schema {
            push_next_key(field::OUTPUT_SCHEMA, out);
            schema.push_canonical(out);
        }
        if let Some(policies) = &self.policies {
            push_next_key(field::POLICIES, out);
            push_list(policies, PolicyAttachment::push_canonical, out);
        }
        if let Some(tags) = &self.tags {
            push_next_key(field::TAGS, out);
            push_list(tags, |tag, out| push_canonical_string(tag, out), out);
        }
    }

    fn to_object(&self) -> Object {
        let mut object = Object::new();
        object.insert(field::CAPABILITY_ID, self.capability_id.as_str());
        if let Some(confirmation) = self.confirmation {
            object.insert(field::CONFIRMATION, confirmation.as_str());
        }
        object.insert(field::DECLARATION_ID, self.declaration_id.as_str());
        object.insert(field::DESCRIPTION, self.description.as_str());
        object.insert(field::EFFECT, self.effect.as_str());
        if let Some(schema) = &self.input_schema {
            object.insert(field::INPUT_SCHEMA, schema.clone());
        }
        object.insert(field::KIND, self.kind.as_str());
        object.insert(field::ORIGIN, self.origin.as_str());
        if let Some(schema) = &self.output_schema {
            object.insert(field::OUTPUT_SCHEMA, schema.clone());
        }
        if let Some(policies) = &self.policies {
            object
                .insert(field::POLICIES, policies.iter().map(PolicyAttachment::to_json).collect::<Vec<_>>());
        }
        if let Some(tags) = &self.tags {
            object.insert(field::TAGS, tags.clone());
        }
        object
    }
}

impl Entry {
    /// Reads one entry of a manifest.
    ///
    /// # Errors
    /// A missing, unknown or wrongly typed member, with its place in `value`.
    pub fn from_json(value: Json) -> Result<Self, ShapeError> {
        shape::read(value, Self::read)
    }

    /// The JSON form.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut object = self.contract.to_object();
        object.insert(field::CONTRACT_HASH, self.contract_hash.to_hex());
        object.insert(field::TARGETS, self.targets.clone());
        object.into()
    }

    pub(crate) fn read(members: &mut Members<'_>) -> Self {
        // From the last member to the first, each is taken from the end of what is left.
        let targets = members.required(field::TARGETS).items(|target| target.text());
        let tags = members.optional(field::TAGS).map(|tags| tags.items(|tag| tag.text()));
        let policies = members
            .optional(field::POLICIES)
            .map(|policies| policies.items(|policy| policy.members(PolicyAttachment::read)));
        let output_schema = members.optional(field::OUTPUT_SCHEMA).map(|schema| schema.schema());
        let origin = members.required(field::ORIGIN).text();
        let kind = members.required(field::KIND).word();
        let input_schema = members.optional(field::INPUT_SCHEMA).map(|schema| schema.schema());
        let effect = members.required(field::EFFECT).word();
        let description = members.required(field::DESCRIPTION).text();
        let declaration_id = members.required(field::DECLARATION_ID).text();
        let contract_hash = members.required(field::CONTRACT_HASH).digest();
        let confirmation = members.optional(field::CONFIRMATION).map(|confirmation| confirmation.word());
        let capability_id = members.required(field::CAPABILITY_ID).text();
        let contract = Contract {
            declaration_id,
            capability_id,
            kind,
            description,
            effect,
            input_schema,
            output_schema,
            confirmation,
            policies,
            tags,
            origin,
        };
        Self { contract, contract_hash, targets }
    }

    /// Appends the canonical form to `out`.
    pub(crate) fn push_canonical(&self, out: &mut String) {
        self.push_in_parts(out, |_| ());
    }

    /// The same, and returns the hash of the contract in it: one printing serves the entry's hash and the manifest's.
    pub(crate) fn push_and_hash(&self, out: &mut String) -> Digest {
        let mut hasher = Hasher::default();
        self.push_in_parts(out, |part| hasher.push(part));
        hasher.push("}\n");
        hasher.finish()
    }

    /// Appends the canonical form, and tells of each part that is the contract's, but for its closing brace.
    fn push_in_parts(&self, out: &mut String, mut tell: impl FnMut(&str)) {
        let mut start = out.len();
        self.contract.push_up_to_hash(out);
        tell(&out[start..]);

        push_next_key(field::CONTRACT_HASH, out);
        out.push('"');
        self.contract_hash.push_hex(out);
        out.push('"');

        start = out.len();
        self.contract.push_after_hash(out);
        tell(&out[start..]);

        push_next_key(field::TARGETS, out);
        push_list(&self.targets, |target, out| push_canonical_string(target, out), out);
        out.push('}');
    }
}

/// Appends `"name":`.
pub(crate) fn push_key(name: &str, out: &mut String) {
    out.push('"');
    out.push_str(name);
    out.push_str("\":");
}

/// Appends `,"name":`.
pub(crate) fn push_next_key(name: &str, out: &mut String) {
    out.push(',');
    push_key(name, out);
}

fn push_text(name: &str, text: &str, out: &mut String) {
    push_next_key(name, out);
    push_canonical_string(text, out);
}

pub(crate) fn push_list<T>(items: &[T], push: impl Fn(&T, &mut String), out: &mut String) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        push(item, out);
    }
    out.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ShapeProblem, sample};

    fn refusal(change: impl FnOnce(&mut Object)) -> (String, ShapeProblem) {
        let Json::Object(mut entry) = sample::full().seal("web").to_json() else { unreachable!() };
        change(&mut entry);
        let error = Entry::from_json(entry.into()).unwrap_err();
        (error.pointer.to_string(), error.problem)
    }

    #[test]
    fn every_field_comes_back_from_json() {
        for contract in [sample::full(), sample::observation("src/counter.ts#counter", "value")] {
            let entry = contract.seal("web");
            assert_eq!(Entry::from_json(entry.to_json()), Ok(entry));
        }
    }

    #[test]
    fn an_absent_field_is_absent_and_an_empty_list_is_not_absent() {
        let contract = sample::observation("src/counter.ts#counter", "value");
        let json = contract.clone().seal("web").to_json();
        let keys: Vec<_> = json.as_object().unwrap().keys().collect();
        assert_eq!(
            keys,
            [
                "capabilityId",
                "contractHash",
                "declarationId",
                "description",
                "effect",
                "kind",
                "origin",
                "targets",
            ]
        );
        let with_empty_list = Contract { policies: Some(Vec::new()), ..contract.clone() };
        assert_ne!(with_empty_list.hash(), contract.hash());
    }

    #[test]
    fn both_printings_of_an_entry_agree_and_the_hash_is_that_of_its_contract() {
        for contract in [sample::full(), sample::observation("src/counter.ts#counter", "value")] {
            let hash = contract.hash();
            let entry = contract.seal("web");
            let mut printed = String::new();
            assert_eq!(entry.push_and_hash(&mut printed), hash);
            assert_eq!(printed, entry.to_json().to_canonical());
        }
    }

    #[test]
    fn the_hash_is_that_of_the_canonical_contract_and_a_newline() {
        let contract = sample::observation("src/counter.ts#counter", "value");
        let text = concat!(
            r#"{"capabilityId":"view:counter.value","declarationId":"src/counter.ts#counter","#,
            r#""description":"A value","effect":"read","kind":"observation","origin":"src/counter.ts"}"#,
            "\n"
        );
        assert_eq!(contract.hash(), Digest::of(text));
    }

    #[test]
    fn targets_are_no_part_of_the_hash() {
        let contract = sample::full();
        assert_eq!(contract.clone().seal("web").contract_hash, contract.seal("desktop").contract_hash);
    }

    #[test]
    fn a_missing_member_is_refused() {
        for name in [
            "capabilityId",
            "contractHash",
            "declarationId",
            "description",
            "effect",
            "kind",
            "origin",
            "targets",
        ] {
            let refusal = refusal(|entry| drop(entry.remove(name)));
            assert_eq!(refusal, (format!("/{name}"), ShapeProblem::Missing));
        }
    }

    #[test]
    fn a_member_that_the_format_does_not_have_is_refused() {
        let at_root = refusal(|entry| drop(entry.insert("idempotent", true)));
        assert_eq!(at_root, ("/idempotent".into(), ShapeProblem::Unknown));
        let policy = |entry: &mut Object| {
            let policy: Object = [("name", "tenant"), ("a/b", "")].into_iter().collect();
            entry.insert("policies", vec![policy]);
        };
        assert_eq!(refusal(policy), ("/policies/0/a~1b".into(), ShapeProblem::Unknown));
    }

    #[test]
    fn a_member_of_another_type_is_refused() {
        for (name, value, pointer, expected, found) in [
            ("description", Json::Null, "/description", "a string", "null"),
            ("targets", Json::from("web"), "/targets", "an array", "string"),
            ("targets", Json::from(vec![1]), "/targets/0", "a string", "number"),
            ("inputSchema", Json::from(true), "/inputSchema", "an object", "boolean"),
            ("outputSchema", Json::Null, "/outputSchema", "an object", "null"),
            ("policies", Json::from(vec!["tenant"]), "/policies/0", "an object", "string"),
            ("tags", Json::Null, "/tags", "an array", "null"),
            ("effect", Json::from(1), "/effect", "a string", "number"),
        ] {
            let refusal = refusal(|entry| drop(entry.insert(name, value)));
            assert_eq!(refusal, (pointer.to_owned(), ShapeProblem::Type { expected, found }));
        }
    }

    #[test]
    fn a_word_that_the_format_does_not_have_is_refused_with_those_it_has() {
        let (pointer, problem) = refusal(|entry| drop(entry.insert("effect", "write")));
        assert_eq!(pointer, "/effect");
        assert_eq!(problem, ShapeProblem::Word { found: "write".into(), allowed: Effect::WORDS });
    }

    #[test]
    fn a_hash_has_64_lower_case_hexadecimal_digits() {
        let upper_case = sample::full().hash().to_hex().to_uppercase();
        let refusal = refusal(|entry| drop(entry.insert("contractHash", upper_case)));
        assert_eq!(refusal, ("/contractHash".into(), ShapeProblem::Digest));
    }
}
