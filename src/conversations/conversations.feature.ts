import type { Feature } from '../core/feature.ts';
import { Conversation } from './conversation.entity.ts';
import { conversationEvents } from './conversation.events.ts';
import { conversationExport } from './conversation.export.ts';
import { purgeCheckpoints } from './generations/checkpoints.ts';
import { Generation } from './generations/generation.entity.ts';
import { leaseHolds } from './instances/instance-lease.ts';
import { purgeDeadInstances } from './instances/instances.ts';
import { interruptOrphans } from './generations/interrupt-generation.ts';
import { Message } from './messages/message.entity.ts';
import { AgentGreeting } from './prompt/agent-greeting.entity.ts';
import { writeGreeting } from './prompt/greetings.ts';
import { VersionGreeting } from './prompt/version-greeting.entity.ts';
import { updateSummary } from './prompt/summaries.ts';
import { writeTitle } from './prompt/titles.ts';
import { ConversationTitle } from './search/conversation-title.entity.ts';
import { reindexSearch } from './search/reindex.ts';
import { MessageFeedback } from './messages/message-feedback.entity.ts';
import { GenerationDelta } from './generations/generation-delta.entity.ts';
import { Instance } from './instances/instance.entity.ts';
import { ConversationSummary } from './prompt/conversation-summary.entity.ts';
import { cancelAgentReplies, removeAgentConversations, removeConversation } from './remove-conversation.ts';
import { conversationSettings } from './conversations.settings.ts';
import { generationGauges } from './generations/generation.gauges.ts';
import { purgeGenerations } from './generations/purge-generations.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    conv_: 'conversation';
    msg_: 'message';
    gen_: 'generation';
  }
}

declare module '../core/actor.ts' {
  interface Scopes {
    'conversations:read': true;
    'conversations:write': true;
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    'conversation.greeting': { conversationId: string };
    'conversation.title': { conversationId: string };
    'conversation.summary': { conversationId: string };
    'conversation.remove': { conversationId: string };
    'conversation.reindex': { after: string };
    'generation.recover': object;
  }
}

declare module '../core/feature.ts' {
  interface PlanLimits {
    messagesPerDay: number;
    openStreams: number;
  }
}

export const conversations: Feature = {
  name: 'conversations',
  settings: conversationSettings,
  entities: [
    Conversation,
    ConversationTitle,
    Message,
    MessageFeedback,
    Generation,
    GenerationDelta,
    Instance,
    ConversationSummary,
    AgentGreeting,
    VersionGreeting,
  ],
  idPrefixes: { conversation: 'conv_', message: 'msg_', generation: 'gen_' },
  scopes: ['conversations:read', 'conversations:write'],
  events: conversationEvents,
  planLimits: {
    messagesPerDay: { free: 50, plus: 500, pro: 2_000, creator: Infinity },
    openStreams: { free: 25, plus: 50, pro: 100, creator: 250 },
  },
  jobs: [
    {
      // The first message of a conversation when the version has no greeting. It is useless after about a minute.
      kind: 'conversation.greeting',
      concurrency: 8,
      timeoutMs: 30_000,
      retryDelaysSeconds: [2, 10, 30],
      handle: (ctx, { conversationId }, run) => writeGreeting(ctx, conversationId, run),
    },
    {
      kind: 'conversation.title',
      concurrency: 8,
      timeoutMs: 60_000,
      handle: (ctx, { conversationId }, { signal }) => writeTitle(ctx, conversationId, signal),
    },
    {
      // Summarizes the turns beyond the context window, so that long conversations stay within the model's budget.
      kind: 'conversation.summary',
      handle: (ctx, { conversationId }, { signal }) => updateSummary(ctx, conversationId, signal),
    },
    {
      // Enqueued by a migration that changes how texts are indexed.
      kind: 'conversation.reindex',
      concurrency: 1,
      handle: reindexSearch,
    },
    {
      kind: 'conversation.remove',
      concurrency: 1,
      retryDelaysSeconds: [2, 10, 60],
      handle: (ctx, { conversationId }, run) => removeConversation(ctx, conversationId, run),
    },
    {
      // Ends the replies of dead processes, which would otherwise block their conversations. Heartbeats detect most of
      // them earlier.
      kind: 'generation.recover',
      everyMs: 5_000,
      when: `exists (
        select from generations g where g.state = 'running' and not exists (
          select from instances i where i.id = g.instance_id
            and ${leaseHolds('i')}))`,
      concurrency: 1,
      retryDelaysSeconds: [5],
      handle: async (ctx) => {
        const interrupted = await interruptOrphans(ctx);
        if (interrupted > 0) ctx.log.warn({ interrupted }, 'ended the replies of dead instances');
      },
    },
  ],
  onAgentDeleted: [cancelAgentReplies],
  removeOfAgent: [removeAgentConversations],
  expiries: [
    { name: 'instances', remove: purgeDeadInstances },
    { name: 'checkpoints', remove: purgeCheckpoints },
    { name: 'generations', remove: purgeGenerations },
  ],
  exportSections: conversationExport,
  restore: [{ sql: `delete from instances` }],
  gauges: [generationGauges],
};
