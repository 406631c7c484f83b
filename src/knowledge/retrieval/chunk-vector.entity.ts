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
    /** float32, little-endian, of length 1. */
    vector: p.blob(),
    /** The same in one byte a dimension, for the first pass. */
    codes: p.blob(),
    scale: p.float(),
    error: p.float(),
  },
});

/** The vector of a chunk, where PostgreSQL is the vector store. */
export class ChunkVector extends ChunkVectorSchema.class {}
ChunkVectorSchema.setClass(ChunkVector);
