import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { routes } from '../../rest/routes/routes.ts';
import { visitorPaths } from '../../src/embeds/visitors/visitor-paths.ts';

const root = resolve(import.meta.dirname, '../..');
const source = globSync('test/soak/**/*.ts', { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

/** Patterns of the routes that the tours name, such as `POST /agents/:id`. An interpolated part matches anything. */
const named = [...source.matchAll(/['`]((?:GET|POST|PUT|PATCH|DELETE) \/[^'`\n]+)['`]/g)].map(
  ([, name = '']) => new RegExp(`^${name.replaceAll('/', '\\/').replaceAll(/\$\{[^}]+\}/g, '[^/]+')}$`),
);

test('the tours of the soak call every route of the table', () => {
  const left = routes
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name) => !named.some((one) => one.test(name)));
  expect(left).toEqual([]);
});

test('the tour of embeds calls the routes of visitors, streams excepted', () => {
  const paths = Object.values(visitorPaths).map((path) => path.replace('/v1/embed/', '').replaceAll(/:\w+/g, '[^/]+'));
  const tour = readFileSync(join(root, 'test/soak/tours/embeds.ts'), 'utf8');
  const left = paths.filter((path) => !new RegExp(path).test(tour));
  expect(left).toEqual(['messages/stream']);
});
