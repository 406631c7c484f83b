import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { extractText } from '../../src/knowledge/extract/extract-text.ts';
import committed from './figures.json' with { type: 'json' };

/*
 * Measures the extraction of PDFs on documents of several programs and scripts: which words of the source text are found
 * (recall), and how many of these are in its order. Ideographs and kana are words of one character.
 */
const folder = join(import.meta.dirname, 'extraction');
const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]|[\p{L}\p{M}\p{N}]+/gu;
const wordsOf = (text: string): string[] => text.normalize('NFC').match(word) ?? [];

/** Returns the source text of a document: as it was written, or as the page made of the texts of a language has it. */
function sourceOf(name: string): string {
  const texts = JSON.parse(readFileSync(join(folder, 'texts.json'), 'utf8')) as Record<string, string[]>;
  const written = texts[name];
  if (!written) return readFileSync(join(folder, `${name}.txt`), 'utf8');
  const [title = '', ...paragraphs] = written;
  return [title, ...paragraphs, title, '1921', paragraphs.at(-1) ?? '', '49.90', ...paragraphs].join('\n');
}

function measure(source: string, extracted: string): { recall: number; order: number } {
  const [wanted, found] = [wordsOf(source), wordsOf(extracted)];
  const counts = new Map<string, number>();
  for (const each of found) counts.set(each, (counts.get(each) ?? 0) + 1);
  let hits = 0;
  for (const each of wanted) {
    const left = counts.get(each) ?? 0;
    if (left > 0) hits++;
    counts.set(each, left - 1);
  }
  return { recall: hits / wanted.length, order: hits === 0 ? 0 : commonLength(wanted, found) / hits };
}

/** Returns the length of the longest common subsequence. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let before = [0, ...b.map(() => 0)];
  for (const each of a) {
    const row = [0];
    for (const [j, other] of b.entries())
      row.push(each === other ? (before[j] ?? 0) + 1 : Math.max(before[j + 1] ?? 0, row[j] ?? 0));
    before = row;
  }
  return before.at(-1) ?? 0;
}

/** Returns the value that this share of the values reaches. */
const reachedBy = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => b - a)[Math.ceil(values.length * share) - 1] ?? 0;

test('extraction is at least as good as the committed figures', async () => {
  const files = globSync('*.pdf', { cwd: folder }).toSorted();
  const figures = [];
  for (const file of files) {
    const { text } = await extractText('pdf', new Uint8Array(readFileSync(join(folder, file))));
    const figure = measure(sourceOf(basename(file).split('.')[0] ?? ''), text);
    figures.push(figure);
    process.stdout.write(
      `${file.padEnd(28)}${figure.recall.toFixed(3).padStart(10)}${figure.order.toFixed(3).padStart(10)}\n`,
    );
  }
  const [recalls, orders] = [figures.map(({ recall }) => recall), figures.map(({ order }) => order)];
  const { recall, order, least } = committed.extraction;
  expect(reachedBy(recalls, 0.5)).toBeGreaterThanOrEqual(recall);
  expect(reachedBy(orders, 0.5)).toBeGreaterThanOrEqual(order);
  expect(reachedBy(recalls, 0.95)).toBeGreaterThanOrEqual(least);
  expect(reachedBy(orders, 0.95)).toBeGreaterThanOrEqual(least);
}, 120_000);
