import { expect } from 'vitest';
import { routes } from '../../rest/routes/routes.ts';
import { attack } from './lab/attack.ts';
import { openLab, raw } from './lab/lab.ts';
import { talk } from './lab/socket.ts';

const lab = openLab();
const a = await lab.open.signUp();

attack('A40 A97', 'routes that libraries add, and files and pages that must not be served', async (score) => {
  const paths = [
    '/v1/webhook',
    '/v1/webhook/1',
    '/v1/docs',
    '/v1/swagger',
    '/.env',
    '/.git/config',
    '/.git/HEAD',
    '/package.json',
    '/dist/src/main.js',
    '/src/main.ts',
    '/main.js.map',
    '/debug',
    '/debug/pprof',
    '/admin',
    '/server-status',
    '/actuator',
    '/phpinfo.php',
    '/.well-known/../.env',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/docs/../.env',
    '/docs/%2e%2e/package.json',
    '/dev/mail',
    '/dev/processor/advance',
    '/dev/platforms/x/messages',
    '/exports/../x',
    '//evil.example',
    '/graphql/../dev/mail',
    '/metrics/../dev/mail',
  ];
  await score.each(
    paths.flatMap((path) => ['GET', 'POST', 'DELETE'].map((method) => [method, path] as const)),
    async ([method, path]) => {
      const { status, headers, body } = await raw(lab.shipped.baseUrl, { method, path });
      if (status === 429) return null;
      return [400, 401, 404, 405].includes(status) && !headers.get('location')
        ? null
        : `${status} ${JSON.stringify(body).slice(0, 80)}`;
    },
  );
  for (const path of ['/healthz', '/readyz']) {
    score.tried();
    expect(JSON.stringify((await lab.shipped.call('GET', path)).body)).not.toMatch(
      /\d+\.\d+\.\d+|version|node|fastify/i,
    );
  }
});

attack('A74', 'requests that two servers would parse differently', async (score) => {
  const post = 'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const hidden = 'GET /v1/agents/explore HTTP/1.1\r\nHost: x\r\n\r\n';
  const requests = [
    `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${hidden}`,
    `${post}Content-Length: 0\r\nContent-Length: 44\r\n\r\n${hidden}`,
    `${post}Content-Length: 5, 5\r\n\r\nhello`,
    `${post}Content-Length: +5\r\n\r\nhello`,
    `${post}Content-Length: 0x5\r\n\r\nhello`,
    `${post}Content-Length: -1\r\n\r\n`,
    `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: identity, chunked, identity\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n`,
    `${post}X: a\r\n Transfer-Encoding: chunked\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n`,
    'GET / HTTP/1.1\r\n\r\n',
    'GET /v1/models\r\n',
    'GET /v1/models HTTP/9.9\r\nHost: x\r\n\r\n',
    'GET /v1/mo\0dels HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /v1/models HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n',
    'GET /v1/models HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n',
    `GET /v1/models HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(65_536)}\r\n\r\n`,
    'TRACE /v1/models HTTP/1.1\r\nHost: x\r\n\r\n',
    'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    '{"json":"instead"}\r\n\r\n',
  ];
  await score.each(requests, async (request) => {
    const { statuses, text } = await talk(lab.open.baseUrl, { parts: [request], timeoutMs: 1_500 });
    if (/"data":\[/.test(text)) return 'the smuggled request was served';
    return statuses.length <= 1 && statuses.every((status) => status >= 400)
      ? null
      : `${statuses.join(' ')} ${text.slice(0, 100)}`;
  });
});

attack(
  'A77 A80',
  'forged addresses, other spellings of a path and two instances against the limit of an address',
  async (score) => {
    const from = '127.0.80.1';
    let admitted = 0;
    const spellings = ['/v1/models', '/v1/models?x=1', '/v1/models#x', '/v1/%6dodels'];
    await score.each(
      Array.from({ length: 700 }, (_, i) => i),
      async (i) => {
        const headers = {
          'x-forwarded-for': `10.0.${i % 250}.1`,
          'x-real-ip': `10.1.${i % 250}.1`,
          forwarded: `for=10.2.0.${i % 250}`,
          'cf-connecting-ip': `10.3.0.${i % 250}`,
          'true-client-ip': `10.4.0.${i % 250}`,
        };
        const { status, headers: answered } = await raw(lab.shipped.urls[i % 2] ?? '', {
          path: spellings[i % 4] ?? '',
          headers,
          from,
        });
        if (status === 200) admitted++;
        if (!answered.get('x-ratelimit-remaining')) return 'no rate limit headers';
        return [200, 429].includes(status) ? null : `${status}`;
      },
    );
    score.note(`${admitted} of 700 admitted`);
    // The rate limit's window of a minute may end once during the run.
    expect(admitted).toBeLessThanOrEqual(600);
    await score.each(
      ['/V1/models', '/v1//models', '/v1/models/', '//v1/models', '/v1/./models', '/v1/x/../models'],
      async (path) => {
        const { status } = await raw(lab.shipped.baseUrl, { path, from: '127.0.80.2' });
        return status === 404 ? null : `${status}`;
      },
    );
  },
);

attack(
  'A78 A79',
  'every route of /v1 and the others: headers, origin, charset',
  async (score) => {
    const others = [
      '/healthz',
      '/readyz',
      '/metrics',
      '/docs',
      '/docs/events',
      '/v1/openapi.json',
      '/graphql',
      '/nothing',
      '/exports/x?token=x',
    ].map((path) => ['GET', path] as const);
    const all = [
      ...routes.map(({ method, path }) => [method, `/v1${path.replaceAll(/:[a-z_]+/g, 'x')}`] as const),
      ...others,
      ['POST', '/graphql'] as const,
      ['POST', '/graphql/stream'] as const,
    ];
    await score.each(
      all.flatMap(([method, path]) =>
        ['null', 'https://evil.example'].flatMap((origin) =>
          [undefined, a.token].map((token) => ({ method, path, origin, token })),
        ),
      ),
      async ({ method, path, origin, token }) => {
        const { headers, body, status } = await raw(lab.open.baseUrl, {
          method,
          path,
          headers: { origin, ...(token ? { authorization: `Bearer ${token}` } : {}) },
        });
        if (path.endsWith('/auth/logout') || (path.endsWith('/auth/me') && method === 'DELETE')) return null;
        const faults = [
          headers.get('x-content-type-options') !== 'nosniff' && 'no nosniff',
          headers.get('x-powered-by') && 'x-powered-by',
          headers.get('server') && 'server',
          headers.get('access-control-allow-credentials') && 'credentials for other origins',
          (headers.get('access-control-allow-origin') ?? '*') !== '*' && 'a reflected origin',
          /^\/(v1|graphql|exports)\b/.test(path) &&
            path !== '/v1/openapi.json' &&
            !(headers.get('cache-control') ?? '').includes('no-store') &&
            // Public responses may be cached for half a minute.
            !(token === undefined && path.startsWith('/v1/marketplace')) &&
            'may be cached',
          headers.get('content-type')?.includes('json') &&
            !headers.get('content-type')?.includes('utf-8') &&
            'no charset',
          status >= 500 && `${status}`,
          /node_modules|\n\s+at /.test(JSON.stringify(body)) && path.startsWith('/v1/auth') && 'a stack',
        ].filter(Boolean);
        return faults.length > 0 ? faults.join(', ') : null;
      },
      1,
    );
  },
  90_000,
);
