/** The help. */
export const USAGE = `agent-surface: what an agent may do in your production build

  agent-surface inspect               show the contract, and whether the snapshot is current
  agent-surface snapshot              write the contract that you commit
  agent-surface check                 fail where the snapshot is stale, or the contract drifted from a base
  agent-surface explain <capability>  where it is declared, what it was evaluated from, who binds it, what changed

App
  --root <folder>        the app's folder (default: the current one)
  --config <file>        its Vite config, from that folder (default: the one Vite finds)
  --target <name>        build target, can be repeated (default: the plugin's own)
  --allow <pkg>=<sha256> a dependency that may contribute capabilities, can be repeated
  --workspace            every app below --root whose Vite config has the plugin

Comparison
  --snapshot <file>      the committed contract, from the app's folder (default: .agent-surface/contract.json)
  --base <git ref>       compare with the snapshot there
  --policy <changes>     which changes since the base fail: all (default), widening, narrowing, neutral, none

Output
  --format <format>      human (default), json, md, github, sarif
  --verbosity <level>    min, normal (default), detail
  --json --detail        short for --format json, --verbosity detail
  --plain                no colour and no wrapping, also at a terminal
  -h --help  -v --version

Exit code: 0 nothing to object to, 1 the snapshot is stale or a selected change was found, 2 the command could not be
carried out.
`;
