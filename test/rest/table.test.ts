import { getNamedType, type GraphQLArgument, type GraphQLScalarType, isRequiredArgument } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import documents from '../../rest/documents.json' with { type: 'json' };
import { compileLazily } from '../../rest/projection/execution.ts';
import { project, type Projection } from '../../rest/projection/projection.ts';
import type { Route } from '../../rest/routes/route.ts';
import { routes, shapes, tagDescriptions } from '../../rest/routes/routes.ts';
import { sofaDocuments } from '../../rest/sofa.ts';
import { valuesOf } from '../../rest/projection/projected-scalars.ts';
import { rulesOf } from '../../rest/projection/validation.ts';
import { buildGraphqlSchema } from '../../schema/build.ts';

let projection: Projection;

beforeAll(() => {
  projection = project(buildGraphqlSchema(), routes, shapes);
});

describe('the routes of /v1', () => {
  it('have unique methods and paths', () => {
    const keys = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:[a-z_]+/g, ':')}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('use every shape and describe every tag', () => {
    const shown = new Set(routes.flatMap((route) => Object.values(route.shapes ?? {})));
    expect(Object.keys(shapes).filter((name) => !shown.has(name))).toEqual([]);
    expect(routes.filter(({ tag }) => tagDescriptions[tag] === undefined)).toEqual([]);
  });

  it('have the rules of the operation for each body, so that one response lists every fault', () => {
    const isJson = ({ adapter }: Route) => adapter?.upload === undefined;
    const bodies = projection.operations.flatMap(({ route, body }) => (body && isJson(route) ? [{ route, body }] : []));
    const without = bodies.filter(({ body }) => rulesOf(body) === null).map(({ route }) => route.operation);
    expect(bodies.length).toBeGreaterThan(25);
    expect(without).toEqual([]);
  });

  it('run the documents that SOFA generates', async () => {
    expect(await sofaDocuments(projection)).toEqual(documents);
  });

  it('return 201 only for a POST', () => {
    expect(routes.filter(({ method, status }) => status === 201 && method !== 'POST')).toEqual([]);
  });

  it.each(
    routes
      .filter(({ adapter }) => adapter?.produces === undefined)
      .map((route) => [route.method, route.path, route] as const),
  )('%s %s compiles and requires a credential unless it is public', async (_method, _path, route) => {
    const operation = projection.operations.find((candidate) => candidate.route === route);
    const document = documents[route.operation as keyof typeof documents];
    const run = compileLazily(projection.schema, document);
    const needed = [...(operation?.path ?? []), ...(operation?.query ?? []).filter(isRequiredArgument)];
    const args = Object.fromEntries(needed.map((arg) => [arg.name, valueFor(arg)]));
    const attempt = run(args, { actor: { kind: 'anonymous', ip: null }, config: { models: {} } });
    if (operation?.access !== 'public' && operation?.body === null) {
      await expect(attempt).rejects.toMatchObject({ originalError: { code: 'unauthenticated' } });
    } else {
      await Promise.allSettled([attempt]).then(([result]) =>
        expect(String(result?.status === 'rejected' ? result.reason : '')).not.toContain('compiled'),
      );
    }
  });
});

/** An allowed value of an argument. */
const valueFor = ({ type }: GraphQLArgument): unknown => valuesOf(getNamedType(type) as GraphQLScalarType)?.[0] ?? 'x';
