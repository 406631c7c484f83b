import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Agent } from '../../agents/agent.entity.ts';
import { Share } from '../shares/share.entity.ts';
import type { ActivityType } from '../social.input.ts';

const ActivitySchema = defineEntity({
  name: 'Activity',
  tableName: 'activities',
  properties: {
    id: p.text().primary(),
    actorId: p.manyToOne(User).mapToPk().name('actor_id').deleteRule('cascade'),
    type: p.text().$type<ActivityType>(),
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade'),
    shareId: p.manyToOne(Share).mapToPk().name('share_id').deleteRule('cascade').strictNullable(),
    /** Whether the activity is in the index of feeds. Cleared after 90 days, the time span of a feed. */
    recent: p.boolean().default(true),
    createdAt: p.datetime(3),
  },
});

/** An activity for the feeds of the actor's followers. It is one row regardless of the number of followers. */
export class Activity extends ActivitySchema.class {}
ActivitySchema.setClass(Activity);
