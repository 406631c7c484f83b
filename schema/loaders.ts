import DataLoader from 'dataloader';
import type { Agent } from '../src/agents/agent.entity.ts';
import { agentsByIds } from '../src/agents/agents.ts';
import type { Message } from '../src/conversations/message.entity.ts';
import { latestMessagesOf } from '../src/conversations/messages.ts';
import type { Ctx } from '../src/core/ctx.ts';

/** One statement for all of a request's nested reads of a kind. */
export interface Loaders {
  /** An agent that the caller may use, else null. */
  agent: DataLoader<string, Agent | null>;
  /** The newest messages of a conversation that the caller was let see, oldest first. */
  latestMessages: DataLoader<string, Message[]>;
}

const maxBatchSize = 200;

export function createLoaders(ctx: Ctx): Loaders {
  const loader = <Value>(load: (ids: readonly string[]) => Promise<Value[]>) =>
    new DataLoader<string, Value>(load, { maxBatchSize });
  return {
    agent: loader(async (ids) => {
      const agents = new Map((await agentsByIds(ctx, ids)).map((agent) => [agent.id, agent]));
      return ids.map((id) => agents.get(id) ?? null);
    }),
    latestMessages: loader(async (ids) => {
      const messages = Map.groupBy(await latestMessagesOf(ctx, ids), (message) => message.conversationId);
      return ids.map((id) => messages.get(id) ?? []);
    }),
  };
}
