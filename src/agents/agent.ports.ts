import type { Ctx } from '../core/ctx.ts';
import type { TaskRun } from '../core/tasks/task-handler.ts';

/** Ends what a later feature has attached to an agent, in the transaction that marks the agent as deleted. Bounded work only. */
export type AgentDeletionStep = (tx: Ctx, agentId: string) => Promise<void>;

/** Removes, in batches and outside of a transaction, what belongs to a deleted agent. */
export type AgentRemovalStep = (ctx: Ctx, agentId: string, run: TaskRun) => Promise<void>;

/** Runs under the agent's lock before its behaviour changes; throws to refuse the change. */
export type BehaviourChangeStep = (tx: Ctx, agentId: string) => Promise<void>;

/** Runs under the agent's lock, in the transaction that makes it public. */
export type AgentPublishedStep = (tx: Ctx, agentId: string) => Promise<void>;

/** Runs in the transaction that makes a public agent private. */
export type AgentUnpublishedStep = (tx: Ctx, agentId: string) => Promise<void>;

/** Runs under the agent's lock after a version was added. */
export type VersionAddedStep = (tx: Ctx, agentId: string) => Promise<void>;

declare module '../core/feature.ts' {
  interface Feature {
    beforeBehaviourChange?: readonly BehaviourChangeStep[];
    onVersionAdded?: readonly VersionAddedStep[];
    onAgentPublished?: readonly AgentPublishedStep[];
    onAgentUnpublished?: readonly AgentUnpublishedStep[];
    onAgentDeleted?: readonly AgentDeletionStep[];
    removeOfAgent?: readonly AgentRemovalStep[];
  }
}
