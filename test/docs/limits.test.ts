import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseGenerationLimits } from '../../src/conversations/generations/generation-limits.ts';
import { parseRateLimits } from '../../src/core/http/rate-limit-table.ts';
import { guide, read, root } from './guide-pages.ts';

const rows = [...guide('limits').text.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| `([^`|]+)` \|$/gm)].map(
  ([, what = '', bound = '', definedBy = '', shownBy = '']) => ({ what, bound, definedBy, shownBy }),
);

const constants = rows.flatMap(({ what, bound, definedBy }) => {
  const [, file, name] = /^`([^`]+\.ts)` `(\w+)`$/.exec(definedBy) ?? [];
  return file !== undefined && name !== undefined && name !== 'OncePerRequest' ? [{ what, bound, file, name }] : [];
});

/** Returns the value of a constant or property whose value is a product of numbers. */
function valueOf(file: string, name: string): number {
  const [, product] = new RegExp(`\\b${name}\\b(?: =|:) ([\\d_ *]+)[;,\\n ]`).exec(read(file)) ?? [];
  if (product === undefined) throw new Error(`${file} does not define ${name} as a number.`);
  return product
    .replaceAll('1024 ** 2', '1_048_576')
    .split('*')
    .reduce((result, factor) => result * Number(factor.replaceAll('_', '').trim()), 1);
}

/** Returns the notations in which a page can write a value. */
const spellings = (name: string, value: number): string[] => [
  value.toLocaleString('en'),
  ...(name.endsWith('Bytes') ? [`${value / 1_048_576} MB`, `${value / 1_024} kB`] : []),
  ...(name.endsWith('Ms') ? [`${value / 1_000} s`] : []),
  ...(name.endsWith('Seconds') ? [`${value} s`] : []),
];

describe('docs/limits.md', () => {
  test('lists bounds of every kind', () => {
    expect(rows.length).toBeGreaterThan(45);
    expect(constants.length).toBeGreaterThan(30);
  });

  test.each(constants)('$what: $bound is the value of $name', ({ bound, file, name }) => {
    const written = spellings(name, valueOf(file, name));
    expect(written.some((spelling) => new RegExp(`(?<![\\d,.])${spelling}(?![\\d,.]\\d)`).test(bound))).toBe(true);
  });

  test('lists the rate limits', () => {
    const limits = parseRateLimits(undefined);
    const bound = (definedBy: string) => rows.find((row) => row.definedBy === definedBy)?.bound ?? '';
    expect(bound('`RATE_LIMITS` anonymous')).toBe(String(limits.anonymous));
    const listed = ['free', 'plus', 'pro', 'creator'] as const;
    expect(bound('`RATE_LIMITS`')).toBe(
      listed.map((plan) => `${plan} ${limits[plan].toLocaleString('en')}`).join(', '),
    );
    for (const kind of ['tts', 'stt', 'images', 'imageUploads', 'embeddings', 'knowledgeQueries'] as const) {
      const { free, pro } = limits[kind];
      expect(bound(`\`RATE_LIMITS\` ${kind}`)).toBe(
        `free and plus ${free.toLocaleString('en')}, pro and creator ${pro.toLocaleString('en')}`,
      );
    }
    expect(bound('`RATE_LIMITS` failedLogins')).toBe(String(limits.failedLogins));
  });

  test('lists the limits of replies', () => {
    for (const [name, value] of Object.entries(parseGenerationLimits(undefined)))
      expect(rows.find(({ definedBy }) => definedBy === `\`GENERATION_LIMITS\` ${name}`)?.bound).toBe(
        value.toLocaleString('en'),
      );
  });

  test('names tests that exist', () => {
    expect(rows.map(({ shownBy }) => shownBy).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
