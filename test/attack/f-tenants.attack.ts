import { expect } from 'vitest';
import { expectStatus } from '../support/client.ts';
import { mailWith } from '../support/outbox.ts';
import { unzip } from '../support/unzip.ts';
import { attack } from './lab/attack.ts';
import { openLab, rawJson } from './lab/lab.ts';

const lab = openLab();

attack(
  'A61 A62',
  "B's distinctive sentence, queried by A in questions, with filters, and after its deletion",
  async (score) => {
    const [a, b] = await Promise.all([lab.open.signUp(), lab.open.signUp()]);
    const [mine, theirs] = await Promise.all([lab.open.createAgent(a.token), lab.open.createAgent(b.token)]);
    const upload = async (as: string, agentId: string, text: string) => {
      const form = new FormData();
      form.append('file', new Blob([text]), 'notes.txt');
      const { id } = expectStatus(
        await lab.open.call('POST', `/v1/knowledge/${agentId}/documents`, { as, body: form }),
        201,
      ).body;
      const path = `/v1/knowledge/${agentId}/documents/${id}`;
      await expect
        .poll(async () => (await lab.open.call('GET', path, { as })).body.status, { timeout: 30_000 })
        .toBe('ready');
      return path;
    };
    await upload(a.token, mine.id, 'My own notes are about gardening.');
    const path = await upload(b.token, theirs.id, 'The zirconium walrus sleeps at Vault 9.');
    const questions = [
      'zirconium walrus',
      'Where does the zirconium walrus sleep?',
      `agent_id:${theirs.id} walrus`,
      `" OR agent_id = '${theirs.id}' --`,
      `{"filter":{"agent_id":"${theirs.id}"}}`,
      'walrus & vault | !x',
      '*',
      'Vault 9',
      `../${theirs.id}`,
      b.id,
    ];
    const ask = (as: string, agentId: string, body: object) =>
      lab.open.call('POST', `/v1/knowledge/${agentId}/query`, { as, body });
    await score.each(questions, async (query) => {
      const { body } = await ask(a.token, mine.id, {
        query,
        limit: 50,
        agent_id: theirs.id,
        filter: { agent_id: theirs.id },
        namespace: theirs.id,
      });
      return JSON.stringify(body.results).includes('walrus') ? 'it was found' : null;
    });
    expect((await ask(b.token, theirs.id, { query: 'zirconium walrus' })).body.results[0].content).toContain('walrus');
    expectStatus(await lab.open.call('DELETE', path, { as: b.token }), 200);
    score.tried();
    expect((await ask(b.token, theirs.id, { query: 'zirconium walrus' })).body.results).toEqual([]);
  },
);

attack('A59', 'formulas of spreadsheets in every text of an account, then its data export', async (score) => {
  const formulas = [
    `=cmd|'/c calc'!A1`,
    '@SUM(1+1)*cmd',
    '+1+cmd',
    '-1+cmd',
    '\t=1+1',
    '\r=1+1',
    '=HYPERLINK("http://x")',
  ];
  const account = await lab.open.signUp();
  const { token: as } = account;
  const original = `name,value\n${formulas[0]},1\n`;
  const form = new FormData();
  form.append('file', new Blob([original]), '=cmd.txt');
  expectStatus(await lab.open.call('PUT', '/v1/auth/me', { as, body: { bio: formulas[0] } }), 200);
  const agents = await Promise.all(
    formulas.slice(0, 3).map((name) => lab.open.createAgent(as, { name, greeting_message: name, instructions: name })),
  );
  const agentId = agents[0]?.id ?? '';
  expectStatus(await lab.open.call('POST', `/v1/knowledge/${agentId}/documents`, { as, body: form }), 201);
  const body = { agent_id: agentId };
  const { id } = expectStatus(await lab.open.call('POST', '/v1/conversations', { as, body }), 201).body;
  for (const content of formulas)
    expectStatus(
      await lab.open.call('POST', `/v1/conversations/${id}/messages`, { as, body: { content: `${content} ` } }),
      201,
    );
  expectStatus(await lab.open.call('POST', '/v1/auth/export-data', { as }), 202);
  const { text } = await mailWith(lab.open, account.email, 'Your data export is ready');
  const link = new URL(/https?:\/\/\S+\/exports\/\S+/.exec(text)?.[0] ?? '');
  const archive = await fetch(`${lab.open.baseUrl}${link.pathname}${link.search}`);
  expect(archive.headers.get('content-disposition')).toContain('attachment');
  const files = unzip(Buffer.from(await archive.arrayBuffer()));
  expect(files.size).toBeGreaterThan(5);
  // Spreadsheets open files by extension: the service writes only JSON itself, and uploads are unchanged.
  await score.each(files, async ([name, content]) => {
    if (name.startsWith('files/')) return content === original ? null : 'not the original';
    if (!/^[a-z_-]+\.json$/.test(name)) return 'not JSON by its name';
    return Array.isArray(JSON.parse(content)) ? null : 'not JSON';
  });
  expect([...files.values()].join()).toContain('@SUM(1+1)*cmd');
});

attack(
  'A85',
  '1,000 registrations from one address, with plus-addresses',
  async (score) => {
    let made = 0;
    const startedAt = performance.now();
    await score.each(
      Array.from({ length: 1_000 }, (_, i) => i),
      async (i) => {
        const body = { email: `farm+${i}-${process.pid}@example.com`, password: 'correct horse battery' };
        const { status } = await rawJson(lab.shipped.urls[i % 2] ?? '', '/v1/auth/register', body, {
          from: '127.0.85.1',
        });
        if (status === 201) made++;
        return [201, 429].includes(status) ? null : `${status}`;
      },
    );
    score.note(`${made} accounts`);
    // Hashing 300 passwords can take longer than the limit's window of a minute, so count each window that was touched.
    const minutes = 1 + Math.ceil((performance.now() - startedAt) / 60_000);
    expect(made).toBeLessThanOrEqual(300 * minutes);
  },
  240_000,
);
