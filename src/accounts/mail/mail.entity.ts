import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../user.entity.ts';

const MailSchema = defineEntity({
  name: 'Mail',
  tableName: 'mails',
  properties: {
    id: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    template: p.text(),
    /** Encrypted: the text can hold a token. */
    sealed: p.text().hidden(),
    /** Null for the address of the account at the time of sending. */
    recipient: p.text().strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** A mail that is waiting to be sent. The row is deleted once it is. */
export class Mail extends MailSchema.class {}
MailSchema.setClass(Mail);
