import { queryOptions } from '@tanstack/react-query';
import { MyChatAgentsDocument, type MyChatAgentsQuery } from './generated/operations.ts';
import { keyOf } from './query.ts';
import { request } from './request.ts';

/** A list for choosing needs every agent. The service has no search in them, and a page has at most 100. */
const maximumPages = 10;

/** Query of the person's own agents, last changed first, at most 1,000. */
export const ownAgentsQuery = () =>
  queryOptions({ queryKey: keyOf(MyChatAgentsDocument, {}), queryFn: ({ signal }) => readAgents(signal) });

async function readAgents(signal: AbortSignal): Promise<MyChatAgentsQuery> {
  let read = await request(MyChatAgentsDocument, {}, { signal });
  const data = [...read.agents.data];
  for (let pages = 1; read.agents.pageInfo.hasNextPage && pages < maximumPages; pages++) {
    read = await request(MyChatAgentsDocument, { after: read.agents.pageInfo.endCursor }, { signal });
    data.push(...read.agents.data);
  }
  return { agents: { ...read.agents, data } };
}
