import type { AttackRow } from './attack-row.ts';

/** What is another’s, and what comes in by GraphQL, SOFA and media types. */
export const boundaries: readonly AttackRow[] = [
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
];
