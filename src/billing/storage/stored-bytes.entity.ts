import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';

const StoredBytesSchema = defineEntity({
  name: 'StoredBytes',
  tableName: 'stored_bytes',
  properties: {
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').primary(),
    bytes: p.bigint('number'),
    /** Whether `bytes` must be counted again. Set for accounts that are older than the count. */
    recountDue: p.boolean().default(false),
  },
});

/** Bytes that an account stores, without notes that are not aggregated yet. */
export class StoredBytes extends StoredBytesSchema.class {}
StoredBytesSchema.setClass(StoredBytes);

const StorageNoteSchema = defineEntity({
  name: 'StorageNote',
  tableName: 'storage_notes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** Not a foreign key, because a note may outlive its account. */
    userId: p.text(),
    bytes: p.bigint('number'),
  },
});

/**
 * A change of the bytes that an account stores. Triggers on the counted tables append notes in the transaction of the
 * change, so no row is written by all writes of an account, and a job aggregates them.
 */
export class StorageNote extends StorageNoteSchema.class {}
StorageNoteSchema.setClass(StorageNote);
