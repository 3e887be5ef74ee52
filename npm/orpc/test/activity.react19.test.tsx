// @vitest-environment jsdom
import { act, cleanup } from "@testing-library/react";
import { Activity } from "react";
import { afterEach, expect, it } from "vitest";
import { page, Table } from "./support/page.js";

afterEach(cleanup);

it("a component that is mounted and hidden has no procedure, and has it back when it is shown", async () => {
  const { bridge, view, procedures } = page();
  const shown = (mode: "visible" | "hidden") => (
    <Activity mode={mode}>
      <Table bridge={bridge} selected={["d1"]} />
    </Activity>
  );
  await act(async () => view.rerender(shown("visible")));
  expect(procedures()).toHaveLength(1);
  await act(async () => view.rerender(shown("hidden")));
  expect(procedures()).toHaveLength(0);
  await act(async () => view.rerender(shown("visible")));
  expect(procedures()).toHaveLength(1);
});
