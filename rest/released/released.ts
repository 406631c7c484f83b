import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { buildSchema, type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildGraphqlSchema } from '../../schema/build.ts';
import { breakingChanges, type Interface } from './breaking-changes.ts';
import { project } from '../projection/projection.ts';
import { factsOf } from './facts.ts';
import { routes, shapes } from '../routes/routes.ts';

/**
 * Compares the interface of the code with that of the last release in `rest/released/`, and fails when a client of that
 * release would break. With `--write` (`npm run release`) the interface of the code becomes the released one.
 */
const folder = 'rest/released';

const graphql = buildGraphqlSchema();
const present: Interface = {
  graphql,
  rest: project(graphql, routes, shapes).schema,
  facts: factsOf(graphql, routes),
};

if (process.argv.includes('--write')) {
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/schema.graphql`, text(present.graphql));
  await writeFile(`${folder}/rest.graphql`, text(present.rest));
  await writeFile(`${folder}/facts.txt`, `${present.facts.join('\n')}\n`);
  console.log(`The current interface is now the released one (${folder}/).`);
} else {
  const found = await breakingChanges(await released(), present);
  if (found.length > 0) process.exitCode = 1;
  console.log(
    found.length === 0
      ? 'No breaking changes.'
      : `Breaking changes for clients of the last release; deprecate for one release before removing:\n- ${found.join('\n- ')}`,
  );
}

function text(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

async function released(): Promise<Interface> {
  const [schema, rest, lines] = await Promise.all(
    ['schema.graphql', 'rest.graphql', 'facts.txt'].map((name) => readFile(`${folder}/${name}`, 'utf8')),
  );
  return {
    graphql: buildSchema(schema ?? ''),
    rest: buildSchema(rest ?? ''),
    facts: (lines ?? '').split('\n').filter(Boolean),
  };
}
