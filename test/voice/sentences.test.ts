import { describe, expect, test } from 'vitest';
import { createSentences } from '../../src/voice/sentences.ts';

/** Returns the sentences spoken for a text that arrives in pieces of `size` characters. */
function spoken(text: string, size: number): string[] {
  const sentences = createSentences();
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size));
  return [...pieces.flatMap((piece) => sentences.add(piece)), ...sentences.end()];
}

describe('the sentences of a reply', () => {
  test.each([1, 3, 7, 10_000])('are the same in pieces of %i', (size) => {
    const text = [
      'Hello **there. How** are you? Version 3.14 is out.',
      '',
      '## Steps',
      '- Open `a.txt`',
      '- See [the page](https://example.com/a.b)',
      '',
      'Use `this`. Then:',
      '```js',
      'const a = 1. ',
      '````',
      'Done! 你好。再见。',
    ].join('\n');
    expect(spoken(text, size)).toEqual([
      'Hello there.',
      'How are you?',
      'Version 3.14 is out.',
      'Steps',
      'Open a.txt',
      'See the page',
      'Use this.',
      'Then:',
      'Done!',
      '你好。',
      '再见。',
    ]);
  });

  test.each(['    ', '> ', '- '])('omit code in lists and quotes: %j', (prefix) => {
    const indent = prefix === '- ' ? '  ' : prefix;
    const text = `1. Do this.\n\n${prefix}\`\`\`js\n${indent}const a = 1. b\n${indent}\`\`\`\n\nDone. `;
    for (const size of [1, 5, 1_000]) expect(spoken(text, size).join(' ')).not.toContain('const');
    expect(spoken(text, 3).at(-1)).toBe('Done.');
  });

  test('are emitted as soon as the next one begins', () => {
    const sentences = createSentences();
    expect(sentences.add('One. Two')).toEqual(['One.']);
    expect(sentences.add(' and a half. ')).toEqual([]);
    expect(sentences.add('Three')).toEqual([]);
    expect(sentences.add('.')).toEqual(['Two and a half.']);
    expect(sentences.end()).toEqual(['Three.']);
  });

  test('without an end are emitted in bounded pieces, in linear time', () => {
    const pieces = spoken('word '.repeat(100_000), 5);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2_100);
    expect(pieces.join(' ').split(' ')).toHaveLength(100_000);
  });

  test('omit text without words, and code that is not closed', () => {
    expect(spoken('---\n\n***\n\n!!! \n\n```\nnever closed. never.', 4)).toEqual([]);
  });
});
