import { useQuery } from '@tanstack/react-query';
import { ownAgentsQuery } from '../api/own-agents.ts';

/** Names of the account's agents, by id; null until they are loaded. */
export function useAgentNames(): ReadonlyMap<string, string> | null {
  const { data } = useQuery(ownAgentsQuery());
  return data ? new Map(data.agents.data.map(({ id, name }) => [id, name])) : null;
}
