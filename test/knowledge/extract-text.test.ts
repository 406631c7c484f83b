import { describe, expect, test } from 'vitest';
import type { DocumentFormat } from '../../src/knowledge/document-format.ts';
import { extractText } from '../../src/knowledge/extract/extract-text.ts';
import { assemble, pdfOf, streamObject } from '../support/pdf.ts';

const read = async (format: DocumentFormat, content: string | Uint8Array): Promise<string> =>
  (await extractText(format, new Uint8Array(Buffer.from(content as string)))).text;

describe('UTF-16 without a mark is read', () => {
  const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
  test.each([
    ['Latin', 'Größe'],
    ['Russian', 'Маяк построен в 1921 году.\nСмотритель живёт рядом.'],
    ['Chinese', '灯塔建于一九二一年。守塔人住在旁边，每天晚上点灯。'],
    ['Japanese', '灯台は千九百二十一年に建てられ、灯台守はとなりに住んでいます。'],
    ['Korean with a face', '등대는 천구백이십일년에 지어졌다. 😀'],
    ['Arabic', 'بنيت المنارة عام 1921.'],
  ])('%s, in either order of bytes', async (_what, text) => {
    const bytes = Buffer.from(text, 'utf16le');
    expect(await read('txt', bytes)).toBe(text);
    expect(await read('txt', swapped(bytes))).toBe(text);
  });
});

test('what PostgreSQL can’t hold is in no text and in no place', async () => {
  const json = String.raw`{"a\u0000b":{"c\ud800":"x\u0000y\udc00z"}}`;
  expect(await extractText('json', Buffer.from(json))).toEqual({
    text: 'a b.c\ufffd: x y\ufffdz',
    places: [{ offset: 0, place: 'a b' }],
  });
});

describe('a PDF', () => {
  const page = (content: string, objects: readonly string[], more = ''): Uint8Array<ArrayBuffer> =>
    assemble([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${more} >>`,
      streamObject(Buffer.from(content)),
      ...objects,
    ]);
  const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

  test('whose Japanese font is not in the file is read', async () => {
    const font = (name: string, encoding: string): string[] => [
      `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
      `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${name} /FontDescriptor 7 0 R
          /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>`,
      `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 709
          /Descent -241 /CapHeight 709 /StemV 69 >>`,
    ];
    const shown = (hex: string): string => `BT /F1 12 Tf 50 700 Td <${hex}> Tj ET`;
    const fonts = '/Resources << /Font << /F1 5 0 R >> >>';
    const utf16 = Buffer.from('灯台は赤い。', 'utf16le').swap16().toString('hex');
    expect(await read('pdf', page(shown(utf16), font('HeiseiMin-W3', 'UniJIS-UCS2-H'), fonts))).toBe('灯台は赤い。');
    const shiftJis = '939491e482cd90d482a28142';
    expect(await read('pdf', page(shown(shiftJis), font('MS-Gothic', '90ms-RKSJ-H'), fonts))).toBe('灯台は赤い。');
  });

  test('says what was filled in and noted on it', async () => {
    const widget = (field: string): string => `<< /Type /Annot /Subtype /Widget /Rect [50 600 250 620] ${field} >>`;
    const form = page(
      'BT /F1 12 Tf 50 700 Td (Application) Tj ET',
      [
        helvetica,
        widget('/FT /Tx /T (applicant) /V (Ingrid Moe)'),
        widget('/FT /Ch /T (colours) /V [(teal) (red)]'),
        widget('/FT /Btn /T (agreed) /V /Off'),
        widget('/FT /Tx /Ff 8192 /T (pin) /V (4711)'),
        '<< /Type /Annot /Subtype /Text /Rect [9 9 20 20] /Contents (The price is 4200.) >>',
      ],
      '/Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R 7 0 R 8 0 R 9 0 R 10 0 R]',
    );
    expect(await read('pdf', form)).toBe(
      'Application\n\nThe price is 4200.\napplicant: Ingrid Moe\ncolours: teal, red',
    );
  });

  test('keeps words apart that only their places part', async () => {
    const drawing = (text: string, at: string): string =>
      streamObject(
        Buffer.from(`BT /F1 12 Tf ${at} Td (${text}) Tj ET`),
        '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >>',
      );
    const flattened = page(
      'BT /F1 12 Tf 50 700 Td (Name) Tj ET /X1 Do /X2 Do',
      [helvetica, drawing('Ingrid', '120 700'), drawing('Moe', '50 600')],
      '/Resources << /Font << /F1 5 0 R >> /XObject << /X1 6 0 R /X2 7 0 R >> >>',
    );
    expect(await read('pdf', flattened)).toBe('Name Ingrid\n\nMoe');
  });

  test('has its divided words whole again', async () => {
    expect(await read('pdf', pdfOf(['The inter-\nnational A-\nB treaty of 1914-\n18']))).toBe(
      'The international A-\nB treaty of 1914-\n18',
    );
  });
});
