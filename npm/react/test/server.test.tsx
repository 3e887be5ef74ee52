// @vitest-environment jsdom
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { act } from "@testing-library/react";
import type { ReactElement } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const complaints = vi.spyOn(console, "error");
beforeEach(() => void complaints.mockClear());
afterEach(() => document.body.replaceChildren());

/** The app as one process has it: a server and a page share no module, and React finds it if they do. */
async function load() {
  vi.resetModules();
  const { app } = await import("./support/app.js");
  return app();
}

function stream(element: ReactElement): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(element, {
      onAllReady: () => resolve(text(pipe(new PassThrough()))),
      onError: reject,
    });
  });
}

describe.each([
  ["renderToString", async (element: ReactElement) => renderToString(element)],
  ["renderToPipeableStream", stream],
])("%s", (_, render) => {
  it("registers nothing on a server, and writes what a page without agents would have", async () => {
    const { registry, element } = await load();
    const html = await render(element);
    expect(html.replaceAll(/<!--.*?-->/g, "")).toBe("<output>1</output><p>0</p>");
    expect(registry.getVersion()).toBe("0");
    expect(complaints).not.toHaveBeenCalled();
  });

  it("is hydrated without a difference, and registered then", async () => {
    const root = document.body.appendChild(document.createElement("main"));
    root.innerHTML = await render((await load()).element);
    const output = root.querySelector("output");
    const { registry, element } = await load();
    await act(async () => {
      hydrateRoot(root, element, {
        onRecoverableError: (error) => {
          throw error;
        },
      });
    });
    expect(root.querySelector("output")).toBe(output);
    expect(registry.snapshot().components).toHaveLength(1);
    expect(complaints).not.toHaveBeenCalled();
  });
});
