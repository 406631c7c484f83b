import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../rest/openapi/openapi.ts';
import { project } from '../../rest/projection/projection.ts';
import { fixtureApp } from './fixture-app.ts';
import { fixtureRoutes, fixtureShapes } from './fixture-routes.ts';
import { fixtureSchema } from './fixture-schema.ts';

interface Json {
  [key: string]: Json | undefined;
}

let document: Json;

beforeAll(async () => {
  const { operations } = project(await fixtureSchema(), fixtureRoutes, fixtureShapes);
  document = openApiDocument(operations) as Json;
});

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    const path = join(folder, 'openapi.json');
    await writeFile(path, JSON.stringify(document));
    const lint = promisify(execFile)('node_modules/.bin/redocly', ['lint', path, '--format=json'], {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    await expect(lint).resolves.toBeDefined();
    await rm(folder, { recursive: true });
  });

  it('has each route under its method, with a unique operationId', () => {
    const ids = Object.values(document.paths ?? {}).flatMap((path) =>
      Object.values(path ?? {}).map((operation) => operation?.operationId),
    );
    expect(ids).toHaveLength(fixtureRoutes.length);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(document.paths ?? {})).toContain('/v1/things/{id}');
  });

  it('states which fields are required, nullable and optional', () => {
    const { Thing, Part, CreateThingInput } = document.components?.schemas ?? {};
    expect(Thing?.required).toContain('body_text');
    expect(Thing?.required).not.toContain('instructions');
    expect(Thing?.properties?.body_text).toEqual({ type: ['string', 'null'] });
    expect(Thing?.properties?.instructions).toMatchObject({ type: 'string' });
    expect(Part?.required).toEqual(['serial_number']);
    expect(CreateThingInput?.required).toEqual(['display_name']);
    expect(CreateThingInput?.properties?.is_public).toEqual({ type: ['boolean', 'null'] });
  });

  it('contains the wire values of enums and the bounds of paging', () => {
    const list = document.paths?.['/v1/things']?.get?.parameters as unknown as Json[];
    const parameter = (name: string) => list.find((item) => (item.name as unknown) === name);
    expect(parameter('sort')).toMatchObject({ in: 'query', required: false, schema: { enum: ['created_at', 'name'] } });
    expect(parameter('limit')?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
  });

  it('lists the errors of each operation by status, and the required scope', () => {
    const create = document.paths?.['/v1/things']?.post;
    expect(Object.keys(create?.responses ?? {})).toEqual([
      '201',
      '400',
      '401',
      '403',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(create?.description).toContain('the scope `agents:write`');
    expect(document.paths?.['/v1/about']?.get?.security).toEqual([]);
    expect(document.paths?.['/v1/about']?.get?.responses).not.toHaveProperty('401');
  });
});

describe('/docs', () => {
  it('serves the document and a page that requests no other host', async () => {
    const { app } = await fixtureApp({}, undefined, true);
    const served = await app.inject('/v1/openapi.json');
    expect(served.json()).toEqual(document);
    const page = await app.inject('/docs/');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.body).toContain('/v1/openapi.json');
    expect(page.body).not.toMatch(/https?:\/\//);
    const script = await app.inject('/docs/js/scalar.js');
    expect([script.statusCode, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(
      (await app.inject({ url: '/v1/things/1', headers: { authorization: 'Bearer token' } })).headers,
    ).not.toHaveProperty('content-security-policy');
    await app.close();
  });
});
