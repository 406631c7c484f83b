import { spreadOf, type VectorSpread } from '../../core/vector-spread.ts';
import { normalised } from '../../core/vectors.ts';
import type { VectorQuery } from '../../knowledge/retrieval/vector-store.ports.ts';

/** Returns up to `topK` vectors of the agent near a vector. */
type Probe = (query: VectorQuery, vector: Float32Array, topK: number) => Promise<Float32Array[]>;

export interface SpreadCache {
  /** Returns the spread of the agent's vectors, at most ten minutes old. Does not reject when reading fails. */
  of(query: VectorQuery): Promise<VectorSpread>;
}

const keptMs = 600_000;
/** Maximum number of entries. Each takes the size of a vector. */
const maxAgents = 1_000;
/** Number of pairs of opposite directions. The biases of two opposite directions cancel out. */
const directions = 2;
const nearEach = 16;

interface Entry {
  spread: Promise<VectorSpread>;
  readAtMs: number;
}

/**
 * Creates a cache of spreads. Pinecone cannot sample vectors at random, so the sample is the vectors nearest to random
 * directions.
 */
export function createSpreadCache(probe: Probe): SpreadCache {
  // Ordered by the time of the last sample, oldest first.
  const entries = new Map<string, Entry>();

  const sample = async (query: VectorQuery): Promise<VectorSpread> => {
    const dimensions = query.vectors[0]?.length ?? 0;
    const probes = Array.from({ length: directions }, (_, i) => randomDirection(dimensions, i + 1));
    const near = await Promise.all(
      probes
        .flatMap((vector) => [vector, vector.map((value) => -value)])
        .map((vector) => probe(query, vector, nearEach)),
    );
    const distinct = new Map(near.flat().map((vector) => [vector.slice(0, 8).join(), vector]));
    return spreadOf(distinct.size > 0 ? [...distinct.values()] : [new Float32Array(dimensions)]);
  };

  return {
    of: (query) => {
      const key = `${query.agentId} ${query.space}`;
      const known = entries.get(key);
      if (known && performance.now() - known.readAtMs < keptMs) return known.spread;
      const spread = sample(query).catch(() => {
        entries.delete(key);
        return spreadOf([new Float32Array(query.vectors[0]?.length ?? 0)]);
      });
      entries.delete(key);
      entries.set(key, { spread, readAtMs: performance.now() });
      const [oldest] = entries.keys();
      if (entries.size > maxAgents && oldest !== undefined) entries.delete(oldest);
      return spread;
    },
  };
}

/** Returns a deterministic direction for a seed, so that every process computes the same spread. */
function randomDirection(dimensions: number, seed: number): Float32Array {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return normalised(Float32Array.from({ length: dimensions }, next));
}
