//! The bounds of a registry, each with its default and unit: one table for the kernel, the types and the docs.

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// UTF-16 code units, as JavaScript counts the length of a string.
    Characters,
    /// Bytes of UTF-8.
    Bytes,
    /// Schemas inside schemas.
    Levels,
    /// Milliseconds.
    Millis,
    /// Things of the kind that the name tells.
    Count,
}

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// How an option is called in JavaScript.
    pub name: &'static str,
    /// What holds where the option is absent.
    pub default: u32,
    /// What it counts.
    pub unit: Unit,
    /// What it bounds.
    pub bounds: &'static str,
}

macro_rules! limits {
    ( $( $(#[doc = $doc:literal])+ $field:ident / $name:literal = $default:literal $unit:ident, )+ ) => {
        /// How much a registry holds and how long it waits. [`Limits::TABLE`] has names, defaults and units.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Limits { $( $(#[doc = $doc])+ pub $field: u32, )+ }

        impl Limits {
            /// The table.
            pub const TABLE: &'static [Limit] = &[
                $( Limit { name: $name, default: $default, unit: Unit::$unit, bounds: concat!($( $doc ),+) }, )+
            ];

            /// The limit that JavaScript calls `name`, to set it.
            pub fn named_mut(&mut self, name: &str) -> Option<&mut u32> {
                match name { $( $name => Some(&mut self.$field), )+ _ => None }
            }
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $( $field: $default, )+ }
            }
        }
    };
}

limits! {
    /// The description of a component.
    max_component_description / "maxComponentDescription" = 500 Characters,
    /// The description of a capability.
    max_capability_description / "maxCapabilityDescription" = 300 Characters,
    /// The canonical form of a `meta` object.
    max_meta_bytes / "maxMetaBytes" = 2048 Bytes,
    /// The output of an invocation.
    max_output_bytes / "maxOutputBytes" = 32_768 Bytes,
    /// The canonical form of a schema.
    max_schema_bytes / "maxSchemaBytes" = 16_384 Bytes,
    /// How deep a schema may stand inside others.
    max_schema_depth / "maxSchemaDepth" = 8 Levels,
    /// How long an observation may take.
    observation_timeout / "observationTimeoutMs" = 5000 Millis,
    /// How long an action may take.
    action_timeout / "actionTimeoutMs" = 10_000 Millis,
    /// How long a procedure may take.
    procedure_timeout / "procedureTimeoutMs" = 30_000 Millis,
    /// How many invocations may wait behind the running ones of their group.
    action_queue_depth / "actionQueueDepth" = 2 Count,
    /// How many observations of one consumer run at once.
    max_concurrent_observations_per_consumer / "maxConcurrentObservationsPerConsumer" = 8 Count,
    /// How many observations run at once.
    max_concurrent_observations_total / "maxConcurrentObservationsTotal" = 32 Count,
    /// How many observations of one consumer may wait.
    max_queued_observations_per_consumer / "maxQueuedObservationsPerConsumer" = 8 Count,
    /// How many results are kept for repeated requests.
    dedupe_cache_size / "dedupeCacheSize" = 200 Count,
    /// How long a result is kept for repeated requests.
    dedupe_cache_ttl / "dedupeCacheTtlMs" = 600_000 Millis,
    /// How many unregistered registrations are remembered.
    tombstone_size / "tombstoneSize" = 100 Count,
    /// How long an unregistered registration is remembered.
    tombstone_ttl / "tombstoneTtlMs" = 300_000 Millis,
    /// How long a confirmation may be pending, and how long an approval may be used.
    confirmation_ttl / "confirmationTtlMs" = 120_000 Millis,
    /// How many confirmations may be pending.
    max_pending_confirmations / "maxPendingConfirmations" = 32 Count,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_is_reached_by_its_name_and_has_its_default() {
        let mut limits = Limits::default();
        for limit in Limits::TABLE {
            let value = limits.named_mut(limit.name).unwrap();
            assert_eq!(*value, limit.default, "{}", limit.name);
            *value = 1;
        }
        assert_eq!(limits.named_mut("maxAnything"), None);
        assert_ne!(limits, Limits::default());
    }

    #[test]
    fn the_unit_of_a_limit_shows_in_its_name() {
        for limit in Limits::TABLE {
            assert_eq!(limit.name.ends_with("Ms"), limit.unit == Unit::Millis, "{}", limit.name);
            assert_eq!(limit.name.ends_with("Bytes"), limit.unit == Unit::Bytes, "{}", limit.name);
        }
    }
}
