import {
  createAgentSurfaceRegistry,
  type AgentSurfaceRegistry,
  type PendingConfirmation,
} from "@agent-surface/core";
import authority from "virtual:agent-surface-contract";
import { lampContract } from "./contract.js";

declare global {
  /** Where the suite, which plays the agent, finds the way in. */
  var surface: AgentSurfaceRegistry;
}

globalThis.surface = createAgentSurfaceRegistry({ authority });

const brightness = find("output");
let percent = 60;
const show = (next: number): void => {
  percent = next;
  brightness.textContent = `${percent} %`;
};
show(percent);

const lamp = globalThis.surface.register(
  lampContract.bind({
    observations: { brightness: { read: () => percent } },
    actions: {
      dim: { execute: (input) => show(input.percent) },
      turnOff: { execute: () => show(0) },
    },
  }),
);
find("main button").addEventListener("click", () => lamp.unregister());

// What the user is asked, one question at a time.
const { confirmations } = globalThis.surface;
const dialog = find("dialog") as HTMLDialogElement;
let question: PendingConfirmation | undefined;
confirmations.subscribe(([next]) => {
  question = next;
  find("dialog p").textContent = question?.summary ?? "";
  if (question === undefined) dialog.close();
  else if (!dialog.open) dialog.showModal();
});
for (const button of dialog.querySelectorAll("button")) {
  button.addEventListener("click", () => {
    if (question === undefined) return;
    confirmations.resolve(question.confirmationId, { approved: button.value === "approve" });
  });
}

function find(selector: string): Element {
  const element = document.querySelector(selector);
  if (element === null) throw new Error(`the page has no ${selector}`);
  return element;
}
