import { type GraphQLSchema, isEnumType } from 'graphql';
import { accessOf } from '../schema/access.ts';
import type { Access } from '../schema/decorators.ts';
import { errorTable } from '../src/core/errors.ts';
import { webhookEventTypes } from '../src/webhooks/event-catalog.ts';
import { exampleEvent } from './events-page.ts';
import type { Route } from './routes.ts';

/**
 * What a client relies on and no schema shows, a line each: paths with the status of success and what the credential
 * needs, the values of enums on the wire, the members of events, the codes of errors. A line that is gone breaks somebody;
 * new ones break nobody. What is deprecated has none, so the release after may drop it.
 */
export function factsOf(graphql: GraphQLSchema, routes: readonly Route[]): string[] {
  const roots = [graphql.getQueryType(), graphql.getMutationType(), graphql.getSubscriptionType()];
  const fieldOf = ({ operation }: Route) => {
    const [root, field = ''] = operation.split('.');
    return roots.find((type) => type?.name === root)?.getFields()[field];
  };
  /** Null for a schema that was only read. */
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
    ...webhookEventTypes.flatMap((type) => membersOf(exampleEvent(type)).map((member) => `event ${type} ${member}`)),
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
