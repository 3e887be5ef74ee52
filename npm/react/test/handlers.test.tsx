// @vitest-environment jsdom
/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { act, cleanup } from "@testing-library/react";
import { startTransition, Suspense, useEffect, useInsertionEffect, useLayoutEffect, useState } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { page, Shows } from "./support/page.js";

afterEach(cleanup);

/** A resource that has to be waited for, as React 18 and 19 both take it. */
function resource() {
  let isThere = false;
  let arrive!: () => void;
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  return {
    read: (): string => {
      // oxlint-disable-next-line typescript/only-throw-error -- to React a thrown promise says: wait
      if (!isThere) throw arrival;
      return "";
    },
    arrive: () => {
      isThere = true;
      arrive();
    },
  };
}

describe("handlers", () => {
  it("see the state and props of the last commit", async () => {
    const { show, read, use, text } = page();
    function Counts() {
      const [value, setValue] = useState(0);
      return (
        <Shows
          value={value}
          actions={{ add: { execute: (by) => setValue(value + by) }, reset: { execute: () => setValue(0) } }}
        />
      );
    }
    show(<Counts />);
    for (const by of [1, 2, 3]) await use("add", by);
    expect([await read(), text()]).toEqual([6, "6"]);
    await use("reset", {});
    expect(await read()).toBe(0);
  });

  it("are not those of a rendering that React has not committed, or never does", async () => {
    const { show, read, settle, text } = page();
    const missing = resource();
    let set!: (value: number) => void;
    const rendered: number[] = [];
    function Changes() {
      const [value, setValue] = useState(1);
      set = setValue;
      return (
        <Shows value={value} onRender={() => rendered.push(value)}>
          {value === 2 && <Waits />}
        </Shows>
      );
    }
    const Waits = () => missing.read();
    show(
      <Suspense>
        <Changes />
      </Suspense>,
    );
    await settle(() => startTransition(() => set(2)));
    expect(rendered).toContain(2);
    expect([await read(), text()]).toEqual([1, "1"]);
    await settle(() => startTransition(() => set(3)));
    expect([await read(), text()]).toEqual([3, "3"]);
  });

  it("are those of the commit to its own layout effects already", async () => {
    const { show, registry } = page();
    const seen: unknown[] = [];
    function Asks({ value }: { value: number }) {
      useLayoutEffect(() => {
        void registry
          .invoke({ capabilityId: "view:demo.counter.value" })
          .then((result) => seen.push(result.status === "ok" && result.output));
      });
      return <Shows value={value} />;
    }
    show(<Asks value={1} />);
    show(<Asks value={2} />);
    await act(async () => undefined);
    expect(seen).toEqual([false, 2]);
  });

  it("of an instance are never called for another, not even between a commit and its effects", async () => {
    const { show, registry } = page();
    const asked: unknown[] = [];
    function Asks({ instanceId, value }: { instanceId: string; value: number }) {
      useLayoutEffect(() => {
        void registry
          .invoke({ capabilityId: "view:demo.counter.value", instanceId: "first" })
          .then((result) => asked.push(result.status === "ok" && result.output));
      });
      return <Shows value={value} instanceId={instanceId} />;
    }
    show(<Asks instanceId="first" value={1} />);
    show(<Asks instanceId="second" value={2} />);
    await act(async () => undefined);
    expect(asked).toEqual([false, 1]);
  });

  it("may be invoked from any effect of the commit that changes them", async () => {
    const { show, registry } = page();
    const seen: Record<string, unknown> = {};
    const ask = (when: string) => () =>
      void registry
        .invoke({ capabilityId: "view:demo.counter.value" })
        .then((result) => (seen[when] = result.status === "ok" && result.output));
    function After({ value }: { value: number }) {
      useInsertionEffect(ask(`insertion ${value}`));
      useLayoutEffect(ask(`layout ${value}`));
      useEffect(ask(`passive ${value}`));
      return null;
    }
    const both = (value: number) => (
      <>
        <Shows value={value} />
        <After value={value} />
      </>
    );
    show(both(1));
    show(both(2));
    await act(async () => undefined);
    expect(seen).toEqual({
      "insertion 1": false,
      "layout 1": false,
      "passive 1": 1,
      "insertion 2": 2,
      "layout 2": 2,
      "passive 2": 2,
    });
  });
});

describe("a component that has to wait", () => {
  it("is not registered before it is shown", async () => {
    const { show, component, settle, read } = page();
    const missing = resource();
    function Waits() {
      missing.read();
      return <Shows value={1} />;
    }
    function Hidden() {
      return (
        <Shows value={2}>
          <Waits />
        </Shows>
      );
    }
    show(
      <Suspense fallback="…">
        <Hidden />
      </Suspense>,
    );
    expect(component()).toBeUndefined();
    await settle(missing.arrive);
    expect(await read()).toBe(1);
  });

  it("stays registered when what it shows has to be waited for, so that what it does is not cut off", async () => {
    const { show, component, settle, read, use, text } = page();
    const missing = resource();
    function Filters() {
      const [value, setValue] = useState(0);
      return (
        <Shows
          value={value}
          actions={{ add: { execute: async (by) => setValue(by) }, reset: { execute: () => undefined } }}
        >
          {value > 0 && <Waits />}
        </Shows>
      );
    }
    const Waits = () => missing.read();
    show(
      <Suspense fallback="…">
        <Filters />
      </Suspense>,
    );
    const before = component()?.registrationId;
    expect(await use("add", 1)).toBeUndefined();
    expect(text()).toContain("…");
    expect([component()?.registrationId, await read()]).toEqual([before, 0]);
    await settle(missing.arrive);
    expect([component()?.registrationId, await read(), text()]).toEqual([before, 1, "1"]);
  });
});
