import { accounts } from '../accounts/accounts.feature.ts';
import { agents } from '../agents/agents.feature.ts';
import { apiKeys } from '../api-keys/api-keys.feature.ts';
import { billing } from '../billing/billing.feature.ts';
import { conversations } from '../conversations/conversations.feature.ts';
import { type Catalog, createCatalog } from '../core/catalog.ts';
import { coreFeature } from '../core/core.feature.ts';
import type { Feature } from '../core/feature.ts';
import { images } from '../images/images.feature.ts';
import { embeds } from '../embeds/embeds.feature.ts';
import { marketplace } from '../marketplace/marketplace.feature.ts';
import { integrations } from '../integrations/integrations.feature.ts';
import { knowledge } from '../knowledge/knowledge.feature.ts';
import { rooms } from '../rooms/rooms.feature.ts';
import { realtime } from '../realtime/realtime.feature.ts';
import { social } from '../social/social.feature.ts';
import { studio } from '../studio/studio.feature.ts';
import { moderation } from '../moderation/moderation.feature.ts';
import { voice } from '../voice/voice.feature.ts';
import { webhooks } from '../webhooks/webhooks.feature.ts';

/** All features, in order: each one imports only earlier ones. */
export const features: readonly Feature[] = [
  coreFeature,
  accounts,
  apiKeys,
  billing,
  moderation,
  knowledge,
  agents,
  images,
  studio,
  conversations,
  voice,
  integrations,
  rooms,
  embeds,
  marketplace,
  social,
  webhooks,
  realtime,
];

export const catalog: Catalog = createCatalog(features);
