import { cache } from '../api/cache.ts';
import { IntegrationDocument } from '../api/generated/operations.ts';
import { ownAgentsQuery } from '../api/own-agents.ts';
import { query } from '../api/query.ts';

/** Also loads the names of the agents, so that the title does not change after the first render. */
export const loadIntegration = (id: string) =>
  Promise.all([cache.query(query(IntegrationDocument, { id })), cache.query(ownAgentsQuery()).catch(() => undefined)]);
