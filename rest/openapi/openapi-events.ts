import { catalog } from '../../src/app/features.ts';
import type { EventType } from '../../src/core/outbox.ts';
import type { JsonSchema } from './json-schema.ts';
import { exampleEvent } from './events-page.ts';

const text: JsonSchema = { type: 'string' };

const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  ...more,
  properties,
  required: Object.keys(properties),
});

const resource = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

const sequence = object({
  sequence: { type: 'integer', description: 'Increases with each event of the same resource.' },
});

/** The schemas that `data` of an event type combines. */
const dataSchemas = (type: EventType): JsonSchema[] =>
  catalog.events[type].data.map((shape) =>
    'resource' in shape ? resource(shape.resource) : object(shape.properties as Record<string, JsonSchema>),
  );

interface Document extends JsonSchema {
  components: { schemas: Record<string, JsonSchema> } & Record<string, unknown>;
}

/**
 * Adds what webhooks deliver to a document: `webhooks` by event type, and the schema `WebhookEvent` with a variant for each
 * type. A document without the resources that events carry (a test's) is returned unchanged.
 */
export function withEvents(document: JsonSchema): JsonSchema {
  const { components } = document as Document;
  const shapes = catalog.eventTypes.flatMap((type) => catalog.events[type].data);
  if (shapes.some((shape) => 'resource' in shape && !(shape.resource in components.schemas))) return document;
  const schemas = Object.entries({ ...components.schemas, ...eventSchemas() });
  return {
    ...document,
    webhooks: Object.fromEntries(catalog.eventTypes.map((type) => [type, { post: operationOf(type) }])),
    components: {
      ...components,
      parameters: { ...(components['parameters'] as object), ...headers },
      schemas: Object.fromEntries(schemas.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

/** `AgentCreatedEvent`. */
const schemaName = (type: EventType): string =>
  `${type.replaceAll(/(?:^|\.)(\w)/g, (_match, letter: string) => letter.toUpperCase())}Event`;

function eventSchemas(): Record<string, JsonSchema> {
  const variants = catalog.eventTypes.map((type): [string, JsonSchema] => [
    schemaName(type),
    object(
      {
        id: {
          ...text,
          description: 'Identical in every attempt. Use it to ignore duplicates.',
          ...exampleOf(type, 'id'),
        },
        type: { ...text, const: type, ...exampleOf(type, 'type') },
        created_at: { ...text, format: 'date-time', ...exampleOf(type, 'created_at') },
        data: { allOf: [...dataSchemas(type), sequence] },
      },
      { description: catalog.events[type].description, examples: [exampleEvent(type)] },
    ),
  ]);
  const mapping = Object.fromEntries(catalog.eventTypes.map((type) => [type, resource(schemaName(type)).$ref]));
  return {
    ...Object.fromEntries(variants),
    WebhookEvent: {
      description: 'The body of a webhook delivery.',
      oneOf: catalog.eventTypes.map((type) => resource(schemaName(type))),
      discriminator: { propertyName: 'type', mapping },
    },
  };
}

const exampleOf = (type: EventType, field: 'id' | 'type' | 'created_at'): JsonSchema => ({
  examples: [exampleEvent(type)[field]],
});

const operationOf = (type: EventType): JsonSchema => ({
  operationId: `on${schemaName(type)}`,
  tags: ['webhooks'],
  summary: type,
  description: catalog.events[type].description,
  security: [],
  parameters: Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  requestBody: { required: true, content: { 'application/json': { schema: resource(schemaName(type)) } } },
  responses: {
    '2XX': { description: 'The event was delivered.' },
    '410': { description: 'The endpoint is gone. The webhook is disabled immediately.' },
    default: { description: 'The delivery failed and will be retried.' },
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
  AgentSignature: header(
    'X-Agent-Signature',
    'HMAC-SHA256 of the raw body, keyed with the whole secret string, in lowercase hex.',
  ),
  AgentEvent: header('X-Agent-Event', 'Event type.'),
  AgentDelivery: header('X-Agent-Delivery', 'Delivery ID.'),
  AgentTimestamp: header('X-Agent-Timestamp', 'Time of this attempt in Unix seconds.'),
  WebhookId: header('webhook-id', 'Standard Webhooks: event ID.'),
  WebhookTimestamp: header('webhook-timestamp', 'Standard Webhooks: time of this attempt in Unix seconds.'),
  WebhookSignature: header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and a base64 signature for each valid secret, separated by spaces.',
  ),
};
