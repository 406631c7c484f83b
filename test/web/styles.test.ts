import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Declarations that a page from right to left would not mirror. */
const physical =
  /(?<![-\w])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)|left|right)[-\w]*\s*:|(?:float|clear|text-align)\s*:\s*(?:left|right)/;

/** The preview of the widget shows the corner that its owner chose. */
const chosen = new Set([
  'web/src/embeds/embed-preview.module.css: right: 16px;',
  'web/src/embeds/embed-preview.module.css: left: 16px;',
]);

test('styles use logical directions, so that every screen can be mirrored', () => {
  const found = globSync('web/src/**/*.css').flatMap((path) =>
    readFileSync(path, 'utf8')
      .replaceAll(/\/\*.*?\*\//gs, '')
      .split('\n')
      .filter((line) => physical.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found.filter((line) => !chosen.has(line))).toEqual([]);
  expect(found).toEqual(expect.arrayContaining([...chosen]));
});
