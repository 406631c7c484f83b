import { randomUUID } from 'node:crypto';

export interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- any JSON that the service returned, for the test to inspect
  body: any;
}

export interface CallOptions {
  /** An access token or API key. */
  as?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface SseEvent {
  event: string;
  id: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  data: any;
}

export interface Account {
  id: string;
  email: string;
  password: string;
  token: string;
}

/** A client of the service over HTTP. */
export interface Client {
  /** Sends a request and returns the response unread. */
  send(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** Sends a GraphQL operation whose result is an event stream. */
  subscribe(body: object, options?: Omit<CallOptions, 'body'>): Promise<Response>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  graphql(query: string, options?: { as?: string; variables?: object }): Promise<Answer>;
  /** Sends a POST and yields the events of the response; throws `Refused` if the response is no stream. */
  stream(path: string, options: CallOptions): AsyncGenerator<SseEvent, void, void>;
  signUp(fields?: { email?: string; username?: string }): Promise<Account>;
  createAgent(as: string, fields?: object): Promise<{ id: string }>;
  createConversation(as: string, agentFields?: object): Promise<{ id: string; agent_id: string }>;
}

/** `check` receives every response before the test does. */
export function createClient(
  baseUrl: string,
  check: (method: string, path: string, answer: Answer) => void = () => undefined,
): Client {
  const send: Client['send'] = (method, path, { as, body, headers = {}, signal } = {}) =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });

  const client: Client = {
    send,
    subscribe: (body, options) =>
      send('POST', '/graphql/stream', {
        ...options,
        body,
        headers: { accept: 'text/event-stream', ...options?.headers },
      }),
    async call(method, path, options) {
      const answer = await answerOf(await send(method, path, options));
      check(method, path, answer);
      return answer;
    },
    graphql: (query, { as, variables } = {}) => client.call('POST', '/graphql', { as, body: { query, variables } }),
    async *stream(path, options) {
      const response = await send('POST', path, options);
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
        const answer = await answerOf(response);
        check('POST', path, answer);
        throw new Refused(answer);
      }
      yield* readEvents(response);
    },
    async signUp(fields = {}) {
      const name = randomUUID().slice(0, 13);
      const password = 'correct horse battery';
      const email = fields.email ?? `${name}@example.com`;
      const body = { email, password, username: fields.username ?? `user-${name}` };
      const answer = expectStatus(await client.call('POST', '/v1/auth/register', { body }), 201);
      return { id: answer.body.user.id, email, password, token: answer.body.access_token };
    },
    async createAgent(as, fields = {}) {
      const body = { name: 'Ada', instructions: 'You are Ada, a patient tutor.', ...fields };
      return expectStatus(await client.call('POST', '/v1/agents', { as, body }), 201).body;
    },
    async createConversation(as, agentFields = {}) {
      const agent = await client.createAgent(as, { greeting_message: 'Hello.', ...agentFields });
      return expectStatus(await client.call('POST', '/v1/conversations', { as, body: { agent_id: agent.id } }), 201)
        .body;
    },
  };
  return client;
}

/** A response that is not the expected stream. */
class Refused extends Error {
  readonly status: number;
  readonly body: Answer['body'];

  constructor({ status, body }: Answer) {
    super(`refused with ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** Returns the response. @throws Error unless it has the status that the test relies on */
export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status === status) return answer;
  throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** Calls a route of /v1 and returns the body. @throws Error unless the status is 200 or 201 */
export async function succeed(
  client: Pick<Client, 'call'>,
  as: string,
  method: string,
  path: string,
  body?: object,
): Promise<Answer['body']> {
  const answer = await client.call(method, `/v1${path}`, { as, ...(body && { body }) });
  return expectStatus(answer, answer.status === 201 ? 201 : 200).body;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text };
}

/** Yields the events of a stream as they arrive, without comments (heartbeats). */
export async function* readEvents(response: Response): AsyncGenerator<SseEvent, void, void> {
  let buffer = '';
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    buffer += chunk;
    for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
      const lines = buffer.slice(0, end).split('\n');
      buffer = buffer.slice(end + 2);
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
      if (field('event')) yield { event: field('event'), id: field('id'), data: JSON.parse(field('data') || 'null') };
    }
  }
}
