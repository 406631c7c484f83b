import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../src/core/embedded-postgres/embedded-postgres.ts';

// A service process reduced to its database: prints the URL when it is up, stops on SIGTERM. Its argument: DATA_DIR.
const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log: pino({ level: 'silent' }) });
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
setInterval(() => undefined, 60_000);
process.stdout.write(`${server.url}\n`);
