import { useQuery } from '@tanstack/react-query';
import { MyChatAgentsDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';

/** Names of the account's agents, by id; null until they are loaded. */
export function useAgentNames(): ReadonlyMap<string, string> | null {
  const { data } = useQuery(query(MyChatAgentsDocument, {}));
  return data ? new Map(data.agents.data.map(({ id, name }) => [id, name])) : null;
}
