import type { CapabilityInput, ComponentInput } from "../src/kernel/input.js";
import { Kernel } from "../src/kernel/kernel.js";
import type { Instantiate } from "../src/kernel/module.js";
import type { Output } from "../src/kernel/output.js";
import type { KernelRegistry } from "../src/kernel/registry.js";
import { instantiate as wasm } from "../src/kernel/wasm.js";
import { Do } from "../src/kernel/words.js";
import { assemble, contracts, seal, type Contract } from "./manifest.js";

/** A capability as its contract has it. */
function capability(contract: Contract): CapabilityInput {
  return {
    name: contract.capabilityId.slice(contract.capabilityId.search(/[.:]\w+$/) + 1),
    kind: contract.kind as "action",
    description: contract.description,
    effect: contract.effect,
    inputSchema: contract.inputSchema && JSON.stringify(contract.inputSchema),
    outputSchema: contract.outputSchema && JSON.stringify(contract.outputSchema),
    hostParsesInput: false,
    hostChecksOutput: false,
    policies: [],
    hasWhen: false,
    hasPrecondition: false,
  };
}

const entries = [contracts.value, contracts.increment].map(seal);
const manifest = assemble(entries);

/** The counter, bound. Its capabilities are `value` and `increment`. */
export function counter(changes: Partial<ComponentInput> = {}): ComponentInput {
  return {
    type: "demo.counter",
    description: "A counter",
    policies: [],
    capabilities: [capability(contracts.value), capability(contracts.increment)],
    proof: {
      manifestHash: manifest.hash,
      declarationId: "src/counter.ts#counter",
      contracts: new Map(entries.map((entry) => [entry.capabilityId, entry.contractHash])),
    },
    ...changes,
  };
}

/** An open registry of a kernel of its own. */
export function open(
  instantiate: Instantiate = wasm,
  onFailure: (error: Error) => void = () => {},
): { kernel: Kernel; registry: KernelRegistry } {
  const kernel = new Kernel(instantiate);
  const authority = kernel.openAuthority(JSON.stringify(manifest));
  if (typeof authority !== "number") throw new Error(authority.message);
  return { kernel, registry: kernel.openRegistry(authority, { entropy: new Uint8Array(32) }, onFailure) };
}

/** Mounts the counter. */
export function mount(registry: KernelRegistry, instanceId?: string): number {
  const component = registry.admit(counter());
  if (typeof component !== "number") throw new Error(component.message);
  const registered = registry.register(0, component, { instanceId });
  if (registered === "disposed" || !("registrationId" in registered)) throw new Error("not registered");
  return registered.registration ?? 0;
}

/** Everything that is to be done, in order. */
export function drain(registry: KernelRegistry): Output[] {
  const outputs: Output[] = [];
  for (let output = registry.next(); output; output = registry.next()) outputs.push(output);
  return outputs;
}

/** The kinds of outputs, by their names. */
export function kinds(outputs: readonly Output[]): string[] {
  const names = Object.keys(Do);
  return outputs.map(([what]) => names[what] ?? "?");
}
