import type { Feature } from '../core/feature.ts';
import { encryptedBotTokens } from './bot-token.ts';
import { Integration } from './integration.entity.ts';
import { integrationEvents } from './integration.events.ts';
import { integrationExport } from './integration.export.ts';
import { removeAgentIntegrations } from './integrations.ts';
import { failQueueHead, processQueue } from './replies/answer-messages.ts';
import type { ChatQueue } from './replies/chat-queue.ts';
import { platformMessageExpiry } from './replies/platform-message.expiry.ts';
import { IntegrationConnection } from './connections/integration-connection.entity.ts';
import { IntegrationConversation } from './replies/integration-conversation.entity.ts';
import { IntegrationRefusal } from './replies/integration-refusal.entity.ts';
import { refusalExpiry } from './replies/refusals.ts';
import { PlatformMessage } from './replies/platform-message.entity.ts';
import { IntegrationNotice } from './connections/integration-notice.entity.ts';
import { integrationSettings } from './integrations.settings.ts';
import { noticeExpiry } from './connections/notice.expiry.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    int_: 'integration';
  }
}

declare module '../core/actor.ts' {
  interface Scopes {
    'integrations:read': true;
    'integrations:write': true;
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    'integration.answer': ChatQueue;
    'integration.reconcile': { integrationId: string };
  }
}

export const integrations: Feature = {
  name: 'integrations',
  settings: integrationSettings,
  entities: [
    Integration,
    IntegrationConnection,
    IntegrationConversation,
    PlatformMessage,
    IntegrationNotice,
    IntegrationRefusal,
  ],
  idPrefixes: { integration: 'int_' },
  scopes: ['integrations:read', 'integrations:write'],
  events: integrationEvents,
  jobs: [
    {
      // Replies to the messages of one user in one chat of a platform, in order.
      kind: 'integration.answer',
      concurrency: 50,
      leaseMs: 10_000,
      timeoutMs: 180_000,
      retryDelaysSeconds: [1, 5, 30],
      handle: processQueue,
      failed: failQueueHead,
    },
    {
      // Runs after an integration was connected, changed or removed. The worker that claims it checks its connections
      // immediately, the others within a second.
      kind: 'integration.reconcile',
      concurrency: 1,
      handle: async (ctx) => ctx.ports.connections.reconcile(),
    },
  ],
  onAgentDeleted: [removeAgentIntegrations],
  encryptedColumns: [encryptedBotTokens],
  expiries: [platformMessageExpiry, noticeExpiry, refusalExpiry],
  exportSections: [integrationExport],
  restore: [
    {
      counts: 'platformMessages',
      sql: `
        update platform_messages set state = 'dropped', content = '', parts = null, sending = false
        where state in ('received', 'replying')`,
    },
  ],
};
