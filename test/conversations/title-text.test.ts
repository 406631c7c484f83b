import { describe, expect, test } from 'vitest';
import { titleFrom } from '../../src/conversations/prompt/title-text.ts';

const question = 'What is a prime number, and why does anyone care about them so much?';

describe('the title in the response of a model', () => {
  test.each([
    ['Prime numbers', 'Prime numbers'],
    ['"Prime numbers."', 'Prime numbers'],
    ['**Prime numbers**', 'Prime numbers'],
    ['# Prime numbers', 'Prime numbers'],
    ['1. Prime numbers', 'Prime numbers'],
    ['{"title": "Prime numbers"}', 'Prime numbers'],
    ['```json\n{"title": "Prime numbers"}\n```', 'Prime numbers'],
    ['```\nPrime numbers\n```', 'Prime numbers'],
    ['["Prime numbers", "Primes"]', 'Prime numbers'],
    ['Here it is: {"title": "Prime \\"numbers\\""}', 'Prime "numbers"'],
    ['{"title": "Prime numb', 'Prime numb'],
    ['Title: Prime numbers', 'Prime numbers'],
    ['**Title:** "Prime numbers"', 'Prime numbers'],
    ['标题：质数', '质数'],
    ['Sure! Here is a title:\n\nPrime numbers', 'Prime numbers'],
    ['Here is a title:\nPrime\nnumbers\n\nIt is short.', 'Prime numbers'],
    ['The user wants a title.</think>\n\nPrime numbers', 'Prime numbers'],
    ['«Простые числа»', 'Простые числа'],
    ["'Tis the season", "'Tis the season"],
    ["Rock 'n' roll", "Rock 'n' roll"],
    ['Prime\u202e numbers\u200b\u0007', 'Prime numbers'],
    ['Why primes?', 'Why primes?'],
    ['To be continued...', 'To be continued...'],
    ['C++', 'C++'],
    ['🧮', '🧮'],
    ['می‌خواهم', 'می‌خواهم'],
  ])('of %j is %j', (response, title) => {
    expect(titleFrom(response, question)).toBe(title);
  });

  test.each([
    '',
    '  \n ',
    '\u200b\u2063',
    '"".',
    '---',
    "I'm sorry, but I can't help with that.",
    'I cannot write a title.',
    'As an AI language model, I have no title.',
    'Untitled',
    '{"name": 7}',
    'a' + '\u0301'.repeat(300),
  ])('of %j is the beginning of the question', (response) => {
    expect(titleFrom(response, question)).toBe('What is a prime number, and why does anyone care…');
  });

  test('has at most 80 graphemes, and none is cut', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(titleFrom(`${'a'.repeat(79)}${family}b`, question)).toBe(`${'a'.repeat(79)}${family}`);
    expect([...titleFrom(family.repeat(100), question)].length).toBeLessThanOrEqual(200);
    expect(titleFrom(family.repeat(100), question).replaceAll(family, '')).toBe('');
  });
});

describe('the beginning of a question', () => {
  test.each([
    ['What is a prime?', 'What is a prime?'],
    ['質'.repeat(60), `${'質'.repeat(50)}…`],
    ['  Hello\nworld\n\nMore', 'Hello world'],
    ['\u200b', ''],
  ])('of %j is %j', (asked, title) => {
    expect(titleFrom('', asked)).toBe(title);
  });
});
