import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Plan } from '../core/actor.ts';

const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.string().primary(),
    email: p.string(),
    username: p.string(),
    passwordHash: p.string().hidden(),
    displayName: p.string().nullable(),
    avatarUrl: p.string().nullable(),
    bio: p.string().nullable(),
    emailVerified: p.boolean(),
    plan: p.string().$type<Plan>(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    deletionRequestedAt: p.datetime().nullable(),
  },
});

export class User extends UserSchema.class {}
UserSchema.setClass(User);
