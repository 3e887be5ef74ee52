import type { AgentComponentDefinition, AgentPolicy } from "@agent-surface/core";

/**
 * What a registration freezes of a bound contract, beyond what the contract says: what the component is a part of,
 * which policies there are, and which capabilities have a `when` or a precondition. Two definitions that one contract
 * was bound to have one shape if a registration of the one may use the functions of the other.
 */
export function shapeOf({ parent, policies, observations, actions }: AgentComponentDefinition): string {
  const shape: unknown[] = [parent, namesOf(policies)];
  // The contract fixes which capabilities there are, and their order.
  for (const name in observations) {
    const observation = observations[name];
    shape.push(observation?.when !== undefined, namesOf(observation?.policies));
  }
  for (const name in actions) {
    const action = actions[name];
    shape.push(action?.when !== undefined, action?.precondition !== undefined, namesOf(action?.policies));
  }
  return JSON.stringify(shape);
}

function namesOf(policies: readonly AgentPolicy[] | undefined): unknown {
  return policies?.map(({ name }) => name);
}
