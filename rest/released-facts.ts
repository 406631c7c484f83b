import { type GraphQLSchema, isEnumType } from 'graphql';
import { errorTable } from '../src/core/errors.ts';
import { webhookEventTypes } from '../src/webhooks/event-catalog.ts';
import { exampleEvent } from './events-page.ts';
import type { Route } from './routes.ts';

/**
 * What a client relies on and no schema shows, a line each: paths with the status of success, the values of enums on the
 * wire, the members of events, the codes of errors. A line that is gone breaks somebody; new ones break nobody. What is
 * deprecated has none, so the release after may drop it.
 */
export function factsOf(graphql: GraphQLSchema, routes: readonly Route[]): string[] {
  const isDeprecated = ({ operation }: Route): boolean => {
    const [root, field = ''] = operation.split('.');
    const roots = [graphql.getQueryType(), graphql.getMutationType(), graphql.getSubscriptionType()];
    return roots.some((type) => type?.name === root && Boolean(type?.getFields()[field]?.deprecationReason));
  };
  const enums = Object.values(graphql.getTypeMap()).filter((type) => isEnumType(type) && !type.name.startsWith('__'));
  return [
    ...routes
      .filter((route) => !isDeprecated(route))
      .map(
        ({ method, path, operation, status }) => `${method} /v1${path} ${operation.replace(/^\w+\./, '')} ${status}`,
      ),
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
