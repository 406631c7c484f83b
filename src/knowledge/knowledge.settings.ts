import { z } from 'zod';
import { defineSettings } from '../core/config/settings.ts';
import { key, url } from '../core/config/variables.ts';

declare module '../core/config/config.ts' {
  interface Config {
    knowledge: {
      /** `provider` uses the model provider, or its simulator; `local` runs a small model in this process. */
      embeddings: 'provider' | 'local';
      embedding: { model: string; dimensions: number };
      chunkSize: { tokens: number; overlapTokens: number };
      /** Null when vectors are stored in PostgreSQL. */
      pinecone: { apiKey: string; index: string; controllerHost: string | null } | null;
    };
  }
}

const chunkSize = z
  .string()
  .regex(/^\d+,\d+$/, 'must be two numbers of tokens, size and overlap, such as 400,50')
  .transform((value) => value.split(',').map(Number) as [number, number])
  .refine(([tokens, overlap]) => tokens >= 50 && tokens <= 4_000 && overlap * 2 <= tokens, {
    message: 'must be a size from 50 to 4000 and an overlap of at most half of it',
  });

export const knowledgeSettings = defineSettings(
  {
    EMBEDDINGS: z.enum(['provider', 'local']).default('provider'),
    EMBEDDING_MODEL: z.string().trim().min(1).max(200).default('text-embedding-3-small'),
    EMBEDDING_DIMENSIONS: z.coerce.number().int().min(8).max(4_096).default(512),
    CHUNK_TOKENS: chunkSize.default([400, 50]),
    PINECONE_API_KEY: key.optional(),
    PINECONE_INDEX: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,43}[a-z0-9])?$/, 'must be 1 to 45 of a-z, 0-9 and inner hyphens')
      .default('agent-chat-service'),
    PINECONE_CONTROLLER_HOST: url('http:', 'https:').optional(),
  },
  (vars) => ({
    knowledge: {
      embeddings: vars.EMBEDDINGS,
      embedding: { model: vars.EMBEDDING_MODEL, dimensions: vars.EMBEDDING_DIMENSIONS },
      chunkSize: { tokens: vars.CHUNK_TOKENS[0], overlapTokens: vars.CHUNK_TOKENS[1] },
      pinecone: vars.PINECONE_API_KEY
        ? {
            apiKey: vars.PINECONE_API_KEY,
            index: vars.PINECONE_INDEX,
            controllerHost: vars.PINECONE_CONTROLLER_HOST ?? null,
          }
        : null,
    },
  }),
);
