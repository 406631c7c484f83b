import { describe, expect, test } from 'vitest';
import type { DocumentFormat } from '../../src/knowledge/document-format.ts';
import { chunkDocument } from '../../src/knowledge/processing/chunk-document.ts';
import { csvText } from '../../src/knowledge/extract/csv.ts';
import { extractText } from '../../src/knowledge/extract/extract-text.ts';
import { jsonText } from '../../src/knowledge/extract/json.ts';
import { assemble, pdfOf, streamObject } from '../support/pdf.ts';

const read = async (format: DocumentFormat, content: string | Uint8Array): Promise<string> =>
  (await extractText(format, new Uint8Array(Buffer.from(content as string)))).text;

describe('UTF-16 without a byte order mark', () => {
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

test('removes characters that PostgreSQL cannot store from texts and locations', async () => {
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

  test('is extracted although its Japanese font is not embedded', async () => {
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

  test('includes form fields and notes', async () => {
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
        '<< /Type /Annot /Subtype /Link /Rect [9 9 20 20] /Contents (Go to page 2) >>',
      ],
      '/Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R 7 0 R 8 0 R 9 0 R 10 0 R 11 0 R]',
    );
    expect(await read('pdf', form)).toBe(
      'Application\n\nThe price is 4200.\napplicant: Ingrid Moe\ncolours: teal, red',
    );
  });

  test('separates words that only their positions separate', async () => {
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

  test('joins hyphenated words', async () => {
    expect(await read('pdf', pdfOf(['The inter-\nnational A-\nB treaty of 1914-\n18']))).toBe(
      'The international A-\nB treaty of 1914-\n18',
    );
  });
});

test('rows of CSV include their column names, whatever the delimiter', () => {
  expect(csvText('name\tprice\nTea\t3\n"a\nb"\t4').text).toBe('name: Tea; price: 3\nname: a\nb; price: 4');
});

test.each([
  ['a line that names the delimiter', 'sep=;\nname;city\nAda;Oslo', 'name: Ada; city: Oslo'],
  [
    'values full of another delimiter',
    'name;text\n"A";"one, two, three"\nB;1,5',
    'name: A; text: one, two, three\nname: B; text: 1,5',
  ],
  ['a title of empty cells and lines above it', ',,\n\nname,city\nAda,Oslo', 'name: Ada; city: Oslo'],
  ['a quote inside of a header', 'TV 55" wide,price\nyes,2', 'TV 55" wide: yes; price: 2'],
])('CSV is read with %s', (_what, given, read) => {
  expect(csvText(given).text).toBe(read);
});

test('keeps numbers of JSON that JavaScript would round', () => {
  const json = '{"id": 12345678901234567890, "share": [-0.12345678901234567, 1E400, 2.50], "k1e5": "\\" 1e5"}';
  expect(jsonText(json).text.split('\n')).toEqual([
    'id: 12345678901234567890',
    'share[0]: -0.12345678901234567',
    'share[1]: 1E400',
    'share[2]: 2.5',
    'k1e5: " 1e5',
  ]);
});

test('accepts a cell as long as a document', async () => {
  const cell = 'All in one cell.\n'.repeat(100_000);
  expect(await read('csv', `id,text\n1,"${cell}"\n2,end`)).toBe(`id: 1; text: ${cell.trim()}\nid: 2; text: end`);
});

describe('the location of a chunk', () => {
  const places = async (format: DocumentFormat, content: string | Uint8Array): Promise<string[]> => {
    const extracted = await extractText(format, new Uint8Array(Buffer.from(content as string)));
    return [...chunkDocument(extracted, { tokens: 40, overlapTokens: 8 })].map(({ place }) => place);
  };
  const prose = (subject: string): string => `About ${subject} there is much to say.\n`.repeat(3);

  test('is its pages', async () => {
    expect(await places('pdf', pdfOf(['One.', '', 'Three.', prose('oil'), prose('gas')]))).toEqual([
      'pages 1–4',
      'page 5',
    ]);
  });

  test('is its rows, counted as in a spreadsheet', async () => {
    const rows = [
      'name,note',
      'Tea,"two\nlines"',
      '',
      ',',
      `Oil,"${prose('oil')}"`,
      'Gas,short',
      `Coal,"${prose('coal')}"`,
    ];
    expect(await places('csv', rows.join('\n'))).toEqual(['rows 2–5', 'rows 6–7', 'row 7']);
    expect(await places('csv', 'name\n\nTea')).toEqual(['row 3']);
    expect(await places('csv', '\nname,price')).toEqual(['row 2']);
  });

  test('is its paths', async () => {
    const json = { about: 'staff', staff: [{ name: 'Ines' }, { note: prose('Ines') }, { note: prose('Olav') }] };
    expect(await places('json', JSON.stringify(json))).toEqual(['about – staff[1]', 'staff[2]']);
  });

  test('is its headings', async () => {
    const guide = `Of oil and gas.\n\n# Oil\n\n## Wells\n\nDeep.\n\n# Gas\n\n${prose('gas')}\n## Flares\n\n${prose('flares')}`;
    expect(await places('md', guide)).toEqual(['Oil – Gas', 'Gas > Flares']);
    expect(await places('md', 'No heading.')).toEqual(['']);
  });
});

test('recognizes every form of Markdown heading, and nothing else', async () => {
  const guide = `---
# of the file
title: x
---

Guide
=====

Oil
---

\`\`\`
# code

More code
---
\`\`\`

- item
---

Gas ##
### Flares ###
---
`;
  const { text, places } = await extractText('md', Buffer.from(guide));
  expect(text).toBe(guide);
  expect(places.map(({ offset, place }) => [guide.slice(offset).split('\n')[0], place])).toEqual([
    ['Guide', 'Guide'],
    ['Oil', 'Guide > Oil'],
    ['### Flares ###', 'Guide > Oil > Flares'],
  ]);
});
