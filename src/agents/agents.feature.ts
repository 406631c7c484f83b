import type { Feature } from '../core/feature.ts';
import { Agent } from './agent.entity.ts';
import { agentEvents } from './agent.events.ts';
import { reportableAgent } from './agent.moderation.ts';
import { AgentVersion } from './agent-version.entity.ts';
import { agentVersionEvents } from './agent-version.events.ts';
import { agentExport, agentVersionExport } from './agent.export.ts';
import { purgeAgentActivity } from './agent.purge.ts';
import { decayTrending, aggregateActivity } from './popularity.ts';
import { AgentActivity } from './agent-activity.entity.ts';
import { AgentPopularity } from './agent-popularity.entity.ts';
import { announceLater, announceUnpublished } from './announce-unpublished.ts';
import { removeAgent } from './remove-agent.ts';
import { agentSettings } from './agents.settings.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    ver_: 'version';
  }
}

declare module '../core/actor.ts' {
  interface Scopes {
    'agents:read': true;
    'agents:write': true;
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    'agent.aggregate-activity': object;
    'agent.decay-trending': object;
    'agent.remove': { agentId: string };
    'agent.announce-unpublished': { userId: string };
  }
}

declare module '../core/feature.ts' {
  interface PlanLimits {
    agents: number;
  }
}

export const agents: Feature = {
  name: 'agents',
  settings: agentSettings,
  entities: [Agent, AgentVersion, AgentActivity, AgentPopularity],
  idPrefixes: { version: 'ver_' },
  scopes: ['agents:read', 'agents:write'],
  events: { ...agentEvents, ...agentVersionEvents },
  planLimits: { agents: { free: 3, plus: 15, pro: 50, creator: Infinity } },
  jobs: [
    {
      // Keeps the counters of agents at most a few seconds behind their conversations.
      kind: 'agent.aggregate-activity',
      everyMs: 5_000,
      when: 'exists (select from agent_activity)',
      concurrency: 1,
      handle: async (ctx) => void (await aggregateActivity(ctx)),
    },
    {
      kind: 'agent.decay-trending',
      everyMs: 600_000,
      concurrency: 1,
      handle: (ctx) => decayTrending(ctx),
    },
    {
      // Removes a deleted agent and all its conversations.
      kind: 'agent.remove',
      concurrency: 1,
      retryDelaysSeconds: [2, 10, 60],
      handle: (ctx, { agentId }, run) => removeAgent(ctx, agentId, run),
    },
    {
      // Handles the public agents of an account that is being deleted.
      kind: 'agent.announce-unpublished',
      concurrency: 1,
      retryDelaysSeconds: [2, 10, 60],
      handle: (ctx, { userId }, run) => announceUnpublished(ctx, userId, run),
    },
  ],
  onAccountLeaving: [announceLater],
  purge: [purgeAgentActivity],
  reportable: [reportableAgent],
  exportSections: [agentExport, agentVersionExport],
};
