import { readFile, writeFile } from 'node:fs/promises';
import { assertValidSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildGraphqlSchema } from '../schema/build.ts';
import { eventsPage } from './openapi/events-page.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { withEvents } from './openapi/openapi-events.ts';
import { withVisitors } from './openapi/openapi-visitors.ts';
import { project } from './projection/projection.ts';
import { routes, shapes } from './routes/routes.ts';
import { sofaDocuments } from './sofa.ts';

const schema = buildGraphqlSchema();
assertValidSchema(schema);
const projection = project(schema, routes, shapes);

/**
 * The documents that are generated from the code and committed. `npm run emit` writes them; with `--check` it only
 * compares them and fails when one is stale.
 */
const documents: Record<string, () => string | Promise<string>> = {
  'schema/schema.graphql': () => `${printSchema(lexicographicSortSchema(schema))}\n`,
  'rest/openapi/events.md': eventsPage,
  'rest/documents.json': async () => json(await sofaDocuments(projection)),
  'rest/openapi.json': () => json(withEvents(withVisitors(openApiDocument(projection.operations)))),
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const stale: string[] = [];
for (const [path, make] of Object.entries(documents)) {
  const text = await make();
  if ((await readFile(path, 'utf8').catch(() => null)) === text) continue;
  stale.push(path);
  if (!process.argv.includes('--check')) await writeFile(path, text);
}

if (process.argv.includes('--check')) {
  console.log(stale.length === 0 ? 'Emitted documents are current.' : `Run "npm run emit": ${stale.join(', ')}`);
  if (stale.length > 0) process.exitCode = 1;
} else {
  console.log(stale.length === 0 ? 'Nothing changed.' : `Wrote ${stale.join(', ')}`);
}
