import { GraphQLJSONObject } from 'graphql-scalars';
import { Arg, Field, ID, ObjectType, Resolver, Root, Subscription } from 'type-graphql';
import type { WebhookEventType } from '../src/webhooks/event-catalog.ts';
import { type AccountEvent, followEvents } from '../src/webhooks/event-stream.ts';
import type { GraphqlContext } from './context.ts';
import { Access } from './decorators.ts';
import { WebhookEventTypeEnum } from './enums.ts';

@ObjectType('AccountEvent', { description: 'Something that happened in the caller’s account, as webhooks get it.' })
class AccountEventType {
  @Field(() => ID) id!: string;
  @Field(() => WebhookEventTypeEnum) type!: WebhookEventType;
  @Field(() => Date) createdAt!: Date;
  @Field(() => GraphQLJSONObject, { description: 'As in the body of a webhook: see the page of events.' })
  data!: Record<string, unknown>;
}

interface EventArgs {
  types?: WebhookEventType[] | null;
  after?: string | null;
}

@Resolver()
export class EventResolver {
  @Access('webhooks:read')
  @Subscription(() => AccountEventType, {
    description: 'The caller’s events as they happen.',
    subscribe: ({ args, context }) => {
      const { types, after } = args as EventArgs;
      const ctx = context as GraphqlContext;
      return followEvents(ctx, { types: types ?? null, after: after ?? null, left: ctx.leftSignal() });
    },
  })
  events(
    @Root() event: AccountEvent,
    @Arg('types', () => [WebhookEventTypeEnum], { nullable: true, description: 'All when omitted.' })
    _types?: WebhookEventType[] | null,
    @Arg('after', () => ID, { nullable: true, description: 'Begin after this event instead of now.' })
    _after?: string | null,
  ): AccountEventType {
    return event;
  }
}
