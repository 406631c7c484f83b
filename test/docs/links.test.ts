import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allPages, guides, read } from './guide-pages.ts';

/** The anchor that GitHub and the rendered guides give to a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

const anchorsOf = (path: string): string[] =>
  [...withoutCode(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchor(heading));

describe('links of the documentation', () => {
  test.each(allPages.map(({ path, text }) => [path, text] as const))(
    '%s links to files and headings that exist',
    (path, text) => {
      const links = [...withoutCode(text).matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
      const broken = links
        .filter((target) => !/^(https?:|mailto:)/.test(target))
        .filter((target) => {
          const [file = '', heading] = target.split('#');
          const to = file === '' ? path : posix.join(posix.dirname(path), file);
          return !existsSync(to) || (heading !== undefined && !anchorsOf(to).includes(heading));
        });
      expect(broken).toEqual([]);
    },
  );

  test('docs/README.md lists every guide', () => {
    const index = read('docs/README.md');
    expect(
      guides.map(({ path }) => path.slice(5)).filter((name) => name !== 'README.md' && !index.includes(`(${name})`)),
    ).toEqual([]);
  });

  test('docs/adr/README.md lists every decision', () => {
    const index = read('docs/adr/README.md');
    const decisions = allPages.filter(({ path }) => /^docs\/adr\/\d{4}-/.test(path)).map(({ path }) => path.slice(9));
    expect(decisions.length).toBeGreaterThan(8);
    expect(decisions.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  });
});
