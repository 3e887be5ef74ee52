/// <reference types="@agent-surface/compiler/client" />
// Checked by `tsc`, run by nobody: what an app's editor knows after that one line, and who takes the plugin.
import { agentSurface } from "@agent-surface/compiler";
import type { CapabilityAuthority, CapabilityContractManifest } from "@agent-surface/core";
import type { RolldownPluginOption } from "rolldown";
import type { InputPluginOption } from "rollup";
import authority, { manifest } from "virtual:agent-surface-contract";
import type { PluginOption as Vite8PluginOption } from "vite";
import type { PluginOption as Vite7PluginOption } from "vite7";

authority satisfies CapabilityAuthority;
manifest satisfies CapabilityContractManifest;

agentSurface() satisfies Vite8PluginOption;
agentSurface() satisfies Vite7PluginOption;
agentSurface() satisfies RolldownPluginOption;
agentSurface() satisfies InputPluginOption;
