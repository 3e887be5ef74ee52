/**
 * `vite dev` and Vitest transform modules one by one as they are asked for, so there is no graph to prove a
 * contract from. Handing out an empty authority would look like an app without capabilities; so the virtual
 * module says why there is none, and the macros stay as they are: inert, as without this plugin.
 */
export const SERVE_REFUSAL =
  "virtual:agent-surface-contract exists only in a build: the dev server and Vitest have no proven contract to " +
  "hand out. Run `vite build`, or keep this import out of the modules that you serve.";
