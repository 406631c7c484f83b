import { describe, expect, test } from 'vitest';
import { quotedWords } from '../../src/knowledge/retrieval/citations.ts';
import { duplicateShare } from '../../src/knowledge/retrieval/near-duplicates.ts';
import { forbiddenPorts } from '../../src/webhooks/webhook.input.ts';
import { guide, read, section } from './guide-pages.ts';

interface Described {
  description: string;
  type?: string;
}
interface Operation extends Described {
  parameters?: { name?: string }[];
  responses?: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
}
const { paths, components } = JSON.parse(read('rest/openapi.json')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Described & { properties: Record<string, Described> }> };
};
const descriptionOf = (schema: string, field: string): string =>
  components.schemas[schema]?.properties[field]?.description ?? '';

const paging: ReadonlySet<string | undefined> = new Set(['limit', 'offset', 'before']);

/** The lists of REST, with the parameters that page through them. */
const lists = Object.entries(paths).flatMap(([path, { get }]) => {
  const reference = get?.responses?.['200']?.content?.['application/json']?.schema.$ref ?? '';
  const fields = components.schemas[reference.replace('#/components/schemas/', '')]?.properties ?? {};
  if (fields['data']?.type !== 'array') return [];
  const query = (get?.parameters ?? []).map(({ name }) => name).filter((name) => paging.has(name));
  const name = (path.split('/').at(-1) ?? '').replaceAll('-', ' ');
  return [{ path, name, query, hasTotal: 'total' in fields }];
});

/** Pages and descriptions state rules in different words, so only their values are compared. */
describe('the documentation and the OpenAPI document say', () => {
  test.each([
    [
      'docs/webhooks.md',
      /\*\*Ports\*\*: (?<rule>[^*]+)/.exec(section(guide('webhooks'), 'Delivery'))?.groups?.['rule'],
    ],
    ['the URL of a new webhook', descriptionOf('CreateWebhookInput', 'url')],
    ['the new URL of a webhook', descriptionOf('UpdateWebhookInput', 'url')],
  ])('which ports a webhook may use: %s', (_place, text = '') => {
    expect(text).toMatch(/443.* from 1024 on/);
    const [, listed = ''] = /\(([\d,\sand]+)\)/.exec(text) ?? [];
    expect(listed.match(/\d+/g)?.map(Number)).toEqual([...forbiddenPorts]);
  });

  test.each([
    ['docs/knowledge.md', section(guide('knowledge'), 'Retrieval')],
    ['the query of documents', paths['/v1/knowledge/{agent_id}/query']?.['post']?.description],
  ])('that near-duplicates are dropped: %s', (_place, text = '') => {
    const [, percent] = /Near-duplicates are dropped: [^.]* which (\d+) %/.exec(text.replaceAll('\n', ' ')) ?? [];
    expect(Number(percent) / 100).toBe(duplicateShare);
  });

  test.each([
    ['docs/knowledge.md', section(guide('knowledge'), 'Citations')],
    ['citations', components.schemas['Citation']?.description],
  ])('when a reply cites: %s', (_place, text = '') => {
    const [, words = ''] = /quotes at least (\w+)\s+consecutive words/.exec(text) ?? [];
    expect(words.replace('eight', '8')).toBe(String(quotedWords));
    expect(text).toMatch(/the model marked it\s+as a source/);
  });

  test('which lists take no limit and offset, or return no total: docs/api.md', () => {
    const [text = ''] = /- \*\*Lists\*\*[\s\S]*?(?=\n- )/.exec(section(guide('api'), 'Conventions')) ?? [];
    const [, continued = '', , whole = ''] = text.replaceAll(/\s+/g, ' ').toLowerCase().split('. ');
    const named = (sentence: string) => lists.filter(({ name }) => sentence.includes(name)).map(({ path }) => path);
    expect(named(continued)).toEqual(lists.filter(({ query }) => query.includes('before')).map(({ path }) => path));
    expect(lists.filter(({ query, hasTotal }) => query.includes('before') && hasTotal)).toEqual([]);
    expect(named(whole)).toEqual(lists.filter(({ query }) => query.length === 0).map(({ path }) => path));
    const others = lists.filter(({ path }) => ![...named(continued), ...named(whole)].includes(path));
    const unusual = others.filter(({ query, hasTotal }) => !query.includes('offset') || !hasTotal);
    expect(unusual.map(({ path }) => path)).toEqual(['/v1/conversations/search']);
  });
});
