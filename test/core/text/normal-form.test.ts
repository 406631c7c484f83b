import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalClusters, normalForm } from '../../../src/core/text/normal-form.ts';

describe('the normal form', () => {
  it.each([
    ['case', 'ΌΔΟΣ', 'οδοσ'],
    ['accents', 'Ångström café', 'angstrom cafe'],
    ['decomposed letters', 'Cafe\u0301', 'cafe'],
    ['ligatures', 'ﬁﬂ Æon', 'fifl aeon'],
    ['full-width characters', '＠Ｕｓｅｒ１２', '@user12'],
    ['half-width kana', 'ｶﾞﾗｽ', 'ガラス'],
    ['soft hyphens', 'Donau\u00addampf\u00adschiff', 'donaudampfschiff'],
    ['zero-width characters', 'user\u200bna\u200dme\ufeff\u2060', 'username'],
    ['bidirectional characters', '\u202etxt.exe\u202c', 'txt.exe'],
    ['vowel signs of Arabic', 'مُحَمَّدٌ', 'محمد'],
    ['forms of alef, yeh and teh marbuta', 'أإآٱ على مدرسة', 'اااا علي مدرسه'],
    ['Arabic presentation forms', '\ufee3\ufea4\ufee4\ufeaa', 'محمد'],
    ['the kashida', 'محـــمد', 'محمد'],
    ['Persian letters and digits', 'کیک ۱۲۳', 'كيك 123'],
    ['Hebrew vowel signs', 'שָׁלוֹם', 'שלום'],
    ['Hebrew presentation forms', '\ufb2a\ufb4b', 'שו'],
    ['the dots of Hindi', 'क़लम', 'कलम'],
  ])('folds %s', (_, text, form) => {
    expect(normalForm(text)).toBe(form);
  });

  it.each(['हिन्दी', 'ไทย', 'がぎ', '한국어', 'ကမ္ဘာ'])('keeps the marks that %s needs', (text) => {
    expect(normalForm(text)).toBe(text);
  });

  it('has positions whose forms are the form of the whole', () => {
    const anything = fc.string({
      unit: fc.constantFrom(...Array.from('aÉßς＠ﬁ学か゛ｶﾞ가ไทยשָ\u00ad\u200b\u0301\u064f\u0640👩\u200d💻 ')),
    });
    fc.assert(
      fc.property(anything, (text) => {
        const clusters = [...normalClusters(text)];
        expect(clusters.map(({ form }) => form).join('')).toBe(normalForm(text));
        expect(clusters.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});
