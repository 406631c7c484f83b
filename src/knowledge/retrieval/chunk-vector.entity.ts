import { defineEntity, p } from '@mikro-orm/postgresql';

const ChunkVectorSchema = defineEntity({
  name: 'ChunkVector',
  tableName: 'chunk_vectors',
  properties: {
    documentId: p.text().primary(),
    space: p.text().primary(),
    position: p.integer().primary(),
    chunkId: p.text(),
    agentId: p.text(),
    /** A vector of length 1 in one signed byte a dimension; see `quantise.ts`. */
    codes: p.blob(),
    scale: p.float(),
    /** Written by release 0.1 and not read since. Both columns are removed in the release after the next. */
    vector: p.blob().nullable(),
    error: p.float().nullable(),
  },
});

/** The vector of a chunk when PostgreSQL is the vector store. */
export class ChunkVector extends ChunkVectorSchema.class {}
ChunkVectorSchema.setClass(ChunkVector);
