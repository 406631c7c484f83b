/** Whose vectors: those of one document in one space. */
export interface VectorPlace {
  agentId: string;
  documentId: string;
  space: string;
}

export interface ChunkVector {
  chunkId: string;
  /** Of the chunk in its document. */
  position: number;
  vector: Float32Array;
}

export interface VectorQuery {
  agentId: string;
  space: string;
  vector: Float32Array;
}

export interface Neighbour {
  chunkId: string;
  /** Cosine. */
  similarity: number;
}

export interface DeletedVectors {
  /** There may be vectors at the positions below: a store that shows its writes late deletes them unseen. */
  count: number;
  /** Vectors in this space stay. */
  exceptSpace?: string;
}

/**
 * Keeps the vectors of chunks, agent by agent. What it answers may include chunks that have been deleted a moment ago:
 * whoever shows them reads their rows first.
 */
export interface VectorStore {
  /** Writing the same chunk again replaces it. Writes nothing that outlives a document deleted meanwhile. */
  upsert(place: VectorPlace, vectors: readonly ChunkVector[]): Promise<void>;
  /** Returns once a query finds all `count` vectors of the document. @throws the signal's reason */
  settle(place: VectorPlace, count: number, signal: AbortSignal): Promise<void>;
  /**
   * The nearest chunks of the agent in that space, best first. A store that computes in this process waits for `before`
   * first: what others are asked meanwhile has left then. @throws when it can't answer soon
   */
  query(query: VectorQuery, limit: number, before?: Promise<unknown>): Promise<Neighbour[]>;
  /** Cosines of those of the chunks that it has. */
  similarities(query: VectorQuery, chunkIds: readonly string[]): Promise<Map<string, number>>;
  /** Returns once none of the document's vectors is left to be found by a listing. */
  deleteDocument(document: Pick<VectorPlace, 'agentId' | 'documentId'>, which: DeletedVectors): Promise<void>;
  /** Every document of which there is a vector. */
  documents(): AsyncIterable<Pick<VectorPlace, 'agentId' | 'documentId'>>;
}

declare module '../core/ctx.ts' {
  interface Ports {
    vectors: VectorStore;
  }
}
