import DataLoader from 'dataloader';
import type { Agent } from '../src/agents/agent.entity.ts';
import { agentsByIds } from '../src/agents/agents.ts';
import { listBranches } from '../src/conversations/branches.ts';
import { type Feedback, feedbackOf } from '../src/conversations/feedback.ts';
import type { Message } from '../src/conversations/message.entity.ts';
import { latestMessagesOf } from '../src/conversations/messages.ts';
import type { Ctx } from '../src/core/ctx.ts';

/** One statement for all of a request's nested reads of a kind. */
export interface Loaders {
  /** An agent that the caller may use, else null. */
  agent: DataLoader<string, Agent | null>;
  /** Ids of the branches at a message, itself included, oldest first. */
  branchIds: DataLoader<string, string[]>;
  feedback: DataLoader<string, Feedback | null>;
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
    branchIds: loader(async (ids) => {
      const branches = await listBranches(ctx, ids);
      return ids.map((id) => branches.filter((branch) => branch.of === id).map((branch) => branch.id));
    }),
    feedback: loader(async (ids) => {
      const feedback = new Map((await feedbackOf(ctx, ids)).map((each) => [each.messageId, each]));
      return ids.map((id) => feedback.get(id) ?? null);
    }),
    latestMessages: loader(async (ids) => {
      const messages = Map.groupBy(await latestMessagesOf(ctx, ids), (message) => message.conversationId);
      return ids.map((id) => messages.get(id) ?? []);
    }),
  };
}
