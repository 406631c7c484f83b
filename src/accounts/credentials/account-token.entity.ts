import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../user.entity.ts';

export type AccountTokenKind = 'verify' | 'reset' | 'change';

const AccountTokenSchema = defineEntity({
  name: 'AccountToken',
  tableName: 'account_tokens',
  properties: {
    hash: p.blob().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    kind: p.text().$type<AccountTokenKind>(),
    /** Address that the token proves control of. When null, the address of the account. */
    email: p.text().strictNullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).strictNullable(),
  },
});

/** A one-time token that was mailed. Only its hash is stored. */
export class AccountToken extends AccountTokenSchema.class {}
AccountTokenSchema.setClass(AccountToken);
