import { printType, type GraphQLSchema } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { project, type Projection } from '../../rest/projection/projection.ts';
import { valuesOf } from '../../rest/projection/projected-scalars.ts';
import type { Route } from '../../rest/routes/route.ts';
import { sofaDocuments } from '../../rest/sofa.ts';
import { fixtureRoutes, fixtureShapes } from './fixture-routes.ts';
import { fixtureSchema } from './fixture-schema.ts';

let schema: GraphQLSchema;
let projection: Projection;

beforeAll(async () => {
  schema = await fixtureSchema();
  projection = project(schema, fixtureRoutes, fixtureShapes);
});

const printed = (name: string): string => {
  const type = projection.schema.getType(name);
  return type ? printType(type).replaceAll(/"""[^"]*"""\n/g, '') : '';
};

const rowWith = (change: Partial<Route>): Route => ({
  method: 'GET',
  path: '/things/:id',
  operation: 'Query.thing',
  status: 200,
  tag: 'Things',
  summary: '',
  ...change,
});

describe('the projection', () => {
  it('has fields in snake_case, without those for GraphQL only', () => {
    expect(printed('Thing')).toBe(
      [
        'type Thing {',
        '  id: ID!',
        '  display_name: String!',
        '  body_text: String',
        '  events: [ThingEvent!]!',
        '  message_count: Int!',
        '  created_at: DateTime!',
        '  instructions: String',
        '  parts: [Part!]!',
        '}',
      ].join('\n'),
    );
  });

  it('has arguments and inputs in snake_case', () => {
    expect(printed('CreateThingInput')).toContain('spare_parts: [PartInput!]');
    expect(printed('PartInput')).toContain('unit_count: Int');
    const list = projection.operations.find(({ route }) => route.path === '/things' && route.method === 'GET');
    expect(list?.query.map((arg) => arg.name).toSorted()).toEqual(['is_public', 'limit', 'offset', 'since', 'sort']);
  });

  it('names a shape and omits its fields', () => {
    expect(printed('ThingListItem')).not.toMatch(/body_text|parts|instructions/);
    expect(printed('ThingList')).toContain('data: [ThingListItem!]!');
    expect(printed('ExploredThingList')).toBe(
      'type ExploredThingList {\n  data: [ExploredThing!]!\n  total: Int!\n  has_more: Boolean!\n}',
    );
  });

  it('has the wire values of an enum', () => {
    const type = projection.schema.getType('ThingEvent');
    expect(type && valuesOf(type)).toEqual(['thing.created', 'things:read']);
  });

  it('has only the routed operations', () => {
    expect(Object.keys(projection.schema.getQueryType()?.getFields() ?? {})).not.toContain('hidden');
  });

  it.each([
    ['an unknown operation', rowWith({ operation: 'Query.nothing' }), 'there is no such operation'],
    ['an unknown argument in the path', rowWith({ path: '/things/:thing_id' }), 'no argument for :thing_id'],
    ['an unknown shape', rowWith({ shapes: { Thing: 'Nothing' } }), 'there is no shape Nothing of Thing'],
    ['a shape of another type', rowWith({ shapes: { Part: 'ThingListItem' } }), 'no shape ThingListItem of Part'],
    [
      'a body that is not said',
      rowWith({ method: 'POST', path: '/x', operation: 'Mutation.createThing' }),
      "say body: 'input'",
    ],
    ['a body that is not there', rowWith({ body: 'input' }), 'no argument `input`'],
  ])('throws for %s, naming the row', (_what, row, why) => {
    expect(() => project(schema, [row], fixtureShapes)).toThrow(`${row.method} ${row.path} (${row.operation})`);
    expect(() => project(schema, [row], fixtureShapes)).toThrow(why);
  });

  it('throws when one name would have two forms', () => {
    const rows = [
      rowWith({ path: '/a', operation: 'Query.things', shapes: { Thing: 'ThingListItem' } }),
      rowWith({ path: '/b', operation: 'Query.exploreThings', shapes: { Thing: 'ExploredThing' } }),
    ];
    expect(() => project(schema, rows, fixtureShapes)).toThrow('ThingList would stand for two different forms');
  });

  it('throws for a shape that omits an unknown field', () => {
    const shapes = { Odd: { of: 'Thing', omit: ['nothing'] } };
    expect(() => project(schema, [rowWith({ shapes: { Thing: 'Odd' } })], shapes)).toThrow('the shape Odd omits');
  });
});

describe('SOFA', () => {
  it('generates a document for each route', async () => {
    expect(Object.keys(await sofaDocuments(projection))).toEqual(fixtureRoutes.map(({ operation }) => operation));
  });
});
