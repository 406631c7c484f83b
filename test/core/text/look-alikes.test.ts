import { expect, test } from 'vitest';
import { isConfusable } from '../../../src/core/text/look-alikes.ts';

test.each(['acme bank', 'Аcmе Bаnk', 'ACME-BANK', 'Ａｃｍｅ Ｂａｎｋ', 'Ácme Bänk', 'A c m e B a n k', 'Acme‑Bank!'])(
  'treats %s as the protected name',
  (name) => {
    expect(isConfusable(name, ['Other', 'Acme Bank'])).toBe(true);
  },
);

test.each(['Acme', 'Acme Bank Helper', 'Bank', '', '银行'])('does not treat %s as the protected name', (name) => {
  expect(isConfusable(name, ['Acme Bank'])).toBe(false);
});
