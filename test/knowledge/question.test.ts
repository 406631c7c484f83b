import { describe, expect, test } from 'vitest';
import { mayBeEnglish } from '../../src/knowledge/processing/document-language.ts';
import { leastBestScore, minScore, scoreOf } from '../../src/knowledge/retrieval/blend.ts';
import { formsOf, questionOf, searchedText } from '../../src/knowledge/retrieval/question.ts';
import { isSmallTalk } from '../../src/knowledge/retrieval/small-talk.ts';
import {
  coverageBy,
  coverageQueryOf,
  type Frequency,
  type QueryWord,
  rarityOf,
} from '../../src/knowledge/retrieval/word-coverage.ts';

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
    'Thanks, that helped!',
    'Got it',
    'Great job!',
    '👍',
    '谢谢',
    'Yes',
    'Continue',
    'Can you make it shorter?',
    'Dziękuję bardzo!',
    'Спасибо, всё понятно',
    'Teşekkür ederim',
    'شُكْرًا جزيلًا',
    'תודה רבה',
    'बहुत धन्यवाद',
    'ขอบคุณมาก',
    'ありがとうございます。',
    '감사합니다',
  ])('is %s', (message) => expect(isSmallTalk(message)).toBe(true));

  test.each([
    'And how?',
    'What opens in the morning?',
    'Thanks, and what does it cost?',
    'Is the Super Saver ticket refundable, please?',
    'Danke, und wie lange gilt er?',
    'refunds',
    'Can I continue after the break?',
    'はい、送料はいくらですか',
    'Tak, ale ile kosztuje bilet?',
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

describe('mayBeEnglish', () => {
  test.each(['How much is it?', 'Opening hours', '49.90', 'Zürich'])('is true for %s', (text) => {
    expect(mayBeEnglish(text)).toBe(true);
  });

  test.each(['Wie viel kostet das?', 'Combien de personnes ?', 'Сколько стоит?', '多少钱', 'كم السعر'])(
    'is false for %s',
    (text) => expect(mayBeEnglish(text)).toBe(false),
  );
});

describe('searchedText', () => {
  test('separates figures from words, and leaves out words that only connect others', () => {
    expect(searchedText('How much does the Oslo lamp cost, 19,90 or 25?')).toEqual({
      words: expect.stringMatching(/^\s+Oslo lamp cost,\s+\?$/),
      figures: [['19.9'], ['25']],
      names: 'Oslo',
    });
    expect(searchedText('Wie groß ist der Größenwahn?').words.trim()).toMatch(/^groß +Größenwahn\?$/);
  });

  test('spells out identifiers', () => {
    expect(searchedText('set server.maxUploads').words.split(/\s+/)).toEqual([
      'set',
      'server.maxUploads',
      'server',
      'max',
      'Uploads',
    ]);
  });
});

describe('coverageBy', () => {
  const word = (language: string, text: string, rest: Partial<QueryWord> = {}): QueryWord => ({
    language,
    chunks: 100,
    text,
    isOwn: true,
    isDistinct: false,
    position: null,
    forms: [`'${text}'`],
    ...rest,
  });
  const often = (rarities: Readonly<Record<string, number>>, found = 20) =>
    new Map(Object.entries(rarities).map(([text, rarity]) => [`'${text}'`, { found, rarity }]));
  const coverage = (
    words: readonly QueryWord[],
    frequencies: ReadonlyMap<string, Frequency>,
    language: string,
    contained: readonly string[],
  ) => {
    const query = coverageQueryOf(words);
    const present = new Set(query.queries.keys());
    return coverageBy(
      query,
      frequencies,
      present,
    )(language, new Set(contained.map((one) => query.queries.indexOf(one))));
  };
  const words = [
    word('english', 'refund'),
    word('english', 'day'),
    word('english', 'card', { isOwn: false }),
    word('german', 'refund'),
  ];
  const rarities = often({ refund: 3, day: 1, card: 4 });

  test('weighs the words of the chunk’s language by their rarity', () => {
    expect(coverage(words, rarities, 'english', ["'refund'"])).toEqual({
      message: 0.75,
      inContext: 0.375,
      words: ['refund'],
      isCertain: false,
    });
    expect(coverage(words, rarities, 'german', ["'refund'"])).toMatchObject({ message: 1 });
    expect(coverage(words, rarities, 'french', ["'refund'"])).toMatchObject({ message: 0, inContext: 0 });
  });

  test('counts a word that no chunk contains for less in few chunks and in tables than in much prose', () => {
    const absent = (language: string, chunks: number): number => {
      const asked = [word(language, 'lamp', { chunks }), word(language, 'cost', { chunks })];
      const frequencies = often({ lamp: rarityOf(1, chunks) }, 1);
      return coverage(asked, frequencies, language, ["'lamp'"]).message;
    };
    expect(absent('english', 1)).toBeGreaterThan(0.8);
    expect(absent('simple', 1_000)).toBeGreaterThan(0.8);
    expect(absent('english', 1_000)).toBeLessThan(0.5);
  });

  test('counts words that are near each other for more', () => {
    const placed = [word('english', 'oslo', { position: 1 }), word('english', 'lamp', { position: 2 })];
    const frequencies = often({ oslo: 2, lamp: 2 });
    const { pairs } = coverageQueryOf(placed);
    const apart = coverage(placed, frequencies, 'english', ["'oslo'", "'lamp'"]).message;
    const near = coverage(placed, frequencies, 'english', ["'oslo'", "'lamp'", pairs[0]!.query]).message;
    expect(near).toBeGreaterThan(apart);
  });

  test('is certain of a chunk with a name or figure that few chunks contain', () => {
    const id = [word('simple', 'emp13603', { isDistinct: true })];
    expect(coverage(id, often({ emp13603: 9 }, 1), 'simple', ["'emp13603'"]).isCertain).toBe(true);
    expect(coverage(id, often({ emp13603: 9 }, 200), 'simple', ["'emp13603'"]).isCertain).toBe(false);
    expect(coverage(id, often({ emp13603: 9 }, 1), 'simple', []).isCertain).toBe(false);
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

  test('needs more evidence for a question of few words', () => {
    expect(leastBestScore(1)).toBeGreaterThan(leastBestScore(5));
    expect(scoreOf({ coverages: [1], nearness: null })).toBeGreaterThan(leastBestScore(1));
  });

  test('keeps what is at least halfway between the average chunk and the best one', () => {
    expect(minScore(0.5, -1)).toBeCloseTo(0.2);
    expect(minScore(0.5, 3)).toBeCloseTo(0.25);
    expect(minScore(0.01, -6)).toBe(0);
  });
});

test('connecting words of one letter are not searched in the languages that have them', () => {
  expect(searchedText('Qui a peint la Joconde ?').words).not.toMatch(/\ba\b/);
  expect(searchedText('In welchem Regal ist Gang A und wo?').words).toMatch(/\bA\b/);
});
