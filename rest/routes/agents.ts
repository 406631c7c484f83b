import type { RouteGroup } from './route.ts';

export const agentRoutes: RouteGroup = {
  tag: 'Agents',
  description: 'AI agents: the caller’s own and the public ones of other users.',
  shapes: {
    AgentListItem: { of: 'Agent', omit: ['instructions', 'greetingMessage', 'voiceId', 'creatorId'] },
    ExploreAgent: { of: 'Agent', omit: ['instructions', 'greetingMessage', 'voiceId'] },
    ExploreAgentList: { of: 'AgentList', omit: [] },
  },
  routes: [
    {
      method: 'POST',
      path: '/agents',
      operation: 'Mutation.createAgent',
      status: 201,
      summary: 'Create an agent',
      errors: ['plan_limit_exceeded', 'forbidden'],
      body: 'input',
    },
    {
      method: 'GET',
      path: '/agents',
      operation: 'Query.agents',
      status: 200,
      summary: 'List your agents',
      shapes: { Agent: 'AgentListItem' },
    },
    {
      method: 'GET',
      path: '/agents/explore',
      operation: 'Query.exploreAgents',
      status: 200,
      summary: 'Explore public agents',
      shapes: { Agent: 'ExploreAgent', AgentList: 'ExploreAgentList' },
    },
    { method: 'GET', path: '/agents/:id', operation: 'Query.agent', status: 200, summary: 'Get an agent' },
    {
      method: 'PUT',
      path: '/agents/:id',
      operation: 'Mutation.updateAgent',
      status: 200,
      summary: 'Update an agent',
      errors: ['conflict', 'forbidden'],
      body: 'input',
    },
    {
      method: 'DELETE',
      path: '/agents/:id',
      operation: 'Mutation.deleteAgent',
      status: 200,
      summary: 'Delete an agent',
    },
    { method: 'GET', path: '/models', operation: 'Query.models', status: 200, summary: 'List the models' },
  ],
};
