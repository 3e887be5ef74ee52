//! What a registry answers, as JSON. `npm/core/src/kernel/output.ts` has its types.

use agent_surface_core::{
    Confirmation, DefinitionError, Envelope, Explained, Invoked, Output, Registered, Registry, Tool, Verb,
    Verdict, Warning,
};
use agent_surface_json::{ObjectWriter, push_canonical_string, push_integer, push_list};

pub(crate) fn push_texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, out: &mut String) {
    push_list(texts, out, |text, out| push_canonical_string(text.as_ref(), out));
}

/// Appends one thing that the host has to do. Says whether there is anything to do: a question about an invocation that
/// ended before the host could be asked is none.
pub(crate) fn push_output(registry: &mut Registry, output: &Output, out: &mut String) -> bool {
    let begin = |what: u32, key: u32, out: &mut String| {
        out.push('[');
        push_integer(what.into(), out);
        out.push(',');
        push_integer(key.into(), out);
    };
    match output {
        Output::Ask { invocation, question } => {
            begin(0, invocation.0, out);
            let Some(view) = registry.inquiry(*invocation, *question) else {
                return false;
            };
            for number in [*question as u32, view.target.registration.0, view.target.capability] {
                out.push(',');
                push_integer(number.into(), out);
            }
            out.push(',');
            out.push_str(view.input.unwrap_or("null"));
            if let Some(evidence) = view.evidence {
                out.push(',');
                let mut object = ObjectWriter::begin(out);
                object.text("id", &evidence.confirmation_id);
                object.text("approvedAt", &evidence.approved_at.to_iso8601());
                object.end();
            }
        }
        Output::Abort { invocation } => begin(1, invocation.0, out),
        Output::Unwind { invocation, outcome } => {
            begin(2, invocation.0, out);
            out.push(',');
            outcome.push_json(out);
        }
        Output::Settle { invocation, settlement } => {
            begin(3, invocation.0, out);
            out.push(',');
            settlement.push_json(out);
        }
        Output::AwaitTurn => out.push_str("[4"),
        Output::Emit(event) => {
            out.push_str("[5,");
            event.push_json(out);
        }
        Output::Record(record) => {
            out.push_str("[6,");
            record.push_json(out);
            if let Some(payload) = &record.payload {
                out.push(',');
                payload.push_json(out);
            }
        }
        Output::Warn(warning) => {
            out.push_str("[7,");
            push_warning(warning, out);
        }
    }
    out.push(']');
    true
}

fn push_warning(warning: &Warning, out: &mut String) {
    let members: &[(&str, &str)] = match warning {
        Warning::UpdateAfterEnd { component_type } => {
            &[("type", "update-after-end"), ("componentType", component_type)]
        }
        Warning::UnknownCapability { component_type, name } => {
            &[("type", "unknown-capability"), ("componentType", component_type), ("name", name)]
        }
        Warning::Duplicate { component_type, instance_id } => {
            &[("type", "duplicate"), ("componentType", component_type), ("instanceId", instance_id)]
        }
        Warning::BoundInputInvalid { capability_id } => {
            &[("type", "bound-input-invalid"), ("capabilityId", capability_id)]
        }
        Warning::OutputInvalid { capability_id } => {
            &[("type", "output-invalid"), ("capabilityId", capability_id)]
        }
    };
    let mut object = ObjectWriter::begin(out);
    for (name, value) in members {
        object.text(name, value);
    }
    object.end();
}

pub(crate) fn push_refusal(error: &DefinitionError, out: &mut String) {
    let mut object = ObjectWriter::begin(out);
    object.text("code", error.code.as_str());
    object.text("field", error.field.as_str());
    object.text("message", &error.message);
    object.end();
}

pub(crate) fn push_registered(registered: &Registered, out: &mut String) {
    let mut object = ObjectWriter::begin(out);
    object.text("registrationId", &registered.registration_id);
    match registered.outcome {
        Ok(key) => object.integer("registration", key.0.into()),
        Err(rejection) => object.text("rejected", rejection.as_str()),
    }
    object.end();
}

pub(crate) fn push_invoked(registry: &Registry, invoked: &Invoked, out: &mut String) {
    let mut object = ObjectWriter::begin(out);
    match invoked {
        Invoked::Started(key) => {
            object.text("status", "started");
            object.integer("invocation", key.0.into());
            object.text("invocationId", registry.invocation_id(*key).unwrap_or_default());
        }
        Invoked::Joined(key) => {
            object.text("status", "joined");
            object.integer("invocation", key.0.into());
        }
        Invoked::Settled(settlement) => {
            object.text("status", "settled");
            settlement.push_json(object.member("result"));
        }
    }
    object.end();
}

pub(crate) fn push_confirmation(confirmation: &Confirmation, out: &mut String) {
    let mut object = ObjectWriter::begin(out);
    object.text("confirmationId", &confirmation.id);
    object.text("capabilityId", &confirmation.capability_id);
    object.text("registrationId", &confirmation.registration_id);
    object.text("consumerKey", &confirmation.consumer_key);
    object.text("effect", confirmation.effect.as_str());
    object.text("summary", &confirmation.summary);
    object.json("input", &confirmation.input);
    object.text("requestedAt", &confirmation.requested_at.to_iso8601());
    object.text("expiresAt", &confirmation.expires_at.to_iso8601());
    object.end();
}

pub(crate) fn push_explained(explained: &Explained, out: &mut String) {
    let mut object = ObjectWriter::begin(out);
    object.integer("registration", explained.target.registration.0.into());
    object.integer("capability", explained.target.capability.into());
    let (outcome, reason) = match &explained.verdict {
        Verdict::Exposed => ("expose", None),
        Verdict::Disabled { reason } => ("disable", Some(&**reason)),
        Verdict::Hidden => ("hide", None),
    };
    object.text("outcome", outcome);
    object.optional("reason", reason);
    object.optional("obstacle", explained.obstacle.as_deref());
    object.end();
}

pub(crate) fn push_tool(tool: &Tool, out: &mut String) {
    let mut object = ObjectWriter::begin(out);
    object.integer("registration", tool.target.registration.0.into());
    object.integer("capability", tool.target.capability.into());
    object.text("name", &tool.name);
    object.text("description", &tool.description);
    object.text("capabilityId", &tool.capability_id);
    object.text("registrationId", &tool.registration_id);
    object.optional("instanceId", tool.instance_id.as_deref());
    object.optional("unavailable", tool.unavailable.as_deref());
    object.end();
}

pub(crate) fn push_verb(verb: Verb, out: &mut String) {
    let mut object = ObjectWriter::begin(out);
    object.text("name", verb.as_str());
    object.text("description", verb.description());
    object.text("capabilityId", verb.capability_id());
    object.raw("inputSchema", verb.schema());
    object.end();
}

pub(crate) fn push_envelope(envelope: &Envelope, out: &mut String) {
    let mut object = ObjectWriter::begin(out);
    push_texts(&envelope.scope.0, object.member("scope"));
    object.text("capabilityId", &envelope.capability_id);
    for (name, value) in [
        ("instanceId", &envelope.instance_id),
        ("invocationId", &envelope.invocation_id),
        ("confirmationId", &envelope.confirmation_id),
        ("surfaceVersion", &envelope.surface_version),
    ] {
        object.optional(name, value.as_deref());
    }
    if let Some(input) = &envelope.input {
        object.json("input", input);
    }
    object.end();
}
