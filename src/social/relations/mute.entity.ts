import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';

const MuteSchema = defineEntity({
  name: 'Mute',
  tableName: 'mutes',
  properties: {
    muterId: p.manyToOne(User).mapToPk().name('muter_id').deleteRule('cascade').primary(),
    mutedId: p.manyToOne(User).mapToPk().name('muted_id').deleteRule('cascade').primary(),
    createdAt: p.datetime(3),
  },
});

/** A mute: it hides a user from another user's feed. The muted user is not notified. */
export class Mute extends MuteSchema.class {}
MuteSchema.setClass(Mute);
