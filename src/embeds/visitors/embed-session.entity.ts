import { defineEntity, p } from '@mikro-orm/postgresql';
import { EmbedVisitor } from './embed-visitor.entity.ts';

const EmbedSessionSchema = defineEntity({
  name: 'EmbedSession',
  tableName: 'embed_sessions',
  properties: {
    tokenHash: p.blob().primary().hidden(),
    visitorId: p.manyToOne(EmbedVisitor).mapToPk().name('visitor_id').deleteRule('cascade'),
    expiresAt: p.datetime(3),
  },
});

/** Hash of a visitor's token. Each browser has its own token. */
export class EmbedSession extends EmbedSessionSchema.class {}
EmbedSessionSchema.setClass(EmbedSession);
