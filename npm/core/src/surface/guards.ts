import type { PolicyInput } from "../kernel/input.js";
import {
  CONFIRMATION_ESCALATION,
  type AgentPolicy,
  type AgentPolicyWithEscalation,
  type ConfirmationEscalation,
} from "../policy.js";

/** To what a policy was attached. */
export type PolicyScope = "registry" | "component" | "capability";

/**
 * A policy as it was when it was attached. Its hooks are taken once: what the kernel was told of a policy is what
 * runs, whatever becomes of the object.
 */
export interface Guard extends PolicyInput {
  readonly scope: PolicyScope;
  readonly onDiscovery: AgentPolicy["onDiscovery"];
  readonly onAuthorize: AgentPolicy["onAuthorize"];
  readonly onInvoke: AgentPolicy["onInvoke"];
  readonly escalation: ConfirmationEscalation | undefined;
}

/** No policies, of which most components and capabilities have none of their own. */
const NONE: readonly Guard[] = Object.freeze([]);

/** Takes the policies of one attachment, in order. */
export function takePolicies(
  policies: readonly AgentPolicy[] | undefined,
  scope: PolicyScope,
): readonly Guard[] {
  if (policies === undefined || policies.length === 0) return NONE;
  return Array.from(policies, (policy) => takePolicy(policy, scope));
}

function takePolicy(policy: AgentPolicy, scope: PolicyScope): Guard {
  // oxlint-disable-next-line typescript/unbound-method -- they are bound below
  const { name, onDiscovery, onAuthorize, onInvoke } = policy;
  const escalation = (policy as AgentPolicyWithEscalation)[CONFIRMATION_ESCALATION];
  return {
    name: String(name),
    scope,
    discovery: onDiscovery !== undefined,
    authorize: onAuthorize !== undefined,
    invoke: onInvoke !== undefined,
    escalates: escalation !== undefined,
    // A method of the policy goes on being one.
    onDiscovery: onDiscovery?.bind(policy),
    onAuthorize: onAuthorize?.bind(policy),
    onInvoke: onInvoke?.bind(policy),
    escalation: escalation && { ...escalation },
  };
}

/** The policies of one capability, outermost first, and which of them have a say when. */
export class Chain {
  /** All of them. */
  readonly guards: readonly Guard[];
  /** Those that vote on what is shown. */
  readonly voters: readonly Guard[];
  /** Those that do nothing but vote, and so vote at invocation too. */
  readonly mereVoters: readonly Guard[];
  readonly authorizers: readonly Guard[];
  readonly invokers: readonly Guard[];
  readonly escalating: readonly Guard[];

  constructor(guards: readonly Guard[]) {
    this.guards = guards;
    this.voters = guards.filter((guard) => guard.discovery);
    this.mereVoters = this.voters.filter((guard) => !guard.authorize && !guard.invoke);
    this.authorizers = guards.filter((guard) => guard.authorize);
    this.invokers = guards.filter((guard) => guard.invoke);
    this.escalating = guards.filter((guard) => guard.escalates);
  }

  /** This chain, and `inner` inside of it. */
  with(inner: readonly Guard[]): Chain {
    return inner.length === 0 ? this : new Chain([...this.guards, ...inner]);
  }
}
