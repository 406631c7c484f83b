import type { ClientOperation, JsonSchema, OpenApiDocument } from './openapi-operations.ts';
import { queryTypeName } from './print-types.ts';

/** Prints the module with the client's interface and its factory. */
export const printClient = (operations: readonly ClientOperation[]): string =>
  [
    `import { pages, type Pages } from './pages.ts';`,
    `import { replyStream, type ReplyStream } from './reply-stream.ts';`,
    `import { createSocket, type Socket, type SocketOptions } from './socket.ts';`,
    `import { type Call, type CallOptions, type ClientOptions, createTransport, segment } from './transport.ts';`,
    `import type * as t from './types.ts';`,
    '',
    '/** Every operation of the service. Path parameters come first, then the body or the query. */',
    'export interface Client {',
    ...operations.flatMap((operation) => [
      ...comment(operation),
      `  ${operation.name}(${parameters(operation).join(', ')}): ${answerType(operation)};`,
    ]),
    '  /** Opens one connection for any number of channels. `GET /v1/socket` */',
    '  socket(options?: SocketOptions): Socket;',
    '}',
    '',
    'export function createClient(options: ClientOptions): Client {',
    '  const transport = createTransport(options);',
    '  const json = <Result>(call: Call, options: CallOptions): Promise<Result> =>',
    '    transport.send(call, options, (answer) => answer.json() as Promise<Result>);',
    '  const text = (call: Call, options: CallOptions) => transport.send(call, options, (answer) => answer.text());',
    '  const binary = (call: Call, options: CallOptions) => transport.send(call, options, async (answer) => answer);',
    '',
    '  return {',
    ...operations.map((operation) => `    ${operation.name}: ${implementation(operation)},`),
    '    socket: (given = {}) => createSocket(options, given),',
    '  };',
    '}',
    '',
  ].join('\n');

/** Prints the constants that the runtime takes from the service. */
export const printVocabulary = ({ components: { schemas } }: OpenApiDocument): string => {
  const code = schemas['Error']?.properties?.['error']?.properties?.['code'];
  const event = schemas['CreateWebhookInput']?.properties?.['events']?.['items'] as JsonSchema | undefined;
  return [
    '/** Error codes. */',
    `export type ErrorCode = ${union(code)};`,
    '',
    '/** Types of webhook events. */',
    `export type WebhookEventType = ${union(event)};`,
    '',
    `export type { WebhookEvent } from './types.ts';`,
    '',
  ].join('\n');
};

/** Prints the public exports of the client. */
export const printIndex = (): string =>
  [
    `export { type Client, createClient } from './client.ts';`,
    `export { ApiError, ConnectionError, type ErrorDetail, WebhookVerificationError } from './errors.ts';`,
    `export type { Pages } from './pages.ts';`,
    `export type { DeltaEvent, DoneEvent, ReplyEvent, ReplyStream } from './reply-stream.ts';`,
    `export type { ChannelEvent, Socket, SocketOptions, SubscribeOptions } from './socket.ts';`,
    `export type { VoiceOptions, VoiceTurn } from './voice.ts';`,
    `export type { CallOptions, ClientOptions } from './transport.ts';`,
    `export type * from './types.ts';`,
    `export type * from './vocabulary.ts';`,
    `export { verifyWebhook, type WebhookEvent, type WebhookRequest } from './webhooks.ts';`,
    '',
  ].join('\n');

const union = (schema: JsonSchema | undefined): string => {
  const values = schema?.['enum'];
  if (!Array.isArray(values)) throw new Error('The document lacks a list of constants.');
  return values.map((value) => JSON.stringify(value)).join(' | ');
};

const comment = ({ summary, description, deprecated, method, path }: ClientOperation): string[] => {
  const isSaid = description.startsWith(`${summary}.`);
  return [
    '  /**',
    `   * ${isSaid ? description : `${summary}. ${description}`}`,
    '   *',
    `   * \`${method} ${path}\``,
    ...(deprecated ? ['   * @deprecated'] : []),
    '   */',
  ];
};

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());

function parameters({ name, pathParameters, query, body }: ClientOperation): string[] {
  const isQueryOptional = (query?.required ?? []).length === 0;
  return [
    ...pathParameters.map((parameter) => `${camelCase(parameter)}: string`),
    ...(body ? [`body${body.required ? '' : '?'}: t.${body.type}`] : []),
    ...(query ? [`query${isQueryOptional ? '?' : ''}: t.${queryTypeName(name)}`] : []),
    'options?: CallOptions',
  ];
}

function answerType({ answer, paging }: ClientOperation): string {
  if (answer.kind === 'json') return `${paging === null ? 'Promise' : 'Pages'}<t.${answer.type}>`;
  return { stream: 'ReplyStream', text: 'Promise<string>', binary: 'Promise<Response>' }[answer.kind];
}

function implementation(operation: ClientOperation): string {
  const { answer, paging, body, query, pathParameters } = operation;
  const names = [...pathParameters.map(camelCase), ...(body ? ['body'] : []), ...(query ? ['query'] : [])];
  const head = `(${[...names, 'options = {}'].join(', ')}) =>`;
  if (answer.kind === 'stream')
    return `${head} replyStream(transport, ${call(operation)}, (id) => ${generationPath(operation)}, options)`;
  if (paging === null) return `${head} ${answer.kind}(${call(operation)}, options)`;
  return `${head} pages(query, '${paging}', (query) => json(${call(operation)}, options))`;
}

function call({ method, path, query, body, repeatable }: ClientOperation): string {
  const parts = [
    `method: '${method}'`,
    `path: ${template(path)}`,
    ...(query ? ['query'] : []),
    ...(body ? [`${body.isForm ? 'form' : 'json'}: body`] : []),
    `repeatable: ${repeatable}`,
  ];
  return `{ ${parts.join(', ')} }`;
}

const template = (path: string): string =>
  `\`${path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => `\${segment(${camelCase(name)})}`)}\``;

/** The path that resumes a reply, relative to its conversation. */
const generationPath = ({ path }: ClientOperation): string => {
  const conversation = /^.*?\/\{conversation_id\}/.exec(path)?.[0];
  if (conversation === undefined) throw new Error(`${path} streams, but not in a conversation.`);
  return template(`${conversation}/generations/{id}/stream`);
};
