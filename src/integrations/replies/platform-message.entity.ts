import { defineEntity, p } from '@mikro-orm/postgresql';
import { Integration } from '../integration.entity.ts';

export type PlatformMessageState = 'received' | 'replying' | 'answered' | 'refused' | 'dropped' | 'failed';

const PlatformMessageSchema = defineEntity({
  name: 'PlatformMessage',
  tableName: 'platform_messages',
  properties: {
    seq: p.bigint('number').primary().autoincrement(),
    integrationId: p.manyToOne(Integration).mapToPk().name('integration_id').deleteRule('cascade'),
    eventId: p.text(),
    chatId: p.text(),
    personId: p.text(),
    state: p.text().$type<PlatformMessageState>(),
    /** Destination of the reply. `content` and `parts` are cleared when the message has ended. */
    target: p.json<object>(),
    content: p.text(),
    parts: p.json<object>().strictNullable(),
    partsSent: p.integer().default(0),
    /** Whether a part was sent to the platform and its outcome is unknown. */
    sending: p.boolean().default(false),
    failures: p.integer().default(0),
    createdAt: p.datetime(3),
  },
});

/**
 * A message that a platform delivered. There is one row for all deliveries of a message, which is claimed before it is
 * processed.
 */
export class PlatformMessage extends PlatformMessageSchema.class {}
PlatformMessageSchema.setClass(PlatformMessage);
