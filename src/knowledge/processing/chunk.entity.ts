import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ChunkLocation } from './chunk-document.ts';

const ChunkSchema = defineEntity({
  name: 'Chunk',
  tableName: 'chunks',
  properties: {
    id: p.text().primary(),
    documentId: p.text(),
    agentId: p.text(),
    position: p.integer(),
    place: p.text(),
    content: p.text(),
    language: p.text().columnType('regconfig'),
    /** Null for chunks that an earlier release made. */
    location: p.json<ChunkLocation>().strictNullable(),
    /** Other spellings of the numbers, dates and identifiers in the content, by which it is found too. */
    spellings: p.text().default(''),
  },
});

/** A piece of a document's text. No foreign key on purpose: a large document's chunks are removed in batches after its row. */
export class Chunk extends ChunkSchema.class {}
ChunkSchema.setClass(Chunk);
