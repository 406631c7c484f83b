import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../user.entity.ts';

const OutboxMailSchema = defineEntity({
  name: 'OutboxMail',
  tableName: 'outbox_mails',
  properties: {
    id: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    recipient: p.text(),
    subject: p.text(),
    /** Encrypted content, because it can contain a token. */
    sealed: p.text().hidden(),
    createdAt: p.datetime(3),
  },
});

/** A mail that was stored because no mail server is configured. */
export class OutboxMail extends OutboxMailSchema.class {}
OutboxMailSchema.setClass(OutboxMail);
