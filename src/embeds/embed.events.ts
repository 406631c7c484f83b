import { exampleValues } from '../core/example-values.ts';
import type { EventEntries } from '../core/outbox.ts';

/** Message limits of an embed. */
export const embedLimits = ['per_day', 'per_visitor_day', 'per_address_hour'] as const;
export type EmbedLimit = (typeof embedLimits)[number];

interface EmbedEvents {
  'embed.conversation_started': { embedId: string; conversationId: string; visitorId: string; sequence: number };
  'embed.limit_reached': { embedId: string; limit: EmbedLimit; sequence: number };
}

declare module '../core/outbox.ts' {
  interface EventData extends EmbedEvents {}
}

const { embedId, visitorId, conversationId } = exampleValues;
const text = { type: 'string' };

export const embedEvents: EventEntries<EmbedEvents> = {
  'embed.conversation_started': {
    description: 'A visitor of a website sent the first message of a conversation.',
    data: [{ properties: { embed_id: text, conversation_id: text, visitor_id: text } }],
    example: { embedId, conversationId, visitorId, sequence: 1 },
  },
  'embed.limit_reached': {
    description: 'An embed refused a message because of one of its limits, for the first time that day.',
    data: [{ properties: { embed_id: text, limit: { type: 'string', enum: [...embedLimits] } } }],
    example: { embedId, limit: 'per_day', sequence: 1 },
  },
};
