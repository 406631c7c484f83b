import { describe, expect, test } from 'vitest';
import { withoutSourceMarks, withSourceMarks } from '../../../web/src/chat/markdown/source-marks.ts';

const source = (number: number, ...marks: number[]) => ({ number, label: '', marks });

describe('marks of sources in a reply', () => {
  test('are inserted where the reply uses a source, one for each document', () => {
    const text = 'Nine days. Five days.';
    const marked = withSourceMarks(text, [source(1, 9, 20), source(1, 20), source(2, 20)]);
    expect(marked).toBe('Nine days【0】. Five days【0】【2】.');
    expect(withoutSourceMarks(marked)).toBe(text);
  });

  test.each(['See https://example.com/a', 'Code:\n```', '| a | b |', 'Title\n---'])(
    'are omitted where they would change the Markdown: %j',
    (text) => expect(withSourceMarks(text, [source(1, text.length)])).toBe(text),
  );

  test('are inserted at the end for a position after it, and omitted without a position', () => {
    expect(withSourceMarks('Short', [source(1, 99)])).toBe('Short【0】');
    expect(withSourceMarks('Short', [source(1)])).toBe('Short');
  });
});
