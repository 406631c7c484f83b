import type { AttackRow } from './attack-row.ts';

/** Injection, the HTTP surface, billing, and leaked secrets. */
export const operations: readonly AttackRow[] = [
  {
    id: 'A68',
    attack: 'SQLi corpus (sqlmap + 500 payloads) in every string, sort, limit, offset, before, q',
    expected: '0 findings; sort whitelist; q through websearch_to_tsquery, never 500',
  },
  {
    id: 'A69',
    attack: "`q` tsquery syntax `a & | ! :* ( '`, 10 kB, only stopwords, NUL",
    expected: '200/400, ≤ 100 ms',
    suite: ['test/conversations/search-query.test.ts > hostile queries'],
  },
  {
    id: 'A70',
    attack: 'stored XSS in message → `highlight` (img/svg/entities/`<mark>` literal/split tags)',
    expected: 'only `<mark>` unescaped, well formed; user-typed `<mark>` escaped',
    suite: ['test/conversations/search-highlight.test.ts > highlights'],
  },
  {
    id: 'A71',
    attack: 'LIKE wildcards `%_\\` in explore q',
    expected: 'literal; ≤ 100 ms at 1M rows',
    suite: [
      'test/agents/explore.test.ts > finds words in name and description, treats % and _ literally, and filters by category',
    ],
  },
  {
    id: 'A72',
    attack: 'ReDoS corpus on every regex (recheck + 50 kB inputs on e-mail, username, URL, filename, Markdown)',
    expected: '0 vulnerable; ≤ 5 ms each',
  },
  {
    id: 'A73',
    attack: 'CRLF in names → e-mail headers, Content-Disposition, logs',
    expected: 'stripped; 1 mail recipient; 1 log line',
    suite: ['test/accounts/mail.test.ts > with user input escaped'],
  },
  {
    id: 'A74',
    attack: 'request smuggling CL.TE/TE.CL/obs-fold, duplicate CL, TRACE, 64 kB headers, HTTP/0.9',
    expected: '400 + close (node llhttp strict)',
  },
  {
    id: 'A75',
    attack: 'slowloris headers/body, 5k idle sockets',
    expected: 'closed ≤ 60 s; probes p99 ≤ 250 ms',
    decided:
      'A connection has 20 s for its headers and a request 120 s in all, because 25 MB of audio may be uploaded over a slow line.',
  },
  {
    id: 'A77',
    attack: 'X-Forwarded-For/Host/Proto spoofing for rate limits, links, audit',
    expected: 'ignored unless trusted proxy',
    decided: '`TRUST_PROXY` is off by default.',
  },
  {
    id: 'A78',
    attack: 'CORS: null origin, wildcard + credentials, reflected',
    expected: 'no ACAO unless configured',
    decided: 'Bearer credentials only, so any origin may call: `*`, never with credentials.',
  },
  {
    id: 'A79',
    attack: 'security headers: nosniff, no-store on authed replies, correct charset, no X-Powered-By/stack',
    expected: 'present on 100% of routes',
    suite: ['test/http/server.test.ts > every response'],
  },
  {
    id: 'A80',
    attack: 'rate-limit bypass: IPv6 /64 rotation, key rotation, two instances, path case/trailing slash/double slash',
    expected: 'shared counter; no bypass; headers on every response incl. 401/404/429',
    decided:
      'Limits are per credential, and per address without one; all credentials of an account together have twice the limit of one, and an account can have 100 keys. A path with another case or an extra slash is another route, 404.',
    suite: ['test/core/rate-limits.test.ts > ', 'test/http/account-limit.test.ts > '],
  },
  {
    id: 'A81',
    attack: "checkout success_url/cancel_url `javascript:`, other origin, CRLF; price/plan tampering; B's subscription",
    expected: '400 / server-side price / 404',
    suite: ['test/billing/checkout.test.ts > a checkout'],
  },
  {
    id: 'A82',
    attack: 'forged, replayed (> 300 s), tampered Stripe webhook; test-mode event in live',
    expected: '400, no state change',
    decided: 'A processor event is not trusted: it only names the customer to look up.',
    suite: ['test/billing/processor-events.test.ts > an event'],
  },
  {
    id: 'A83',
    attack: 'plan downgrade then keep > limit agents/docs; upgrade/cancel/refund race',
    expected: 'declared rule; never negative or unlimited by bug',
    decided: 'What exceeds the limit stays, and no more can be added.',
    suite: [
      'test/billing/subscription.test.ts > a change of plan',
      'test/billing/subscription.test.ts > a cancellation',
    ],
  },
  {
    id: 'A84',
    attack: 'LLM cost attack: max-length history, 1,000 parallel streams/user, abandoned streams',
    expected: '≤ N streams/user; token cap; billed ≤ quota',
    decided: '50 running replies of an account; the message quota of the plan.',
    suite: ['test/conversations/replies-under-way.test.ts > '],
  },
  {
    id: 'A85',
    attack: 'free-plan farming: 1,000 registrations/IP, plus-addressing',
    expected: 'throttled; documented',
    decided: '300 requests a minute and address without credential; plus-addresses are accounts of their own.',
  },
  {
    id: 'A86',
    attack:
      'log/trace/error/crash-dump scan after full suite for 40 canaries (passwords, tokens, keys, bot tokens, whsec, message text, e-mails, Stripe/OpenAI keys)',
    expected: '0 hits; redaction allow-list',
  },
  {
    id: 'A87',
    attack: 'bot_token/whsec at rest: DB dump, WAL, backup, job payloads (agenda `data`), outbox, export',
    expected: 'only AES-256-GCM ciphertext with key id',
  },
  {
    id: 'A89',
    attack: 'key rotation while serving: old+new readable, re-encrypt job killed midway',
    expected: '0 errors; old key removable afterwards',
    suite: ['test/accounts/key-rotation.test.ts > '],
  },
  {
    id: 'A90',
    attack: 'error paths fuzz (10k malformed requests)',
    expected: '0 × 500; envelope {error:{code,message}}; no stack/SQL/path',
    suite: ['test/rest/errors.test.ts > any request body'],
  },
  {
    id: 'A91',
    attack: 'account deletion: 30-day purge under faketime',
    expected:
      '0 rows/vectors/files/Stripe customer/Agenda jobs/outbox payloads/logs with user id; B untouched; backups documented',
    suite: ['test/accounts/purge.test.ts > '],
  },
  {
    id: 'A92',
    attack: 'export-data of A: contains all A, 0 of B, no secrets; link guess/reuse/expiry',
    expected: 'single-use, ≥ 128 bit, ≤ 24 h',
    decided: 'The link is signed (256 bits), lives 7 days and can be used until then.',
    suite: ['test/accounts/exports.test.ts > '],
  },
  {
    id: 'A94',
    attack: 'audit log: login ok/fail, key create/revoke, plan, delete, authz failure; tamper by app role',
    expected: 'present with who/what/when/ip; app role has INSERT only',
    decided:
      'Shown at GET /v1/auth/audit-log. Plan changes are in the invoices and events, refusals in the metrics. The serving role also deletes lines: those of purged accounts.',
    suite: [
      'test/accounts/sessions.test.ts > audit-log lists who did what',
      'test/accounts/sessions.test.ts > reuse of a refresh token revokes its session',
      'test/accounts/failed-logins.test.ts > failures are in the audit log',
    ],
  },
  {
    id: 'A95',
    attack: '`npm audit`, lockfile integrity/registry, install scripts, secret scan of git history, licences',
    expected: '0 high/critical; 0 secrets; scripts allow-listed',
  },
  {
    id: 'A96',
    attack: 'DB role: app user tries DDL, COPY PROGRAM, other schema, superuser',
    expected: 'denied',
    decided:
      'The embedded role owns its database and may change it. In production the serving role need not be the one that migrates; the lab creates it as docs/production.md says.',
    suite: ['test/core/serving-role.test.ts > '],
  },
  {
    id: 'A97',
    attack: '/metrics, /health, debug, source maps, .env, .git exposed',
    expected: '404/401; health has no versions',
    decided: '/healthz, /readyz and /metrics are open and reveal no versions of the service.',
  },
  {
    id: 'A195',
    attack: 'GraphQL over WebSocket: documents by the thousand, invalid ones among them, to occupy the event loop',
    expected: 'counted before they are read; one document in a turn; documents in use stay cached',
    suite: [
      'test/schema/documents.test.ts > validates a document once, whether it is valid or not',
      'test/schema/documents.test.ts > reads one document in a turn of the event loop',
      'test/schema/documents.test.ts > stops after 20 errors',
    ],
  },
  {
    id: 'A196',
    attack: 'open streams of every kind without end: messages, rooms, events, subscriptions, visitors',
    expected: 'one limit for all kinds, checked before any work',
    suite: ['test/conversations/open-streams.test.ts > the limit of open streams'],
  },
  {
    id: 'A197',
    attack: 'readers of sockets that stall, with large events',
    expected: 'memory is bounded in bytes per account and process, and no event is lost',
    suite: [
      'test/realtime/socket.test.ts > stalled readers of large events hold little memory',
      'test/realtime/wire.test.ts > connections share a budget of unsent data',
      'test/core/feed.test.ts > keep at most 64 MB for all feeds of a process',
    ],
  },
  {
    id: 'A198',
    attack: 'uploads that begin and send nothing more, to fill the temporary folder',
    expected: '429 by declared size; space is freed when the client leaves; nothing stays after a kill',
    suite: ['test/rest/half-open-uploads.test.ts > uploads that do not end'],
  },
];
