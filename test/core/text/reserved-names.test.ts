import { describe, expect, test } from 'vitest';
import { claimsRole, impersonates, isReservedName } from '../../../src/core/text/reserved-names.ts';

describe('a protected name', () => {
  test.each([
    'acme bank',
    'Аcmе Bаnk',
    'ACME-BANK',
    'Ａｃｍｅ Ｂａｎｋ',
    'Ácme Bänk',
    'A c m e B a n k',
    'Acme‑Bank!',
    'Acme\u200bBank',
    'Acme Bank Support',
    'Official Acme Bank',
  ])('is impersonated by %s', (name) => {
    expect(impersonates(name, ['Other', 'Acme Bank'])).toBe(true);
  });

  test.each(['Acme', 'Acme Bank Fan', 'Bank', '', '银行'])('is not impersonated by %s', (name) => {
    expect(impersonates(name, ['Acme Bank', ''])).toBe(false);
  });
});

test.each(['Agent Chat', 'agent-chat-support', 'Аgent Сhat Ѕupport', 'Agent Chat Support (EU)', 'AgentChatService'])(
  'the service is impersonated by %s',
  (name) => expect(impersonates(name, [])).toBe(true),
);

test.each(['Admin', 'adm1n', 'a.d.m.i.n', 'Support Team', 'the-moderators', 'Customer Support', 'ｓｙｓｔｅｍ'])(
  '%s claims an office',
  (name) => expect(claimsRole(name)).toBe(true),
);

test.each(['Ada', 'supporter', 'teamwork', 'Modest Agent', 'helpful', 'user-8213', 'Agent Smith', ''])(
  '%s is free',
  (name) => expect(isReservedName(name, [])).toBe(false),
);

test.each(['api', 'Settings', 'l0gin', 'users', 'webhooks'])('%s is reserved as the name of a page', (name) => {
  expect(isReservedName(name, [])).toBe(true);
});
