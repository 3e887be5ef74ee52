// Made by `cargo xtask fixtures` from crates/core, where the tables live.

/** The bounds of a registry with their defaults, by the names that options give them. */
export const LIMITS = {
  maxComponentDescription: 500,
  maxCapabilityDescription: 300,
  maxMetaBytes: 2048,
  maxOutputBytes: 32768,
  maxSchemaBytes: 16384,
  maxSchemaDepth: 8,
  observationTimeoutMs: 5000,
  actionTimeoutMs: 10000,
  procedureTimeoutMs: 30000,
  actionQueueDepth: 2,
  maxConcurrentObservationsPerConsumer: 8,
  maxConcurrentObservationsTotal: 32,
  maxQueuedObservationsPerConsumer: 8,
  dedupeCacheSize: 200,
  dedupeCacheTtlMs: 600000,
  tombstoneSize: 100,
  tombstoneTtlMs: 300000,
  confirmationTtlMs: 120000,
  maxPendingConfirmations: 32,
} as const;

/** What an agent can do about each error, the first being the usual advice. */
export const RETRIES = {
  CAPABILITY_NOT_FOUND: ["after-refresh"],
  CAPABILITY_NOT_AVAILABLE: ["after-refresh"],
  AMBIGUOUS_INSTANCE: ["with-changes"],
  COMPONENT_UNMOUNTED: ["after-refresh"],
  STALE_CAPABILITY: ["after-refresh"],
  INVOCATION_CONFLICT: ["with-changes"],
  INVALID_INPUT: ["with-changes"],
  NOT_AUTHENTICATED: ["no"],
  NOT_AUTHORIZED: ["no"],
  PRECONDITION_FAILED: ["with-changes", "after-refresh"],
  CONFIRMATION_REQUIRED: ["with-confirmation"],
  CONFIRMATION_INVALID: ["no", "with-confirmation"],
  RATE_LIMITED: ["after-delay"],
  TIMEOUT: ["no", "yes"],
  CANCELLED: ["yes", "no"],
  EXECUTION_FAILED: ["no", "after-delay"],
} as const;
