import { expect } from 'vitest';
import { createOwner, createRandomIds } from '../contract/authorisation-seed.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { openSocket, subscribe } from '../support/socket.ts';
import { attack } from './lab/attack.ts';
import { openLab } from './lab/lab.ts';

const lab = openLab();
const owner = await createOwner(lab.open);
const nothing = createRandomIds();
const both = [lab.open.baseUrl, lab.open.other.baseUrl];

/** On the plan with the most sockets. */
async function newAccount() {
  const account = await lab.open.signUp();
  await lab.open.db.query(`update users set plan = 'creator' where id = $1`, [account.id]);
  return account;
}

async function residentMb(baseUrl: string): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 1_048_576;
}

const isServing = async (baseUrl: string): Promise<boolean> => (await fetch(`${baseUrl}/v1/models`)).status === 200;

attack('A100', '10,000 subscriptions, frames of 64 MB, nested and binary nonsense, on two instances', async (score) => {
  const { token } = await newAccount();
  const attacks: Record<string, [number, (socket: Awaited<ReturnType<typeof openSocket>>) => void]> = {
    '10,000 subscriptions': [
      4400,
      (socket) => {
        for (let n = 0; n < 10_000; n++) socket.send({ op: 'subscribe', id: String(n), channel: 'account' });
      },
    ],
    '64 MB of text': [1009, ({ socket }) => socket.send('x'.repeat(64 * 1_048_576))],
    '64 MB of sound': [1009, ({ socket }) => socket.send(Buffer.alloc(64 * 1_048_576))],
    'an array of arrays': [4400, ({ socket }) => socket.send('['.repeat(8_000) + ']'.repeat(8_000))],
    'no JSON': [4400, ({ socket }) => socket.send('\u0000{}')],
    'a flood of sound': [
      4400,
      ({ socket }) => {
        for (let n = 0; n < 5_000; n++) socket.send(Buffer.alloc(16));
      },
    ],
  };
  const cases = both.flatMap((on) => Object.keys(attacks).map((what) => ({ on, what })));
  await score.each(
    cases,
    async ({ on, what }) => {
      const [code, run] = attacks[what]!;
      const socket = await openSocket(on, token);
      socket.socket.on('error', () => undefined);
      run(socket);
      const closed = await socket.closed;
      if (closed !== code && closed !== 1006) return `${what}: closed with ${closed}`;
      return (await isServing(on)) ? null : `${what}: nothing else is served`;
    },
    1,
  );
});

attack('A101', 'every channel with the ids of others and with ids of nothing, on two instances', async (score) => {
  const stranger = await newAccount();
  const channels = (ids: typeof nothing) => [
    `conversation:${ids.conversationId}`,
    `document:${ids.docId}`,
    `image:${ids.imageId}`,
    `conversation:${ids.agentId}`,
    `account:${owner.its.conversationId}`,
    `conversation:${ids.conversationId}:x`,
    `__proto__:${ids.conversationId}`,
    'constructor',
  ];
  const answers = new Set<string>();
  await score.each(
    both.flatMap((on) => [...channels(owner.its), ...channels(nothing)].map((channel) => ({ on, channel }))),
    async ({ on, channel }) => {
      const socket = await openSocket(on, stranger.token);
      const { op, code, message } = await subscribe(socket, '1', channel);
      socket.send({ op: 'voice.start', id: '1', format: 'webm' });
      const voice = await socket.take({ op: 'error', code: 'invalid_request' });
      socket.close();
      answers.add(`${op} ${code} ${message} ${voice.message}`);
      return op === 'error' && code === 'not_found' ? null : `${op} ${code}`;
    },
  );
  expect(answers.size).toBe(1);
});

attack(
  'A101',
  'a key that expires, and one that is revoked, on open sockets; a conversation that is deleted',
  async (score) => {
    const { token } = await newAccount();
    const newKey = async (): Promise<{ id: string; key: string }> => {
      const body = { name: 'k', scopes: ['webhooks:read', 'conversations:write', 'voice:use'] };
      return expectStatus(await lab.open.call('POST', '/v1/auth/api-keys', { as: token, body }), 201).body;
    };
    const ends: Record<string, (id: string) => Promise<unknown>> = {
      expires: (id) => lab.open.db.query(`update api_keys set expires_at = now() where id = $1`, [id]),
      'is revoked': (id) => lab.open.call('DELETE', `/v1/auth/api-keys/${id}`, { as: token }),
    };
    await score.each(
      both.flatMap((on) => Object.keys(ends).map((how) => ({ on, how }))),
      async ({ on, how }) => {
        const { id, key } = await newKey();
        const socket = await openSocket(on, key);
        await subscribe(socket, '1', 'account');
        await ends[how]!(id);
        if ((await socket.closed) !== 4401) return 'it was not closed with 4401';
        const frames = socket.frames.length;
        await lab.open.createAgent(token);
        return socket.frames.length === frames ? null : 'a frame came after the close';
      },
    );
    const conversation = await lab.open.createConversation(token);
    const socket = await openSocket(lab.open.other.baseUrl, token);
    await subscribe(socket, '1', `conversation:${conversation.id}`);
    expectStatus(await lab.open.call('DELETE', `/v1/conversations/${conversation.id}`, { as: token }), 200);
    await socket.take({ op: 'ended', id: '1' });
    score.tried();
    expect(await subscribe(socket, '1', `conversation:${conversation.id}`)).toMatchObject({ code: 'not_found' });
    socket.close();
  },
);

attack(
  'A103',
  'sockets that read nothing while their account has 10 MB to send',
  async (score) => {
    const { token, id } = await newAccount();
    await lab.open.createAgent(token);
    const { rows } = await lab.open.db.query('select id from outbox_events where account_id = $1 order by seq', [id]);
    await lab.open.db.query(
      `insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
       select 'evt_' || gen_random_uuid(), $1, 'agent.updated', json_build_object('text', repeat('x', 10000)), now(), now()
       from generate_series(1, 1000)`,
      [id],
    );
    const before = await residentMb(lab.open.baseUrl);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(lab.open.baseUrl, token)));
    for (const one of sockets) {
      one.send({ op: 'subscribe', id: '1', channel: 'account', after: rows[0].id });
      one.socket.pause();
    }
    score.tried(sockets.length);
    const open = async (): Promise<number> => {
      const sql = 'select connections from account_sockets where user_id = $1';
      return (await lab.open.db.query(sql, [id])).rows[0]?.connections ?? 0;
    };
    let most = 0;
    await eventually(
      async () => {
        most = Math.max(most, await residentMb(lab.open.baseUrl));
        return (await open()) === 0;
      },
      { timeoutMs: 120_000, what: 'the end of the sockets' },
    );
    expect(await isServing(lab.open.baseUrl)).toBe(true);
    expect(most - before).toBeLessThan(150);
    score.note(`${(most - before).toFixed(0)} MB more while they were open`);
    for (const { socket } of sockets) socket.terminate();
  },
  180_000,
);

attack(
  'A104',
  '25 MB of sound on each of 8 sockets, sound without an utterance, utterances without end',
  async (score) => {
    const { token } = await newAccount();
    const { id } = await lab.open.createConversation(token);
    const before = await residentMb(lab.open.baseUrl);
    const speak = async () => {
      const socket = await openSocket(lab.open.baseUrl, token);
      await subscribe(socket, '1', `conversation:${id}`);
      socket.send({ op: 'voice.start', id: '1', format: 'webm' });
      await socket.take({ op: 'voice.started' });
      const isOver = () => socket.frames.some(({ op }) => op === 'voice.ended');
      for (let n = 0; n < 410 && !isOver(); n++) {
        socket.socket.send(Buffer.alloc(65_536));
        // Within the limit of pieces a second.
        await new Promise((resolve) => setTimeout(resolve, 12));
      }
      return socket;
    };
    const sockets = await Promise.all(Array.from({ length: 8 }, speak));
    const more = (await residentMb(lab.open.baseUrl)) - before;
    score.note(`${more.toFixed(0)} MB more`);
    expect(more).toBeLessThan(300);
    await score.each(sockets, async (socket) => {
      const { code } =
        socket.frames.find(({ op }) => op === 'voice.ended') ?? (await socket.take({ op: 'voice.ended' }));
      socket.close();
      return code === 'payload_too_large' || code === 'unavailable' ? null : `ended with ${String(code)}`;
    });
    expectStatus(await lab.open.call('GET', `/v1/conversations/${id}`, { as: token }), 200);
  },
);
