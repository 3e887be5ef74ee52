import {
  createAgentSurfaceRegistry,
  type AgentRegistrationHandle,
  type PendingConfirmation,
} from "@agent-surface/core";
import { createWebMcpAdapter, type WebMcpAdapter } from "@agent-surface/webmcp";
import authority from "virtual:agent-surface-contract";
import { deskContract, drawerContract } from "./contract.js";

declare global {
  /** Where the suite finds what the browser said. */
  var webmcp: { adapter: WebMcpAdapter; problems: string[] };
}

const { searchParams } = new URL(location.href);

// As an app would that wants a browser's agents where the browser itself has none.
if (searchParams.has("polyfill")) await import("@mcp-b/global");
const registry = createAgentSurfaceRegistry({ authority });
const output = find("output");
let notes: string[] = [];
const put = (next: string[]): void => {
  notes = next;
  output.textContent = notes.join(", ");
};

/** What is mounted where. The desk is everywhere. */
let drawer: AgentRegistrationHandle | undefined;
const desk = registry.register(
  deskContract.bind({
    observations: { notes: { read: () => notes } },
    actions: {
      write: { execute: ({ text }) => put([...notes, text]) },
      // Nobody tells the registry when that changes: it asks when it matters.
      clear: { when: () => notes.length > 0, unavailableReason: "There is no note", execute: () => put([]) },
    },
  }),
);
const show = (): void => {
  if (location.pathname === "/drawer") {
    drawer ??= registry.register(drawerContract.bind({ actions: { lock: { execute: () => undefined } } }));
  } else {
    drawer?.unregister();
    drawer = undefined;
  }
  // What a framework does that renders the whole page anew.
  desk.invalidate();
};
for (const link of document.querySelectorAll("a")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    history.pushState(null, "", link.href + location.search);
    show();
  });
}
addEventListener("popstate", show);
show();

const problems: string[] = [];
const adapter = createWebMcpAdapter({
  snapshotContext: { scope: ["office"], includeUnavailable: true },
  exposedTo: ["https://partner.example"],
  onProblem: ({ reason, tool = "" }) => problems.push(`${reason} ${tool}`.trim()),
});
await adapter.start({ registry, consumer: { id: "browser", kind: "webmcp" } });
globalThis.webmcp = { adapter, problems };

const dialog = find("dialog") as HTMLDialogElement;
let question: PendingConfirmation | undefined;
registry.confirmations.subscribe(([next]) => {
  question = next;
  find("dialog p").textContent = question?.summary ?? "";
  if (question === undefined) dialog.close();
  else if (!dialog.open) dialog.showModal();
});
for (const button of dialog.querySelectorAll("button")) {
  button.addEventListener("click", () => {
    if (question === undefined) return;
    registry.confirmations.resolve(question.confirmationId, { approved: button.value === "approve" });
  });
}

function find(selector: string): Element {
  const element = document.querySelector(selector);
  if (element === null) throw new Error(`the page has no ${selector}`);
  return element;
}
