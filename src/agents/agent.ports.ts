import type { Ctx } from '../core/ctx.ts';
import type { TaskRun } from '../core/tasks/task-handler.ts';

/** Ends what a later feature has attached to an agent, in the transaction that marks the agent as deleted. Bounded work only. */
export type AgentDeletionStep = (tx: Ctx, agentId: string) => Promise<void>;

/** Removes, in batches and outside of a transaction, what belongs to a deleted agent. */
export type AgentRemovalStep = (ctx: Ctx, agentId: string, run: TaskRun) => Promise<void>;

/** Runs under the agent's lock before its behaviour changes; throws to refuse the change. */
export type BehaviourChangeStep = (tx: Ctx, agentId: string) => Promise<void>;

/** Runs in the transaction that makes a private agent public, before moderators have seen it if they see it first. */
export type AgentPublishedStep = (tx: Ctx, agent: { id: string; name: string }) => Promise<void>;

/** What others read of an agent besides its own fields, for moderators and the content check; null for nothing. */
export type AgentText = (ctx: Ctx, agentId: string) => Promise<string | null>;

/** Runs in the transaction that makes a public agent private. */
export type AgentUnpublishedStep = (tx: Ctx, agentId: string) => Promise<void>;

/** Runs under the agent's lock after a version was added. */
export type VersionAddedStep = (tx: Ctx, agentId: string) => Promise<void>;

declare module '../core/feature.ts' {
  interface Feature {
    beforeBehaviourChange?: readonly BehaviourChangeStep[];
    onVersionAdded?: readonly VersionAddedStep[];
    onAgentPublished?: readonly AgentPublishedStep[];
    agentTexts?: readonly AgentText[];
    onAgentUnpublished?: readonly AgentUnpublishedStep[];
    onAgentDeleted?: readonly AgentDeletionStep[];
    removeOfAgent?: readonly AgentRemovalStep[];
  }
}
