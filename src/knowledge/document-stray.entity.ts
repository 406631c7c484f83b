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

/** How many orphans of a kind were ever removed. */
export class DocumentStray extends DocumentStraySchema.class {}
DocumentStraySchema.setClass(DocumentStray);
