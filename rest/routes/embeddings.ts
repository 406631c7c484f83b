import type { RouteGroup } from './route.ts';

export const embeddingRoutes: RouteGroup = {
  tag: 'Embeddings',
  description: 'Vectors of texts, in the shape of OpenAI’s API, so that its SDKs work with this base URL.',
  routes: [
    {
      method: 'POST',
      path: '/embeddings',
      operation: 'Mutation.createEmbeddings',
      status: 200,
      summary: 'Create embeddings',
      body: 'input',
      errors: ['upstream_error', 'upstream_timeout'],
      idempotency: 'remote',
    },
  ],
};
