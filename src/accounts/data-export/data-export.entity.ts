import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../user.entity.ts';

export type ExportStatus = 'processing' | 'ready' | 'failed' | 'expired';

const DataExportSchema = defineEntity({
  name: 'DataExport',
  tableName: 'data_exports',
  properties: {
    id: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    status: p.text().$type<ExportStatus>(),
    sizeBytes: p.bigint('number').strictNullable(),
    requestedAt: p.datetime(3),
    completedAt: p.datetime(3).strictNullable(),
    /** When the mailed link expires and the file is removed. */
    expiresAt: p.datetime(3).strictNullable(),
  },
});

/** An archive of everything that the service stores about an account. */
export class DataExport extends DataExportSchema.class {}
DataExportSchema.setClass(DataExport);
