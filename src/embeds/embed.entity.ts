import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../accounts/user.entity.ts';
import { Agent } from '../agents/agent.entity.ts';
import type { Appearance, EmbedChallenge, EmbedIdentity } from './embed.input.ts';

const EmbedSchema = defineEntity({
  name: 'Embed',
  tableName: 'embeds',
  properties: {
    id: p.text().primary(),
    ownerId: p.manyToOne(User).mapToPk().name('owner_id').deleteRule('cascade'),
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade'),
    name: p.text(),
    active: p.boolean().default(true),
    allowedOrigins: p.array(),
    /** Whether pages on localhost may show the embed too. */
    test: p.boolean().default(false),
    identity: p.text().$type<EmbedIdentity>(),
    /** Encrypted, like `previousSecret` and `challengeSecret`; see embed-secrets.ts. */
    identitySecret: p.text().hidden(),
    previousSecret: p.text().strictNullable().hidden(),
    previousSecretExpiresAt: p.datetime(3).strictNullable(),
    perDay: p.integer(),
    /** Default of `perDay` when it was stored; they are equal until the owner chose another. See daily-cap.ts. */
    defaultPerDay: p.integer().strictNullable(),
    perVisitorDay: p.integer(),
    perAddressHour: p.integer(),
    challenge: p.text().$type<EmbedChallenge>(),
    challengeSiteKey: p.text().strictNullable(),
    challengeSecret: p.text().strictNullable().hidden(),
    appearance: p.json<Appearance>(),
    retentionDays: p.integer(),
    /** Privacy notice for visitors. When null, the default text is shown. */
    notice: p.text().strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** Set while the embed waits to be removed. It is hidden from then on. */
    deletedAt: p.datetime(3).strictNullable(),
  },
});

/** An agent that is embedded in other websites. */
export class Embed extends EmbedSchema.class {}
EmbedSchema.setClass(Embed);
