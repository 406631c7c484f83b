import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Prints as JSON every SQL statement that a module of the source tree defines at its top level. Statements are rarely
 * exported, so a loader hook appends a line to each module that reports its constants. Nothing connects to a database.
 */
export interface Collected {
  /** Empty for a statement that is not prepared under a name. */
  name: string;
  text: string;
  /** Module that builds the statement. */
  file: string;
}

const collected: Collected[] = [];
const seen = new Set<unknown>();

function collect(value: unknown, file = '', depth = 0): void {
  if (typeof value !== 'object' || value === null || seen.has(value) || depth > maxDepth) return;
  seen.add(value);
  const { name, text } = value as Partial<Collected>;
  if (typeof name === 'string' && typeof text === 'string') collected.push({ name, text, file });
  for (const inner of Object.values(value)) collect(inner, file, depth + 1);
}

const maxDepth = 4;
const topLevelConstant = /^(?:export )?const (\w+)\b/gm;

Object.assign(globalThis, { collectStatements: collect });
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('.ts') || url.includes('node_modules') || !loaded.source) return loaded;
    const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
    const names = [...source.matchAll(topLevelConstant)].map(([, name]) => name);
    const file = JSON.stringify(relative('.', fileURLToPath(url)));
    return {
      ...loaded,
      source: `${source}\n;[${names.join(', ')}].forEach((value) => globalThis.collectStatements(value, ${file}));`,
    };
  },
});

const holdsStatements = /\bname: ['`][\w$]|orderedList\(/;
for (const file of globSync(['src/**/*.ts', 'jobs/**/*.ts'], { exclude: ['**/*.worker.ts', 'src/main.ts'] }))
  if (holdsStatements.test(readFileSync(file, 'utf8'))) await import(pathToFileURL(resolve(file)).href);
// Statements that are generated from the declarations of several features.
const { evaluationOf } = await import('../../jobs/conditional-jobs.ts');
const { features } = await import('../../src/app/features.ts');
collect(evaluationOf(features.flatMap(({ jobs = [] }) => jobs)), 'jobs/conditional-jobs.ts');
const { heartbeatStatement } = await import('../../src/conversations/instances/instances.ts');
const { generationStatements } = await import('../../src/conversations/generations/generation-statements.ts');
const { turnStatements } = await import('../../src/rooms/turns/turn-statements.ts');
collect(heartbeatStatement([generationStatements, turnStatements]), 'src/conversations/instances/instances.ts');
process.stdout.write(JSON.stringify(collected));
