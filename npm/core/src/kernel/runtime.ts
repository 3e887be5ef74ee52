import type { AgentSurfaceDefinitionErrorCode } from "../errors.js";
import type { JsonSchema } from "../types.js";
import type { ProofInput, RegistryInput } from "./input.js";
import type { DefinitionRefusal, KernelRegistry, Verb } from "./registry.js";
import type { AuthorityKey, JsonText } from "./words.js";

/** What the kernel does not accept, and why. */
export interface Refusal {
  code: AgentSurfaceDefinitionErrorCode;
  message: string;
}

/** What the page's kernel does beside its registries. */
export interface KernelRuntime {
  /** Verifies a manifest and keeps it, for {@link openRegistry} and {@link checkTool}, until it is closed. */
  openAuthority(manifest: JsonText): AuthorityKey | Refusal;

  /** Forgets a manifest. Registries of it keep it. */
  closeAuthority(authority: AuthorityKey): void;

  /** Holds a provider's tool against its declaration; nothing to say means that it may be exposed. */
  checkTool(authority: AuthorityKey, tool: ToolInput): DefinitionRefusal | undefined;

  /**
   * Opens a surface. `onFailure` is called once, should the kernel fail; the registry takes no more calls then, and
   * what is under way will not be answered by it.
   */
  openRegistry(
    authority: AuthorityKey,
    input: RegistryInput,
    onFailure: (error: Error) => void,
  ): KernelRegistry;

  /** What a provider calls a capability that no second instance has. */
  encodeWireName(capabilityId: string): string;

  /** The capability that a wire name stands for, if the name alone tells. */
  decodeWireName(name: string): string | undefined;

  /**
   * The schema of what an agent supplies of an input of which the page binds fields, some of them overridable; nothing for a
   * document that is no JSON.
   */
  reduceSchema(
    schema: JsonText,
    bound: readonly string[],
    overridable: readonly string[],
  ): JsonSchema | undefined;

  /** The three meta tools. They are the same for every surface. */
  metaTools(): MetaTool[];
}

/** A provider's tool. */
export interface ToolInput {
  /** `external:` and its name. */
  id: string;
  description: string;
  inputSchema?: JsonText | undefined;
  proof: ProofInput | undefined;
}

/** One of the three meta tools. */
export interface MetaTool {
  name: Verb;
  description: string;
  /** The id that its own answers carry. */
  capabilityId: string;
  inputSchema: JsonSchema;
}
