import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { buildSchema, type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildGraphqlSchema } from '../schema/build.ts';
import { breakingChanges, type Interface } from './breaking-changes.ts';
import { project } from './projection.ts';
import { factsOf } from './released-facts.ts';
import { routes, shapes } from './routes.ts';

/**
 * The interface of the last release, in `rest/released/`. Compares what the code says with it and fails when a client of that
 * release would break; with `--write` (`npm run release`) what the code says becomes the release.
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
  console.log(`The interface as it is now is the released one (${folder}/).`);
} else {
  const found = await breakingChanges(await released(), present);
  if (found.length > 0) process.exitCode = 1;
  console.log(
    found.length === 0
      ? 'Nothing that was released breaks.'
      : `This breaks clients of the last release; deprecate it for a release before it goes:\n- ${found.join('\n- ')}`,
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
