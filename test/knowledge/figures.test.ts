import { describe, expect, test } from 'vitest';
import { figuresIn, otherSpellings } from '../../src/knowledge/figures.ts';

const formsOf = (text: string): string[] => figuresIn(text).flatMap(({ forms }) => forms);

describe('figuresIn', () => {
  test.each([
    ['19.90', '19,90'],
    ['1,299.00', '1.299,00'],
    ['1 450,00 kr', '1450'],
    ['8 999 kr', '8999'],
    ["12'500.50", '12.500,50'],
    ['312,5', '312.50'],
    ['+47 22 55 66 77', '4722556677'],
    ['0047 73 50 12 34', '+47 73501234'],
    ['(0)30 / 901 820-14', '030 90182014'],
    ['EMP-13603', 'emp13603'],
    ['AX-001203/4', 'AX001203/4'],
    ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['1 March 2026', '2026-03-01'],
    ['March 9, 2025', '09.03.2025'],
    ['31 de diciembre de 2027', '31. Dezember 2027'],
    ['1. März 2026', '1 марта 2026'],
    ['2026年3月1日', '1 March 2026'],
    ['8:00', '08:00'],
    ['5 pm', '17:00'],
  ])('%s and %s are the same', (one, other) => {
    expect(formsOf(one).some((form) => formsOf(other).includes(form))).toBe(true);
  });

  test.each([
    ['19.90', '19.09'],
    ['EMP-13603', 'EMP-13604'],
    ['1 March 2026', '1 April 2026'],
    ['+47 22 55 66 77', '+47 22 55 66 78'],
  ])('%s and %s differ', (one, other) => {
    expect(formsOf(one).some((form) => formsOf(other).includes(form))).toBe(false);
  });

  test('finds every number of a text, also next to what only looks like a date or a telephone number', () => {
    expect(formsOf('10-19 on 5 desks, room 12')).toEqual(['10', '19', '5', '12']);
  });

  test('takes time linear in the length of a text', () => {
    for (const unit of ['1 ', '1', 'a1', '1-', '1.', '(1)', 'May 1 ', '1 ab ', '+1 (']) {
      expect(figuresIn(unit.repeat(100_000)).length).toBeGreaterThan(0);
    }
  });
});

describe('otherSpellings', () => {
  test('has the parts of identifiers and measures, and dates without their year', () => {
    expect(otherSpellings('EMP-13603').split(' ')).toEqual(['emp13603', '13603']);
    expect(otherSpellings('25kg').split(' ')).toEqual(['25kg', '25', 'kg']);
    expect(otherSpellings('1 March 2026').split(' ')).toEqual(['d20260301', 'd0301']);
    expect(otherSpellings('server.requestTimeoutMs').split(' ')).toEqual(['server', 'request', 'Timeout', 'Ms']);
  });

  test('is empty for text without figures and identifiers', () => {
    expect(otherSpellings('The harbour was dredged.')).toBe('');
  });
});
