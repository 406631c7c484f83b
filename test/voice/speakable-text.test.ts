import { expect, test } from 'vitest';
import { speakableText } from '../../src/voice/speakable-text.ts';
import { limitsTime } from '../support/wall-clock.ts';

test('removes Markdown and code', () => {
  expect(
    speakableText('# Hello\n\nI am **Ada**, see [my page](https://example.com).\n\n```ts\nlet a;\n```\n- one'),
  ).toBe('Hello\n\nI am Ada, see my page.\n\none');
  expect(speakableText('```\nonly code\n```')).toBe('```\nonly code\n```');
  expect(speakableText('before\n```\nnever closed')).toContain('never closed');
});

test('converts text made for backtracking in linear time', limitsTime, () => {
  const units = ['~', '`', '![', '[a](', '[', '**a ', '__', '*', '_a', '~~~\n', '> ', '- ', '\n', ' ', '#'];
  for (const unit of units) {
    const bomb = `${unit.repeat(Math.ceil(32_000 / unit.length))}\rx`;
    const startedAt = performance.now();
    speakableText(bomb);
    speakableText(`~~~${bomb}`);
    expect([unit, performance.now() - startedAt < 1_000]).toEqual([unit, true]);
  }
});
