import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { parseTextArray, textArray } from '../../src/core/database/text-array.ts';

const parser = pg.types.getTypeParser(textArray as number, 'text') as (array: string) => unknown;

describe('an array of texts', () => {
  test.each([
    '{}',
    '{a}',
    '{agents:read,conversations:write,voice:use}',
    '{"with space","a,b","quote \\" and \\\\ backslash"}',
    '{NULL,a}',
    '{"NULL",a}',
    '{a,null}',
    '{nullable,b}',
    '{{a,b},{c,d}}',
    '[2:3]={a,b}',
    '{"{}",a}',
    '{é,日本}',
    '{""}',
  ])('written as %s is what the driver reads', (array) => {
    expect(parseTextArray(array)).toEqual(parser(array));
  });
});
