import { afterAll, beforeAll, expect } from 'vitest';
import { expectStatus } from '../support/client.ts';
import { attack } from './lab/attack.ts';
import { type Lab, openLab, rawJson } from './lab/lab.ts';

let lab: Lab;
beforeAll(() => {
  lab = openLab();
});
afterAll(() => lab.close());

attack(
  'A61 A62',
  "B's distinctive sentence, asked for by A in questions, with filters in them, and after its deletion",
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

attack(
  'A85',
  '400 registrations from one address within a minute',
  async (score) => {
    let made = 0;
    await score.each(
      Array.from({ length: 400 }, (_, i) => i),
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
    // The minute of the limit may turn once meanwhile.
    expect(made).toBeLessThan(400);
  },
  90_000,
);
