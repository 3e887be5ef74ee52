// @vitest-environment jsdom
/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { cleanup } from "@testing-library/react";
import { Activity } from "react";
import { afterEach, expect, it } from "vitest";
import { page, Shows } from "./support/page.js";

afterEach(cleanup);

it("what an <Activity> hides is not registered, and is registered anew when it is shown", async () => {
  const { show, component, read, text } = page();
  const tab = (mode: "visible" | "hidden", value: number) => (
    <Activity mode={mode}>
      <Shows value={value} />
    </Activity>
  );
  show(tab("hidden", 1));
  expect(component()).toBeUndefined();
  show(tab("visible", 2));
  const first = component()?.registrationId;
  expect(await read()).toBe(2);
  show(tab("hidden", 3));
  expect([component(), await read()]).toEqual([undefined, "COMPONENT_UNMOUNTED"]);
  show(tab("visible", 4));
  expect(component()?.registrationId).not.toBe(first);
  expect([await read(), text()]).toEqual([4, "4"]);
});

it("the handle of a hidden component says that it is unregistered", () => {
  const { show } = page();
  const states: string[] = [];
  const tab = (mode: "visible" | "hidden") => (
    <Activity mode={mode}>
      <Shows value={1} onRender={({ status }) => states.push(status)} />
    </Activity>
  );
  show(tab("visible"));
  show(tab("hidden"));
  expect(states.at(-1)).toBe("unregistered");
  show(tab("visible"));
  expect(states.at(-1)).toBe("active");
});
