import type { QueryClient } from '@tanstack/react-query';
import {
  AgentDocument,
  AgentsDocument,
  ChatAgentDocument,
  MyChatAgentsDocument,
  UsageDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';

const shown = [AgentDocument, AgentsDocument, ChatAgentDocument, MyChatAgentsDocument, UsageDocument];

/** Loads again what the console shows of agents. */
export const refreshAgents = async (cache: QueryClient): Promise<void> =>
  void (await Promise.all(shown.map((document) => cache.invalidateQueries({ queryKey: keyOf(document) }))));
