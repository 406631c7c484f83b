import { createServer } from 'node:net';
import { createOpenAI } from '@ai-sdk/openai';
import { Agent, Memory, VoltAgent } from '@voltagent/core';
import { createPinoLogger } from '@voltagent/logger';
import { PostgreSQLMemoryAdapter } from '@voltagent/postgres';
import { honoServer } from '@voltagent/server-hono';

// One agent that keeps its conversations in PostgreSQL, as VoltAgent's documentation describes it.

const openai = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL, apiKey: 'bench' });
const agent = new Agent({
  id: 'tutor',
  name: 'tutor',
  instructions: 'You are a patient tutor.',
  model: openai.chat('bench'),
  memory: new Memory({
    // With its default of 10, 16 new conversations at once wait for each other's connections without end.
    storage: new PostgreSQLMemoryAdapter({ connection: process.env.DATABASE_URL, maxConnections: 40 }),
  }),
});
const port = await freePort();
const app = new VoltAgent({
  agents: { tutor: agent },
  server: honoServer({ port, hostname: '127.0.0.1' }),
  logger: createPinoLogger({ level: 'error' }),
});
await app.ready;
console.log(JSON.stringify({ port }));

/** VoltAgent does not accept port 0. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
