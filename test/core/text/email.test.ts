import { describe, expect, test } from 'vitest';
import { mailboxOf, readEmail } from '../../../src/core/text/email.ts';

describe('an e-mail address', () => {
  test.each([
    ['Ada@Example.com', 'ada@example.com'],
    [' r&d@example.com ', 'r&d@example.com'],
    ['a/b=c@example.com', 'a/b=c@example.com'],
    ['#tag@example.com', '#tag@example.com'],
    ["o'hara!$%*?^_`{|}~-@example.com", "o'hara!$%*?^_`{|}~-@example.com"],
    ['ada@münchen.de', 'ada@xn--mnchen-3ya.de'],
    ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    ['ada＠ｅｘａｍｐｌｅ．com', 'ada@example.com'],
    ['a@b-c.example.co', 'a@b-c.example.co'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('%s is read as %s', (typed, address) => {
    expect(readEmail(typed)).toBe(address);
  });

  test.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@localhost',
    'ada@example',
    'ada@example.com.',
    'ada@-example.com',
    'ada@exa_mple.com',
    'ada@ex%41mple.com',
    'ada@1.2.3.4',
    'ada@[1.2.3.4]',
    'ada..l@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'ada l@example.com',
    'ada\n@example.com',
    'a\u200bda@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@b@example.com',
    'jörg@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'a.'.repeat(130)}com`,
  ])('%j is refused', (typed) => {
    expect(readEmail(typed)).toBeNull();
  });
});

test.each([
  ['ada+1@example.com', 'ada@example.com'],
  ['a.d.a+x+y@gmail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
])('counts mails to %s as mails to %s', (address, mailbox) => {
  expect(mailboxOf(address).mailbox).toBe(mailbox);
});
