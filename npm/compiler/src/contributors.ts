import type { Connect, EnvironmentOptions, UserConfig } from "vite";
import type { ExternalContractPolicy } from "./options.js";

/**
 * What an environment must be told so that packages with contracts of their own get this build's proof: their modules have
 * to pass through the plugins. A dev server would bundle them beforehand, and a server leave them to Node.
 */
export function keepContributors(policy: ExternalContractPolicy | undefined): EnvironmentOptions | undefined {
  const packages = contributorsOf(policy);
  if (packages.length === 0) return undefined;
  return { optimizeDeps: { exclude: packages }, resolve: { noExternal: packages } };
}

/**
 * What Vite must be told so that the contract files of these packages can be watched: it lets nobody watch what is
 * installed. Where it watches nothing at all, it goes on doing so.
 */
export function watchContributors(
  policy: ExternalContractPolicy | undefined,
  { server, build }: UserConfig,
): UserConfig | undefined {
  const packages = contributorsOf(policy);
  if (packages.length === 0) return undefined;
  const ignored = packages.map((name) => `!**/node_modules/${name}/**`);
  return {
    ...(server?.watch !== null && { server: { watch: { ignored } } }),
    ...(build?.watch && { build: { watch: { chokidar: { ignored } } as object } }),
  };
}

/**
 * Has browsers ask for the modules of these packages each time. Vite tells them to keep what is installed for ever, by the
 * version in its URL, and the proof in such a module is that of the app's contract, which changes. What is asked for without
 * a version is the same module, and nobody is told to keep it.
 */
export function askAnew(policy: ExternalContractPolicy | undefined): Connect.NextHandleFunction {
  const folders = contributorsOf(policy).map((name) => `/node_modules/${name}/`);
  return (request, _, next) => {
    const [path = "", query] = (request.url ?? "").split("?", 2);
    if (query !== undefined && folders.some((folder) => path.includes(folder))) {
      const rest = query.split("&").filter((part) => !/^v=[\da-f]+$/.test(part));
      request.url = rest.length > 0 ? `${path}?${rest.join("&")}` : path;
    }
    next();
  };
}

function contributorsOf(policy: ExternalContractPolicy | undefined): string[] {
  return [...new Set(policy?.allow?.map((entry) => entry.package))];
}
