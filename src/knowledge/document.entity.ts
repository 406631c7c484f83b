import { defineEntity, p } from '@mikro-orm/postgresql';
import type { DocumentFormat } from './document-format.ts';
import type { Reading } from './extract/reading.ts';
import { User } from '../accounts/user.entity.ts';

export type DocumentStatus = 'processing' | 'ready' | 'failed';

const DocumentSchema = defineEntity({
  name: 'Document',
  tableName: 'documents',
  properties: {
    id: p.text().primary(),
    /** A foreign key to `agents`, which a later feature defines. */
    agentId: p.text(),
    ownerId: p.manyToOne(User).mapToPk().name('owner_id').deleteRule('cascade'),
    filename: p.text(),
    format: p.text().$type<DocumentFormat>(),
    sizeBytes: p.integer(),
    /** Encoding that the owner stated; null when it has to be found. */
    encoding: p.text().strictNullable(),
    status: p.text().$type<DocumentStatus>(),
    /** Null until the text is split. */
    chunksTotal: p.integer().strictNullable(),
    /** Null until the text is split, and for documents that an earlier release read. */
    reading: p.json<Reading>().strictNullable(),
    /** Number of chunks that have a vector. */
    chunksDone: p.integer().default(0),
    language: p.text().columnType('regconfig').defaultRaw(`'simple'::regconfig`),
    /** Embedding model and dimensions of the vectors. Vectors of different spaces are never compared. */
    space: p.text().strictNullable(),
    errorCode: p.text().strictNullable(),
    errorMessage: p.text().strictNullable(),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    /** Time at which the document became ready or failed. */
    completedAt: p.datetime(3).strictNullable(),
    /** Positions of the chunks that have a vector in the space `embeddedIn`. */
    embedded: p.text().columnType('int4multirange').defaultRaw(`'{}'::int4multirange`),
    embeddedIn: p.text().strictNullable(),
    /** The document that is deleted once this one is ready. */
    replaces: () => p.manyToOne(Document).mapToPk().joinColumn('replaces').deleteRule('set null').strictNullable(),
  },
});

/** A document in an agent's knowledge. */
export class Document extends DocumentSchema.class {}
DocumentSchema.setClass(Document);
