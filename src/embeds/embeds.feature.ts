import type { Feature } from '../core/feature.ts';
import { encryptedEmbedSecrets } from './embed-secrets.ts';
import { EmbedDay } from './embed-day.entity.ts';
import { Embed } from './embed.entity.ts';
import { embedEvents } from './embed.events.ts';
import { embedExport } from './embed.export.ts';
import { embedSettings } from './embeds.settings.ts';
import { endAgentEmbeds, removeAgentEmbeds, removeEmbed } from './remove-embed.ts';
import { EmbedConversation } from './visitors/embed-conversation.entity.ts';
import { EmbedSession } from './visitors/embed-session.entity.ts';
import { EmbedVisitor } from './visitors/embed-visitor.entity.ts';
import { sessionExpiry, expireVisitors } from './visitors/expire-visitors.ts';
import { eraseForgotten } from './visitors/forget-visitor.ts';
import { keepChargesOfVisitors, renewEmbedCharge, returnToEmbeds } from './visitors/visitor-limits.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    emb_: 'embed';
    vis_: 'visitor';
  }
}

declare module '../core/actor.ts' {
  interface Scopes {
    'embeds:read': true;
    'embeds:write': true;
    'embeddings:use': true;
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    'embed.remove': { embedId: string; keepConversations: boolean };
    'embed.forget': { visitorId: string };
  }
}

declare module '../core/feature.ts' {
  interface PlanLimits {
    embeds: number;
    embeddingTokensPerDay: number;
  }
}

export const embeds: Feature = {
  name: 'embeds',
  settings: embedSettings,
  entities: [Embed, EmbedVisitor, EmbedSession, EmbedConversation, EmbedDay],
  idPrefixes: { embed: 'emb_', visitor: 'vis_' },
  scopes: ['embeds:read', 'embeds:write', 'embeddings:use'],
  events: embedEvents,
  planLimits: {
    embeds: { free: 1, plus: 5, pro: 20, creator: Infinity },
    embeddingTokensPerDay: { free: 100_000, plus: 1_000_000, pro: 5_000_000, creator: 20_000_000 },
  },
  jobs: [
    {
      kind: 'embed.remove',
      concurrency: 1,
      retryDelaysSeconds: [2, 10, 60],
      handle: (ctx, { embedId, keepConversations }, run) => removeEmbed(ctx, embedId, keepConversations, run),
    },
    {
      // Erases a visitor who was deleted or asked to be forgotten, with all conversations.
      kind: 'embed.forget',
      concurrency: 2,
      retryDelaysSeconds: [2, 10, 60],
      handle: (ctx, { visitorId }) => eraseForgotten(ctx, visitorId),
    },
  ],
  onAgentDeleted: [endAgentEmbeds],
  removeOfAgent: [removeAgentEmbeds],
  keepCharges: [keepChargesOfVisitors],
  onChargesReturned: [returnToEmbeds],
  onChargeRenewed: [renewEmbedCharge],
  encryptedColumns: encryptedEmbedSecrets,
  expiries: [sessionExpiry, { name: 'embedVisitors', remove: expireVisitors }],
  exportSections: embedExport,
};
