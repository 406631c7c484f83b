import { eventCatalog, type WebhookEventType, webhookEventTypes } from '../src/webhooks/event-catalog.ts';
import { errorTable } from '../src/core/errors.ts';
import type { JsonSchema } from './openapi-schemas.ts';
import { exampleEvent } from './events-page.ts';

const text: JsonSchema = { type: 'string' };

const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  ...more,
  properties,
  required: Object.keys(properties),
});

const references = '#/components/schemas/';
const resource = (name: string): { $ref: string } => ({ $ref: `${references}${name}` });

const sequence = object({ sequence: { type: 'integer', description: 'Grows with each event of the same thing.' } });

const errorCode: JsonSchema = { type: 'string', enum: Object.keys(errorTable) };

/** An owner always sees them. */
const ownAgent = [resource('Agent'), object({ instructions: text })];

/** What `data` is beside its `sequence`: a resource as its own route shows it, or fields of the event's own. */
const dataSchemas: Record<WebhookEventType, JsonSchema[]> = {
  'conversation.created': [resource('ConversationSummary')],
  'conversation.deleted': [resource('ConversationSummary')],
  'message.created': [
    object({
      conversation_id: text,
      message_id: text,
      role: { type: 'string', enum: ['user', 'assistant'] },
      content: text,
      agent_id: text,
    }),
  ],
  'message.failed': [
    object({ conversation_id: text, message_id: text, agent_id: text, code: errorCode, message: text }),
  ],
  'agent.created': ownAgent,
  'agent.updated': ownAgent,
  'agent.deleted': [object({ id: text })],
  'agent.published': ownAgent,
  'subscription.created': [resource('AccountSubscription')],
  'subscription.updated': [resource('AccountSubscription')],
  'subscription.cancelled': [resource('AccountSubscription')],
  'integration.connected': [resource('Integration')],
  'integration.disconnected': [resource('Integration')],
  'integration.error': [resource('Integration'), object({ error: object({ code: text, message: text }) })],
};

interface Document extends JsonSchema {
  components: { schemas: Record<string, JsonSchema> } & Record<string, unknown>;
}

/**
 * The document with what webhooks deliver: `webhooks`, by event type, and the schema `WebhookEvent`, of which each type
 * is one variant. A document without the resources that events carry, which is not the service's, stays as it is.
 */
export function withEvents(document: JsonSchema): JsonSchema {
  const { components } = document as Document;
  const resources = Object.values(dataSchemas).flatMap(([{ $ref } = {}]) => (typeof $ref === 'string' ? [$ref] : []));
  if (resources.some(($ref) => !($ref.slice(references.length) in components.schemas))) return document;
  const schemas = Object.entries({ ...components.schemas, ...eventSchemas() });
  return {
    ...document,
    webhooks: Object.fromEntries(webhookEventTypes.map((type) => [type, { post: operationOf(type) }])),
    components: {
      ...components,
      parameters: { ...(components['parameters'] as object), ...headers },
      schemas: Object.fromEntries(schemas.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

/** `AgentCreatedEvent`. */
const schemaName = (type: WebhookEventType): string =>
  `${type.replaceAll(/(?:^|\.)(\w)/g, (_match, letter: string) => letter.toUpperCase())}Event`;

function eventSchemas(): Record<string, JsonSchema> {
  const variants = webhookEventTypes.map((type): [string, JsonSchema] => [
    schemaName(type),
    object(
      {
        id: { ...text, description: 'The same at each attempt: drop what came before.', ...exampleOf(type, 'id') },
        type: { ...text, const: type, ...exampleOf(type, 'type') },
        created_at: { ...text, format: 'date-time', ...exampleOf(type, 'created_at') },
        data: { allOf: [...dataSchemas[type], sequence] },
      },
      { description: eventCatalog[type].description, examples: [exampleEvent(type)] },
    ),
  ]);
  const mapping = Object.fromEntries(webhookEventTypes.map((type) => [type, resource(schemaName(type)).$ref]));
  return {
    ...Object.fromEntries(variants),
    WebhookEvent: {
      description: 'What a webhook delivers.',
      oneOf: webhookEventTypes.map((type) => resource(schemaName(type))),
      discriminator: { propertyName: 'type', mapping },
    },
  };
}

const exampleOf = (type: WebhookEventType, field: 'id' | 'type' | 'created_at'): JsonSchema => ({
  examples: [exampleEvent(type)[field]],
});

const operationOf = (type: WebhookEventType): JsonSchema => ({
  operationId: `on${schemaName(type)}`,
  tags: ['webhooks'],
  summary: type,
  description: eventCatalog[type].description,
  security: [],
  parameters: Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  requestBody: { required: true, content: { 'application/json': { schema: resource(schemaName(type)) } } },
  responses: {
    '2XX': { description: 'Delivered.' },
    '410': { description: 'The endpoint is gone: the webhook is disabled at once.' },
    default: { description: 'Not delivered: it is tried again.' },
  },
});

const header = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
});

const headers: Record<string, JsonSchema> = {
  AgentSignature: header('X-Agent-Signature', 'HMAC-SHA256 of the raw body with the whole secret, in lowercase hex.'),
  AgentEvent: header('X-Agent-Event', 'The type of the event.'),
  AgentDelivery: header('X-Agent-Delivery', 'The id of the delivery.'),
  AgentTimestamp: header('X-Agent-Timestamp', 'When this attempt was made, in Unix seconds.'),
  WebhookId: header('webhook-id', 'Of Standard Webhooks: the id of the event.'),
  WebhookTimestamp: header('webhook-timestamp', 'Of Standard Webhooks, in Unix seconds.'),
  WebhookSignature: header(
    'webhook-signature',
    'Of Standard Webhooks: `v1,` and base64, one for each secret that is valid.',
  ),
};
