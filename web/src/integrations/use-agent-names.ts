import { useOwnAgents } from '../api/use-own-agents.ts';

/** Names of the account's agents, by id; null until they are loaded. */
export function useAgentNames(): ReadonlyMap<string, string> | null {
  const agents = useOwnAgents();
  return agents && new Map(agents.map(({ id, name }) => [id, name]));
}
