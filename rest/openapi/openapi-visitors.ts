import { visitorPaths } from '../../src/embeds/visitors/visitor-paths.ts';
import type { ErrorCode } from '../../src/core/errors.ts';
import { uuid } from './example-uuid.ts';
import type { JsonSchema } from './json-schema.ts';
import { commonHeaders, nothingLeft, responsesOf } from './openapi-errors.ts';
import { streamExample } from './stream-example.ts';
import {
  conversationLeft,
  feedbackBody,
  messageBody,
  messagePage,
  rating,
  reply,
  session,
  sessionEnded,
  sessionBody,
  stopped,
} from './visitor-schemas.ts';

interface VisitorOperation {
  path: string;
  method: 'get' | 'post' | 'delete';
  id: string;
  summary: string;
  description?: string;
  status?: number;
  query?: JsonSchema[];
  body?: JsonSchema;
  /** Server-Sent Events when it is omitted. */
  answer?: JsonSchema;
  takesKey?: boolean;
  errors?: ErrorCode[];
}

const sending: Pick<VisitorOperation, 'body' | 'takesKey' | 'errors'> = {
  body: messageBody,
  takesKey: true,
  errors: [
    'conflict',
    'generation_in_progress',
    'idempotency_in_progress',
    'idempotency_mismatch',
    'context_length_exceeded',
    'upstream_error',
    'upstream_timeout',
  ],
};

/** The routes of visitors, in the order of the guide. They are written by hand: `src/http/embeds/visitors.ts`. */
export const visitorOperations: readonly VisitorOperation[] = [
  {
    path: visitorPaths.sessions,
    method: 'post',
    id: 'startVisitorSession',
    summary: 'Start or continue the session of a visitor',
    description: 'Needs no credential. Pass the `visitor_token` of an earlier session to continue it.',
    body: sessionBody,
    answer: session,
    errors: ['unauthenticated'],
  },
  {
    path: visitorPaths.sessions,
    method: 'delete',
    id: 'endVisitorSession',
    summary: 'End the session of a visitor, who signs out of the website',
    answer: sessionEnded,
  },
  {
    path: visitorPaths.messages,
    method: 'get',
    id: 'visitorMessages',
    summary: 'List the messages of the visitor, newest first',
    query: [
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'Number of messages to return.',
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20, examples: [20] },
      },
      {
        name: 'before',
        in: 'query',
        required: false,
        description: 'ID of a message; returns the messages before it.',
        schema: { type: 'string', examples: [`msg_${uuid}`] },
      },
    ],
    answer: messagePage,
  },
  {
    path: visitorPaths.messages,
    method: 'post',
    id: 'sendVisitorMessage',
    summary: 'Send a message as a visitor and wait for the reply',
    status: 201,
    answer: reply,
    ...sending,
  },
  {
    path: visitorPaths.stream,
    method: 'post',
    id: 'streamVisitorMessage',
    summary: 'Send a message as a visitor and stream the reply',
    ...sending,
  },
  {
    path: visitorPaths.stop,
    method: 'post',
    id: 'stopVisitorReply',
    summary: 'Stop the reply to the visitor',
    answer: stopped,
  },
  {
    path: visitorPaths.feedback,
    method: 'post',
    id: 'rateVisitorReply',
    summary: 'Rate a reply as a visitor',
    body: feedbackBody,
    answer: rating,
  },
  {
    path: visitorPaths.conversation,
    method: 'delete',
    id: 'leaveVisitorConversation',
    summary: 'Start a new conversation, or erase the visitor',
    query: [
      {
        name: 'forget',
        in: 'query',
        required: false,
        description:
          'true erases the visitor with all conversations; otherwise the conversation is kept for the operator.',
        schema: { type: 'boolean', default: false },
      },
    ],
    answer: conversationLeft,
  },
];

const tag = 'Visitors';

interface Document extends JsonSchema {
  tags: JsonSchema[];
  paths: Record<string, JsonSchema>;
  components: { securitySchemes: JsonSchema } & Record<string, unknown>;
}

/** Adds the routes of visitors, with their own credential. A document without embeds (a test's) is returned unchanged. */
export function withVisitors(document: JsonSchema): JsonSchema {
  const { tags, paths, components } = document as Document;
  if (!('/v1/embeds' in paths)) return document;
  const added: Record<string, JsonSchema> = {};
  for (const operation of visitorOperations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    added[path] = { ...added[path], [operation.method]: operationObject(operation) };
  }
  return {
    ...document,
    tags: [
      ...tags,
      { name: tag, description: 'The chat of visitors on other websites, used by the iframe of an embed.' },
    ],
    paths: { ...paths, ...added },
    components: {
      ...components,
      securitySchemes: {
        ...components.securitySchemes,
        visitor: {
          type: 'http',
          scheme: 'bearer',
          description: 'A visitor token (`vt1_…`) from `POST /v1/embed/sessions`. No other routes accept it.',
        },
      },
    },
  };
}

function operationObject(operation: VisitorOperation): JsonSchema {
  const { path, method, id, summary, description, status = 200, query = [], body, takesKey } = operation;
  const isStream = path === visitorPaths.stream;
  const parameters = [
    ...(path.includes(':message_id') ? [messageId] : []),
    ...query,
    ...(takesKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(isStream ? [{ $ref: '#/components/parameters/LastEventId' }] : []),
  ];
  const isPublic = path === visitorPaths.sessions && method === 'post';
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: description ?? `${summary}. Needs the token of a visitor.`,
    security: isPublic ? [] : [{ visitor: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      [status]: { description: 'Success.', headers: commonHeaders, content: answerOf(operation) },
      ...(isStream ? nothingLeft : {}),
      ...responsesOf([
        'invalid_request',
        ...(isPublic ? [] : (['unauthenticated'] as const)),
        ...(method === 'get' ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
        // Also when the embed is paused or deleted.
        'not_found',
        ...(operation.errors ?? []),
        'rate_limited',
        'internal_error',
        'unavailable',
      ]),
    },
  };
}

const answerOf = ({ answer }: VisitorOperation): JsonSchema =>
  answer
    ? { 'application/json': { schema: answer } }
    : { 'text/event-stream': { schema: { type: 'string' }, example: streamExample } };

const messageId: JsonSchema = {
  name: 'message_id',
  in: 'path',
  required: true,
  description: 'ID of a reply to the visitor.',
  schema: { type: 'string', examples: [`msg_${uuid}`] },
};
