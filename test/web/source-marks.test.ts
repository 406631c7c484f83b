import { describe, expect, test } from 'vitest';
import { withoutSourceMarks, withSourceMarks } from '../../web/src/chat/source-marks.ts';

const source = (number: number, ...marks: number[]) => ({ number, label: '', marks });

describe('marks of sources in a reply', () => {
  test('are put where the reply took from a source, one for each document', () => {
    const text = 'Nine days. Five days.';
    const marked = withSourceMarks(text, [source(1, 9, 20), source(1, 20), source(2, 20)]);
    expect(marked).toBe('Nine days【0】. Five days【0】【2】.');
    expect(withoutSourceMarks(marked)).toBe(text);
  });

  test.each(['See https://example.com/a', 'Code:\n```', '| a | b |', 'Title\n---'])(
    'are left out where they would change the Markdown: %j',
    (text) => expect(withSourceMarks(text, [source(1, text.length)])).toBe(text),
  );

  test('are put at the end when a place is behind it, and change nothing without a place', () => {
    expect(withSourceMarks('Short', [source(1, 99)])).toBe('Short【0】');
    expect(withSourceMarks('Short', [source(1)])).toBe('Short');
  });
});
