import type { AttackRow } from './attack-row.ts';

/** Other users' objects, and attacks through GraphQL, SOFA and media types. */
export const boundaries: readonly AttackRow[] = [
  {
    id: 'A22',
    attack: "generated matrix: all ~50 routes × A's ids as B × {GET,PUT,DELETE,POST}",
    expected: '404 with the same body/timing as a random id',
    decided: 'Responses are compared byte for byte with those for an unknown id.',
    suite: ['test/contract/authorisation.test.ts > a stranger'],
  },
  {
    id: 'A24',
    attack: 'private agent of B: read, chat, query knowledge; B flips public→private mid-conversation',
    expected: '404; declared rule',
    decided:
      'A non-owner reads a public agent in the explore form. Once it is private it is 404; the conversations that they had with it stay readable for them.',
    suite: ['test/agents/agents.test.ts > does not exist for others while it is private'],
  },
  {
    id: 'A25',
    attack: 'public agent: instructions, knowledge chunks, creator e-mail visible?',
    expected: 'never (explore list has no instructions)',
    suite: ['test/agents/agents.test.ts > never its instructions'],
  },
  {
    id: 'A26',
    attack: "list/search/explore/total/has_more counts include B's rows",
    expected: '0',
    suite: ['test/conversations/search.test.ts > access to messages'],
  },
  {
    id: 'A27',
    attack:
      'mass assignment: id, creator_id, plan, email_verified, message_count, created_at, user_id, status, chunk_count, secret, key',
    expected: 'ignored or 400; DB unchanged',
    decided: 'Read-only and unknown fields are ignored.',
    suite: ['test/agents/agents.test.ts > ignores fields that only the service sets'],
  },
  {
    id: 'A28',
    attack: '`__proto__`, `constructor.prototype` in JSON at every body',
    expected: '400; `({}).polluted` undefined after',
    decided: 'Unknown members such as `__proto__` are ignored without effect.',
    suite: ['test/rest/routes.test.ts > has no effect through `__proto__`'],
  },
  { id: 'A30', attack: 'sequential ids / UUIDv7 guessing', expected: 'no authorisation by obscurity; 404' },
  {
    id: 'A31',
    attack: '`/graphql` reachable from outside in production',
    expected: '404 (in-process only); if enabled: A32–A39',
    decided: 'GraphQL is public to credentials, so A32 to A39 apply.',
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
    suite: ['test/schema/graphql.test.ts > rejects batches'],
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
    suite: ['test/rest/routes.test.ts > reads the input from the body alone'],
  },
  {
    id: 'A42',
    attack: 'POST with text/plain / no content-type JSON',
    expected: '415',
    suite: ['test/rest/routes.test.ts > (A42)'],
  },
  {
    id: 'A98',
    attack: 'versions of other agents in a variant, a pin or a publication; figures of a public agent of another user',
    expected: '404',
    suite: [
      'test/studio/experiments.test.ts > keys out of order and foreign versions',
      'test/studio/versions.test.ts > cannot be pinned to a version of another agent',
      'test/studio/versions.test.ts > of another agent’s version is 404',
      'test/studio/analytics.test.ts > of another user is 404',
    ],
  },
  {
    id: 'A99',
    attack: 'unmask one person in figures: throw-away accounts, differences of periods, breakdowns',
    expected: 'withheld',
    suite: [
      'test/studio/analytics.test.ts > ignore the owner and throw-away accounts',
      'test/studio/analytics.test.ts > does not follow from the difference of two periods',
      'test/studio/analytics.test.ts > is merged with the smallest shown group in a breakdown',
    ],
  },
  {
    id: 'A100',
    attack: 'sockets without a connect frame, 10,000 subscriptions, floods, frames of megabytes, many connections',
    expected: '4408, 4400, 1009, 4429; the rest of the service is unaffected',
    suite: [
      'test/realtime/socket.test.ts > without a connect frame',
      'test/realtime/socket.test.ts > refuses the 51st subscription',
      'test/realtime/socket.test.ts > too large',
      'test/realtime/socket.test.ts > a flood is closed',
      'test/realtime/socket.test.ts > beyond the limit of the plan',
      'test/realtime/socket.test.ts > beyond 20 of an address',
      'test/realtime/wire.test.ts > stalls for 30 seconds',
    ],
  },
  {
    id: 'A101',
    attack:
      'channels of others, a scope that the key lacks, a credential that ended on an open socket, another account at refresh',
    expected: '`not_found`, `insufficient_scope`, 4401 within 3 s, `unauthenticated`',
    suite: [
      'test/realtime/channels.test.ts > unknown channels and those of others',
      'test/realtime/socket.test.ts > within three seconds of a logout',
      'test/realtime/socket.test.ts > accepts another credential of the account without a gap, and keeps the old one when it is refused',
      'test/realtime/socket.test.ts > ends subscriptions whose scope',
    ],
  },
  {
    id: 'A102',
    attack: 'deep, wide and long GraphQL over a socket; queries and mutations over it',
    expected: 'refused like /graphql/stream',
    suite: ['test/realtime/graphql-socket.test.ts > errors have the shapes'],
  },
  {
    id: 'A103',
    attack: 'sockets whose clients read nothing',
    expected: '4408 after 30 s, at most 1 MB unsent each, others unaffected',
    suite: [
      'test/realtime/wire.test.ts > stalls for 30 seconds',
      'test/realtime/socket.test.ts > a stalled reader gets every event in order once it reads again, and delays no other',
    ],
  },
  {
    id: 'A104',
    attack: 'voice: sound in excess, in a wrong order, in a wrong format, without a scope, beyond the limits',
    expected:
      '`payload_too_large`, `invalid_request`, `unsupported_media_type`, `insufficient_scope`, `rate_limited`; bounded memory',
    suite: [
      'test/realtime/voice.test.ts > speech that is refused',
      'test/realtime/voice.test.ts > an utterance counts like its requests',
      'test/realtime/recording.test.ts > all recordings of a process',
    ],
  },
];
