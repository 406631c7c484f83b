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
    /** Written by 0.1 and never read since; both columns go with the release after the next. */
    vector: p.blob().nullable(),
    error: p.float().nullable(),
  },
});

/** The vector of a chunk, where PostgreSQL is the vector store. */
export class ChunkVector extends ChunkVectorSchema.class {}
ChunkVectorSchema.setClass(ChunkVector);
