import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Plan } from '../core/actor.ts';
import type { Preferences } from './preferences.input.ts';

const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.text().primary(),
    email: p.text(),
    username: p.text(),
    passwordHash: p.text().hidden(),
    displayName: p.text().strictNullable(),
    avatarUrl: p.text().strictNullable(),
    bio: p.text().strictNullable(),
    emailVerified: p.boolean().default(false),
    plan: p.text().$type<Plan>().default('free'),
    preferences: p.json<Preferences>().defaultRaw(`'{}'::jsonb`),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    deletionRequestedAt: p.datetime(3).strictNullable(),
  },
});

/** An account. */
export class User extends UserSchema.class {}
UserSchema.setClass(User);
