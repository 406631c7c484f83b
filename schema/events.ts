import { GraphQLJSONObject } from 'graphql-scalars';
import { Arg, Ctx, Field, ID, Int, ObjectType, Query, Resolver, Root, Subscription } from 'type-graphql';
import { catalog } from '../src/app/features.ts';
import { isId } from '../src/core/ids.ts';
import type { EventType } from '../src/core/outbox.ts';
import type { AccountEvent } from '../src/webhooks/events/event-position.ts';
import { followEvents } from '../src/webhooks/events/event-stream.ts';
import { listRecentEvents } from '../src/webhooks/events/recent-events.ts';
import type { GraphqlContext } from './context.ts';
import { Access } from './decorators.ts';
import { enumType } from './enum-type.ts';
import { PageInfo } from './page-info.ts';

export const WebhookEventTypeEnum = enumType<EventType>(
  'WebhookEventType',
  'Type of an event.',
  Object.fromEntries(
    catalog.eventTypes.map((type) => [type, catalog.events[type].description.replaceAll('`', '')]),
  ) as Record<EventType, string>,
);

@ObjectType('AccountEvent', { description: 'An event of the caller’s account, as webhooks receive it.' })
export class AccountEventType {
  @Field(() => ID, { description: 'Event ID (`evt_…`); pass it as `after` to resume.' }) id!: string;
  @Field(() => WebhookEventTypeEnum, { description: 'Event type.' }) type!: EventType;
  @Field(() => Date, { description: 'Time of the event.' }) createdAt!: Date;
  @Field(() => GraphQLJSONObject, {
    description: 'Payload, the same as in the body of a webhook. The event reference lists it for each type.',
  })
  data!: Record<string, unknown>;
}

@ObjectType({ description: 'Some of the caller’s events, newest first.' })
class AccountEventList {
  @Field(() => [AccountEventType], { description: 'Events on this page.' }) data!: AccountEventType[];
  @Field(() => PageInfo, {
    description:
      'Pass `endCursor` as `before` for older events. A page of rare types can be short and have a next one.',
  })
  pageInfo!: PageInfo;
}

interface EventArgs {
  types?: EventType[] | null;
  after?: string | null;
}

@Resolver()
export class EventResolver {
  @Access('webhooks:read')
  @Query(() => AccountEventList, {
    description: 'Lists the caller’s events, newest first. Events are kept as long as deliveries.',
  })
  recentEvents(
    @Ctx() ctx: GraphqlContext,
    @Arg('types', () => [WebhookEventTypeEnum], {
      nullable: true,
      description: 'Only events of these types. Defaults to all.',
    })
    types?: EventType[] | null,
    @Arg('subject', () => ID, {
      nullable: true,
      description: 'Only events with this `id` in their data, such as those of one integration.',
    })
    subject?: string | null,
    @Arg('limit', () => Int, { nullable: true, description: 'Maximum number of events, 1 to 100. Defaults to 20.' })
    limit?: number | null,
    @Arg('before', () => ID, { nullable: true, description: 'Only events before the one with this ID.' })
    before?: string | null,
  ): Promise<AccountEventList> {
    return listRecentEvents(ctx, { types, subject, limit, before });
  }

  @Access('webhooks:read')
  @Subscription(() => AccountEventType, {
    description:
      'Streams the caller’s events as they happen. A client that reads nothing for a minute is disconnected.',
    subscribe: ({ args, context }) => {
      const { types, after } = args as EventArgs;
      const ctx = context as GraphqlContext;
      // A client that reconnects repeats its arguments, so the last event that it received takes precedence.
      const last = ctx.lastEventId && isId('evt_', ctx.lastEventId) ? ctx.lastEventId : null;
      return followEvents(ctx, { types: types ?? null, after: last ?? after ?? null, left: ctx.leftSignal() });
    },
  })
  events(
    @Root() event: AccountEvent,
    @Arg('types', () => [WebhookEventTypeEnum], {
      nullable: true,
      description: 'Only events of these types. Defaults to all.',
    })
    _types?: EventType[] | null,
    @Arg('after', () => ID, {
      nullable: true,
      description:
        'Resumes after the event with this ID instead of starting now. No event is missed; some around it may be repeated with the same ID.',
    })
    _after?: string | null,
  ): AccountEventType {
    return event;
  }
}
