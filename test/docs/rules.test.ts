import { describe, expect, test } from 'vitest';
import { quotedWords } from '../../src/knowledge/retrieval/citations.ts';
import { duplicateShare } from '../../src/knowledge/retrieval/near-duplicates.ts';
import { forbiddenPorts } from '../../src/webhooks/webhook.input.ts';
import { guide, read, section } from './guide-pages.ts';

interface Described {
  description: string;
}
const { paths, components } = JSON.parse(read('rest/openapi.json')) as {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Described & { properties: Record<string, Described> }> };
};
const descriptionOf = (schema: string, field: string): string =>
  components.schemas[schema]?.properties[field]?.description ?? '';

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
});
