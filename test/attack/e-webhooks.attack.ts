import { expect } from 'vitest';
import { attack } from './lab/attack.ts';
import { openLab, rawJson } from './lab/lab.ts';

const lab = openLab();
const shipped = await lab.shipped.signUp();

attack(
  'A43 A44 A48 A50 A53',
  'webhooks to every spelling of an internal address, to other schemes and ports, with weak secrets and line breaks',
  async (score) => {
    const { payloadsOf } = await import('./lab/payloads.ts');
    const post = (body: object) =>
      rawJson(
        lab.shipped.baseUrl,
        '/v1/webhooks',
        { events: ['agent.created'], ...body },
        { headers: { authorization: `Bearer ${shipped.token}` } },
      );
    const bad = [
      'http://example.com/',
      'ftp://example.com/',
      'file:///etc/passwd',
      'gopher://127.0.0.1:5432/_x',
      'https://user:pw@example.com/',
      'https://',
      'https://example.com:22/',
      'https://example.com:5432/',
      'https://example.com:6379/',
      `https://example.com/${'x'.repeat(2_048)}`,
      'https://example.com/\r\nX: 1',
      'javascript:alert(1)',
      '//example.com',
      'data:text/plain,x',
    ];
    await score.each(bad, async (url) => ((await post({ url })).status === 400 ? null : 'taken'));
    const weak = [
      'a',
      '',
      'seven77',
      'x'.repeat(257),
      'x'.repeat(900_000),
      'line\r\nbreak-here',
      'nul\0nul-nul',
      'ünïcödé-secret',
      'with space in it',
    ];
    await score.each(weak, async (secret) =>
      (await post({ url: 'https://example.com/', secret })).status === 400 ? null : 'taken',
    );
    await score.each([['agent.created\r\nX: 1'], ['*'], [], ['__proto__'], ['agent.*']], async (events) =>
      (await post({ url: 'https://example.com/', events })).status === 400 ? null : 'taken',
    );
    const { createServer } = await import('node:net');
    let connections = 0;
    const trap = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => trap.listen(0, '0.0.0.0', resolve));
    const port = (trap.address() as { port: number }).port;
    const made: string[] = [];
    await score.each(
      payloadsOf('hosts'),
      async (host) => {
        const { status, body } = await post({ url: `https://${host}:${port}/` });
        if (status === 201) made.push((body as { id: string }).id);
        return [201, 400].includes(status) ? null : `${status}`;
      },
      2,
    );
    await post({ url: 'https://127.0.0.1:1/' });
    const as = shipped.token;
    await lab.shipped.createAgent(as);
    const outcomes = new Set<string>();
    await expect
      .poll(
        async () => {
          const { rows } = await lab.shipped.db.query(
            `select status, count(*)::int as n from webhook_deliveries group by status`,
          );
          return rows.some(({ status, n }) => status === 'failed' && n >= made.length);
        },
        { timeout: 40_000 },
      )
      .toBe(true);
    for (const id of made) {
      const { body } = await lab.shipped.call('GET', `/v1/webhooks/${id}/deliveries`, { as });
      for (const { attempts } of body.data ?? [])
        for (const attempt of attempts)
          outcomes.add(
            JSON.stringify({ ...attempt, at: 0, duration_ms: 0, started_at: 0, number: 0, attempted_at: 0, time: 0 }),
          );
    }
    trap.close();
    score.note(`${made.length} addresses were accepted at creation, ${connections} connections`);
    expect(connections).toBe(0);
    expect([...outcomes].map((one) => one.replaceAll(/\d+/g, '0'))).toHaveLength(1);
  },
  90_000,
);
