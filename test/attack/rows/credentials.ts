import type { AttackRow } from './attack-row.ts';

/** Accounts, passwords, tokens, sessions and keys. */
export const credentials: readonly AttackRow[] = [
  {
    id: 'A01',
    attack: 'login timing: 500× existing vs unknown e-mail, interleaved',
    expected: 'medians differ < 5%, KS p > 0.01; same body/status/headers (dummy argon2)',
    suite: ['test/accounts/timing.test.ts > login takes as long'],
  },
  {
    id: 'A02',
    attack: 'register with existing e-mail/username, case, dots, NFKC/homoglyph',
    expected:
      'no distinguishing status/body/timing < 5% for e-mail (or declared 409 + rate limit; decide) ; one account per normalised e-mail',
    decided: 'Registering a taken e-mail is 409 `email_taken`; the general limit of 300 a minute and address holds.',
  },
  {
    id: 'A03',
    attack: 'forgot-password timing/body known vs unknown; 100/h same address',
    expected: '200 identical, < 5%; ≤ 5 mails/h per account and per IP',
    decided: 'The limit on mails is per account; per address the general limit holds.',
    suite: [
      'test/accounts/timing.test.ts > forgot-password takes as long',
      'test/accounts/passwords.test.ts > five mails an hour',
    ],
  },
  {
    id: 'A04',
    attack: "reset token: reuse, expired, other user's, 1-bit change, parallel ×20",
    expected: 'exactly one success; all sessions + refresh tokens die; token stored hashed',
    suite: ['test/accounts/passwords.test.ts > POST /v1/auth/reset-password'],
  },
  {
    id: 'A05',
    attack: 'host-header poisoning of reset/verify link',
    expected: 'link host = configured base only',
    suite: ['test/accounts/passwords.test.ts > ignores the host of the request'],
  },
  {
    id: 'A06',
    attack: "verify-email with B's token as A",
    expected: '400/403, no change',
    suite: ['test/accounts/passwords.test.ts > POST /v1/auth/verify-email'],
  },
  {
    id: 'A07',
    attack: 'password spray 10k across accounts / 1k on one',
    expected: '≤ 10/min/account and per IP then 429; victim can still log in from other IP',
    decided:
      'Ten failures lock the pair of address and e-mail for 15 minutes; an address without credential has 300 requests a minute.',
    suite: ['test/accounts/failed-logins.test.ts > '],
  },
  {
    id: 'A08',
    attack: 'passwords: 1 char, top-3000, 10 MB, NUL, 4-byte UTF-8',
    expected: '400 / 400 / 413 ≤ 50 ms CPU / exact match only',
    decided: 'A password has 8 to 128 characters and is not the e-mail or username; there is no list of common ones.',
  },
  {
    id: 'A09',
    attack: 'JWT alg none, HS/RS confusion, `kid` path/SQL, jwk/jku header, empty signature',
    expected: '401 all',
  },
  {
    id: 'A10',
    attack: 'JWT expired, nbf future, wrong aud/iss, refresh or verify token as access',
    expected: '401 all',
  },
  {
    id: 'A11',
    attack: 'access token after logout/reset/account deletion/plan change',
    expected: '401 (or new plan) on next request, both instances',
    suite: ['test/accounts/sessions.test.ts > immediately on every instance'],
  },
  {
    id: 'A12',
    attack: 'refresh reuse after rotation; 20 parallel refreshes of one token',
    expected: 'family revoked + audit event; parallel: ≤ 1 new family member chain, no lock-out inside 10 s window',
    suite: ['test/accounts/sessions.test.ts > reuse of a refresh token revokes its session'],
  },
  {
    id: 'A13',
    attack: 'credential in query string, cookie, `Bearer` case/space variants, 8 kB token, two Authorization headers',
    expected: 'ignored/401, never logged',
    suite: ['test/http/server.test.ts > credentials'],
  },
  {
    id: 'A14',
    attack: 'deleted-scheduled account logs in, uses key, resets password',
    expected: 'declared behaviour, no resurrection without it',
    decided: '403 `account_scheduled_for_deletion` at login, and `POST /v1/auth/restore` is the one way back.',
    suite: ['test/accounts/deletion.test.ts > '],
  },
  { id: 'A15', attack: 'DB dump: grep for any issued key/refresh/reset/verify token', expected: '0 plaintext hits' },
  { id: 'A17', attack: 'key_hint / list / error / log / webhook leak full key', expected: '≤ prefix+4 and last 4' },
  {
    id: 'A18',
    attack: 'scope matrix: every route × every single scope × no scope',
    expected: '403 unless declared; account/billing/api-keys/export never by API key unless scope exists',
    suite: ['test/contract/authorisation.test.ts > a key with'],
  },
  {
    id: 'A19',
    attack: 'key creates key with wider scopes; unknown scope; duplicate; empty',
    expected: '403 / 400 / deduped / 400',
    decided: 'A scope given twice is stored once.',
  },
  { id: 'A20', attack: 'revoke then use on other instance within 10 ms', expected: '401, 0 successes of 1,000' },
  { id: 'A21', attack: "delete B's key by id", expected: '404' },
  {
    id: 'A205',
    attack:
      'registrations with plus addresses and dots, at one domain and from one network, to flood one person with mails',
    expected: '429 before the password is hashed; other mailboxes, domains and networks are unaffected',
    suite: [
      'test/accounts/mail-limits.test.ts > registrations',
      'test/accounts/mail-limits.test.ts > mails to one mailbox',
    ],
  },
  {
    id: 'A206',
    attack:
      'usernames and display names of the service and its staff, names that look like them, ids, and names that others gave up',
    expected: '400 `reserved` or 409 `username_taken`; old names lead to their owner',
    suite: [
      'test/accounts/usernames.test.ts > a username',
      'test/accounts/usernames.test.ts > a former username',
      'test/accounts/usernames.test.ts > a display name',
    ],
  },
  {
    id: 'A207',
    attack:
      'names and titles with line breaks, right-to-left overrides and invisible characters in every field that holds one',
    expected: 'one visible line, or 400 `invalid_character`',
    suite: ['test/contract/names.test.ts > names and titles', 'test/contract/names.test.ts > messages'],
  },
];
