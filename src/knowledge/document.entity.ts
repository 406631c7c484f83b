import { defineEntity, p } from '@mikro-orm/postgresql';
import type { DocumentFormat } from './document-format.ts';
import { User } from '../accounts/user.entity.ts';

export type DocumentStatus = 'processing' | 'ready' | 'failed';

const DocumentSchema = defineEntity({
  name: 'Document',
  tableName: 'documents',
  properties: {
    id: p.text().primary(),
    /** A foreign key to `agents`, a later feature. */
    agentId: p.text(),
    ownerId: p.manyToOne(User).mapToPk().name('owner_id').deleteRule('cascade'),
    filename: p.text(),
    format: p.text().$type<DocumentFormat>(),
    sizeBytes: p.integer(),
    status: p.text().$type<DocumentStatus>(),
    /** Known once the text is split. */
    chunksTotal: p.integer().strictNullable(),
    /** Chunks that have their vector. */
    chunksDone: p.integer().default(0),
    language: p.text().columnType('regconfig').defaultRaw(`'simple'::regconfig`),
    /** Model and size of its vectors; those of different spaces are never compared. */
    space: p.text().strictNullable(),
    errorCode: p.text().strictNullable(),
    errorMessage: p.text().strictNullable(),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    /** When it became ready, or failed. */
    completedAt: p.datetime(3).strictNullable(),
    /** Positions of the chunks that have a vector in `embeddedIn`. */
    embedded: p.text().columnType('int4multirange').defaultRaw(`'{}'::int4multirange`),
    embeddedIn: p.text().strictNullable(),
  },
});

/** A document of an agent. */
export class Document extends DocumentSchema.class {}
DocumentSchema.setClass(Document);
