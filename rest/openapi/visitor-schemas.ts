import { uuid } from './example-uuid.ts';
import type { JsonSchema } from './json-schema.ts';

const text = (description: string, example: string): JsonSchema => ({
  type: 'string',
  description,
  examples: [example],
});
const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema['type'], 'null'] });
const flag = (description: string): JsonSchema => ({ type: 'boolean', description });
const time = (description: string): JsonSchema => ({
  ...text(description, '2026-11-21T09:30:00.000Z'),
  format: 'date-time',
});

const object = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const message = object(
  {
    id: text('Message ID (`msg_…`).', `msg_${uuid}`),
    role: { type: 'string', description: 'Author of the message.', enum: ['user', 'assistant'] },
    content: text('Text of the message.', 'When are you open?'),
    truncated: flag('true if the reply reached a length limit; otherwise absent.'),
    broken: flag('true if the reply failed and this is what was shown of it; otherwise absent.'),
    created_at: time('Creation time.'),
  },
  ['truncated', 'broken'],
);
const messages: JsonSchema = { type: 'array', items: message };

export const messageBody = object({ content: text('Text of the message.', 'When are you open?') });
export const messagePage = object({ data: messages, has_more: flag('Whether there are older messages.') });
export const reply = object({ user_message: message, assistant_message: message });

export const sessionBody = object(
  {
    embed_id: text('Embed ID (`emb_…`).', `emb_${uuid}`),
    parent_origin: text('Origin of the website that shows the iframe.', 'https://shop.example'),
    visitor_token: orNull(text('The token of an earlier session to continue.', 'vt1_4fQ0mXk1yYJv0t2b7dXc')),
    identity_token: orNull(
      text(
        'A JWT, signed by the website, that identifies the signed-in user.',
        'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.4fQ0mXk1yYJv',
      ),
    ),
    challenge_token: orNull(text('The solution of the challenge, for embeds that require one.', '0.4fQ0mXk1yYJv')),
  },
  ['visitor_token', 'identity_token', 'challenge_token'],
);

export const session = object({
  visitor_token: text(
    'The credential for all other routes, valid for 30 days after the last visit.',
    'vt1_4fQ0mXk1yYJv0t2b7dXc',
  ),
  expires_at: time('Expiry time of the token unless it is used.'),
  config: object({
    appearance: { $ref: '#/components/schemas/EmbedAppearance' },
    agent_name: text('Name of the agent.', 'Ada'),
    avatar_url: orNull(text('Picture of the agent.', 'https://example.com/ada.png')),
    greeting: orNull(text('First message of the agent.', 'Hello! Ask me about primes.')),
    notice: orNull(text('Notice shown before the first message; null for the default text.', 'An AI answers here.')),
  }),
  messages: { ...messages, description: 'The latest 50, oldest first.' },
});

export const stopped = object({
  stopped: flag('Whether a reply was stopped.'),
  message_id: orNull(text('ID of the stored partial reply; null if there is none.', `msg_${uuid}`)),
});

const ratingOf: JsonSchema = { type: 'string', description: 'The rating.', enum: ['up', 'down'] };
const comment = orNull(text('The visitor’s comment.', 'Short and right.'));
export const feedbackBody = object({ rating: ratingOf, comment }, ['comment']);
export const rating = object({
  message_id: text('ID of the reply.', `msg_${uuid}`),
  rating: ratingOf,
  comment,
  created_at: time('Time of the rating.'),
});

export const sessionEnded = object({ ended: flag('Always true.') });

export const conversationLeft = object({ forgotten: flag('Whether the visitor was erased.') });
