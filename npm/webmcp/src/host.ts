import type { AgentConsumer, AgentSurfaceRegistry, SnapshotContext } from "@agent-surface/core";

/** What an adapter is connected to. */
export interface AdapterHost {
  registry: AgentSurfaceRegistry;
  /** Who the adapter's calls are made for: stable, and another one for each adapter of a registry. */
  consumer: AgentConsumer;
  /** How much of the surface is on offer, where the adapter itself does not say. */
  snapshotContext?: Omit<SnapshotContext, "consumer">;
}

/** Connects a registry to a protocol. */
export interface AgentSurfaceAdapter {
  readonly name: string;
  start(host: AdapterHost): void | Promise<void>;
  stop(): void | Promise<void>;
}
