/** Identifies the vectors of one document in one space. */
export interface DocumentVectors {
  agentId: string;
  documentId: string;
  space: string;
}

export interface ChunkVector {
  chunkId: string;
  /** Position of the chunk in its document. */
  position: number;
  vector: Float32Array;
}

export interface VectorQuery {
  agentId: string;
  space: string;
  /** Vector of the question, of length 1, followed by the vector of its second form if there is one. */
  vectors: readonly Float32Array[];
}

/** A query whose vectors may still be being computed. A store may read other data in the meantime. */
export interface PendingVectorQuery extends Omit<VectorQuery, 'vectors'> {
  vectors: VectorQuery['vectors'] | Promise<VectorQuery['vectors']>;
}

/** Work that runs in parallel with a query. */
export interface ConcurrentWork {
  /**
   * A store that computes in this process awaits this first, so that calls to other services are sent before it blocks
   * the event loop.
   */
  before?: Promise<unknown>;
  /** Other chunks of the agent for which the nearness is computed too. */
  others?: Promise<readonly string[]>;
  /** Called for each form of the question with its nearest chunks, nearest first, as soon as they are known. */
  onNearest?: (chunkIds: readonly string[]) => void;
}

export interface Neighbour {
  chunkId: string;
  /** Cosine similarity with the question itself. */
  similarity: number;
  /** Mean nearness to the forms of the question; see `src/core/vector-spread.ts`. */
  nearness: number;
}

export interface Neighbours {
  /** The nearest chunks, nearest first. */
  found: Neighbour[];
  /** Nearness of an average chunk of the agent. */
  average: number;
  /**
   * Those of the other chunks that the store has and that are not among the nearest; empty if they could not be read.
   */
  others: Neighbour[];
}

export interface DeletedVectors {
  /**
   * Number of positions that may have vectors. An eventually consistent store deletes by position instead of listing.
   */
  count: number;
  /** Space whose vectors are kept. */
  exceptSpace?: string;
}

/**
 * Stores the vectors of chunks by agent. Results may include chunks that were just deleted, so callers must read the
 * rows.
 */
export interface VectorStore {
  /** Inserts or replaces vectors. Leaves nothing behind for a document that is deleted concurrently. */
  upsert(target: DocumentVectors, vectors: readonly ChunkVector[]): Promise<void>;
  /**
   * Resolves when a query finds all `count` vectors of the document.
   * @throws the signal's reason
   */
  settle(target: DocumentVectors, count: number, signal: AbortSignal): Promise<void>;
  /**
   * Returns up to `limit` of the agent's chunks in the given space that are nearest to each form of the question.
   * @throws when the store is unavailable
   */
  query(asked: PendingVectorQuery, limit: number, concurrent?: ConcurrentWork): Promise<Neighbours>;
  /** Resolves once a listing finds no vector of the document. */
  deleteDocument(document: Pick<DocumentVectors, 'agentId' | 'documentId'>, which: DeletedVectors): Promise<void>;
  /** Yields every document that has a vector. */
  documents(): AsyncIterable<Pick<DocumentVectors, 'agentId' | 'documentId'>>;
}

declare module '../../core/ctx.ts' {
  interface Ports {
    vectors: VectorStore;
  }
}
