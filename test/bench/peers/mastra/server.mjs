import { serve } from '@hono/node-server';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { MastraServer } from '@mastra/hono';
import { Memory } from '@mastra/memory';
import { PostgresStore } from '@mastra/pg';
import { Hono } from 'hono';

// One agent that keeps its conversations in PostgreSQL, as Mastra's documentation for Hono describes it.

const storage = new PostgresStore({ id: 'store', connectionString: process.env.DATABASE_URL });
const agent = new Agent({
  id: 'tutor',
  name: 'Tutor',
  instructions: 'You are a patient tutor.',
  model: { id: 'openai/bench', url: process.env.OPENAI_BASE_URL, apiKey: 'bench' },
  memory: new Memory({ storage }),
});
const mastra = new Mastra({ agents: { tutor: agent }, storage, logger: false });
const app = new Hono();
await new MastraServer({ app, mastra }).init();
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(JSON.stringify({ port })));
