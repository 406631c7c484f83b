import { GraphQLJSONObject } from 'graphql-scalars';
import { Arg, Field, ID, ObjectType, Resolver, Root, Subscription } from 'type-graphql';
import type { ChannelEvent, ChannelKind } from '../src/realtime/channel.ts';
import { conversationChannel } from '../src/realtime/channels/conversation-channel.ts';
import { roomChannel } from '../src/realtime/channels/room-channel.ts';
import type { GraphqlContext } from './context.ts';
import { Access } from './decorators.ts';

@ObjectType('ChannelEvent', { description: 'An event of a channel, as sent over the socket at /v1/socket.' })
class ChannelEventType {
  @Field(() => String, {
    description:
      'First `subscribed`, with `resumed` and `offset` in `data`; then the events documented for the channel, such as `message.created`, `reply.delta` or `turn.delta`.',
  })
  type!: string;
  @Field(() => String, {
    nullable: true,
    description: 'Offset to pass as `after` when resuming; null if the event is not part of the order.',
  })
  offset!: string | null;
  @Field(() => GraphQLJSONObject, { description: 'Payload with REST field names.' }) data!: object;
}

@Resolver()
export class ChannelResolver {
  @Access('conversations:read')
  @Subscription(() => ChannelEventType, {
    description: 'Streams the messages of a conversation and its replies while they are written.',
    subscribe: ({ args, context }) => {
      const ctx = context as GraphqlContext;
      const { id, after } = args as { id: string; after?: string | null };
      return channelEvents(conversationChannel, ctx, id, after ?? null);
    },
  })
  conversationEvents(
    @Root() event: ChannelEvent,
    @Arg('id', () => ID, { description: 'Conversation ID.' }) _id: string,
    @Arg('after', () => String, {
      nullable: true,
      description: 'The last offset received; the stream continues after it. If omitted, the stream starts now.',
    })
    _after?: string | null,
  ): ChannelEventType {
    return event;
  }

  @Access('rooms:read')
  @Subscription(() => ChannelEventType, {
    description: 'Streams the messages of a room, its replies while they are written, and presence.',
    subscribe: ({ args, context }) => {
      const ctx = context as GraphqlContext;
      const { id, after } = args as { id: string; after?: string | null };
      return channelEvents(roomChannel, ctx, id, after ?? null);
    },
  })
  roomEvents(
    @Root() event: ChannelEvent,
    @Arg('id', () => ID, { description: 'Room ID.' }) _id: string,
    @Arg('after', () => String, {
      nullable: true,
      description: 'The last offset received; the stream continues after it. If omitted, the stream starts now.',
    })
    _after?: string | null,
  ): ChannelEventType {
    return event;
  }
}

async function channelEvents(
  channel: ChannelKind,
  ctx: GraphqlContext,
  id: string,
  after: string | null,
): Promise<AsyncGenerator<ChannelEvent, void, void>> {
  // A client that reconnects repeats its arguments, so the last event that it received takes precedence.
  const { resumed, offset, events } = await channel.open(ctx, id, {
    after: ctx.lastEventId || after,
    left: ctx.leftSignal(),
  });
  const first: ChannelEvent = { type: 'subscribed', offset, data: { resumed, offset } };
  return (async function* () {
    yield first;
    yield* events;
  })();
}
