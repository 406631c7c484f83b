import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../user.entity.ts';

const MailSchema = defineEntity({
  name: 'Mail',
  tableName: 'mails',
  properties: {
    id: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    template: p.text(),
    /** Encrypted content, because it can contain a token. */
    sealed: p.text().hidden(),
    /** Address of the recipient. When null, that of the account at the time of sending. */
    recipient: p.text().strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** A mail that is waiting to be sent. The row is deleted afterwards. */
export class Mail extends MailSchema.class {}
MailSchema.setClass(Mail);
