import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Instance } from '../../conversations/instances/instance.entity.ts';

const AccountSocketsSchema = defineEntity({
  name: 'AccountSockets',
  tableName: 'account_sockets',
  properties: {
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').primary(),
    instanceId: p.manyToOne(Instance).mapToPk().name('instance_id').deleteRule('cascade').primary(),
    connections: p.integer(),
  },
});

/** Number of sockets of an account on one instance. Rows count while the instance's heartbeat is current. */
export class AccountSockets extends AccountSocketsSchema.class {}
AccountSocketsSchema.setClass(AccountSockets);
