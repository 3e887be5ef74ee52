import { expect, jest, test } from "@jest/globals";
import { useAgentComponent } from "@agent-surface/react";
import "@agent-surface/testing/jest-globals";
import { Window } from "happy-dom";
import { useState } from "react";
import { authority, contracts } from "../../../react/test/support/contracts.js";

const window = new Window();
const { document, navigator } = window;
Object.assign(globalThis, { window, document, navigator });
// React looks for a document when it is loaded.
const { renderAgentSurface } = await import("@agent-surface/testing/react");

function Counter() {
  const [value, setValue] = useState(0);
  useAgentComponent(contracts.counter, {
    observations: { value: { read: () => value } },
    actions: {
      add: {
        execute: async (by) => {
          await Promise.resolve();
          setValue(value + by);
        },
      },
      reset: { execute: () => setValue(0) },
    },
  });
  return <output>{value}</output>;
}

test.each(["real", "fake"])(
  "a rendered surface works with %s timers, and nothing is complained of",
  async (timers) => {
    if (timers === "fake") jest.useFakeTimers();
    const complaints = jest.spyOn(console, "error");
    const surface = await renderAgentSurface(<Counter />, { authority });
    expect(await surface.invoke("view:demo.counter.add", 2)).toBeOk();
    expect(surface.view.container.textContent).toBe("2");
    surface.dispose();
    expect(complaints).not.toHaveBeenCalled();
    jest.useRealTimers();
  },
);
