import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { cacheExchange, Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { GraphQLClient } from 'graphql-request';
import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { BeginDocument, InboxDocument, MakeAgentDocument, ModelsDocument } from '../support/generated/operations.ts';

let app: TestApp;
let authorization: string;

beforeAll(async () => {
  app = await startTestApp();
  authorization = `Bearer ${(await app.signUp({ plan: 'creator' })).token}`;
});
afterAll(() => app.close());

const input = { name: 'Ada', instructions: 'Teach.' };

describe('a client with its default settings', () => {
  test('urql sends queries by GET and mutations by POST', async () => {
    const methods: string[] = [];
    const client = new Client({
      url: `${app.baseUrl}/graphql`,
      exchanges: [cacheExchange, fetchExchange],
      fetchOptions: { headers: { authorization } },
      fetch: (url, options) => {
        methods.push(options?.method ?? 'GET');
        return fetch(url, options);
      },
    });
    const made = await client.mutation(MakeAgentDocument, { input }).toPromise();
    const inbox = await client.query(InboxDocument, { limit: 5 }).toPromise();
    expect([made.error, inbox.error]).toEqual([undefined, undefined]);
    expect(inbox.data?.conversations.data).toEqual([]);
    expect(methods).toEqual(['POST', 'GET']);
  });

  test('urql follows a subscription over its built-in event streams', async () => {
    const client = new Client({
      url: `${app.baseUrl}/graphql/stream`,
      exchanges: [fetchExchange],
      fetchSubscriptions: true,
      fetchOptions: { headers: { authorization } },
    });
    const agent = await createAgent();
    const seen = await firstEvent(client, () => begin(agent));
    expect(seen.events.type).toBe('CONVERSATION_CREATED');
  });

  test('urql and graphql-sse follow a subscription together', async () => {
    const sse = createClient({ url: `${app.baseUrl}/graphql/stream`, headers: { authorization } });
    const client = new Client({
      url: `${app.baseUrl}/graphql`,
      exchanges: [
        subscriptionExchange({
          forwardSubscription: ({ query = '', variables }) => ({
            subscribe: (sink) => ({ unsubscribe: sse.subscribe({ query, variables }, sink as never) }),
          }),
        }),
      ],
    });
    const agent = await createAgent();
    const seen = await firstEvent(client, () => begin(agent));
    expect(seen.events.type).toBe('CONVERSATION_CREATED');
  });

  test('Apollo Client runs queries and mutations and reports errors', async () => {
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new HttpLink({ uri: `${app.baseUrl}/graphql`, headers: { authorization } }),
    });
    const { data } = await client.mutate({ mutation: MakeAgentDocument, variables: { input } });
    expect(data?.createAgent.model).toBe('DEFAULT');
    const models = await client.query({ query: ModelsDocument });
    expect(models.data?.models.data.length).toBeGreaterThan(0);
    const failed = client.mutate({ mutation: BeginDocument, variables: { agentId: 'none' } });
    await expect(failed).rejects.toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  });

  test('graphql-request runs queries and mutations and reports errors', async () => {
    const client = new GraphQLClient(`${app.baseUrl}/graphql`, { headers: { authorization } });
    expect((await client.request(MakeAgentDocument, { input })).createAgent.model).toBe('DEFAULT');
    const byGet = new GraphQLClient(`${app.baseUrl}/graphql`, { method: 'GET', headers: { authorization } });
    expect((await byGet.request(ModelsDocument)).models.data.length).toBeGreaterThan(0);
    await expect(client.request('{ nothing }')).rejects.toMatchObject({
      response: { errors: [{ extensions: { code: 'INVALID_REQUEST' } }] },
    });
  });

  test('graphql-sse follows a subscription', async () => {
    const client = createClient({ url: `${app.baseUrl}/graphql/stream`, headers: { authorization } });
    const agent = await createAgent();
    const events = client.iterate<Seen>({ query: created });
    const { value } = await whileBegun(events.next(), () => begin(agent));
    expect(value?.data?.events.type).toBe('CONVERSATION_CREATED');
    await events.return?.();
  });
});

const createAgent = async (): Promise<string> => {
  const client = new GraphQLClient(`${app.baseUrl}/graphql`, { headers: { authorization } });
  return (await client.request(MakeAgentDocument, { input })).createAgent.id;
};

const begin = (agentId: string): Promise<unknown> =>
  new GraphQLClient(`${app.baseUrl}/graphql`, { headers: { authorization } }).request(BeginDocument, { agentId });

interface Seen {
  events: { type: string };
}
const created = 'subscription { events(types: [CONVERSATION_CREATED]) { type } }';

/** Causes events until one is received, because the subscription may start after the first. */
async function whileBegun<Result>(seen: Promise<Result>, cause: () => Promise<unknown>): Promise<Result> {
  const again = setInterval(() => void cause(), 500);
  try {
    return await seen;
  } finally {
    clearInterval(again);
  }
}

/** Resolves with the first event that urql receives while `cause` creates events. */
async function firstEvent(client: Client, cause: () => Promise<unknown>): Promise<Seen> {
  const first = Promise.withResolvers<Seen>();
  const subscription = client.subscription<Seen>(created, {}).subscribe(({ data }) => data && first.resolve(data));
  return whileBegun(first.promise, cause).finally(() => subscription.unsubscribe());
}
