import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../agents/agent.entity.ts';
import type { UseSource } from '../conversation-source.ts';

const AgentDaySchema = defineEntity({
  name: 'AgentDay',
  tableName: 'agent_days',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    day: p.date().primary(),
    /** Number of the version; 0 for replies without one, such as those of earlier releases. */
    versionNumber: p.integer().primary(),
    source: p.text().$type<UseSource>().primary(),
    conversations: p.integer().default(0),
    messages: p.integer().default(0),
    replies: p.integer().default(0),
    failed: p.integer().default(0),
    stopped: p.integer().default(0),
    regenerated: p.integer().default(0),
    thumbsUp: p.integer().default(0),
    thumbsDown: p.integer().default(0),
    inputTokens: p.bigint('number').default(0),
    outputTokens: p.bigint('number').default(0),
    /** Histograms of latencies (histogram.ts). */
    firstWords: p.array((text) => Number(text)).columnType('integer[]'),
    replyTimes: p.array((text) => Number(text)).columnType('integer[]'),
  },
});

/** The use of an agent by people other than its owner on a UTC day. */
export class AgentDay extends AgentDaySchema.class {}
AgentDaySchema.setClass(AgentDay);
