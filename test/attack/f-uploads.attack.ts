import { expect } from 'vitest';
import { routes } from '../../rest/routes/routes.ts';
import { attack } from './lab/attack.ts';
import { openLab, raw } from './lab/lab.ts';
import { talk } from './lab/socket.ts';

const lab = openLab();
const megabyte = 1_048_576;

attack(
  'A56',
  'documents over 10 MB with and without a length, a thousand parts, 10,000 fields, wrong lengths, uploads that stall',
  async (score) => {
    const { token } = await lab.open.signUp();
    const { id } = await lab.open.createAgent(token);
    const path = `/v1/knowledge/${id}/documents`;
    const authorization = `Bearer ${token}`;
    const head = (name: string, filename = '') =>
      `--b\r\ncontent-disposition: form-data; name="${name}"${filename && `; filename="${filename}"`}\r\n\r\n`;
    const tail = '\r\n--b--\r\n';
    const form = { authorization, 'content-type': 'multipart/form-data; boundary=b' };
    const tooLarge = Buffer.from(`${head('file', 'a.txt')}${'0123456789abcde\n'.repeat((10 * megabyte) / 16)}x${tail}`);
    const many = (count: number, one: (n: number) => string) =>
      Buffer.from(`${Array.from({ length: count }, (_, n) => `${one(n)}x\r\n`).join('')}--b--\r\n`);
    const bodies: [Buffer, number[]][] = [
      [tooLarge, [413]],
      [many(1_000, (n) => head(`part${n}`, `${n}.txt`)), [400, 413]],
      [many(10_000, (n) => head(`field${n}`)), [400, 413]],
    ];
    const memory = async () => {
      const { body } = await lab.open.call('GET', '/metrics');
      return Number(/^process_resident_memory_bytes (\S+)$/m.exec(String(body))?.[1]);
    };
    const before = await memory();
    const tries = bodies.flatMap(([body, statuses]) =>
      [
        ['content-length', String(body.length)],
        ['transfer-encoding', 'chunked'],
      ].flatMap(([name = '', value = '']) =>
        Array.from({ length: 3 }, () => ({ body, statuses, headers: { ...form, [name]: value } })),
      ),
    );
    await score.each(tries, async ({ body, statuses, headers }) => {
      // A client that is refused during its body may find the connection closed.
      const answer = await raw(lab.open.baseUrl, { method: 'POST', path, headers, body }).catch(() => null);
      return answer === null || statuses.includes(answer.status) ? null : `${answer.status} to ${body.length} bytes`;
    });
    const lines = (length: number) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`;
    const half = `${head('file', 'a.txt')}Half of it.`;
    // A length that is too short: the rest must not be read as a request. Too long: the body never ends.
    const lies: [string, number][] = [
      [half + tail, half.length - 5],
      [half, half.length + 500],
      [half, 10 * megabyte],
    ];
    await score.each(lies, async ([body, length]) => {
      const { statuses } = await talk(lab.open.baseUrl, { parts: [lines(length), body], timeoutMs: 1_000 });
      return statuses.some((status) => status < 400) ? `${statuses.join(' ')} to a length of ${length}` : null;
    });
    score.note(`${Math.round(((await memory()) - before) / megabyte)} MB more resident memory afterwards`);
    expect((await lab.open.call('GET', path, { as: token })).body.total).toBe(0);
    const { rows } = await lab.open.db.query('select count(*)::int as n from documents where agent_id = $1', [id]);
    expect(rows).toEqual([{ n: 0 }]);
  },
);

attack('A52', 'an event, sent as a delivery to every route of the service itself', async (score) => {
  const event = { id: 'evt_1', type: 'agent.created', created_at: new Date().toISOString(), data: { name: 'x' } };
  const headers = {
    'content-type': 'application/json',
    'x-agent-signature': '0'.repeat(64),
    'x-agent-event': 'agent.created',
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
    'webhook-signature': 'v1,AAAA',
  };
  const paths = [
    ...new Set(routes.map(({ path }) => `/v1${path.replaceAll(/:[a-z_]+/g, 'x')}`)),
    '/graphql',
    '/graphql/stream',
    '/processor/events',
    '/platforms/chat_workspace/events',
  ];
  const count = async () =>
    (await lab.shipped.db.query('select (select count(*) from users) + (select count(*) from outbox_events) as n'))
      .rows[0];
  const before = await count();
  // A delivery has no credential, so nothing that it reaches causes another event.
  await score.each(paths, async (path) => {
    const { status } = await raw(lab.shipped.baseUrl, { method: 'POST', path, headers, body: JSON.stringify(event) });
    return status >= 400 && status < 500 ? null : `${status} at ${path}`;
  });
  expect(await count()).toEqual(before);
});
