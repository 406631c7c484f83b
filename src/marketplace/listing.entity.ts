import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../agents/agent.entity.ts';
import type { ContentRating } from './listing.input.ts';

const ListingSchema = defineEntity({
  name: 'Listing',
  tableName: 'listings',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    /** Null until the agent is first published. */
    slug: p.text().strictNullable(),
    about: p.text().strictNullable(),
    starters: p.array().defaultRaw(`'{}'::text[]`),
    tags: p.array().defaultRaw(`'{}'::text[]`),
    language: p.text().strictNullable(),
    contentRating: p.text().$type<ContentRating>().default('everyone'),
    bannerUrl: p.text().strictNullable(),
    allowCopies: p.boolean().default(false),
    copiedFrom: p.manyToOne(Agent).mapToPk().name('copied_from').deleteRule('set null').strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** Marketplace data of a public agent. An agent without a row has the defaults. */
export class Listing extends ListingSchema.class {}
ListingSchema.setClass(Listing);
