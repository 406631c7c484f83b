import type { Plan } from './actor.ts';

interface PlanLimits {
  messagesPerDay: number;
  agents: number;
  knowledgeDocuments: number;
}

/** What each plan allows; `Infinity` is unlimited and shown as -1. */
export const planLimits: Record<Plan, PlanLimits> = {
  free: { messagesPerDay: 50, agents: 3, knowledgeDocuments: 5 },
  plus: { messagesPerDay: 500, agents: 15, knowledgeDocuments: 50 },
  pro: { messagesPerDay: 2_000, agents: 50, knowledgeDocuments: 200 },
  creator: { messagesPerDay: Infinity, agents: Infinity, knowledgeDocuments: 1_000 },
};
