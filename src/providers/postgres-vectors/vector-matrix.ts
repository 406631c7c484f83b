import { sampleSize, spreadOf, type VectorSpread } from '../../core/vector-spread.ts';
import { int8Kernel, type Int8Scan } from './int8-kernel.ts';
import { quantiseQuery } from './quantise.ts';

export interface MatrixRow {
  chunkId: string;
  codes: Uint8Array;
  scale: number;
}

/** The vectors of one agent in memory, one byte per dimension. */
export interface VectorMatrix {
  readonly sizeBytes: number;
  has(documentId: string): boolean;
  /** Adds a document. The matrix must not contain it yet. */
  add(documentId: string, rows: readonly MatrixRow[]): void;
  /** Removes all other documents in one pass over the rows. */
  keep(documentIds: ReadonlySet<string>): void;
  /** Returns the chunks nearest to a unit vector, nearest first. */
  nearest(query: Float32Array, limit: number): string[];
  /** Copies the vector of a chunk into `into`, with length 1. Returns false if there is none. */
  read(chunkId: string, into: Float32Array): boolean;
  /** Returns the spread of a sample of evenly spaced rows; null when there are none. */
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
  const rowOf = new Map<string, number>();
  let scales = new Float32Array(0);
  /** Reused by every scan, because V8 collects large arrays late. */
  let scores = new Float32Array(0);
  let used = 0;
  let spread: VectorSpread | null = null;

  const reserve = (rows: number): void => {
    const missing = rowsAt + rows * dims - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / page));
    if (rows <= scales.length) return;
    const larger = Math.ceil(rows * 1.25);
    const grown = new Float32Array(larger);
    grown.set(scales);
    scales = grown;
    scores = new Float32Array(larger);
  };

  const add = (documentId: string, rows: readonly MatrixRow[]): void => {
    reserve(used + rows.length);
    spread = null;
    const bytes = new Uint8Array(memory.buffer);
    for (const [i, { chunkId, codes, scale }] of rows.entries()) {
      const offset = rowsAt + (used + i) * dims;
      bytes.fill(0, offset, offset + dims);
      bytes.set(codes, offset);
      scales[used + i] = scale;
      rowOf.set(chunkId, used + i);
    }
    blocks.set(documentId, { documentId, chunkIds: rows.map((row) => row.chunkId), from: used });
    used += rows.length;
  };

  // Blocks are contiguous and in the order of the map, so each kept block moves to the end of the previous ones.
  const keep = (documentIds: ReadonlySet<string>): void => {
    const bytes = new Uint8Array(memory.buffer);
    let end = 0;
    for (const [documentId, block] of blocks) {
      const { from, chunkIds } = block;
      if (!documentIds.has(documentId)) {
        blocks.delete(documentId);
        for (const chunkId of chunkIds) rowOf.delete(chunkId);
        spread = null;
        continue;
      }
      const after = from + chunkIds.length;
      if (from > end) {
        bytes.copyWithin(rowsAt + end * dims, rowsAt + from * dims, rowsAt + after * dims);
        scales.copyWithin(end, from, after);
        for (const [i, chunkId] of chunkIds.entries()) rowOf.set(chunkId, end + i);
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

  const nearest = (vector: Float32Array, limit: number): string[] => {
    if (used === 0) return [];
    scoreAll(quantiseQuery(vector));
    const threshold = nthLargest(scores, used, limit);
    const found: { chunkId: string; score: number }[] = [];
    for (const { chunkIds, from } of blocks.values()) {
      for (let i = 0; i < chunkIds.length; i++) {
        const score = scores[from + i] ?? 0;
        if (score >= threshold) found.push({ chunkId: chunkIds[i] ?? '', score });
      }
    }
    // Ties are broken by id, so that the result is deterministic.
    const ordered = found.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
    return ordered.slice(0, limit).map(({ chunkId }) => chunkId);
  };

  const readRow = (row: number, into: Float32Array): void => {
    const codes = new Int8Array(memory.buffer, rowsAt + row * dims, dimensions);
    let squares = 0;
    for (let at = 0; at < dimensions; at++) squares += (codes[at] ?? 0) ** 2;
    const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
    for (let at = 0; at < dimensions; at++) into[at] = (codes[at] ?? 0) * scale;
  };

  const sample = (): Float32Array[] => {
    const every = Math.max(1, used / sampleSize);
    return Array.from({ length: Math.min(used, sampleSize) }, (_, i) => {
      const vector = new Float32Array(dimensions);
      readRow(Math.floor(i * every), vector);
      return vector;
    });
  };

  return {
    get sizeBytes() {
      // Estimates 110 bytes for each id, a string of 40 characters.
      return memory.buffer.byteLength + scales.length * 8 + used * 110;
    },
    has: (documentId) => blocks.has(documentId),
    add,
    keep,
    nearest,
    read: (chunkId, into) => {
      const row = rowOf.get(chunkId);
      if (row === undefined) return false;
      readRow(row, into);
      return true;
    },
    spread: () => (used === 0 ? null : (spread ??= spreadOf(sample()))),
  };
}

/**
 * Returns the `limit`-th largest of the first `count` scores. Uses a heap whose root is the smallest of the largest
 * scores.
 */
function nthLargest(scores: Float32Array, count: number, limit: number): number {
  const size = Math.min(limit, count);
  const heap = new Float32Array(size).fill(-Infinity);
  let root = -Infinity;
  for (let i = 0; i < count; i++) {
    const next = scores[i] ?? 0;
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
