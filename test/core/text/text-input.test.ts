import { describe, expect, it } from 'vitest';
import { parseInput } from '../../../src/core/input.ts';
import { name, nameFrom, text } from '../../../src/core/text/text-input.ts';
import { z } from 'zod';

const stored = (value: string): string => parseInput(z.object({ name: name({ max: 20 }) }), { name: value }).name;
const parsedText = (value: string): string =>
  parseInput(z.object({ text: text({ min: 1, max: 9 }) }), { text: value }).text;

describe('a name', () => {
  it.each([
    ['of several lines becomes one line', 'Trip\n to\r\n\u2028Rome\t', 'Trip to Rome'],
    ['of decomposed letters is composed', 'Cafe\u0301', 'Caf\u00e9'],
    ['loses invisible characters', '\ufeffAd\u200ba\u00ad\u2060', 'Ada'],
    ['loses isolates of direction, which phones insert', '\u2068Ada\u2069', 'Ada'],
    ['keeps the joiners of emoji', '👩\u200d💻', '👩\u200d💻'],
    ['keeps the joiners of Persian', 'می\u200cخواهم', 'می\u200cخواهم'],
  ])('%s', (_, value, expected) => {
    expect(stored(value)).toBe(expected);
  });

  it.each([
    ['a right-to-left override', 'gpj.\u202eexe'],
    ['a left-to-right override', 'a\u202db'],
    ['an escape character', 'a\u001b[31m'],
    ['a NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800'],
  ])('is refused with %s', (_, value) => {
    expect(() => stored(value)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it.each(['', '  ', '\u200b', '\u200d\u200d', '\u3164', '\u2800', '\u0301', '\n'])(
    'is refused without a visible character: %j',
    (value) => {
      expect(() => stored(value)).toThrow('must not be empty');
    },
  );

  it('is measured in the form in which it is stored', () => {
    expect(stored(`  ${'a'.repeat(20)}\u200b\n`)).toHaveLength(20);
    expect(() => stored('a'.repeat(21))).toThrow('at most 20 characters');
  });
});

describe('a text', () => {
  it('is stored as sent', () => {
    expect(parsedText(' a\n\u202eb ')).toBe(' a\n\u202eb ');
  });

  it.each([' ', '\u200b', '\u200b\n\ufeff', '\u2800', '\u3164', '\u00ad'])('needs a visible character: %j', (value) => {
    expect(() => parsedText(value)).toThrow('must not be empty');
  });
});

it('repairs names of other systems', () => {
  expect(nameFrom('Ada\u202e\u0007 L.\ud800 ', 80)).toBe('Ada L.\ufffd');
  expect(nameFrom('\u200b\u202e', 80)).toBe('');
  expect(nameFrom('ab cd', 3)).toBe('ab');
});
