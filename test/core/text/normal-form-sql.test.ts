import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalForm } from '../../../src/core/text/normal-form.ts';
import { openHarness } from '../../support/open-harness.ts';
import { rareScripts } from '../../support/rare-scripts.ts';

it('returns the same normal form in PostgreSQL', async () => {
  const harness = await openHarness();
  try {
    const letters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code + 1));
    const forms = Array.from({ length: 0x6ff }, (_, n) => String.fromCodePoint(0xf900 + n));
    const texts = [
      ...[...letters, ...forms].map((letter) => `a${letter}b`),
      ...fc.sample(fc.string({ unit: 'grapheme', maxLength: 40 }), { numRuns: 1_000, seed: 1 }),
    ].filter((text) => text.isWellFormed() && !text.includes('\0') && !rareScripts.test(text));
    const rows = await harness.query<{ text: string; form: string }>(
      `select text, normal_form(text) as form from unnest($1::text[]) as t (text)`,
      [texts],
    );
    const different = rows.filter(({ text, form }) => form !== normalForm(text));
    expect(different.map(({ text, form }) => [escape(text), escape(form), escape(normalForm(text))])).toEqual([]);
  } finally {
    await harness.close();
  }
});

const escape = (text: string): string => encodeURIComponent(text);
