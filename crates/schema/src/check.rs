//! Checking a document: does it stay inside the subset?

use agent_surface_json::{Json, Number, Pointer};

use crate::format::Format;
use crate::keyword::{Keyword, is_of_type};
use crate::reference::{definition_name, is_endless, resolve};
use crate::{Limits, Patterns, Reason, Refusal};

/// Holds a schema document against the subset: its keywords, their values, its references and its size.
///
/// `patterns` says which `pattern`s are regular expressions.
///
/// # Errors
/// Every place where the document leaves the subset, in document order. A document that is too large is refused as
/// a whole: the limit also bounds what is looked at.
pub fn check(document: &Json, limits: Limits, patterns: &dyn Patterns) -> Result<(), Vec<Refusal>> {
    let mut walk = Walk { root: document, max_depth: limits.max_depth, patterns, refusals: Vec::new() };
    let bytes = document.to_canonical().len();
    if bytes > limits.max_bytes {
        walk.refuse(&Pointer::root(), Reason::TooLarge { bytes, max: limits.max_bytes });
    } else {
        walk.schema(document, &Pointer::root(), 0);
    }
    if walk.refusals.is_empty() { Ok(()) } else { Err(walk.refusals) }
}

struct Walk<'a> {
    root: &'a Json,
    max_depth: usize,
    patterns: &'a dyn Patterns,
    refusals: Vec<Refusal>,
}

impl Walk<'_> {
    fn schema(&mut self, schema: &Json, at: &Pointer, depth: usize) {
        if depth > self.max_depth {
            return self.refuse(at, Reason::TooDeep { max: self.max_depth });
        }
        let Some(members) = schema.as_object() else {
            return self.refuse(at, Reason::NotASchema { found: describe(schema) });
        };
        for (name, operand) in members.iter() {
            let place = at.member(name);
            match Keyword::named(name) {
                Some(Keyword::Ref) => self.reference(schema, operand, &place),
                Some(keyword) => self.keyword(keyword, operand, &place, depth),
                None => self.refuse(&place, Reason::UnsupportedKeyword(name.to_owned())),
            }
        }
    }

    fn keyword(&mut self, keyword: Keyword, operand: &Json, at: &Pointer, depth: usize) {
        match keyword {
            Keyword::Const | Keyword::Default | Keyword::Ref => {}
            Keyword::Properties | Keyword::Defs => self.schemas_by_name(operand, at, depth),
            Keyword::Items => self.schema(operand, at, depth + 1),
            Keyword::AnyOf => self.variants(operand, at, depth),
            Keyword::Type => self.types(operand, at),
            Keyword::Enum => {
                let valid = operand.as_array().is_some_and(|values| !values.is_empty());
                self.expect(valid, "an array of at least one value", operand, at);
            }
            Keyword::Required => {
                self.unique_names(operand, at, "an array of property names", |_, _, _| {});
            }
            Keyword::Format => {
                if let Some(name) = self.text(operand, at)
                    && Format::named(name).is_none()
                {
                    self.refuse(at, Reason::UnsupportedFormat(name.to_owned()));
                }
            }
            Keyword::Pattern => {
                if let Some(pattern) = self.text(operand, at)
                    && !self.patterns.is_pattern(pattern)
                {
                    self.refuse(at, Reason::InvalidPattern(pattern.to_owned()));
                }
            }
            Keyword::MinItems | Keyword::MaxItems | Keyword::MinLength | Keyword::MaxLength => {
                let valid = operand.as_number().is_some_and(is_count);
                self.expect(valid, "an integer that is not negative", operand, at);
            }
            Keyword::Minimum | Keyword::Maximum | Keyword::ExclusiveMinimum | Keyword::ExclusiveMaximum => {
                self.expect(operand.as_number().is_some(), "a number", operand, at);
            }
            Keyword::MultipleOf => {
                let valid = operand.as_number().is_some_and(|of| of.get() > 0.0);
                self.expect(valid, "a number above zero", operand, at);
            }
            Keyword::AdditionalProperties => {
                let expected = "true or false; a schema for properties without a name is not supported";
                self.expect(operand.as_bool().is_some(), expected, operand, at);
            }
            Keyword::UniqueItems | Keyword::Deprecated => {
                self.expect(operand.as_bool().is_some(), "true or false", operand, at);
            }
            Keyword::Examples => self.expect(operand.as_array().is_some(), "an array", operand, at),
            Keyword::Description | Keyword::Title | Keyword::Schema | Keyword::Id => {
                self.text(operand, at);
            }
        }
    }

    fn schemas_by_name(&mut self, operand: &Json, at: &Pointer, depth: usize) {
        let Some(schemas) = operand.as_object() else {
            return self.expect(false, "an object of schemas by their names", operand, at);
        };
        for (name, schema) in schemas.iter() {
            self.schema(schema, &at.member(name), depth + 1);
        }
    }

    fn variants(&mut self, operand: &Json, at: &Pointer, depth: usize) {
        let Some(variants) = operand.as_array().filter(|variants| !variants.is_empty()) else {
            return self.expect(false, "an array of at least one schema", operand, at);
        };
        for (index, schema) in variants.iter().enumerate() {
            self.schema(schema, &at.item(index), depth + 1);
        }
    }

    fn types(&mut self, operand: &Json, at: &Pointer) {
        match operand {
            Json::String(name) => self.type_name(name, at),
            Json::Array(items) if items.is_empty() => {
                self.expect(false, "at least one name of a type", operand, at);
            }
            _ => self.unique_names(
                operand,
                at,
                "the name of a type, or an array of such names",
                Self::type_name,
            ),
        }
    }

    fn type_name(&mut self, name: &str, at: &Pointer) {
        if is_of_type(name, &Json::Null).is_none() {
            self.refuse(at, Reason::UnsupportedType(name.to_owned()));
        }
    }

    fn reference(&mut self, schema: &Json, operand: &Json, at: &Pointer) {
        let Some(target) = self.text(operand, at) else { return };
        let reason = if definition_name(target).is_none() {
            Reason::UnsupportedRef(target.to_owned())
        } else if resolve(self.root, target).is_none() {
            Reason::DanglingRef(target.to_owned())
        } else if is_endless(self.root, schema) {
            Reason::EndlessRef(target.to_owned())
        } else {
            return;
        };
        self.refuse(at, reason);
    }

    /// The strings of an array, each once, and where they stand. What else is in there is refused.
    fn unique_names(
        &mut self,
        operand: &Json,
        at: &Pointer,
        expected: &'static str,
        judge: impl Fn(&mut Self, &str, &Pointer),
    ) {
        let Some(items) = operand.as_array() else {
            return self.expect(false, expected, operand, at);
        };
        let mut names: Vec<&str> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let place = at.item(index);
            match self.text(item, &place) {
                Some(name) if names.contains(&name) => {
                    self.refuse(&place, Reason::Repeated(name.to_owned()));
                }
                Some(name) => {
                    names.push(name);
                    judge(self, name, &place);
                }
                None => {}
            }
        }
    }

    fn text<'j>(&mut self, operand: &'j Json, at: &Pointer) -> Option<&'j str> {
        let text = operand.as_str();
        self.expect(text.is_some(), "a string", operand, at);
        text
    }

    fn expect(&mut self, valid: bool, expected: &'static str, operand: &Json, at: &Pointer) {
        if !valid {
            self.refuse(at, Reason::WrongValue { expected, found: describe(operand) });
        }
    }

    fn refuse(&mut self, at: &Pointer, reason: Reason) {
        self.refusals.push(Refusal { pointer: at.clone(), reason });
    }
}

/// Whether a number can count items or characters. `2.0` is an integer too.
pub(crate) fn is_count(number: Number) -> bool {
    number.is_integer() && number.get() >= 0.0
}

/// What stands where something else was expected.
fn describe(value: &Json) -> String {
    match value {
        Json::Null | Json::Bool(_) | Json::Number(_) => value.to_canonical(),
        Json::String(_) => "a string".to_owned(),
        Json::Array(items) if items.is_empty() => "an empty array".to_owned(),
        Json::Array(_) => "an array".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    }
}

#[cfg(feature = "native-patterns")]
#[cfg(test)]
mod tests {
    use agent_surface_json::{Json, parse};

    use super::check;
    use crate::{Limits, NativePatterns, Reason};

    /// Where the document is refused, and why, with the reason printed.
    fn refusals(document: &str) -> Vec<(String, String)> {
        refusals_within(document, Limits::default())
    }

    fn refusals_within(document: &str, limits: Limits) -> Vec<(String, String)> {
        let refusals =
            check(&parse(document).unwrap(), limits, &NativePatterns::default()).err().unwrap_or_default();
        refusals.iter().map(|it| (it.pointer.to_string(), it.reason.message())).collect()
    }

    /// Asserts that the document is refused at this one place, with a reason that says so.
    #[track_caller]
    fn refused(document: &str, pointer: &str, says: &str) {
        match &refusals(document)[..] {
            [(place, reason)] => {
                assert_eq!(place, pointer, "{document}");
                assert!(reason.contains(says), "{document}: {reason}");
            }
            other => panic!("{document}: {other:?}"),
        }
    }

    #[track_caller]
    fn accepted(document: &str) {
        assert_eq!(refusals(document), [], "{document}");
    }

    #[test]
    fn refusals_of_one_list_stand_in_its_order_whatever_is_wrong_with_its_items() {
        let places: Vec<String> = refusals(r#"{"type": ["date", null, "date", "time", 1]}"#)
            .into_iter()
            .map(|(place, _)| place)
            .collect();
        assert_eq!(places, ["/type/0", "/type/1", "/type/2", "/type/3", "/type/4"]);
    }

    #[test]
    fn every_keyword_of_the_subset_is_accepted() {
        accepted(
            r##"{
                "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/x",
                "title": "t", "description": "d", "default": [], "examples": [1], "deprecated": false,
                "type": ["object", "array", "string", "number", "integer", "boolean", "null"],
                "enum": [1, null], "const": 1,
                "properties": {"a": {"$ref": "#/$defs/n"}}, "required": ["a", "b"], "additionalProperties": false,
                "items": {}, "minItems": 0, "maxItems": 2.0, "uniqueItems": true,
                "minLength": 0, "maxLength": 3, "pattern": "^\\p{L}+$", "format": "uri",
                "minimum": -1, "maximum": 1, "exclusiveMinimum": 0.5, "exclusiveMaximum": 1e3, "multipleOf": 0.01,
                "anyOf": [{}], "$defs": {"n": {"type": "null"}}
            }"##,
        );
    }

    #[test]
    fn unsupported_keywords_name_what_to_write_instead() {
        for (keyword, says) in [
            ("oneOf", "use `anyOf`"),
            ("allOf", "merge the schemas"),
            ("not", "state what is allowed"),
            ("if", "one variant for each case"),
            ("then", "one variant for each case"),
            ("else", "one variant for each case"),
            ("dependentRequired", "one variant for each case"),
            ("dependentSchemas", "one variant for each case"),
            ("patternProperties", "list the names"),
            ("propertyNames", "list the names"),
            ("unevaluatedProperties", "list the names"),
            ("unevaluatedItems", "`items` for all of them"),
            ("prefixItems", "a property for each position"),
            ("contains", "with `items`"),
            ("minProperties", "`required`"),
            ("definitions", "use `$defs`"),
            ("$anchor", "#/$defs/<name>"),
            ("nullable", "add \"null\" to `type`"),
            ("minlength", "minLength"),
            ("__proto__", "supported are"),
        ] {
            let document = format!(r#"{{"properties": {{"a/b": {{"{keyword}": {{}}}}}}}}"#);
            refused(&document, &format!("/properties/a~1b/{keyword}"), says);
        }
    }

    #[test]
    fn schemas_are_objects() {
        refused("true", "", "found true where a schema must stand");
        refused("[]", "", "found an empty array");
        refused(r#"{"items": false}"#, "/items", "found false");
        refused(r#"{"items": [{}]}"#, "/items", "found an array");
        refused(r#"{"properties": {"a": "string"}}"#, "/properties/a", "found a string");
        refused(r#"{"anyOf": [{}, null]}"#, "/anyOf/1", "found null");
        refused(r#"{"$defs": {"a": 1}}"#, "/$defs/a", "found 1");
    }

    #[test]
    fn containers_of_schemas_have_their_form() {
        refused(r#"{"properties": []}"#, "/properties", "an object of schemas");
        refused(r#"{"$defs": true}"#, "/$defs", "an object of schemas");
        refused(r#"{"anyOf": {}}"#, "/anyOf", "at least one schema");
        refused(r#"{"anyOf": []}"#, "/anyOf", "at least one schema");
    }

    #[test]
    fn types_are_known_and_stand_once() {
        refused(r#"{"type": "any"}"#, "/type", "there is no type `any`");
        refused(r#"{"type": ["string", "Null"]}"#, "/type/1", "there is no type `Null`");
        refused(r#"{"type": ["null", "string", "null"]}"#, "/type/2", "`null` is listed already");
        refused(r#"{"type": ["null", 1]}"#, "/type/1", "found 1; allowed is a string");
        refused(r#"{"type": []}"#, "/type", "at least one name of a type");
        refused(r#"{"type": {}}"#, "/type", "the name of a type");
    }

    #[test]
    fn lists_have_their_form() {
        refused(
            r#"{"enum": []}"#,
            "/enum",
            "found an empty array; allowed is an array of at least one value",
        );
        refused(r#"{"enum": "a"}"#, "/enum", "found a string");
        refused(r#"{"required": "a"}"#, "/required", "an array of property names");
        refused(r#"{"required": ["a", "b", "a"]}"#, "/required/2", "`a` is listed already");
        refused(r#"{"required": [null]}"#, "/required/0", "found null");
        refused(r#"{"examples": {}}"#, "/examples", "an array");
    }

    #[test]
    fn counts_are_integers_from_zero_up() {
        for keyword in ["minItems", "maxItems", "minLength", "maxLength"] {
            for value in [r#""x""#, "-1", "0.5", "null"] {
                let pointer = format!("/{keyword}");
                refused(&format!(r#"{{"{keyword}": {value}}}"#), &pointer, "an integer that is not negative");
            }
        }
    }

    #[test]
    fn limits_are_numbers() {
        for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
            refused(
                &format!(r#"{{"{keyword}": true}}"#),
                &format!("/{keyword}"),
                "found true; allowed is a number",
            );
        }
        for value in ["0", "-1", r#""1""#] {
            refused(&format!(r#"{{"multipleOf": {value}}}"#), "/multipleOf", "a number above zero");
        }
    }

    #[test]
    fn switches_are_booleans() {
        refused(r#"{"additionalProperties": {}}"#, "/additionalProperties", "true or false");
        refused(r#"{"uniqueItems": 1}"#, "/uniqueItems", "true or false");
        refused(r#"{"deprecated": "yes"}"#, "/deprecated", "true or false");
    }

    #[test]
    fn texts_are_strings() {
        for keyword in ["title", "description", "$schema", "$id", "$ref", "pattern", "format"] {
            refused(
                &format!(r#"{{"{keyword}": 1}}"#),
                &format!("/{keyword}"),
                "found 1; allowed is a string",
            );
        }
    }

    #[test]
    fn formats_and_patterns_are_known() {
        refused(
            r#"{"format": "hostname"}"#,
            "/format",
            "the formats are date-time, date, uuid, email and uri",
        );
        refused(r#"{"pattern": "("}"#, "/pattern", "no ECMAScript regular expression");
        refused(r#"{"pattern": "\\-"}"#, "/pattern", "with the flag `u`");
        accepted(r#"{"pattern": "^(?<year>\\d{4})(?=-)(?<!x)"}"#);
    }

    #[test]
    fn references_stay_inside_the_document() {
        for target in
            ["#", "#/properties/a", "other.json", "https://example.com/#/$defs/a", "#/$defs/a/items"]
        {
            let document = format!(r#"{{"$defs": {{"a": {{}}}}, "items": {{"$ref": "{target}"}}}}"#);
            refused(&document, "/items/$ref", "use `#/$defs/<name>`");
        }
    }

    #[test]
    fn references_lead_to_a_definition_of_the_root() {
        refused(r##"{"$ref": "#/$defs/a"}"##, "/$ref", "`#/$defs/a` is not defined");
        refused(
            r##"{"items": {"$defs": {"a": {}}, "$ref": "#/$defs/a"}}"##,
            "/items/$ref",
            "the `$defs` of the whole schema",
        );
        accepted(r##"{"$defs": {"a/b%": {}}, "$ref": "#/$defs/a~1b%25"}"##);
        accepted(r##"{"$defs": {"__proto__": {}}, "$ref": "#/$defs/__proto__"}"##);
        refused(r##"{"$defs": {}, "$ref": "#/$defs/constructor"}"##, "/$ref", "is not defined");
    }

    #[test]
    fn references_that_go_round_in_place_are_refused_where_they_do() {
        let places: Vec<_> = refusals(
            r##"{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}"##,
        );
        let places: Vec<_> = places.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(places, ["/$defs/a/$ref", "/$defs/b/anyOf/0/$ref"]);
        accepted(
            r##"{"$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n"}}}}, "$ref": "#/$defs/n"}"##,
        );
    }

    #[test]
    fn values_inside_a_schema_are_no_schemas() {
        accepted(
            r#"{"const": {"oneOf": 1}, "enum": [{"$ref": "x"}], "default": {"not": {}}, "examples": [{"if": 1}]}"#,
        );
        accepted(r#"{"properties": {"oneOf": {}, "$ref": {}, "__proto__": {}}}"#);
    }

    #[test]
    fn schemas_nest_as_deep_as_the_limit_and_no_deeper() {
        let nested = |depth: usize| format!("{}{{}}{}", r#"{"items": "#.repeat(depth), "}".repeat(depth));
        accepted(&nested(8));
        refused(&nested(9), "/items/items/items/items/items/items/items/items/items", "deeper than 8");
        refused(&nested(40), "/items/items/items/items/items/items/items/items/items", "use `$ref`");
        let limits = Limits { max_depth: 0, ..Limits::default() };
        for inner in [r#"{"properties": {"a": {}}}"#, r#"{"anyOf": [{}]}"#, r#"{"$defs": {"a": {}}}"#] {
            assert_eq!(refusals_within(inner, limits).len(), 1, "{inner}");
        }
    }

    #[test]
    fn size_is_that_of_the_canonical_form_in_bytes() {
        let limits = Limits { max_bytes: 15, ..Limits::default() };
        assert_eq!(refusals_within(r#"{ "title" : "é\u0061" }"#, limits), []);
        let too_large = refusals_within(r#"{"title": "éab", "oneOf": 1}"#, limits);
        let says = "the schema takes 26 bytes in canonical form; at most 15 are allowed";
        assert_eq!(too_large, [(String::new(), says.to_owned())]);
    }

    #[test]
    fn all_refusals_come_in_document_order() {
        let document =
            r##"{"type": "any", "items": {"not": {}, "allOf": []}, "$ref": "x", "anyOf": [1, {"if": 1}]}"##;
        let places: Vec<_> = refusals(document).into_iter().map(|(place, _)| place).collect();
        assert_eq!(places, ["/$ref", "/anyOf/0", "/anyOf/1/if", "/items/allOf", "/items/not", "/type"]);
    }

    #[test]
    fn a_refusal_prints_its_place_as_a_fragment() {
        let document = Json::Object([("oneOf", Json::Null)].into_iter().collect());
        let refusals = check(&document, Limits::default(), &NativePatterns::default()).unwrap_err();
        assert_eq!(refusals[0].reason, Reason::UnsupportedKeyword("oneOf".to_owned()));
        assert!(refusals[0].to_string().starts_with("#/oneOf: `oneOf` is not supported; use `anyOf`"));
    }
}
