import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type KnowledgePlace, knowledgePlace, query, settled, upload } from '../support/knowledge.ts';

let app: TestApp;
const places = new Map<string, KnowledgePlace>();

const documents: Readonly<Record<string, string>> = {
  'prices.csv':
    'product,price,in_stock,delivery\nOslo lamp,49.90,yes,3 days\nBergen desk,219.00,no,4 weeks\nStool,89.50,yes,5 days\n',
  'faq.csv':
    'question,answer\nHow do I cancel?,Open Settings and press Cancel.\nDo you take PayPal?,"Visa, Mastercard and PayPal."\nIs there a student discount?,Yes: 40 % with a card.\n',
  'staff.csv': [
    'id,name,office',
    ...Array.from({ length: 600 }, (_, i) => `EMP-${13_000 + i},Person ${i},Office ${i % 7}`),
  ].join('\n'),
  'muzeum.txt':
    'Muzeum Latarni mieści się w dawnym domu latarnika. Jest czynne od wtorku do niedzieli. Bilet ulgowy kosztuje 15 zł.',
  'contact.md': 'Desk: +47 22 55 66 77, open from 8:00. The invoice of 1 March 2026 is 1,299.00.',
  'forms.txt':
    'Die Ku\u0308ndigungsfrist betra\u0308gt drei Monate. The o\ufb03ce is in Ｓａｐｐｏｒｏ. The work\u00adshop is closed.',
  'library.txt': 'ห้องสมุดปิดทุกวันจันทร์ สมาชิกยืมหนังสือได้ห้าเล่มเป็นเวลาสองสัปดาห์',
};

beforeAll(async () => {
  app = await startTestApp();
  for (const [filename, text] of Object.entries(documents)) {
    const place = await knowledgePlace(app);
    const { body } = await upload(app, place, filename, text);
    await settled(app, place, body.id);
    places.set(filename, place);
  }
});
afterAll(() => app.close());

const found = async (filename: string, question: string): Promise<string> => {
  const place = places.get(filename);
  if (!place) throw new Error(`no document ${filename}`);
  const { results } = await query(app, place, question);
  return (results as { content: string }[]).map(({ content }) => content).join('\n');
};

describe('a question in ordinary words', () => {
  test.each([
    ['prices.csv', 'How much does the Oslo lamp cost?', '49.90'],
    ['prices.csv', 'What can I get for 49,90?', 'Oslo lamp'],
    ['faq.csv', 'Which payment methods are there besides PayPal?', 'Mastercard'],
    ['faq.csv', 'I am a student, do I get a discount?', '40 %'],
    ['staff.csv', 'In which office does EMP-13503 work?', 'EMP-13503'],
    ['staff.csv', 'emp13503', 'EMP-13503'],
    ['muzeum.txt', 'Kiedy czynne jest muzeum?', 'wtorku'],
    ['muzeum.txt', 'Ile kosztuje ulgowy bilet?', '15'],
    ['contact.md', 'Whose number is 4722556677?', '+47'],
    ['contact.md', 'Is there an invoice of 2026-03-01?', '1 March'],
    ['contact.md', 'invoice of 1.299,00', '1,299.00'],
    ['forms.txt', 'Wie lang ist die Kündigungsfrist?', 'Monate'],
    ['forms.txt', 'Where is the office?', 'Ｓａｐｐｏｒｏ'],
    ['forms.txt', 'Is the workshop open?', 'closed'],
    ['library.txt', 'ยืมหนังสือได้กี่เล่ม', 'ห้าเล่ม'],
  ])('finds the passage of %s: %s', async (filename, question, answer) => {
    expect(await found(filename, question)).toContain(answer);
  });

  test.each([
    'Thanks, that helped!',
    'Got it',
    '👍',
    '谢谢',
    'Yes',
    'Continue',
    'Can you make it shorter?',
    'Dziękuję!',
  ])('finds nothing for small talk: %s', async (message) => {
    for (const filename of Object.keys(documents)) expect(await found(filename, message)).toBe('');
  });
});
