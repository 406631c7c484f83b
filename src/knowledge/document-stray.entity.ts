import { defineEntity, p } from '@mikro-orm/postgresql';

export type StrayKind = 'files' | 'vectors' | 'chunks';

const DocumentStraySchema = defineEntity({
  name: 'DocumentStray',
  tableName: 'document_strays',
  properties: {
    kind: p.text().$type<StrayKind>().primary(),
    removed: p.bigint('number'),
  },
});

/** Total number of removed orphans of each kind. */
export class DocumentStray extends DocumentStraySchema.class {}
DocumentStraySchema.setClass(DocumentStray);
