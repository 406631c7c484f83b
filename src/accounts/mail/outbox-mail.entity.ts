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
    /** Encrypted: the text can hold a token. */
    sealed: p.text().hidden(),
    createdAt: p.datetime(3),
  },
});

/** A mail as it was delivered when no mail server is configured. */
export class OutboxMail extends OutboxMailSchema.class {}
OutboxMailSchema.setClass(OutboxMail);
