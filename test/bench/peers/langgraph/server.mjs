import { createServer } from 'node:net';
import { startServer } from '@langchain/langgraph-api/server';

// The development server of LangGraph's API. It keeps everything in memory and writes it to a file of its folder at
// intervals; the one with PostgreSQL is a container image that needs a licence.

const port = await freePort();
await startServer({
  port,
  host: '127.0.0.1',
  cwd: process.env.WORK_DIR,
  nWorkers: 16,
  graphs: { tutor: `${import.meta.dirname}/graph.mjs:graph` },
});
console.log(JSON.stringify({ port }));

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: found } = server.address();
      server.close(() => resolve(found));
    });
  });
}
