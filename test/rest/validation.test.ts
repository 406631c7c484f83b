import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.ts';
import { snakeCase } from '../../src/core/wire.ts';
import { project, type Operation } from '../../rest/projection/projection.ts';
import { requestParser, type RawRequest } from '../../rest/projection/validation.ts';
import { fixtureRoutes, fixtureShapes } from './fixture-routes.ts';
import { fixtureSchema } from './fixture-schema.ts';

let operations: readonly Operation[];

beforeAll(async () => {
  ({ operations } = project(await fixtureSchema(), fixtureRoutes, fixtureShapes));
});

const parserOf = (name: string) => {
  const operation = operations.find(({ route }) => route.operation.endsWith(`.${name}`));
  if (operation === undefined) throw new Error(name);
  const parse = requestParser(operation);
  return (request: Partial<RawRequest>) => parse({ params: {}, query: {}, body: undefined, ...request });
};

const faultsOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return error.details ?? [];
    throw error;
  }
  return [];
};

describe('the query string', () => {
  it.each([
    ['limit', 'abc', 'invalid_type', 'must be a whole number from 1 to 100'],
    ['limit', '1.5', 'invalid_type', 'must be a whole number from 1 to 100'],
    ['limit', '0', 'too_small', 'must be a whole number from 1 to 100'],
    ['limit', '101', 'too_big', 'must be a whole number from 1 to 100'],
    ['limit', '', 'invalid_type', 'must be a whole number from 1 to 100'],
    ['limit', ' 5', 'invalid_type', 'must be a whole number from 1 to 100'],
    ['limit', '0x5', 'invalid_type', 'must be a whole number from 1 to 100'],
    ['limit', '1e1', 'invalid_type', 'must be a whole number from 1 to 100'],
    ['limit', ['5', '6'], 'repeated', 'must not be repeated'],
    ['offset', '-1', 'too_small', 'must be a whole number from 0 to 2,147,483,647'],
    ['offset', '99999999999', 'too_big', 'must be a whole number from 0 to 2,147,483,647'],
    ['sort', 'size', 'invalid_value', 'must be one of created_at, name'],
    ['sort', 'CREATED_AT', 'invalid_value', 'must be one of created_at, name'],
    ['is_public', '1', 'invalid_type', 'must be true or false'],
    ['is_public', 'TRUE', 'invalid_type', 'must be true or false'],
    ['since', 'yesterday', 'invalid_value', 'must be an ISO 8601 time such as 2026-11-21T09:30:00.000Z'],
    ['since', '2026-02-30T09:30:00Z', 'invalid_value', 'must be an ISO 8601 time such as 2026-11-21T09:30:00.000Z'],
  ])('rejects %s=%s', (field, value, code, message) => {
    expect(faultsOf(() => parserOf('things')({ query: { [field]: value } }))).toEqual([{ field, code, message }]);
  });

  it('requires what is required, and text without NUL', () => {
    expect(faultsOf(() => parserOf('exploreThings')({}))).toEqual([
      { field: 'q', code: 'required', message: 'is required' },
    ]);
    expect(faultsOf(() => parserOf('exploreThings')({ query: { q: 'a\0' } }))).toMatchObject([
      { code: 'invalid_character' },
    ]);
  });

  it('accepts whole numbers in range and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer().map(String), fc.string(), fc.double().map(String)), (text) => {
        const faults = faultsOf(() => parserOf('things')({ query: { limit: text } }));
        const fits = /^\d+$/.test(text) && !text.startsWith('0') && Number(text) >= 1 && Number(text) <= 100;
        expect(faults.length).toBe(fits ? 0 : 1);
      }),
    );
  });
});

describe('a JSON body', () => {
  const create = (body: unknown) => parserOf('createThing')({ body });

  it('reports all faults together, each with its path', () => {
    const body = {
      body_text: 7,
      is_public: 'true',
      events: ['thing.created', 'x', null],
      spare_parts: [{ serial_number: null, unit_count: 1.5 }, 'x', {}],
    };
    expect(faultsOf(() => create(body)).map(({ field, code }) => `${field} ${code}`)).toEqual([
      'display_name required',
      'body_text invalid_type',
      'events[1] invalid_value',
      'events[2] not_nullable',
      'is_public invalid_type',
      'spare_parts[0].serial_number not_nullable',
      'spare_parts[0].unit_count invalid_type',
      'spare_parts[1] invalid_type',
      'spare_parts[2].serial_number required',
    ]);
  });

  it('reports broken rules together with wrong types, each field once', () => {
    const body = { display_name: 'much too long', body_text: 'too long', is_public: 'true' };
    const rules = ['display_name too_big', 'body_text too_big'];
    const named = (given: object) =>
      faultsOf(() => create(given)).map(({ field, code }) => `${snakeCase(field)} ${code}`);
    expect(named(body)).toEqual(['is_public invalid_type', ...rules]);
    expect(named({ ...body, display_name: 7 })).toEqual([
      'display_name invalid_type',
      'is_public invalid_type',
      'body_text too_big',
    ]);
    expect(named({ body_text: 'too long' })).toEqual(['display_name required', 'body_text too_big']);
    // Without other faults, the operation reports them.
    expect(named({ ...body, is_public: true })).toEqual([]);
  });

  it.each([3_000_000_000, 1e300])('reports the allowed range of a field for %d, which no Int holds', (unit_count) => {
    const spare_parts = [
      { serial_number: 'x', unit_count },
      { serial_number: 'x', unit_count: -unit_count },
    ];
    expect(faultsOf(() => create({ display_name: 'x', spare_parts }))).toEqual([
      { field: 'spare_parts[0].unit_count', code: 'too_big', message: 'must be at most 90' },
      {
        field: 'spare_parts[1].unit_count',
        code: 'too_small',
        message: expect.stringMatching(/^must be (at least|a whole number from) -[\d,]+/),
      },
    ]);
  });

  it('never coerces: a number, a boolean or a single item is not a string, a number or a list', () => {
    expect(faultsOf(() => create({ display_name: 7 }))).toMatchObject([{ message: 'must be a string' }]);
    expect(faultsOf(() => create({ display_name: true }))).toHaveLength(1);
    expect(faultsOf(() => create({ display_name: 'x', events: 'thing.created' }))).toMatchObject([
      { message: 'must be a list' },
    ]);
    expect(faultsOf(() => create({ display_name: 'x', is_public: 0 }))).toHaveLength(1);
  });

  it('distinguishes an explicit null from an absent member', () => {
    expect(create({ display_name: 'x', body_text: null })).toEqual({ input: { display_name: 'x', body_text: null } });
    expect(create({ display_name: 'x' })).toEqual({ input: { display_name: 'x' } });
  });

  it('limits the number of details', () => {
    expect(faultsOf(() => create({ display_name: 'x', events: Array(10_000).fill(1) }))).toHaveLength(100);
  });

  it('turns any input into a 400 or into declared arguments of their types', () => {
    const known = new Set(['display_name', 'body_text', 'events', 'is_public', 'spare_parts']);
    const member = fc.constantFrom(...known, '__proto__', 'constructor', 'id', 'displayName');
    const body = fc.dictionary(member, fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: false });
    fc.assert(
      fc.property(fc.oneof(body, fc.jsonValue()), (value) => {
        let parsed: { input: Record<string, unknown> };
        try {
          parsed = create(JSON.parse(JSON.stringify(value))) as typeof parsed;
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_request' });
          return;
        }
        expect(typeof parsed.input.display_name).toBe('string');
        for (const name of Object.keys(parsed.input)) expect(known).toContain(name);
        expect(Object.getPrototypeOf(parsed.input)).toBe(Object.prototype);
      }),
    );
  });
});
