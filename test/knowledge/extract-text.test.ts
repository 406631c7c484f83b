import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../src/knowledge/extract/charset.ts';
import type { DocumentFormat } from '../../src/knowledge/document-format.ts';
import { chunkDocument } from '../../src/knowledge/processing/chunk-document.ts';
import { csvText } from '../../src/knowledge/extract/csv.ts';
import { extractText } from '../../src/knowledge/extract/extract-text.ts';
import { jsonLinesText, jsonText } from '../../src/knowledge/extract/json.ts';
import type { Reading } from '../../src/knowledge/extract/reading.ts';
import { assemble, pdfOf, streamObject } from '../support/pdf.ts';

const reading = (): Reading => ({ encoding: 'utf-8', pages: null, notes: [] });
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

describe('the encoding of a text', () => {
  const decode = (bytes: Buffer, declared?: string) => decodeText(new Uint8Array(bytes), declared);
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

  test('is UTF-8 with replacement characters if single bytes are invalid', () => {
    const damaged = Buffer.concat([Buffer.from('Größe und Länge\n'), Buffer.from([0xff]), Buffer.from(' Maß')]);
    expect(decode(damaged)).toEqual({
      text: 'Größe und Länge\n\ufffd Maß',
      encoding: 'utf-8',
      isGuess: false,
      invalidCount: 1,
    });
    expect(decode(Buffer.from('a \ufffd b')).invalidCount).toBe(0);
  });

  test('is found by characters anywhere in the file', () => {
    const english = 'Nothing but ASCII in this line.\n'.repeat(3_000);
    const french = latin1('Les élèves français préfèrent les fenêtres à côté de la forêt. '.repeat(30));
    expect(decode(Buffer.concat([Buffer.from(english), french]))).toMatchObject({
      text: english + french.toString('latin1'),
      encoding: 'windows-1252',
    });
  });

  test('is not UTF-16 because of a NUL', () => {
    expect(decode(latin1('abc\0def\n'))).toMatchObject({ text: 'abc\0def\n', encoding: 'utf-8' });
    expect(decode(latin1('caf\xe9\0 noir'))).toMatchObject({ text: 'café\0 noir', encoding: 'windows-1252' });
  });

  test.each([
    ['Shift_JIS', '939491e482cd90d482a28142'],
    ['GBK', 'b5c6cbfebda8d3dad2bbbec5b6fed2bbc4eaa1a3'],
    ['Big5', 'bff5b6f0abd8a9f3a440a445a447a440a67ea143'],
    ['EUC-KR', 'b5eeb4ebb4c220bbb1b0a3bbf6c0ccb4d92e'],
    ['KOI8-R', 'edc1d1cb20d0cfd3d4d2cfc5ce20d7203139323120c7cfc4d52e'],
    ['windows-1254', 'dc72fc6e206669796174fd'],
  ])('is a guess for a short text in %s, unless it is stated', (encoding, hex) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(decode(bytes).isGuess).toBe(true);
    expect(decode(bytes, encoding)).toEqual({
      text: new TextDecoder(encoding).decode(bytes),
      encoding: new TextDecoder(encoding).encoding,
      isGuess: false,
      invalidCount: 0,
    });
  });

  test('is certain for a text of some length', () => {
    const chinese = 'd3aad2b5cab1bce4ceaac9cfcee7bec5b5e3d6c1cfc2cee7cee5b5e3a3acd6dcc8d5d0ddcfa2a1a3';
    expect(decode(Buffer.from(chinese, 'hex'))).toMatchObject({
      text: '营业时间为上午九点至下午五点，周日休息。',
      isGuess: false,
    });
  });
});

test('removes characters that PostgreSQL cannot store from texts and locations', async () => {
  const json = String.raw`{"a\u0000b":{"c\ud800":"x\u0000y\udc00z"}}`;
  expect(await extractText('json', Buffer.from(json))).toMatchObject({
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
  expect(csvText('name\tprice\nTea\t3\n"a\nb"\t4', reading()).text).toBe('name: Tea; price: 3\nname: a\nb; price: 4');
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
  [
    'a title and a comment above the header',
    'Price list 2026\n# all prices in euros\nname,price\nTea,3\nOil,4',
    'Price list 2026\n# all prices in euros\nname: Tea; price: 3\nname: Oil; price: 4',
  ],
  ['a padded title', 'Prices,,\n,,\nname,price,unit\nTea,3,kg', 'Prices\nname: Tea; price: 3; unit: kg'],
  ['blanks before quotation marks', 'name, text\nA, "one, two"\nB, "x"', 'name: A; text: one, two\nname: B; text: x'],
  [
    'commas in a header',
    'name, first;city\nAda;Oslo\nBo;Rome',
    'name, first: Ada; city: Oslo\nname, first: Bo; city: Rome',
  ],
  [
    'one column of sentences',
    'comment\nGood, really\nI like it, a lot, always\nFine\nBad, sorry',
    'comment: Good, really\ncomment: I like it, a lot, always\ncomment: Fine\ncomment: Bad, sorry',
  ],
  ['one column of quoted sentences', 'comment\n"Good, really"\n"Fine"', 'comment: Good, really\ncomment: Fine'],
  ['backslashes before quotation marks', 'a,b\n"say \\"hi\\", please",2\nx,3', 'a: say "hi", please; b: 2\na: x; b: 3'],
  ['a value that ends in a backslash', 'path,size\n"C:\\",2\n"D:\\",3', 'path: C:\\; size: 2\npath: D:\\; size: 3'],
])('CSV is read with %s', (_what, given, read) => {
  expect(csvText(given, reading()).text).toBe(read);
});

test('a row with a quotation mark without its counterpart does not affect the other rows', () => {
  const notes = reading();
  const table = 'name,price\nTea,3\n"Oil,4\n"Gas ""natural""",5\nCoal,6\n"Wood,7';
  expect(csvText(table, notes).text.split('\n')).toEqual([
    'name: Tea; price: 3',
    '"Oil, 4',
    'name: Gas "natural"; price: 5',
    'name: Coal; price: 6',
    '"Wood, 7',
  ]);
  expect(notes.notes).toEqual([{ code: 'rows_unreadable', count: 2, places: ['row 3 (line 3)', 'row 6 (line 6)'] }]);
});

test('keeps the source of JSON: digits, repeated keys and their order', () => {
  const json = '{"b": 19.90, "10": 1.10, "2": 1e2, "b": [true, null, -0.0], "": "x\\u0041"}';
  expect(jsonText(json, reading()).text.split('\n')).toEqual([
    'b: 19.90',
    '10: 1.10',
    '2: 1e2',
    'b[0]: true',
    'b[1]: null',
    'b[2]: -0.0',
    'xA',
  ]);
});

test('says where JSON is broken', () => {
  expect(() => jsonText('{"a": 1,\n "b" 2}', reading())).toThrow(/not valid JSON from line 2, column 6/);
});

test('reads JSON Lines, and keeps a broken line as it is', () => {
  const notes = reading();
  const { text, places } = jsonLinesText('{"q": "Where?", "a": "Oslo"}\n\n{"q": oops}\n[1.50]\n', notes);
  expect(text).toBe('q: Where?\na: Oslo\n{"q": oops}\n[0]: 1.50');
  expect(places.map(({ place }) => place)).toEqual(['line 1', 'line 3', 'line 4']);
  expect(notes.notes).toEqual([{ code: 'lines_unreadable', count: 1, places: ['line 3'] }]);
});

describe('an embedded file', () => {
  const picture = createHash('sha512').update('x').digest('base64').slice(0, 84).repeat(40);
  test.each<[DocumentFormat, string, string]>([
    ['md', `# A\n\n![Map](data:image/png;base64,${picture})\n\nText.`, '# A\n\n![Map]([image/png])\n\nText.'],
    ['txt', `A\n${picture.replace(/.{76}/g, '$&\n')}\nB`, `A\n[Base64]${'\n'.repeat(44)}\nB`],
    ['json', JSON.stringify({ name: 'Map', data: picture }), 'name: Map\ndata: [Base64]'],
    ['csv', `name,logo\nMap,"data:image/gif;base64,${picture}"`, 'name: Map; logo: [image/gif]'],
  ])('is left out of %s and counted', async (format, content, text) => {
    const extracted = await extractText(format, Buffer.from(content));
    expect(extracted.text).toBe(text);
    expect(extracted.reading.notes).toMatchObject([{ code: 'files_left_out', count: 1 }]);
  });

  test('is not what only looks similar', async () => {
    const text = `${'ACGT'.repeat(100)}\n${'-'.repeat(300)}\n${'x'.repeat(300)}\n${'0123456789'.repeat(30)}`;
    expect(await read('txt', text)).toBe(text);
  });
});

test('keeps numbers of JSON that JavaScript would round', () => {
  const json = '{"id": 12345678901234567890, "share": [-0.12345678901234567, 1E400, 2.50], "k1e5": "\\" 1e5"}';
  expect(jsonText(json, reading()).text.split('\n')).toEqual([
    'id: 12345678901234567890',
    'share[0]: -0.12345678901234567',
    'share[1]: 1E400',
    'share[2]: 2.50',
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
    expect(await places('csv', rows.join('\n'))).toEqual(['rows 2–5', 'rows 6–7']);
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
