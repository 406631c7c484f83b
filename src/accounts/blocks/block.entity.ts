import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../user.entity.ts';

const BlockSchema = defineEntity({
  name: 'Block',
  tableName: 'blocks',
  properties: {
    blockerId: p.manyToOne(User).mapToPk().name('blocker_id').deleteRule('cascade').primary(),
    blockedId: p.manyToOne(User).mapToPk().name('blocked_id').deleteRule('cascade').primary(),
    createdAt: p.datetime(3),
  },
});

/**
 * A user who blocks another one: neither sees the other, and agents of the blocker do not exist for the blocked user.
 */
export class Block extends BlockSchema.class {}
BlockSchema.setClass(Block);
