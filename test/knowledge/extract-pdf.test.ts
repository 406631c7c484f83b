import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { extractText } from '../../src/knowledge/extract/extract-text.ts';
import { assemble, pdfOf, streamObject } from '../support/pdf.ts';

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
/** A font that numbers its glyphs and does not state their characters. */
const nameless = [
  '<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Arial /Encoding /Identity-H /DescendantFonts [7 0 R] >>',
  `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Arial /FontDescriptor 8 0 R
      /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>`,
  `<< /Type /FontDescriptor /FontName /ABCDEF+Arial /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 709
      /Descent -241 /CapHeight 709 /StemV 69 >>`,
];
/** Returns a PDF of one page with this content, Helvetica as F1 and a font without characters as F2. */
const drawing = (content: string): Uint8Array<ArrayBuffer> =>
  assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R
        /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`,
    streamObject(Buffer.from(content, 'latin1')),
    helvetica,
    ...nameless,
  ]);
/** Shows a text with the numbers that its letters have in most fonts. */
const numbered = (text: string): string =>
  `BT /F2 12 Tf 50 700 Td <${Array.from(text, (letter) => (letter.charCodeAt(0) - 29).toString(16).padStart(4, '0')).join('')}> Tj ET`;
const read = async (pdf: Uint8Array): Promise<string> => (await extractText('pdf', pdf)).text;
const fixture = (name: string): Promise<string> =>
  read(new Uint8Array(readFileSync(join(import.meta.dirname, '../eval/extraction', name))));

describe('text in scripts from right to left is in reading order', () => {
  test.each([
    ['arabic.chromium.pdf', 'سعر المصباح 49.90 يورو مع التوصيل المجاني خلال ثلاثة أيام (باستثناء العطل).'],
    ['arabic.libreoffice.pdf', 'للتواصل اكتب إلى info@example.com أو اتصل على الرقم 4722556677.'],
    ['arabic.chromium.pdf', 'لا إله، الأسعار، الإجازات، السلام عليكم، لأن الآلات جديدة.'],
    ['hebrew.chromium.pdf', 'שָׁלוֹם עוֹלָם, בְּרֵאשִׁית בָּרָא אֱלֹהִים.'],
    ['hebrew.libreoffice.pdf', 'לפרטים כתבו אל info@example.com או התקשרו למספר 4722556677.'],
    ['persian.chromium.pdf', 'بهای چراغ ۴۹٫۹۰ یورو است و ارسال آن رایگان می\u200cباشد.'],
  ])('in %s', async (name, sentence) => {
    expect(await fixture(name)).toContain(sentence.normalize('NFC'));
  });
});

test.each([
  ['hindi.chromium.pdf', 'विद्यार्थियों के लिए किताबें, क्षेत्र, ज्ञान, श्रीमती और कृपया।'],
  ['thai.libreoffice.pdf', 'โคมไฟราคา 49.90 ยูโร จัดส่งฟรีภายในสามวัน น้ำ ทำ กำลัง ผู้ใหญ่'],
])('letters that are joined or reordered when drawn are those of the source, in %s', async (name, sentence) => {
  expect(await fixture(name)).toContain(sentence.normalize('NFC'));
});

test('accents that LaTeX draws over letters belong to the letters', async () => {
  const text = await fixture('latex.latex.pdf');
  expect(text).toContain('Die Kündigungsfrist beträgt vier Wochen. Naïve Grüße aus München');
  expect(text).toContain('señor, Český, ça va, Ångström');
});

test('ActualText replaces what is drawn', async () => {
  const spans =
    '(one ) Tj /Span << /ActualText (two) >> BDC (2) Tj EMC ( three-) Tj /Span << /ActualText () >> BDC (x) Tj EMC';
  expect(await read(drawing(`BT /F1 12 Tf 50 700 Td ${spans} ET`))).toBe('one two three-');
});

test('text that is drawn again at the same place counts once', async () => {
  const bold = Array.from('HELLO').flatMap((letter, i) =>
    [0, 0.4].map((shift) => `BT /F1 12 Tf ${50 + 12 * i + shift} 700 Td (${letter}) Tj ET`),
  );
  expect((await read(drawing(bold.join(' ')))).replaceAll(' ', '')).toBe('HELLO');
  const line = (x: number): string => `BT /F1 12 Tf ${x} 650 Td (Warranty terms) Tj ET `;
  const other = 'BT /F1 12 Tf 50 600 Td (of the pump) Tj ET ';
  expect(await read(drawing(line(50) + other + line(50.5)))).toBe('Warranty terms\n\nof the pump');
  expect(await read(drawing('BT /F1 12 Tf 50 700 Td (all llamas 1111) Tj ET'))).toBe('all llamas 1111');
});

describe('a page that cannot be read', () => {
  const scanned = 'q 1 0 0 1 0 0 cm Q';
  test('is named, and the others are read', async () => {
    const { text, reading } = await extractText('pdf', pdfOf(['One.', '', 'Three.']));
    expect(text).toBe('One.\n\nThree.');
    expect(reading).toEqual({
      encoding: null,
      pages: 3,
      notes: [{ code: 'pages_without_text', count: 1, places: ['page 2'] }],
    });
  });

  test('fails the document with the reason if hardly any other can be read', async () => {
    await expect(extractText('pdf', drawing(scanned))).rejects.toMatchObject({
      code: 'no_text',
      message: expect.stringMatching(/^One page has no text\. If they are scanned, run text recognition/),
    });
    await expect(extractText('pdf', drawing(numbered('This is a test of words')))).rejects.toMatchObject({
      code: 'no_text',
      message: expect.stringMatching(/^The text of one page cannot be read: the fonts/),
    });
    const pages = Array.from({ length: 40 }, (_, i) => (i === 0 ? 'Cover' : ''));
    await expect(extractText('pdf', pdfOf(pages))).rejects.toMatchObject({ code: 'no_text' });
    expect(await read(pdfOf(pages.slice(0, 10)))).toBe('Cover');
  });
});
