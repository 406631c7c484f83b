import { int8Kernel, type Int8Scan } from './int8-kernel.ts';
import { quantiseQuery } from './quantise.ts';

/** A row that can be among the nearest. */
export interface Candidate {
  chunkId: string;
  /** Cosine as far as the bytes tell it. */
  score: number;
}

export interface MatrixRow {
  chunkId: string;
  codes: Uint8Array;
  scale: number;
  error: number;
}

/** The vectors of one agent in memory, a byte a number. */
export interface VectorMatrix {
  readonly documents: ReadonlySet<string>;
  readonly sizeBytes: number;
  add(documentId: string, rows: readonly MatrixRow[]): void;
  remove(documentId: string): void;
  /** Every row that can be among the `limit` nearest of a unit vector, and as few others as the bytes can tell apart. */
  candidates(query: Float32Array, limit: number): Candidate[];
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
  const queryPlace = 0;
  const outPlace = dims * 2;
  const rowsPlace = outPlace + blockRows * 4;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(rowsPlace / page), maximum: page });
  const scan: Int8Scan = int8Kernel(memory);
  const blocks = new Map<string, Block>();
  let scales = new Float32Array(0);
  let errors = new Float32Array(0);
  /** Of the scan that was last: as large as a new one would be garbage that V8 collects late. */
  let scores = new Float32Array(0);
  let used = 0;

  const capacity = (rows: number): void => {
    const missing = rowsPlace + rows * dims - memory.buffer.byteLength;
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
    remove(documentId);
    capacity(used + rows.length);
    const bytes = new Uint8Array(memory.buffer);
    for (const [i, { codes, scale, error }] of rows.entries()) {
      const place = rowsPlace + (used + i) * dims;
      bytes.fill(0, place, place + dims);
      bytes.set(codes, place);
      scales[used + i] = scale;
      errors[used + i] = error;
    }
    blocks.set(documentId, { documentId, chunkIds: rows.map((row) => row.chunkId), from: used });
    used += rows.length;
  };

  // What lies behind moves up, so that a scan never meets a hole.
  const remove = (documentId: string): void => {
    const gone = blocks.get(documentId);
    if (!gone) return;
    blocks.delete(documentId);
    const count = gone.chunkIds.length;
    const after = gone.from + count;
    new Uint8Array(memory.buffer).copyWithin(
      rowsPlace + gone.from * dims,
      rowsPlace + after * dims,
      rowsPlace + used * dims,
    );
    scales.copyWithin(gone.from, after, used);
    errors.copyWithin(gone.from, after, used);
    for (const block of blocks.values()) if (block.from > gone.from) block.from -= count;
    used -= count;
  };

  const scoreAll = (query: ReturnType<typeof quantiseQuery>): void => {
    const codes = new Int16Array(memory.buffer, queryPlace, dims).fill(0);
    codes.set(query.codes);
    const sums = new Int32Array(memory.buffer, outPlace, blockRows);
    for (let from = 0; from < used; from += blockRows) {
      const count = Math.min(blockRows, used - from);
      scan(rowsPlace + from * dims, count, dims, queryPlace, outPlace);
      for (let i = 0; i < count; i++) scores[from + i] = (sums[i] ?? 0) * (scales[from + i] ?? 0) * query.scale;
    }
  };

  const candidates = (vector: Float32Array, limit: number): Candidate[] => {
    if (used === 0) return [];
    const query = quantiseQuery(vector);
    scoreAll(query);
    // |q·x − q̂·x̂| ≤ |q|·|x − x̂| + |q − q̂|·|x̂|, and |x̂| ≤ 1 + |x − x̂|; the last term is for float32 rounding.
    const doubt = query.length + query.error;
    const sameDoubt = query.error + 1e-5;
    const least = largestFloor(scores, errors, doubt, used, limit) - 2 * sameDoubt;
    const found: Candidate[] = [];
    for (const { chunkIds, from } of blocks.values()) {
      for (let i = 0; i < chunkIds.length; i++) {
        const score = scores[from + i] ?? 0;
        if (score + doubt * (errors[from + i] ?? 0) >= least) found.push({ chunkId: chunkIds[i] ?? '', score });
      }
    }
    return found.sort((a, b) => b.score - a.score);
  };

  return {
    get documents() {
      return new Set(blocks.keys());
    },
    get sizeBytes() {
      // Ids are strings of 40 characters.
      return memory.buffer.byteLength + scales.length * 12 + used * 64;
    },
    add,
    remove,
    candidates,
  };
}

/** The `limit`-th largest of the first `count` scores less their doubt, by a heap of that size whose root is the least of them. */
function largestFloor(scores: Float32Array, errors: Float32Array, doubt: number, count: number, limit: number): number {
  const size = Math.min(limit, count);
  const heap = new Float64Array(size).fill(-Infinity);
  let root = -Infinity;
  for (let i = 0; i < count; i++) {
    const next = (scores[i] ?? 0) - doubt * (errors[i] ?? 0);
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
