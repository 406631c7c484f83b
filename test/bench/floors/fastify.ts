import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

// Only the framework: the minimum of startup time and memory.

const app = Fastify();
app.get('/', async () => ({ status: 'ok' }));
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ port: (app.server.address() as AddressInfo).port }));
process.once('SIGTERM', () => process.exit(0));
