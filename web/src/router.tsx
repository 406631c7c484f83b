import { createRoute, createRouter as createTanstackRouter } from '@tanstack/react-router';
import { ErrorPage, NotFoundPage } from './frame/states/error-page.tsx';
import { frame } from './frame-route.tsx';
import { loadScreen } from './parts/layers/load-part.ts';
import { root } from './root-route.tsx';
import { screen } from './screen.ts';
import { agentSearch, connectSearch, deliverySearch, eventSearch, exploreSearch, text } from './search-params.ts';
import { socialRoutes } from './social-routes.tsx';
import { visitorRoutes } from './visitor-routes.tsx';

// Import no operation here: a screen's queries load with the screen (`loaders.ts` of its feature), so that visitor pages
// stay small.

const newChat = createRoute({
  getParentRoute: () => frame,
  path: '/chat',
  validateSearch: (search): { agent?: string | undefined } => ({ agent: text(search['agent']) }),
  loader: async () => (await loadScreen(() => import('./conversations/loaders.ts'))).loadChatAgents(),
  component: screen(() => import('./conversations/new-chat/new-chat-page.tsx'), 'NewChatPage'),
});
const conversation = createRoute({
  getParentRoute: () => frame,
  path: '/chat/$conversationId',
  validateSearch: (search): { m?: string | undefined; q?: string | undefined } => ({
    m: text(search['m']),
    q: text(search['q']),
  }),
  loader: async ({ params, location, preload }) => {
    const { loadConversation } = await loadScreen(() => import('./conversations/loaders.ts'));
    const messageId = new URLSearchParams(location.searchStr).get('m') ?? undefined;
    return loadConversation(params.conversationId, messageId, preload);
  },
  component: screen(() => import('./conversations/conversation-page.tsx'), 'ConversationPage'),
});
const rooms = createRoute({
  getParentRoute: () => frame,
  path: '/rooms',
  component: screen(() => import('./rooms/rooms-page.tsx'), 'RoomsPage'),
});
const room = createRoute({
  getParentRoute: () => frame,
  path: '/rooms/$roomId',
  loader: async ({ params, preload }) => {
    const { loadRoomAndMessages } = await loadScreen(() => import('./rooms/loaders.ts'));
    return loadRoomAndMessages(params.roomId, preload);
  },
  component: screen(() => import('./rooms/room-page.tsx'), 'RoomPage'),
});
const roomSettings = createRoute({
  getParentRoute: () => frame,
  path: '/rooms/$roomId/settings',
  loader: async ({ params }) => (await loadScreen(() => import('./rooms/loaders.ts'))).loadRoom(params.roomId),
  component: screen(() => import('./rooms/room-settings-page.tsx'), 'RoomSettingsPage'),
});
const search = createRoute({
  getParentRoute: () => frame,
  path: '/search',
  validateSearch: (given): { q?: string | undefined; agent?: string | undefined; days?: number | undefined } => ({
    q: text(given['q']),
    agent: text(given['agent']),
    days: [7, 30, 365].find((days) => days === given['days']),
  }),
  component: screen(() => import('./conversations/search/search-page.tsx'), 'SearchPage'),
});

const agents = createRoute({
  getParentRoute: () => frame,
  path: '/agents',
  validateSearch: agentSearch,
  component: screen(() => import('./agents/agents-page.tsx'), 'AgentsPage'),
});
const newAgent = createRoute({
  getParentRoute: () => frame,
  path: '/agents/new',
  validateSearch: (given): { template?: string | undefined } => ({ template: text(given['template']) }),
  component: screen(() => import('./agents/agent-editor-page.tsx'), 'NewAgentPage'),
});
const editAgent = createRoute({
  getParentRoute: () => frame,
  path: '/agents/$agentId/edit',
  loader: async ({ params }) => (await loadScreen(() => import('./agents/loaders.ts'))).loadAgent(params.agentId),
  component: screen(() => import('./agents/agent-editor-page.tsx'), 'EditAgentPage'),
});
const knowledge = createRoute({
  getParentRoute: () => frame,
  path: '/agents/$agentId/knowledge',
  validateSearch: (given): { query?: string | undefined } => ({ query: text(given['query']) }),
  loader: async ({ params }) =>
    (await loadScreen(() => import('./knowledge/loaders.ts'))).loadKnowledgeAgent(params.agentId),
  component: screen(() => import('./knowledge/knowledge-page.tsx'), 'KnowledgePage'),
});

const ofStudio = {
  getParentRoute: () => frame,
  loader: async ({ params }: { params: { agentId: string } }) =>
    (await loadScreen(() => import('./studio/loaders.ts'))).loadStudioAgent(params.agentId),
} as const;
const versions = createRoute({
  ...ofStudio,
  path: '/agents/$agentId/versions',
  component: screen(() => import('./studio/versions-page.tsx'), 'VersionsPage'),
});
const experiments = createRoute({
  ...ofStudio,
  path: '/agents/$agentId/experiments',
  component: screen(() => import('./studio/experiments-page.tsx'), 'ExperimentsPage'),
});
const analytics = createRoute({
  ...ofStudio,
  path: '/agents/$agentId/analytics',
  component: screen(() => import('./studio/analytics-page.tsx'), 'AnalyticsPage'),
});
const studio = createRoute({
  getParentRoute: () => frame,
  path: '/studio',
  component: screen(() => import('./studio/studio-page.tsx'), 'StudioPage'),
});
const chunks = createRoute({
  getParentRoute: () => frame,
  path: '/agents/$agentId/knowledge/$docId',
  validateSearch: (given): { chunk?: number | undefined; q?: string | undefined; view?: 'text' | undefined } => ({
    chunk: Number.isInteger(given['chunk']) && Number(given['chunk']) >= 0 ? Number(given['chunk']) : undefined,
    q: text(given['q']),
    view: given['view'] === 'text' ? 'text' : undefined,
  }),
  loader: async ({ params }) =>
    (await loadScreen(() => import('./knowledge/loaders.ts'))).loadDocument(params.agentId, params.docId),
  component: screen(() => import('./knowledge/chunks-page.tsx'), 'ChunksPage'),
});

const explore = createRoute({
  getParentRoute: () => frame,
  path: '/explore',
  validateSearch: exploreSearch,
  component: screen(() => import('./explore/explore-page.tsx'), 'ExplorePage'),
});
const exploredAgent = createRoute({
  getParentRoute: () => frame,
  path: '/explore/$agentId',
  loader: async ({ params }) =>
    (await loadScreen(() => import('./explore/loaders.ts'))).loadExploredAgent(params.agentId),
  component: screen(() => import('./explore/explored-agent-page.tsx'), 'ExploredAgentPage'),
});

const integrations = createRoute({
  getParentRoute: () => frame,
  path: '/integrations',
  validateSearch: connectSearch,
  component: screen(() => import('./integrations/integrations-page.tsx'), 'IntegrationsPage'),
});
const integration = createRoute({
  getParentRoute: () => frame,
  path: '/integrations/$integrationId',
  loader: async ({ params }) =>
    (await loadScreen(() => import('./integrations/loaders.ts'))).loadIntegration(params.integrationId),
  component: screen(() => import('./integrations/integration-page.tsx'), 'IntegrationPage'),
});
const embeds = createRoute({
  getParentRoute: () => frame,
  path: '/embeds',
  component: screen(() => import('./embeds/embeds-page.tsx'), 'EmbedsPage'),
});
const embed = createRoute({
  getParentRoute: () => frame,
  path: '/embeds/$embedId',
  loader: async ({ params }) => (await loadScreen(() => import('./embeds/loaders.ts'))).loadEmbed(params.embedId),
  component: screen(() => import('./embeds/embed-page.tsx'), 'EmbedPage'),
});
const webhooks = createRoute({
  getParentRoute: () => frame,
  path: '/webhooks',
  component: screen(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => frame,
  path: '/webhooks/$webhookId',
  validateSearch: deliverySearch,
  loader: async ({ params }) => (await loadScreen(() => import('./webhooks/loaders.ts'))).loadWebhook(params.webhookId),
  component: screen(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
});
const events = createRoute({
  getParentRoute: () => frame,
  path: '/events',
  validateSearch: eventSearch,
  component: screen(() => import('./events/events-page.tsx'), 'EventsPage'),
});
const eventCatalog = createRoute({
  getParentRoute: () => frame,
  path: '/events/catalog',
  component: screen(() => import('./events/catalog-page.tsx'), 'CatalogPage'),
});
const apiKeys = createRoute({
  getParentRoute: () => frame,
  path: '/api-keys',
  component: screen(() => import('./api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
});
const profile = createRoute({
  getParentRoute: () => frame,
  path: '/settings/profile',
  component: screen(() => import('./settings/profile-page.tsx'), 'ProfilePage'),
});
const security = createRoute({
  getParentRoute: () => frame,
  path: '/settings/security',
  component: screen(() => import('./settings/security-page.tsx'), 'SecurityPage'),
});
const billing = createRoute({
  getParentRoute: () => frame,
  path: '/settings/billing',
  validateSearch: (given): { checkout?: string | undefined } => ({ checkout: text(given['checkout']) }),
  component: screen(() => import('./billing/billing-page.tsx'), 'BillingPage'),
});
const data = createRoute({
  getParentRoute: () => frame,
  path: '/settings/data',
  component: screen(() => import('./settings/data-page.tsx'), 'DataPage'),
});
const local = createRoute({
  getParentRoute: () => frame,
  path: '/settings/local',
  component: screen(() => import('./settings/local-page.tsx'), 'LocalPage'),
});
const preferences = createRoute({
  getParentRoute: () => frame,
  path: '/settings/preferences',
  component: screen(() => import('./preferences/preferences-page.tsx'), 'PreferencesPage'),
});

const routes = root.addChildren([
  ...visitorRoutes,
  frame.addChildren([
    newChat,
    conversation,
    rooms,
    room,
    roomSettings,
    search,
    agents,
    newAgent,
    editAgent,
    knowledge,
    versions,
    experiments,
    analytics,
    studio,
    chunks,
    explore,
    exploredAgent,
    ...socialRoutes,
    integrations,
    integration,
    embeds,
    embed,
    webhooks,
    webhook,
    events,
    eventCatalog,
    apiKeys,
    profile,
    security,
    billing,
    data,
    local,
    preferences,
  ]),
]);

export function createRouter() {
  const hasScreen = (path: string): boolean => router.getMatchedRoutes(path)[2] !== undefined;
  const router = createTanstackRouter({
    routeTree: routes,
    context: { hasScreen },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createRouter>;
  }
}
