import { useQuery } from '@tanstack/react-query';
import type { MyChatAgentsQuery } from './generated/operations.ts';
import { ownAgentsQuery } from './own-agents.ts';
import { useRetry } from './use-retry.ts';

/** Returns the person's own agents, last changed first; null until they are loaded, which is retried until it succeeds. */
export function useOwnAgents(): MyChatAgentsQuery['agents']['data'] | null {
  const { data, error, refetch } = useQuery(ownAgentsQuery());
  useRetry(data ? null : error, () => void refetch());
  return data?.agents.data ?? null;
}
