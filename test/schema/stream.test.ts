import 'reflect-metadata';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStreamHandler } from '../../schema/stream.ts';
import type { GraphqlContext } from '../../schema/context.ts';
import { readEvents } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

/** Short for stalled readers, but long enough for active readers on a loaded machine. */
const stallLimitMs = 300;
const generousLimitMs = 30_000;
const available = 20_000;
const event = 'x'.repeat(10_000);

/** Number of events pulled from the operation, and whether it has ended. */
let pulled: number;
let ended: boolean;
let server: FastifyInstance;
let sockets: Socket[];

async function* events(count: number): AsyncGenerator<string> {
  try {
    for (; pulled < count; pulled++) yield event;
  } finally {
    ended = true;
  }
}

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: { hello: { type: GraphQLString } } }),
  subscription: new GraphQLObjectType({
    name: 'Subscription',
    fields: {
      events: {
        type: GraphQLString,
        args: { count: { type: new GraphQLNonNull(GraphQLInt) } },
        subscribe: (_root, { count }: { count: number }) => events(count),
        resolve: (text: string) => text,
      },
    },
  }),
});

beforeEach(async () => {
  pulled = 0;
  ended = false;
  sockets = [];
  server = Fastify();
  const context = () => ({ actor: { kind: 'system' } }) as GraphqlContext;
  for (const [path, limitMs] of [
    ['/', stallLimitMs],
    ['/generous', generousLimitMs],
  ] as const) {
    const stream = createStreamHandler({ schema, introspection: false, context, stallLimitMs: limitMs });
    server.post(path, async (request, reply) => {
      await stream(request, reply);
      return reply;
    });
  }
  await server.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

/** Subscribes on a connection that is never read. */
function subscribeAndStall(): Socket {
  const body = JSON.stringify({ query: `subscription { events(count: ${available}) }` });
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1', () => {
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n' +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
  socket.pause();
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

describe('the stream of a subscription', () => {
  test('pulls no more events from the operation than its reader reads', async () => {
    subscribeAndStall();
    await eventually(() => pulled > 0);
    await eventually(() => ended);
    // The kernel buffers a few megabytes per connection.
    expect(pulled * event.length).toBeLessThan(20_000_000);
  });

  test('ends the operation of a reader that reads nothing for the stall limit', async () => {
    const startedAt = performance.now();
    subscribeAndStall();
    await eventually(() => ended);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(stallLimitMs - 5);
    await eventually(async () => {
      const count = await new Promise<number>((resolve, reject) =>
        server.server.getConnections((error, open) => (error ? reject(error) : resolve(open))),
      );
      return count === 0;
    });
  });

  test('delivers every event in order to a reader that reads', async () => {
    const { port } = server.server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/generous`, {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'subscription { events(count: 500) }' }),
    });
    const seen: string[] = [];
    for await (const { event: name } of readEvents(response)) seen.push(name);
    expect(seen).toEqual([...Array.from({ length: 500 }, () => 'next'), 'complete']);
    expect(ended).toBe(true);
  });
});
