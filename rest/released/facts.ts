import { type GraphQLSchema, isEnumType } from 'graphql';
import { accessOf } from '../../schema/access.ts';
import type { Access } from '../../schema/decorators.ts';
import { errorTable } from '../../src/core/errors.ts';
import { catalog } from '../../src/app/features.ts';
import { exampleEvent } from '../openapi/events-page.ts';
import type { Route } from '../routes/route.ts';

/**
 * Lists what clients rely on and no schema contains, one fact a line: paths with their success status and required scope,
 * wire values of enums, members of events, error codes. Removing a line breaks clients, adding one does not. Deprecated
 * routes and values have no line, so the next release may drop them.
 */
export function factsOf(graphql: GraphQLSchema, routes: readonly Route[]): string[] {
  const roots = [graphql.getQueryType(), graphql.getMutationType(), graphql.getSubscriptionType()];
  const fieldOf = ({ operation }: Route) => {
    const [root, field = ''] = operation.split('.');
    return roots.find((type) => type?.name === root)?.getFields()[field];
  };
  /** Null for a schema parsed from text, which has no access declarations. */
  const needOf = (route: Route): Access | null => {
    const field = fieldOf(route);
    return field ? accessOf(field) : null;
  };
  const enums = Object.values(graphql.getTypeMap()).filter((type) => isEnumType(type) && !type.name.startsWith('__'));
  const lasting = routes.filter((route) => !fieldOf(route)?.deprecationReason);
  return [
    ...lasting.map(
      ({ method, path, operation, status }) => `${method} /v1${path} ${operation.replace(/^\w+\./, '')} ${status}`,
    ),
    ...lasting.flatMap((route) => {
      const need = needOf(route);
      return need === null ? [] : [`${route.method} /v1${route.path} needs ${need}`];
    }),
    ...enums
      .filter(isEnumType)
      .flatMap((type) =>
        type
          .getValues()
          .filter(({ deprecationReason }) => !deprecationReason)
          .map(({ value }) => `value ${type.name} ${String(value)}`),
      )
      .toSorted(),
    ...catalog.eventTypes.flatMap((type) => membersOf(exampleEvent(type)).map((member) => `event ${type} ${member}`)),
    ...Object.entries(errorTable).map(([code, { status }]) => `error ${code} ${status}`),
  ];
}

/** `data`, `data.name`, `data.channel_ids`. */
const membersOf = (value: object, prefix = ''): string[] =>
  Object.entries(value).flatMap(([name, member]: [string, unknown]) => [
    prefix + name,
    ...(typeof member === 'object' && member !== null && !Array.isArray(member)
      ? membersOf(member, `${prefix}${name}.`)
      : []),
  ]);
