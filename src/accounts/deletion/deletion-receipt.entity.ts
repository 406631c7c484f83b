import { defineEntity, p } from '@mikro-orm/postgresql';

const DeletionReceiptSchema = defineEntity({
  name: 'DeletionReceipt',
  tableName: 'deletion_receipts',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    /** Set only while the purge runs. Not a foreign key, because the receipt outlives the account. */
    userId: p.text().strictNullable(),
    requestedAt: p.datetime(3),
    startedAt: p.datetime(3),
    completedAt: p.datetime(3).strictNullable(),
    /** Numbers of removed rows and files, by kind. */
    counts: p.json<Record<string, number>>().defaultRaw(`'{}'::jsonb`),
  },
});

/** Proof that an account was deleted. It does not identify the user. */
export class DeletionReceipt extends DeletionReceiptSchema.class {}
DeletionReceiptSchema.setClass(DeletionReceipt);
