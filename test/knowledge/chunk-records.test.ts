import { describe, expect, test } from 'vitest';
import type { DocumentFormat } from '../../src/knowledge/document-format.ts';
import { extractText } from '../../src/knowledge/extract/extract-text.ts';
import { chunkDocument, type DocumentChunk } from '../../src/knowledge/processing/chunk-document.ts';

const size = { tokens: 60, overlapTokens: 20 };
const chunksOf = async (format: DocumentFormat, content: string): Promise<DocumentChunk[]> => [
  ...chunkDocument(await extractText(format, Buffer.from(content)), size),
];
const times = <Value>(count: number, make: (i: number) => Value): Value[] =>
  Array.from({ length: count }, (_, i) => make(i));
/** Texts of different lengths, which end at different parts of a chunk. */
const note = (i: number): string => `about number ${i} ${'we say more. '.repeat((i * 5) % 9)}`.trim();

describe('a record is not cut', () => {
  test('in CSV, and overlaps are whole rows', async () => {
    const chunks = await chunksOf('csv', ['id,note', ...times(60, (i) => `${i},${note(i)}`)].join('\n'));
    expect(chunks.length).toBeGreaterThan(10);
    const rows = times(60, (i) => `id: ${i}; note: ${note(i)}`);
    for (const { content, location } of chunks) {
      for (const line of content.split('\n')) expect(rows).toContain(line);
      const repeated = content.slice(0, location.repeated);
      expect(repeated === '' || content[repeated.length] === '\n').toBe(true);
      expect(location.lines).toEqual(location.rows);
    }
    expect(chunks.some(({ location }) => location.repeated > 0)).toBe(true);
  });

  test('in JSON, at any depth', async () => {
    const items = (i: number) => times(12, (j) => ({ name: `item ${i}-${j}`, note: note(j) }));
    const shops = times(8, (i) => ({ shop: `shop ${i}`, items: items(i) }));
    for (const { content } of await chunksOf('json', JSON.stringify({ shops }))) {
      expect(content.match(/note: about number [^\n]*/g)?.length).toBe(content.match(/name: item [\d-]+/g)?.length);
      expect(content).toMatch(/^shops\[\d\][^:]*\.(?:shop|name): /);
    }
  });

  test('in JSON Lines', async () => {
    const lines = times(40, (i) => JSON.stringify({ q: `Question ${i}?`, a: note(i) }));
    for (const { content, place, location } of await chunksOf('jsonl', lines.join('\n'))) {
      expect(content.match(/^q: /gm)?.length).toBe(content.match(/^a: /gm)?.length);
      expect(place).toMatch(/^lines? \d+/);
      expect(location.lines).toBeDefined();
    }
  });

  test('unless it is longer than a chunk', async () => {
    const chunks = await chunksOf('csv', `id,note\n1,${'many words here '.repeat(60)}\n2,short\n3,short`);
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.at(-1)?.content).toMatch(/id: 2; note: short\nid: 3; note: short$/);
    expect(Math.max(...chunks.map(({ content }) => content.length))).toBeLessThanOrEqual(60 * 4 + 1);
  });
});

test('each chunk of a Markdown table begins with its header', async () => {
  const header = '| id | note |\n| --- | --- |\n';
  const rows = times(40, (i) => `| ${i} | ${note(i)} |`);
  const text = `# Prices\n\nBelow are all of our prices.\n\n${header}${rows.join('\n')}\n\nThat was the table.\n`;
  const chunks = await chunksOf('md', text);
  const inTable = chunks.filter(({ content }) => /^\| \d+ \|/m.test(content));
  expect(inTable.length).toBeGreaterThan(8);
  for (const { content } of inTable) expect(content.split(header)).toHaveLength(2);
  for (const row of rows) expect(chunks.some(({ content }) => content.split('\n').includes(row))).toBe(true);
  for (const { content, location } of inTable.slice(1)) {
    const [first = ''] = content.slice(location.repeated).trimStart().split('\n');
    expect(text.split('\n').indexOf(first) + 1).toBe(location.lines?.first);
  }
  expect(chunks.at(-1)?.location.lines?.last).toBe(text.trimEnd().split('\n').length);
});
