import type { Ctx } from '../core/ctx.ts';

/** Ends what a feature further on has attached to an agent, in the transaction that deletes the agent, before its row goes. */
export type AgentEnd = (tx: Ctx, agentId: string) => Promise<void>;

declare module '../core/ctx.ts' {
  interface Ports {
    agentEnds: readonly AgentEnd[];
  }
}
