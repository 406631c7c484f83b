import { accountRoutes } from './accounts.ts';
import { agentRoutes } from './agents.ts';
import { billingRoutes } from './billing.ts';
import { conversationRoutes } from './conversations.ts';
import { embedRoutes } from './embeds.ts';
import { embeddingRoutes } from './embeddings.ts';
import { imageRoutes } from './images.ts';
import { integrationRoutes } from './integrations.ts';
import { knowledgeRoutes } from './knowledge.ts';
import { marketplaceRoutes } from './marketplace.ts';
import { moderationRoutes } from './moderation.ts';
import type { Route, RouteGroup, Shapes } from './route.ts';
import { socialRoutes } from './social.ts';
import { roomRoutes } from './rooms.ts';
import { studioRoutes } from './studio.ts';
import { voiceRoutes } from './voice.ts';
import { webhookRoutes } from './webhooks.ts';

/** Every group of routes, in the order of the documentation. */
const groups: readonly RouteGroup[] = [
  accountRoutes,
  billingRoutes,
  agentRoutes,
  studioRoutes,
  conversationRoutes,
  voiceRoutes,
  webhookRoutes,
  knowledgeRoutes,
  imageRoutes,
  integrationRoutes,
  roomRoutes,
  embedRoutes,
  embeddingRoutes,
  marketplaceRoutes,
  moderationRoutes,
  socialRoutes,
];

/** Every route of /v1. */
export const routes: readonly Route[] = groups.flatMap(({ tag, routes: rows }) => rows.map((row) => ({ ...row, tag })));

export const shapes: Shapes = Object.assign({}, ...groups.map((group) => group.shapes)) as Shapes;

/** The description of each tag in the documentation. */
export const tagDescriptions: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  groups.map(({ tag, description }) => [tag, description]),
);
