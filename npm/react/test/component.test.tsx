// @vitest-environment jsdom
import { createAgentSurfaceRegistry } from "@agent-surface/core";
import { AgentSurfaceProvider, useAgentComponent } from "@agent-surface/react";
import { act, render } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { authority, contracts } from "./support/contracts.js";

function Counter() {
  const [value, setValue] = useState(0);
  useAgentComponent(contracts.counter, {
    observations: { value: { read: () => value } },
    actions: {
      add: { execute: (by) => setValue((n) => n + by) },
      reset: { when: () => value > 0, unavailableReason: "It is 0", execute: () => setValue(0) },
    },
  });
  return <output>{value}</output>;
}

it("a component is registered while it is mounted, and an agent works it through its state", async () => {
  const registry = createAgentSurfaceRegistry({ authority, environment: "test" });
  const view = render(
    <AgentSurfaceProvider registry={registry}>
      <Counter />
    </AgentSurfaceProvider>,
  );
  const result = await act(() => registry.invoke({ capabilityId: "view:demo.counter.add", input: 3 }));
  expect(result).toMatchObject({ status: "ok" });
  expect(view.container.textContent).toBe("3");
  expect(registry.snapshot().components[0]?.actions).toMatchObject([
    { available: true },
    { available: true },
  ]);
  view.unmount();
  expect(registry.snapshot().components).toEqual([]);
});
