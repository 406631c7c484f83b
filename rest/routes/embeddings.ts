import type { RouteGroup } from './route.ts';

export const embeddingRoutes: RouteGroup = {
  tag: 'Embeddings',
  description: 'Embedding vectors of texts. The API is compatible with OpenAI’s, so its SDKs work with this base URL.',
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
