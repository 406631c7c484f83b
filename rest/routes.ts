import { billingRoutes } from './billing-routes.ts';
import type { ErrorCode } from '../src/core/errors.ts';
import { conversationRoutes } from './conversation-routes.ts';
import { knowledgeRoutes } from './knowledge-routes.ts';
import { integrationRoutes } from './integration-routes.ts';
import type { OwnLimit } from '../src/core/rate-limit-table.ts';
import { voiceRoutes } from './voice-routes.ts';
import { accountRoutes } from './account-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** One route of /v1. A plain one needs a resolver and a row here; names, checks and OpenAPI follow from the schema. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under /v1. A parameter is named like the operation's argument, in snake_case. */
  path: `/${string}`;
  /** The root field that answers. */
  operation: `${'Query' | 'Mutation' | 'Subscription'}.${string}`;
  /** Status of success. */
  status: 200 | 201 | 202;
  tag: string;
  summary: string;
  /** The JSON body is the argument `input`. */
  body?: 'input';
  /** Which form of a type (a key of `shapes`) this route answers with. */
  shapes?: Readonly<Record<string, string>>;
  /** Codes beside those that follow from the access, the path and the body. */
  errors?: readonly ErrorCode[];
  /** What success means, where the summary does not say it. */
  answer?: string;
  /**
   * What an Idempotency-Key does on a POST. By default the answer is stored in the transaction of the work; `remote` work
   * reaches the network or waits for others, so its answer is stored after it; on `message` routes the key names the message.
   */
  idempotency?: 'remote' | 'message';
  /** Counted against this limit in place of the general one. */
  ownLimit?: OwnLimit;
  /** Written by hand (rest/adapters), because the body or the answer is not JSON. */
  adapter?: AdapterKind;
}

/** A form of a GraphQL type that leaves fields out, under its own name in OpenAPI. */
export interface Shape {
  of: string;
  omit: readonly string[];
}

export type Shapes = Readonly<Record<string, Shape>>;

/** Media types of the hand-written adapters; what is not named is JSON. */
export const adapterMedia = {
  stream: { produces: 'text/event-stream' },
  export: { produces: 'text/markdown' },
  upload: { consumes: 'multipart/form-data' },
  documentContent: { produces: 'application/octet-stream' },
  speech: { produces: 'audio/mpeg' },
  messageSpeech: { produces: 'audio/mpeg' },
  transcription: { consumes: 'multipart/form-data' },
} as const satisfies Record<string, { consumes?: string; produces?: string }>;

export type AdapterKind = keyof typeof adapterMedia;

/** What the chapters of the documentation are about. */
export const tagDescriptions: Readonly<Record<string, string | undefined>> = {
  'Auth and account': 'Registration, passwords, sessions, the profile, API keys, data export and deletion.',
  Billing: 'Plans, their payment, invoices and what is used of them.',
  Agents: 'AI personalities: yours, and the public ones of others.',
  Knowledge: 'Documents that an agent answers from.',
  Conversations: 'Talking to an agent, whole replies or streamed.',
  Voice: 'Text to speech and speech to text.',
  Webhooks: 'Signed notifications of what happens, each delivered at least once.',
  Integrations: 'Agents on chat platforms.',
};

export interface Bounds {
  min: number;
  max: number;
  default: number;
}

/** Whole numbers in query strings that mean the same on every list: for the checks, their words and OpenAPI. */
export const queryBounds: Readonly<Record<string, Bounds | undefined>> = {
  limit: { min: 1, max: 100, default: 20 },
  offset: { min: 0, max: 2_147_483_647, default: 0 },
};

export const shapes: Shapes = {
  RegisteredUser: { of: 'User', omit: ['plan', 'updatedAt'] },
  LoggedInUser: { of: 'User', omit: ['bio', 'plan', 'createdAt', 'updatedAt'] },
  AgentListItem: { of: 'Agent', omit: ['instructions', 'greetingMessage', 'voiceId', 'creatorId'] },
  ExploreAgent: { of: 'Agent', omit: ['instructions', 'greetingMessage', 'voiceId'] },
  ExploreAgentList: { of: 'AgentList', omit: [] },
  NewDocument: { of: 'Document', omit: ['processing', 'error'] },
  DocumentListItem: { of: 'Document', omit: ['agentId', 'processing', 'error'] },
  ConversationSummary: { of: 'Conversation', omit: ['messages'] },
  IntegrationSummary: { of: 'Integration', omit: ['autoRespond', 'lastMessageAt'] },
};

/** THE table of /v1, in the order of the documentation. */
export const routes: readonly Route[] = [
  ...tagged('Auth and account', accountRoutes),
  ...tagged('Billing', billingRoutes),
  ...tagged('Agents', [
    {
      method: 'POST',
      path: '/agents',
      operation: 'Mutation.createAgent',
      status: 201,
      summary: 'Create an agent',
      errors: ['plan_limit_exceeded'],
      body: 'input',
    },
    {
      method: 'GET',
      path: '/agents',
      operation: 'Query.agents',
      status: 200,
      summary: 'List your agents',
      shapes: { Agent: 'AgentListItem' },
    },
    {
      method: 'GET',
      path: '/agents/explore',
      operation: 'Query.exploreAgents',
      status: 200,
      summary: 'Explore public agents',
      shapes: { Agent: 'ExploreAgent', AgentList: 'ExploreAgentList' },
    },
    { method: 'GET', path: '/agents/:id', operation: 'Query.agent', status: 200, summary: 'Get an agent' },
    {
      method: 'PUT',
      path: '/agents/:id',
      operation: 'Mutation.updateAgent',
      status: 200,
      summary: 'Update an agent',
      body: 'input',
    },
    {
      method: 'DELETE',
      path: '/agents/:id',
      operation: 'Mutation.deleteAgent',
      status: 200,
      summary: 'Delete an agent',
    },
    { method: 'GET', path: '/models', operation: 'Query.models', status: 200, summary: 'List the models' },
  ]),
  ...tagged('Conversations', conversationRoutes),
  ...tagged('Voice', voiceRoutes),
  ...tagged('Webhooks', webhookRoutes),
  ...tagged('Knowledge', knowledgeRoutes),
  ...tagged('Integrations', integrationRoutes),
];

function tagged(tag: string, rows: readonly Omit<Route, 'tag'>[]): Route[] {
  return rows.map((row) => ({ ...row, tag }));
}
