import { setImmediate as nextTurn } from 'node:timers/promises';
import { callerId } from '../../accounts/caller.ts';
import type { Plan } from '../../core/actor.ts';
import { requireUser } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { invalidInput, parseInput } from '../../core/input.ts';
import { countTokens, decodeTokens } from '../../core/tokens.ts';
import { type EmbeddingItem, embeddingsInput, maxTokensPerText } from './embeddings.input.ts';

/** Vectors of texts, in the order of the texts. */
export interface Embeddings {
  model: string;
  vectors: Float32Array[];
  encoding: 'float' | 'base64';
  tokens: number;
}

const dayMs = 86_400_000;

/**
 * Computes embeddings of the caller's texts, which may be given as tokens of cl100k_base. Their tokens are charged to the daily quota. When the provider fails or the
 * caller leaves, the tokens of the texts that were not embedded are refunded.
 * @throws AppError `invalid_request`, `rate_limited` until UTC midnight, `upstream_error`, `upstream_timeout`; the reason
 * of `left` when the caller left between two batches
 */
export async function createEmbeddings(ctx: Ctx, input: unknown, left: AbortSignal): Promise<Embeddings> {
  const { embedding } = ctx.config.knowledge;
  const { items, dimensions, encoding } = parseInput(embeddingsInput(embedding), input);
  const { texts, counts } = await readAll(items);
  const tokens = sum(counts);
  const charge = await reserveTokens(ctx, tokens);
  const vectors: Float32Array[] = [];
  try {
    await embedAll(ctx, texts, vectors, left);
  } catch (error) {
    await charge.giveBack(sum(counts.slice(vectors.length)));
    throw error;
  }
  return { model: embedding.model, vectors: vectors.map(shortenTo(dimensions)), encoding, tokens };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Decodes and counts each text, one by one, so that other requests are served in between. */
async function readAll(items: readonly EmbeddingItem[]): Promise<{ texts: string[]; counts: number[] }> {
  const texts: string[] = [];
  const counts: number[] = [];
  for (const [i, item] of items.entries()) {
    const text = typeof item === 'string' ? item : decodeTokens(item);
    if (text === '') {
      const message = 'must be tokens of at least one whole character';
      throw invalidInput([{ field: `input[${i}]`, code: 'invalid_token', message }]);
    }
    const tokens = typeof item === 'string' ? countTokens(text) : item.length;
    if (tokens > maxTokensPerText) {
      const message = `has ${tokens.toLocaleString('en-US')} tokens; at most 8,191 are allowed`;
      throw invalidInput([{ field: `input[${i}]`, code: 'too_long', message }]);
    }
    texts.push(text);
    counts.push(tokens);
    await nextTurn();
  }
  return { texts, counts };
}

/** Appends the vectors of the texts to `vectors`, batch by batch, until the caller leaves. */
async function embedAll(
  { ports: { embedder } }: Ctx,
  texts: readonly string[],
  vectors: Float32Array[],
  left: AbortSignal,
): Promise<void> {
  // A batch that was sent is completed: the provider bills it whether or not the caller is still there.
  const uninterrupted = new AbortController().signal;
  while (vectors.length < texts.length) {
    left.throwIfAborted();
    const batch = texts.slice(vectors.length, vectors.length + embedder.batchSize);
    vectors.push(...(await embedder.embed(batch, uninterrupted)));
  }
}

/**
 * Returns a function that truncates a vector to `dimensions` and scales it to length 1. Models are trained so that this
 * is the shorter embedding.
 */
const shortenTo =
  (dimensions: number) =>
  (vector: Float32Array): Float32Array => {
    if (dimensions >= vector.length) return vector;
    const head = vector.slice(0, dimensions);
    const length = Math.hypot(...head);
    return length === 0 ? head : head.map((value) => value / length);
  };

const reserve = {
  name: 'embedding_tokens_reserve',
  text: `
    insert into usage_counters as u (user_id, day, messages, embedding_tokens) values ($1, $2, 0, $3)
    on conflict (user_id, day) do update set embedding_tokens = u.embedding_tokens + $3 where u.embedding_tokens < $4
    returning embedding_tokens`,
};
const giveBack = {
  name: 'embedding_tokens_give_back',
  text: `
    update usage_counters set embedding_tokens = greatest(embedding_tokens - $3, 0) where user_id = $1 and day = $2`,
};

/**
 * Charges tokens to the caller's daily quota. The last request of a day may exceed the limit.
 * @throws AppError `rate_limited`
 */
async function reserveTokens(ctx: Ctx, tokens: number): Promise<{ giveBack(unused: number): Promise<void> }> {
  const now = ctx.clock.now();
  const day = now.toISOString().slice(0, 10);
  const limit = limitOf(ctx, requireUser(ctx.actor).plan);
  const rows = await ctx.sql(reserve, [callerId(ctx), day, tokens, limit]);
  if (rows.length > 0)
    return { giveBack: async (unused) => void (await ctx.sql(giveBack, [callerId(ctx), day, unused])) };
  throw new AppError('rate_limited', {
    message: `Your plan allows ${limit.toLocaleString('en-US')} embedding tokens a day. The count starts again at midnight UTC.`,
    retryAfterSeconds: Math.ceil((dayMs - (now.getTime() % dayMs)) / 1_000),
  });
}

const limitOf = ({ catalog }: Ctx, plan: Plan): number => catalog.planLimits.embeddingTokensPerDay[plan];
