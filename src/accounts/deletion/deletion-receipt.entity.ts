import { defineEntity, p } from '@mikro-orm/postgresql';

const DeletionReceiptSchema = defineEntity({
  name: 'DeletionReceipt',
  tableName: 'deletion_receipts',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    /** Set only while the purge runs; no foreign key, since it outlives the account. */
    userId: p.text().strictNullable(),
    requestedAt: p.datetime(3),
    startedAt: p.datetime(3),
    completedAt: p.datetime(3).strictNullable(),
    /** Rows and files removed, by kind. */
    counts: p.json<Record<string, number>>().defaultRaw(`'{}'::jsonb`),
  },
});

/** Proof that an account was deleted. It does not identify the person. */
export class DeletionReceipt extends DeletionReceiptSchema.class {}
DeletionReceiptSchema.setClass(DeletionReceipt);
