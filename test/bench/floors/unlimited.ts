import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type * as app from '../../../src/app/app.ts';
import type * as config from '../../../src/app/config.ts';
import type * as log from '../../../src/core/process/log.ts';

// The built service without its rate limits.

const dist = resolve(import.meta.dirname, '../../../dist/src');
const { createApp } = (await import(`${dist}/app/app.js`)) as typeof app;
const { readConfig } = (await import(`${dist}/app/config.js`)) as typeof config;
const { createLogger } = (await import(`${dist}/core/process/log.js`)) as typeof log;

const admitAlways = async (_key: string, limit: number, windowSeconds: number) => ({
  limit,
  remaining: limit,
  resetAt: Math.ceil(Date.now() / 1000) + windowSeconds,
  retryAfterSeconds: null,
});

const service = await createApp(readConfig(process.env), createLogger('silent'), {
  rateLimits: { consume: admitAlways, tally: admitAlways, forget: async () => undefined },
});
await service.server.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ port: (service.server.server.address() as AddressInfo).port }));
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
