import type { RouteGroup } from './route.ts';

export const embedRoutes: RouteGroup = {
  tag: 'Embeds',
  description: 'Chat widgets that show your agents on other websites, with their limits.',
  routes: [
    {
      method: 'POST',
      path: '/embeds',
      operation: 'Mutation.createEmbed',
      status: 201,
      summary: 'Create an embed',
      body: 'input',
      errors: ['not_found', 'plan_limit_exceeded'],
      revealsSecret: true,
    },
    { method: 'GET', path: '/embeds', operation: 'Query.embeds', status: 200, summary: 'List your embeds' },
    { method: 'GET', path: '/embeds/:id', operation: 'Query.embed', status: 200, summary: 'Get an embed' },
    {
      method: 'PUT',
      path: '/embeds/:id',
      operation: 'Mutation.updateEmbed',
      status: 200,
      summary: 'Update an embed',
      body: 'input',
    },
    {
      method: 'DELETE',
      path: '/embeds/:id',
      operation: 'Mutation.deleteEmbed',
      status: 200,
      summary: 'Delete an embed and its visitors',
    },
    {
      method: 'POST',
      path: '/embeds/:id/rotate-secret',
      operation: 'Mutation.rotateEmbedSecret',
      status: 200,
      summary: 'Replace the identity secret',
      revealsSecret: true,
    },
    {
      method: 'GET',
      path: '/embeds/:id/stats',
      operation: 'Query.embedStats',
      status: 200,
      summary: 'Get daily statistics',
    },
    {
      method: 'GET',
      path: '/embeds/:id/visitors',
      operation: 'Query.embedVisitors',
      status: 200,
      summary: 'List the visitors',
    },
    {
      method: 'DELETE',
      path: '/embeds/:id/visitors/:visitor_id',
      operation: 'Mutation.deleteEmbedVisitor',
      status: 200,
      summary: 'Erase a visitor and their conversations',
    },
  ],
};
