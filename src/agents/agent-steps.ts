import type { Ctx } from '../core/ctx.ts';
import type { Feature } from '../core/feature.ts';

type AgentStep = (tx: Ctx, agentId: string) => Promise<void>;

/** Runs the steps that other features have attached to a change of an agent, in the order of the features. */
export async function runAgentSteps(
  tx: Ctx,
  agentId: string,
  stepsOf: (feature: Feature) => readonly AgentStep[] | undefined,
): Promise<void> {
  for (const feature of tx.catalog.features) for (const step of stepsOf(feature) ?? []) await step(tx, agentId);
}
