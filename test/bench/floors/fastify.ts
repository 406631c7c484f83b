import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

// Nothing but the framework: how soon anything that stands on it could listen, and in how much memory.

const app = Fastify();
app.get('/', async () => ({ status: 'ok' }));
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ port: (app.server.address() as AddressInfo).port }));
process.once('SIGTERM', () => process.exit(0));
