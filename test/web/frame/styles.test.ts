import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Declarations that a page from right to left would not mirror. */
const physical =
  /(?<![-\w])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)|left|right)[-\w]*\s*:|(?:float|clear|text-align)\s*:\s*(?:left|right)/;

/** Shorthands of four sides, of which the second is the right one and the fourth the left one. */
const fourSides = /(?<![-\w])(?:margin|padding|inset): \S+ (\S+) \S+ (\S+);/;
const isPhysical = (line: string): boolean => {
  const [, right, left] = fourSides.exec(line) ?? [];
  return physical.test(line) || right !== left;
};

/** The preview of the widget shows the corner that its owner chose, and a tooltip is placed by a script. */
const chosen = new Set([
  'web/src/parts/layers/tooltips.module.css: inset: 0 auto auto 0;',
  'web/src/embeds/embed-preview.module.css: right: 16px;',
  'web/src/embeds/embed-preview.module.css: left: 16px;',
]);

test('styles name the sides of a box by the direction of the text, not as left and right', () => {
  const found = globSync('web/src/**/*.css').flatMap((path) =>
    readFileSync(path, 'utf8')
      .replaceAll(/\/\*.*?\*\//gs, '')
      .split('\n')
      .filter(isPhysical)
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found.filter((line) => !chosen.has(line))).toEqual([]);
  expect(found).toEqual(expect.arrayContaining([...chosen]));
});
