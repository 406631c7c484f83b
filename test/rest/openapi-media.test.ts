import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApiDocument, operationsOf } from '../../rest/client/openapi-operations.ts';
import document from '../../rest/openapi.json' with { type: 'json' };
import { startTestApp, type TestApp } from '../support/app.ts';
import { pdfOf } from '../support/pdf.ts';

type Content = Record<string, { schema: { type?: string; format?: string } }>;

let app: TestApp;
let as: string;

beforeAll(async () => {
  app = await startTestApp();
  as = (await app.signUp()).token;
});
afterAll(() => app.close());

const documented = (path: keyof typeof document.paths, method: string): Content => {
  const operation = (document.paths[path] as Record<string, unknown>)[method] as {
    responses: Record<string, { content: Content }>;
  };
  return operation.responses['200']?.content ?? {};
};

const mediaTypeOf = async (path: string, caller = as): Promise<string> => {
  const response = await app.send('GET', path, { as: caller });
  expect(response.status).toBe(200);
  await response.body?.cancel();
  return (response.headers.get('content-type') ?? '').replace(/;.*/, '');
};

test.each(['markdown', 'json'])('an export as %s has a documented media type', async (format) => {
  const { id } = await app.createConversation(as);
  const content = documented('/v1/conversations/{conversation_id}/export', 'get');
  expect(Object.keys(content)).toContain(await mediaTypeOf(`/v1/conversations/${id}/export?format=${format}`));
});

test.each(['json', 'csv'])('analytics as %s have a documented media type', async (format) => {
  const { token } = await app.signUp({ plan: 'plus' });
  const { id } = await app.createAgent(token);
  for (const [path, of] of [
    ['/v1/studio/analytics', '/v1/studio/analytics'],
    [`/v1/studio/agents/${id}/analytics`, '/v1/studio/agents/{agent_id}/analytics'],
  ] as const)
    expect(Object.keys(documented(of, 'get'))).toContain(await mediaTypeOf(`${path}?format=${format}`, token));
});

test('the generated client returns analytics with their type', () => {
  const operations = operationsOf(document as unknown as OpenApiDocument);
  const answers = operations.filter(({ path }) => path.endsWith('/analytics')).map(({ answer }) => answer.kind);
  expect(answers).toEqual(['json', 'json']);
});

test.each([
  ['a.txt', 'Some text.'],
  ['a.md', '# Some text'],
  ['a.csv', 'a,b\n1,2\n'],
  ['a.json', '{"a":1}'],
  ['a.pdf', null],
])('the content of %s has a documented media type', async (name, text) => {
  const { body: agent } = await app.call('POST', '/v1/agents', { as, body: { name, instructions: 'Teach.' } });
  const form = new FormData();
  form.append('file', new Blob([text ?? pdfOf(['Some text.'])]), name);
  const { body: uploaded } = await app.call('POST', `/v1/knowledge/${agent.id}/documents`, { as, body: form });
  const content = documented('/v1/knowledge/{agent_id}/documents/{doc_id}/content', 'get');
  const mediaType = await mediaTypeOf(`/v1/knowledge/${agent.id}/documents/${uploaded.id}/content`);
  expect(Object.keys(content)).toContain(mediaType);
  await app.call('DELETE', `/v1/agents/${agent.id}`, { as });
});

test.each(['/v1/voice/tts', '/v1/conversations/{conversation_id}/messages/{message_id}/speech'] as const)(
  '%s is documented as binary',
  (path) => {
    expect(documented(path, 'post')).toMatchObject({ 'audio/mpeg': { schema: { type: 'string', format: 'binary' } } });
  },
);
