import type { EnvironmentOptions } from "vite";
import type { ExternalContractPolicy } from "./options.js";

/**
 * What an environment must be told so that packages with contracts of their own get this build's proof: their modules have
 * to pass through the plugins. A dev server would bundle them beforehand, and a server leave them to Node.
 */
export function keepContributors(policy: ExternalContractPolicy | undefined): EnvironmentOptions | undefined {
  const packages = [...new Set(policy?.allow?.map((entry) => entry.package))];
  if (packages.length === 0) return undefined;
  return { optimizeDeps: { exclude: packages }, resolve: { noExternal: packages } };
}
