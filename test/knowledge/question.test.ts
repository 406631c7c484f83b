import { describe, expect, test } from 'vitest';
import { minScore, scoreOf } from '../../src/knowledge/retrieval/blend.ts';
import { formsOf, questionOf } from '../../src/knowledge/retrieval/question.ts';
import { isSmallTalk } from '../../src/knowledge/retrieval/small-talk.ts';
import { coverageOf, rarityOf } from '../../src/knowledge/retrieval/word-coverage.ts';

describe('isSmallTalk', () => {
  test.each([
    'Hello!',
    'Good morning, how are you today?',
    'Thank you very much, that was great',
    'Can you say that again, please?',
    'Guten Morgen, wie geht es dir heute?',
    'Merci beaucoup !',
    '¡Muchas gracias!',
    'Dank je wel',
  ])('is %s', (message) => expect(isSmallTalk(message)).toBe(true));

  test.each([
    'And how?',
    'What opens in the morning?',
    'Thanks, and what does it cost?',
    'Is the Super Saver ticket refundable, please?',
    'Danke, und wie lange gilt er?',
    'refunds',
    '?',
    '',
  ])('is not %s', (message) => expect(isSmallTalk(message)).toBe(false));
});

describe('questionOf', () => {
  test('has a second form that includes the previous turn', () => {
    expect(formsOf(questionOf('And how long?', 'What is a gift card?'))).toEqual([
      'And how long?',
      'What is a gift card?\nAnd how long?',
    ]);
  });

  test('has one form after nothing or small talk', () => {
    expect(formsOf(questionOf('And how long?'))).toEqual(['And how long?']);
    expect(formsOf(questionOf('How long?', 'Hello!'))).toEqual(['How long?']);
  });

  test('keeps the whole message even after a very long previous turn', () => {
    const [, inContext = ''] = formsOf(questionOf('And then?', 'word '.repeat(10_000)));
    expect(inContext).toMatch(/\nAnd then\?$/);
    expect(inContext.length).toBeLessThan(2_100);
  });
});

describe('coverageOf', () => {
  const terms = [
    { language: 'english', term: "'refund'", isOwn: true, rarity: 3 },
    { language: 'english', term: "'day'", isOwn: true, rarity: 1 },
    { language: 'english', term: "'card'", isOwn: false, rarity: 4 },
    { language: 'german', term: "'refund'", isOwn: true, rarity: 3 },
  ];

  test('weighs the words of the chunk’s language by their rarity', () => {
    expect(coverageOf(terms, 'english', new Set([0, 3]))).toEqual({
      message: 0.75,
      inContext: 0.375,
      words: ['refund'],
    });
    expect(coverageOf(terms, 'german', new Set([3]))).toMatchObject({ message: 1 });
    expect(coverageOf(terms, 'french', new Set([0]))).toMatchObject({ message: 0, inContext: 0 });
  });

  test('gives next to no weight to a word that every chunk contains', () => {
    expect(rarityOf(100, 100)).toBeLessThan(0.01);
    expect(rarityOf(1, 100)).toBeGreaterThan(rarityOf(20, 100) * 2);
  });
});

describe('scoreOf', () => {
  test('adds words and meaning', () => {
    const both = scoreOf({ coverages: [0.8], nearness: 2 });
    expect(both).toBeGreaterThan(scoreOf({ coverages: [0.8], nearness: null }));
    expect(both).toBeGreaterThan(scoreOf({ coverages: [0], nearness: 2 }));
  });

  test('counts a chunk with every word of the question as related, however far away it is', () => {
    expect(scoreOf({ coverages: [1], nearness: -6 })).toBeGreaterThan(0);
    expect(scoreOf({ coverages: [0], nearness: -6 })).toBeLessThan(minScore(0.1, -6));
  });

  test('keeps what is at least halfway between the average chunk and the best one', () => {
    expect(minScore(0.5, -1)).toBeCloseTo(0.2);
    expect(minScore(0.5, 3)).toBeCloseTo(0.25);
  });
});
