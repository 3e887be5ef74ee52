import { createOrpcAgentBridge, type AgentProcedureRef, type RefsFor } from "@agent-surface/orpc";
import { useAgentProcedure } from "@agent-surface/orpc/react";
import { defineAgentProcedureContract, fromJsonSchema } from "@agent-surface/core";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
import { oc, type ContractRouterClient } from "@orpc/contract";
import { lazy, os, type RouterClient } from "@orpc/server";
import { expectTypeOf, it } from "vitest";
import { z } from "zod";

const Renaming = z.object({ id: z.string(), name: z.string().exactOptional() });
type Renamed = { id: string; name?: string };

it("references have the types of a router's client, be it loaded lazily", () => {
  const devices = { rename: os.input(Renaming).handler(({ input }) => input), ping: os.handler(() => 1) };
  const router = { devices, later: lazy(async () => ({ default: devices })) };
  type Refs = RefsFor<RouterClient<typeof router>>;
  expectTypeOf<Refs["devices"]["rename"]>().toExtend<AgentProcedureRef<Renamed, Renamed>>();
  expectTypeOf<Refs["later"]["rename"]>().toExtend<AgentProcedureRef<Renamed, Renamed>>();
  expectTypeOf<Refs["devices"]>().not.toHaveProperty("wipe");
});

it("references have the types of a contract's client, and a hook takes them with a contract of the same types", () => {
  const contract = { devices: { rename: oc.input(Renaming).output(Renaming) } };
  const client: ContractRouterClient<typeof contract> = createORPCClient(new RPCLink({ url: "http://x" }));
  const tool = { description: "x", inputSchema: {}, effect: "server-mutation" } as const;
  const { refs } = createOrpcAgentBridge({ client, manifest: { tools: { "devices.rename": tool } } });
  expectTypeOf(refs.devices.rename).toExtend<AgentProcedureRef<Renamed, Renamed>>();
  const same = defineAgentProcedureContract<Renamed, Renamed>({
    id: "domain:devices.rename",
    description: "Rename a device",
    input: fromJsonSchema({}),
    effect: "server-mutation",
  });
  const other = defineAgentProcedureContract<{ id: number }, Renamed>({
    id: "domain:devices.rename",
    description: "Rename a device",
    input: fromJsonSchema({}),
    effect: "server-mutation",
  });
  expectTypeOf(useAgentProcedure<Renamed, Renamed>).toBeCallableWith(same, refs.devices.rename, {
    bind: () => ({ id: "d1" }),
  });
  // @ts-expect-error -- the contract takes a number for an id
  expectTypeOf(useAgentProcedure<Renamed, Renamed>).toBeCallableWith(other, refs.devices.rename);
});
