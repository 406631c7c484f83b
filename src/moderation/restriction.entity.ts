import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../accounts/user.entity.ts';

const RestrictionSchema = defineEntity({
  name: 'Restriction',
  tableName: 'moderation_restrictions',
  properties: {
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').primary(),
    /** The case whose `restore` lifts the restriction. */
    caseId: p.text().primary(),
    createdAt: p.datetime(3),
  },
});

/** An account that may not publish, because of a case. */
export class Restriction extends RestrictionSchema.class {}
RestrictionSchema.setClass(Restriction);
