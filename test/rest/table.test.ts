import { isRequiredArgument } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import documents from '../../rest/documents.json' with { type: 'json' };
import { compiledAtFirstUse } from '../../rest/execution.ts';
import { project, type Projection } from '../../rest/projection.ts';
import { adapterMedia, type Route, routes, shapes, tagDescriptions } from '../../rest/routes.ts';
import { sofaDocuments } from '../../rest/sofa.ts';
import { rulesOf } from '../../rest/validation.ts';
import { buildGraphqlSchema } from '../../schema/build.ts';

let projection: Projection;

beforeAll(() => {
  projection = project(buildGraphqlSchema(), routes, shapes);
});

describe('the table of /v1', () => {
  it('has no two rows for one method and path', () => {
    const keys = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:[a-z_]+/g, ':')}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('shows each shape in a row, and says what each tag is about', () => {
    const shown = new Set(routes.flatMap((route) => Object.values(route.shapes ?? {})));
    expect(Object.keys(shapes).filter((name) => !shown.has(name))).toEqual([]);
    expect(routes.filter(({ tag }) => tagDescriptions[tag] === undefined)).toEqual([]);
  });

  it('has the rules of the operation beside each body, so that one answer names every fault', () => {
    const isJson = ({ adapter }: Route) => adapter === undefined || !('consumes' in adapterMedia[adapter]);
    const bodies = projection.operations.flatMap(({ route, body }) => (body && isJson(route) ? [{ route, body }] : []));
    const without = bodies.filter(({ body }) => rulesOf(body) === null).map(({ route }) => route.operation);
    expect(bodies.length).toBeGreaterThan(25);
    expect(without).toEqual([]);
  });

  it('is answered by the documents that SOFA makes of it', async () => {
    expect(await sofaDocuments(projection)).toEqual(documents);
  });

  it('answers 201 only for a POST', () => {
    expect(routes.filter(({ method, status }) => status === 201 && method !== 'POST')).toEqual([]);
  });

  it.each(
    routes.filter(({ adapter }) => adapter === undefined).map((route) => [route.method, route.path, route] as const),
  )(
    '%s %s compiles and asks an anonymous caller for a credential unless it is public',
    async (_method, _path, route) => {
      const operation = projection.operations.find((candidate) => candidate.route === route);
      const document = documents[route.operation as keyof typeof documents];
      const run = compiledAtFirstUse(projection.schema, document);
      const needed = [...(operation?.path ?? []), ...(operation?.query ?? []).filter(isRequiredArgument)];
      const args = Object.fromEntries(needed.map((arg) => [arg.name, 'x']));
      const attempt = run(args, { actor: { kind: 'anonymous', ip: null }, config: { models: {} } });
      if (operation?.access !== 'public' && operation?.body === null) {
        await expect(attempt).rejects.toMatchObject({ originalError: { code: 'unauthenticated' } });
      } else {
        await Promise.allSettled([attempt]).then(([result]) =>
          expect(String(result?.status === 'rejected' ? result.reason : '')).not.toContain('compiled'),
        );
      }
    },
  );
});
