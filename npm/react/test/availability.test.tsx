// @vitest-environment jsdom
/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { cleanup } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { page, Shows } from "./support/page.js";

afterEach(cleanup);

/** The counter with a `reset` that is available, or not because of `reason`. */
function resettable(when: () => boolean, unavailableReason?: string | (() => string)) {
  const reset = {
    when,
    execute: () => undefined,
    ...(unavailableReason !== undefined && { unavailableReason }),
  };
  return { add: { execute: () => undefined }, reset };
}

/** What an agent sees of `reset`. */
function seen({ component }: ReturnType<typeof page>) {
  const reset = component()?.actions.find(({ name }) => name === "reset");
  return reset?.available ? true : reset?.unavailableReason;
}

/** What was told of availability. */
function told({ events }: ReturnType<typeof page>) {
  return events.flatMap((event) => (event.type === "availability-changed" ? [event.available] : []));
}

it("what `when` says is told after the commit that changes it, with a new version", () => {
  const it = page();
  for (const [value, seenThen, toldThen] of [
    [0, "It is 0", []],
    [1, true, [true]],
    [2, true, [true]],
    [0, "It is 0", [true, false]],
  ] as const) {
    const before = it.registry.getVersion();
    it.show(<Shows value={value} actions={resettable(() => value > 0, "It is 0")} />);
    expect([seen(it), told(it)]).toEqual([seenThen, toldThen]);
    expect(it.registry.getVersion() === before).toBe(value === 2);
  }
});

it("a reason is told when it changes, be it computed or written down", () => {
  const it = page();
  it.show(
    <Shows
      value={0}
      actions={resettable(
        () => false,
        () => "first",
      )}
    />,
  );
  expect(seen(it)).toBe("first");
  it.show(<Shows value={0} actions={resettable(() => false, "second")} />);
  expect(seen(it)).toBe("second");
  it.show(<Shows value={0} actions={resettable(() => false)} />);
  expect(seen(it)).toBe("Currently unavailable");
});

it("a `when` or a reason that throws is no obstacle to anything else", () => {
  const it = page();
  const broken = () => {
    throw new Error("broken");
  };
  it.show(<Shows value={0} actions={resettable(() => true)} />);
  it.show(<Shows value={1} actions={resettable(broken, "It broke")} />);
  expect([seen(it), told(it)]).toEqual(["It broke", [false]]);
  it.show(<Shows value={2} actions={resettable(broken, broken)} />);
  expect(seen(it)).toBe("Currently unavailable");
  it.show(<Shows value={3} actions={resettable(() => true)} />);
  expect(seen(it)).toBe(true);
});

it("an observation has its `when`, too", () => {
  const it = page();
  const observations = (available: boolean) => ({ value: { read: () => 1, when: () => available } });
  it.show(<Shows value={0} observations={observations(false)} />);
  it.show(<Shows value={0} observations={observations(true)} />);
  expect([it.component()?.observations[0]?.available, told(it)]).toEqual([true, [true]]);
});

it("what is not presented is visible and unavailable, and keeps its registration", async () => {
  const it = page();
  it.show(<Shows value={1} enabled={false} />);
  const before = it.component()?.registrationId;
  expect([seen(it), await it.read()]).toEqual(["component-disabled", "CAPABILITY_NOT_AVAILABLE"]);
  it.show(<Shows value={2} enabled />);
  expect([seen(it), await it.read(), it.component()?.registrationId]).toEqual([true, 2, before]);
  it.show(<Shows value={3} enabled={false} />);
  expect(seen(it)).toBe("component-disabled");
  it.show(<Shows value={4} />);
  expect([seen(it), await it.read(), it.component()?.registrationId]).toEqual([true, 4, before]);
});

it("another instance starts from what it says itself", () => {
  const it = page();
  it.show(<Shows value={0} instanceId="first" enabled={false} actions={resettable(() => false, "no")} />);
  it.show(<Shows value={0} instanceId="second" actions={resettable(() => true)} />);
  expect([seen(it), told(it)]).toEqual([true, []]);
});

it("an agent that is told of a change sees it", () => {
  const it = page();
  const sights: unknown[] = [];
  it.registry.subscribe((event) => {
    if (event.type === "availability-changed") sights.push(seen(it));
  });
  for (const value of [0, 1, 0])
    it.show(<Shows value={value} actions={resettable(() => value > 0, "It is 0")} />);
  expect(sights).toEqual([true, "It is 0"]);
});
