/** Identifies the vectors of one document in one space. */
export interface VectorPlace {
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
  /** The question, of length 1; after it the same question in another form, if it has one. */
  vectors: readonly Float32Array[];
}

/** A query whose vectors may still be computed. A store may read what it needs meanwhile. */
export interface AskedVectors extends Omit<VectorQuery, 'vectors'> {
  vectors: VectorQuery['vectors'] | Promise<VectorQuery['vectors']>;
}

/** What happens beside a query. */
export interface BesideQuery {
  /** A store that computes in this process waits for it, so that other services are called before it blocks. */
  before?: Promise<unknown>;
  /** Other chunks of the agent, which are measured too. */
  others?: Promise<readonly string[]>;
  /** Called for each form of the question with the nearest, nearest first, as soon as they are known. */
  onNearest?: (chunkIds: readonly string[]) => void;
}

export interface Neighbour {
  chunkId: string;
  /** Cosine with the question itself. */
  similarity: number;
  /** Mean nearness to the forms of the question; see `src/core/vector-spread.ts`. */
  nearness: number;
}

export interface Neighbours {
  /** Nearest first. */
  found: Neighbour[];
  /** Nearness of an average chunk of the agent. */
  average: number;
  /** Those of the other chunks that the store has and that are not among the nearest; empty if they could not be read. */
  others: Neighbour[];
}

export interface DeletedVectors {
  /** Vectors may exist at all lower positions: an eventually consistent store deletes them without listing. */
  count: number;
  /** Vectors in this space are kept. */
  exceptSpace?: string;
}

/** Stores the vectors of chunks by agent. Results may include chunks deleted a moment ago, so callers read their rows. */
export interface VectorStore {
  /** Replaces a chunk that exists. Writes nothing that outlives a document deleted meanwhile. */
  upsert(place: VectorPlace, vectors: readonly ChunkVector[]): Promise<void>;
  /** Returns once a query finds all `count` vectors of the document. @throws the signal's reason */
  settle(place: VectorPlace, count: number, signal: AbortSignal): Promise<void>;
  /**
   * Returns up to `limit` of the agent's chunks in that space that are nearest to each form of the question.
   * @throws when the store is unavailable
   */
  query(asked: AskedVectors, limit: number, beside?: BesideQuery): Promise<Neighbours>;
  /** Resolves once a listing finds no vector of the document. */
  deleteDocument(document: Pick<VectorPlace, 'agentId' | 'documentId'>, which: DeletedVectors): Promise<void>;
  /** Yields every document that has a vector. */
  documents(): AsyncIterable<Pick<VectorPlace, 'agentId' | 'documentId'>>;
}

declare module '../../core/ctx.ts' {
  interface Ports {
    vectors: VectorStore;
  }
}
