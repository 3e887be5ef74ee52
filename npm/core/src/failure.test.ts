import { expect, it, vi } from "vitest";
import { assemble, contracts, seal } from "../test/manifest.js";
import { createCapabilityAuthority } from "./authority.js";
import { defineAgentComponentContract } from "./contract/component.js";
import { kernel } from "./kernel/index.js";
import { createAgentSurfaceRegistry } from "./registry.js";

const entries = [seal(contracts.increment), seal(contracts.value)];
const manifest = assemble(entries);

const execute = () => new Promise<void>(() => undefined);

/** A registry with a component whose handler never returns. */
function open() {
  const macro = defineAgentComponentContract as unknown as (
    definition: object,
    proof: object,
  ) => ReturnType<typeof defineAgentComponentContract>;
  const { increment, value } = contracts;
  const contract = macro(
    {
      type: "demo.counter",
      description: "Counter",
      observations: {
        value: { description: value.description, output: structuredClone(value.outputSchema) },
      },
      actions: {
        increment: {
          description: increment.description,
          input: structuredClone(increment.inputSchema),
          effect: "local-state",
        },
      },
    },
    {
      manifestHash: manifest.hash,
      declarationId: value.declarationId,
      contracts: Object.fromEntries(entries.map((entry) => [entry.capabilityId, entry.contractHash])),
    },
  );
  const registry = createAgentSurfaceRegistry({ authority: createCapabilityAuthority(manifest) });
  const handle = registry.register(
    contract.bind({
      observations: { value: { read: () => 1 } },
      actions: { increment: { execute } },
    } as never),
  );
  return { registry, handle };
}

it("a kernel that fails closes every registry of the page: what waits is rejected, and the error says why", async () => {
  vi.useFakeTimers();
  const [first, second] = [open(), open()];
  const listener = vi.fn<() => void>();
  second.registry.subscribe(listener);
  const request = { capabilityId: "view:demo.counter.increment", input: { by: 1 } };
  const waiting = first.registry.invoke(request);
  const failed = "The agent-surface kernel has failed and takes no more calls";
  // No call of the package forges a handle; this is what a defect would look like.
  expect(() => kernel().closeAuthority(0xffff)).toThrow(failed);
  await expect(waiting).rejects.toThrow(failed);
  for (const { registry, handle } of [first, second]) {
    await expect(registry.invoke(request)).rejects.toThrow(failed);
    expect(() => registry.snapshot()).toThrow(failed);
    expect(() => registry.register({ type: "demo.counter", description: "Counter" })).toThrow(failed);
    expect(handle.status).toBe("unregistered");
    expect(registry.confirmations.pending()).toEqual([]);
    handle.update({ enabled: false });
    handle.unregister();
    registry.dispose();
    expect(() => registry.getVersion()).not.toThrow();
  }
  expect(vi.getTimerCount()).toBe(0);
  expect(listener).not.toHaveBeenCalled();
  vi.useRealTimers();
});
