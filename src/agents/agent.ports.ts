import type { Ctx } from '../core/ctx.ts';
import type { TaskRun } from '../core/tasks/task-handler.ts';

/**
 * Runs in the transaction that marks an agent as deleted, and ends whatever another feature has attached to the agent.
 * Its work must be bounded.
 */
export type AgentDeletionStep = (tx: Ctx, agentId: string) => Promise<void>;

/** Removes data of a deleted agent, in batches and outside a transaction. */
export type AgentRemovalStep = (ctx: Ctx, agentId: string, run: TaskRun) => Promise<void>;

/** Runs under the agent's lock before its behaviour changes. Throws to reject the change. */
export type BehaviourChangeStep = (tx: Ctx, agentId: string) => Promise<void>;

/** Runs in the transaction that makes a private agent public, even if the agent then waits for review by moderators. */
export type AgentPublishedStep = (tx: Ctx, agent: { id: string; name: string }) => Promise<void>;

/**
 * Returns a text of an agent that others read besides its own fields, for moderators and the content check; null if
 * there is none.
 */
export type AgentText = (ctx: Ctx, agentId: string) => Promise<string | null>;

/** Returns whether others can read the instructions of a public agent. */
export type InstructionsVisibility = (ctx: Ctx, agentId: string) => Promise<boolean>;

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
    showsInstructions?: readonly InstructionsVisibility[];
    onAgentUnpublished?: readonly AgentUnpublishedStep[];
    onAgentDeleted?: readonly AgentDeletionStep[];
    removeOfAgent?: readonly AgentRemovalStep[];
  }
}
