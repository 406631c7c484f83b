import type { Route, Shapes } from '../../rest/routes/route.ts';

/** Routes of `fixture-schema.ts` and their shapes. */
export const fixtureShapes: Shapes = {
  ThingListItem: { of: 'Thing', omit: ['bodyText', 'parts', 'instructions'] },
  ExploredThing: { of: 'Thing', omit: ['instructions'] },
  ExploredThingList: { of: 'ThingList', omit: ['limit', 'offset'] },
};

export const fixtureRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/things',
    operation: 'Mutation.createThing',
    status: 201,
    tag: 'Things',
    summary: 'Create',
    body: 'input',
  },
  {
    method: 'GET',
    path: '/things',
    operation: 'Query.things',
    status: 200,
    tag: 'Things',
    summary: 'List',
    shapes: { Thing: 'ThingListItem' },
  },
  {
    method: 'GET',
    path: '/things/explore',
    operation: 'Query.exploreThings',
    status: 200,
    tag: 'Things',
    summary: 'Explore',
    shapes: { Thing: 'ExploredThing', ThingList: 'ExploredThingList' },
  },
  { method: 'GET', path: '/things/:id', operation: 'Query.thing', status: 200, tag: 'Things', summary: 'Get' },
  {
    method: 'PUT',
    path: '/things/:id',
    operation: 'Mutation.updateThing',
    status: 200,
    tag: 'Things',
    summary: 'Update',
    body: 'input',
  },
  { method: 'POST', path: '/leave', operation: 'Mutation.leave', status: 200, tag: 'Doors', summary: 'Leave' },
  {
    method: 'POST',
    path: '/enter',
    operation: 'Mutation.enter',
    status: 200,
    tag: 'Doors',
    summary: 'Enter',
    body: 'input',
  },
  { method: 'GET', path: '/about', operation: 'Query.about', status: 200, tag: 'Doors', summary: 'About' },
];
