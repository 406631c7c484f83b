import { sampleSize, spreadOf, type VectorSpread } from '../../core/vector-spread.ts';
import { int8Kernel, type Int8Scan } from './int8-kernel.ts';
import { normalised } from '../../core/vectors.ts';
import { quantiseQuery } from './quantise.ts';

/** A row that may be among the nearest. */
export interface Candidate {
  chunkId: string;
  /** Cosine of the quantised vectors. */
  score: number;
}

export interface MatrixRow {
  chunkId: string;
  codes: Uint8Array;
  scale: number;
  error: number;
}

/** The vectors of one agent in memory, one byte a dimension. */
export interface VectorMatrix {
  readonly sizeBytes: number;
  has(documentId: string): boolean;
  /** Adds a document that the matrix does not have. */
  add(documentId: string, rows: readonly MatrixRow[]): void;
  /** Removes all other documents, in one pass over the rows. */
  keep(documentIds: ReadonlySet<string>): void;
  /** Returns every row that may be among the `limit` nearest of a unit vector, and as few others as the bytes distinguish. */
  candidates(query: Float32Array, limit: number): Candidate[];
  /** Of a sample that is spread evenly over the rows; null when there are none. */
  spread(): VectorSpread | null;
}

const page = 65_536;
const blockRows = 8_192;

interface Block {
  documentId: string;
  chunkIds: string[];
  from: number;
}

export function createVectorMatrix(dimensions: number): VectorMatrix {
  const dims = Math.ceil(dimensions / 32) * 32;
  const queryAt = 0;
  const outAt = dims * 2;
  const rowsAt = outAt + blockRows * 4;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(rowsAt / page), maximum: page });
  const scan: Int8Scan = int8Kernel(memory);
  const blocks = new Map<string, Block>();
  let scales = new Float32Array(0);
  let errors = new Float32Array(0);
  /** Reused by every scan: V8 collects large arrays late. */
  let scores = new Float32Array(0);
  let used = 0;
  let spread: VectorSpread | null = null;

  const reserve = (rows: number): void => {
    const missing = rowsAt + rows * dims - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / page));
    if (rows <= scales.length) return;
    const larger = Math.ceil(rows * 1.25);
    const grown = (old: Float32Array): Float32Array<ArrayBuffer> => {
      const bigger = new Float32Array(larger);
      bigger.set(old);
      return bigger;
    };
    scales = grown(scales);
    errors = grown(errors);
    scores = new Float32Array(larger);
  };

  const add = (documentId: string, rows: readonly MatrixRow[]): void => {
    reserve(used + rows.length);
    spread = null;
    const bytes = new Uint8Array(memory.buffer);
    for (const [i, { codes, scale, error }] of rows.entries()) {
      const offset = rowsAt + (used + i) * dims;
      bytes.fill(0, offset, offset + dims);
      bytes.set(codes, offset);
      scales[used + i] = scale;
      errors[used + i] = error;
    }
    blocks.set(documentId, { documentId, chunkIds: rows.map((row) => row.chunkId), from: used });
    used += rows.length;
  };

  // Blocks lie in the order of the map without gaps, so each kept one moves to the end of those before it.
  const keep = (documentIds: ReadonlySet<string>): void => {
    const bytes = new Uint8Array(memory.buffer);
    let end = 0;
    for (const [documentId, block] of blocks) {
      if (!documentIds.has(documentId)) {
        blocks.delete(documentId);
        spread = null;
        continue;
      }
      const { from, chunkIds } = block;
      const after = from + chunkIds.length;
      if (from > end) {
        bytes.copyWithin(rowsAt + end * dims, rowsAt + from * dims, rowsAt + after * dims);
        scales.copyWithin(end, from, after);
        errors.copyWithin(end, from, after);
        block.from = end;
      }
      end += chunkIds.length;
    }
    used = end;
  };

  const scoreAll = (query: ReturnType<typeof quantiseQuery>): void => {
    const codes = new Int16Array(memory.buffer, queryAt, dims).fill(0);
    codes.set(query.codes);
    const sums = new Int32Array(memory.buffer, outAt, blockRows);
    for (let from = 0; from < used; from += blockRows) {
      const count = Math.min(blockRows, used - from);
      scan(rowsAt + from * dims, count, dims, queryAt, outAt);
      for (let i = 0; i < count; i++) scores[from + i] = (sums[i] ?? 0) * (scales[from + i] ?? 0) * query.scale;
    }
  };

  const candidates = (vector: Float32Array, limit: number): Candidate[] => {
    if (used === 0) return [];
    const query = quantiseQuery(vector);
    scoreAll(query);
    // |q·x − q̂·x̂| ≤ |q|·|x − x̂| + |q − q̂|·|x̂|, and |x̂| ≤ 1 + |x − x̂|; the constant covers float32 rounding.
    const errorFactor = query.length + query.error;
    const commonError = query.error + 1e-5;
    const least = largestLowerBound(scores, errors, errorFactor, used, limit) - 2 * commonError;
    const found: Candidate[] = [];
    for (const { chunkIds, from } of blocks.values()) {
      for (let i = 0; i < chunkIds.length; i++) {
        const score = scores[from + i] ?? 0;
        if (score + errorFactor * (errors[from + i] ?? 0) >= least) found.push({ chunkId: chunkIds[i] ?? '', score });
      }
    }
    return found.sort((a, b) => b.score - a.score);
  };

  const sample = (): Float32Array[] => {
    const every = Math.max(1, used / sampleSize);
    return Array.from({ length: Math.min(used, sampleSize) }, (_, i) => {
      const row = Math.floor(i * every);
      const scale = scales[row] ?? 0;
      const vector = new Float32Array(new Int8Array(memory.buffer, rowsAt + row * dims, dimensions));
      for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) * scale;
      return normalised(vector);
    });
  };

  return {
    get sizeBytes() {
      // Ids are strings of 40 characters.
      return memory.buffer.byteLength + scales.length * 12 + used * 64;
    },
    has: (documentId) => blocks.has(documentId),
    add,
    keep,
    candidates,
    spread: () => (used === 0 ? null : (spread ??= spreadOf(sample()))),
  };
}

/** Returns the `limit`-th largest lower bound of the first `count` scores, by a heap whose root is the least of the largest. */
function largestLowerBound(
  scores: Float32Array,
  errors: Float32Array,
  errorFactor: number,
  count: number,
  limit: number,
): number {
  const size = Math.min(limit, count);
  const heap = new Float64Array(size).fill(-Infinity);
  let root = -Infinity;
  for (let i = 0; i < count; i++) {
    const next = (scores[i] ?? 0) - errorFactor * (errors[i] ?? 0);
    if (next <= root) continue;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++;
      if ((heap[child] ?? 0) >= next) break;
      heap[at] = heap[child] ?? 0;
      at = child;
    }
    heap[at] = next;
    root = heap[0] ?? -Infinity;
  }
  return root;
}
