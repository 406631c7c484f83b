import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { changeData } from '../api/after-fetch.ts';
import {
  type AgentFieldsFragment,
  type AgentQuery,
  AgentDocument,
  type AgentsQuery,
  AgentsDocument,
  ChatAgentDocument,
  MyChatAgentsDocument,
  UsageDocument,
} from '../api/generated/operations.ts';
import { type LiveEvent, type LiveUpdates, textIn } from '../api/live-events.ts';
import { keyOf } from '../api/query.ts';

/** Merges the data of an event into a cached agent. Ignores fields that the console does not cache. */
function shown(agent: AgentFieldsFragment, { data }: LiveEvent): AgentFieldsFragment {
  if (String(data['updated_at']) < agent.updatedAt) return agent;
  const named = Object.entries(data).flatMap(([name, value]) => {
    const field = name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    return field in agent
      ? [[field, inCapitals.has(field) && typeof value === 'string' ? value.toUpperCase() : value]]
      : [];
  });
  return { ...agent, ...(Object.fromEntries(named) as Partial<AgentFieldsFragment>) };
}

/** The values of these fields are names of an enum in GraphQL. */
const inCapitals = new Set(['model', 'category', 'voiceId']);

type Listed = AgentFieldsFragment[];

const changeList = (cache: QueryClient, change: (agents: Listed) => Listed): void => {
  // In the list of every sort order.
  cache.setQueriesData<InfiniteData<AgentsQuery>>(
    { queryKey: keyOf(AgentsDocument) },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map(({ agents }) => ({ agents: { ...agents, data: change(agents.data) } })),
      },
  );
};

/** Invalidates the lists: the service computes their order and counts. */
function readListsAgain(cache: QueryClient): void {
  for (const document of [AgentsDocument, MyChatAgentsDocument])
    void cache.invalidateQueries({ queryKey: keyOf(document) });
}

const replace = (cache: QueryClient, event: LiveEvent): void => {
  const id = textIn(event, 'id');
  const key = keyOf(AgentDocument, { id });
  changeData<AgentQuery>(cache, key, (own) => own && { agent: shown(own.agent, event) });
  changeList(cache, (agents) => agents.map((agent) => (agent.id === id ? shown(agent, event) : agent)));
  readListsAgain(cache);
  void cache.invalidateQueries({ queryKey: keyOf(ChatAgentDocument, { id }) });
};

export const agentUpdates: LiveUpdates = {
  AGENT_CREATED: (cache) => {
    readListsAgain(cache);
    void cache.invalidateQueries({ queryKey: keyOf(UsageDocument) });
  },
  AGENT_UPDATED: replace,
  AGENT_PUBLISHED: replace,
  AGENT_DELETED: (cache, event) => {
    const id = textIn(event, 'id');
    changeList(cache, (agents) => agents.filter((agent) => agent.id !== id));
    readListsAgain(cache);
    void cache.invalidateQueries({ queryKey: keyOf(UsageDocument) });
  },
};
