import { describe, expect, test } from 'vitest';
import { joined, putRow } from '../../../web/src/api/dated-rows.ts';

const row = (second: number, text = '') => ({
  id: `id_${second}`,
  createdAt: `2026-11-27T10:00:0${second}.000Z`,
  text,
});
const loaded = [
  [row(8), row(6)],
  [row(4), row(2)],
];

describe('a row of a list that begins with the newest', () => {
  test('is put where its date belongs', () => {
    expect(putRow(loaded, row(9), true)).toEqual([[row(9), row(8), row(6)], loaded[1]]);
    expect(putRow(loaded, row(5), true)).toEqual([loaded[0], [row(5), row(4), row(2)]]);
    expect(putRow([[]], row(5), true)).toEqual([[row(5)]]);
  });

  test('replaces itself', () => {
    expect(putRow(loaded, row(4, 'changed'), true)).toEqual([loaded[0], [row(4, 'changed'), row(2)]]);
  });

  test('is ignored when it belongs to a page that is not loaded', () => {
    expect(putRow(loaded, row(1), true)).toBe(loaded);
    expect(putRow(loaded, row(1), false)).toEqual([loaded[0], [row(4), row(2), row(1)]]);
  });

  test('is listed once when it was loaded with two pages', () => {
    expect(
      joined([
        [row(8), row(6)],
        [row(6, 'later'), row(4)],
      ]),
    ).toEqual([row(8), row(6, 'later'), row(4)]);
  });
});
