import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type * as app from '../../../src/app.ts';
import type * as config from '../../../src/core/config.ts';
import type * as log from '../../../src/core/log.ts';

// The service as it is built, without its rate limits.

const dist = resolve(import.meta.dirname, '../../../dist/src');
const { createApp } = (await import(`${dist}/app.js`)) as typeof app;
const { readConfig } = (await import(`${dist}/core/config.js`)) as typeof config;
const { createLogger } = (await import(`${dist}/core/log.js`)) as typeof log;

const service = await createApp(readConfig(process.env), createLogger('silent'), {
  rateLimits: {
    consume: async (_key, limit, windowSeconds) => ({
      limit,
      remaining: limit,
      resetAt: Math.ceil(Date.now() / 1000) + windowSeconds,
      retryAfterSeconds: null,
    }),
    forget: async () => undefined,
  },
});
await service.server.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ port: (service.server.server.address() as AddressInfo).port }));
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
