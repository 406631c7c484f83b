import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { passagesPerMessage } from '../src/knowledge/retrieval/retrieve.ts';
import { postRoomMessage } from '../src/rooms/messages/post-message.ts';
import type { RoomAuthorKind } from '../src/rooms/messages/room-message.entity.ts';
import type { RoomMessageView } from '../src/rooms/messages/room-message.ts';
import { deleteRoomMessage, listRoomMessages, markRoomRead } from '../src/rooms/messages/room-messages.ts';
import { requestTurn } from '../src/rooms/turns/request-turn.ts';
import { stopTurns } from '../src/rooms/turns/stop-turns.ts';
import type { TurnState } from '../src/rooms/turns/turn-states.ts';
import { listTurns, type TurnView } from '../src/rooms/turns/turn-view.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, Access, ListSize, RateLimit } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { enumType } from './enum-type.ts';
import { CitationType } from './messages.ts';
import { LimitArg } from './page-info.ts';
import { RoomMessageInput, RoomReadInput, TurnInput } from './room-inputs.ts';
import { RoomType, toRoom } from './rooms.ts';

const RoomAuthorKindEnum = enumType<RoomAuthorKind>('RoomAuthorKind', 'Kind of author.', {
  user: 'A person.',
  agent: 'An agent.',
  system: 'The service.',
});
const RoomMentionKindEnum = enumType<'user' | 'agent'>('RoomMentionKind', 'Kind of addressee of a message.', {
  user: 'A person.',
  agent: 'An agent.',
});
const RoomTurnStateEnum = enumType<TurnState>('RoomTurnState', 'State of a turn.', {
  queued: 'Waiting for earlier turns.',
  running: 'The reply is being written.',
  complete: 'The reply is stored.',
  stopped: 'Stopped; the text written so far is stored.',
  failed: 'Failed because of the model or the service.',
  refused:
    'The payer’s daily messages are used up, or the agent was deleted. Visible only to the person who caused it.',
  dropped: 'Exceeded the limits of its message or of the queue.',
});

@ObjectType('RoomAuthor', { description: 'Author of a message.' })
export class RoomAuthorType {
  @Field(() => RoomAuthorKindEnum, { description: 'Person, agent or service.' }) kind!: RoomAuthorKind;
  @Field(() => ID, { nullable: true, description: 'ID of the person or agent; null when it was deleted.' })
  id!: string | null;
  @Field(() => String, { description: 'Display name.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'URL of the picture.' }) avatarUrl!: string | null;
}

@ObjectType('RoomMention', { description: 'A person or agent that a message addresses.' })
class RoomMentionType {
  @Field(() => RoomMentionKindEnum, { description: 'Person or agent.' }) kind!: 'user' | 'agent';
  @Field(() => ID, { description: 'ID of the person or agent.' }) id!: string;
}

const maxMentions = 6;

@ObjectType('RoomMessage', { description: 'A message in a room.' })
class RoomMessageType {
  @Field(() => ID, { description: 'Message ID (`rms_…`).' }) id!: string;
  @Field(() => ID, { description: 'ID of the room.' }) roomId!: string;
  @Field(() => Int, { description: 'Position in the room: 1, 2, 3 …, without gaps.' }) position!: number;
  @Field(() => RoomAuthorType, { description: 'Who wrote it.' }) author!: RoomAuthorType;
  @Field(() => String, { description: 'Text; empty if the message was deleted.' }) content!: string;
  @ListSize(maxMentions)
  @Field(() => [RoomMentionType], { description: 'People and agents that it addresses.' })
  mentions!: RoomMentionType[];
  @Field(() => ID, {
    nullable: true,
    description: 'ID of the message that it refers to; null if there is none that you may read.',
  })
  replyTo!: string | null;
  @Field(() => ID, { nullable: true, description: 'ID of the turn that wrote it; null for people.' })
  turnId!: string | null;
  @ListSize(passagesPerMessage)
  @Field(() => [CitationType], {
    nullable: true,
    description: 'Passages of documents that a reply used; null if it used none.',
  })
  citations!: CitationType[] | null;
  @Field(() => Boolean, { description: 'Whether a reply reached a length limit.' }) truncated!: boolean;
  @Field(() => Boolean, { description: 'Whether it is what was shown of a reply that failed.' }) broken!: boolean;
  @Field(() => Boolean, { description: 'Whether it was deleted. Its position is kept.' }) deleted!: boolean;
  @Field(() => Boolean, { description: 'Whether the caller blocks its author, so that clients collapse it.' })
  blocked!: boolean;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
}

@ObjectType('RoomTurnError', { description: 'Reason why a turn has no reply.' })
class RoomTurnErrorType {
  @Field(() => String, { description: 'Error code in lower case.' }) code!: string;
  @Field(() => String, { description: 'Explanation for the user.' }) message!: string;
}

@ObjectType('RoomTurn', { description: 'One reply of an agent in a room.' })
class RoomTurnType {
  @Field(() => ID, { description: 'Turn ID (`trn_…`).' }) id!: string;
  @Field(() => ID, { description: 'ID of the room.' }) roomId!: string;
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @Field(() => ID, {
    nullable: true,
    description:
      'ID of the person’s message that led to it; null for a requested turn, or if you may not read the message.',
  })
  rootMessageId!: string | null;
  @Field(() => Int, { description: 'Number of agent replies between that message and this one.' }) hop!: number;
  @Field(() => RoomTurnStateEnum, { description: 'State.' }) state!: TurnState;
  @Field(() => ID, { nullable: true, description: 'ID of the stored reply.' }) messageId!: string | null;
  @AbsentWhenNull()
  @Field(() => RoomTurnErrorType, { nullable: true, description: 'Reason why there is no reply.' })
  error!: RoomTurnErrorType | null;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'End time.' }) finishedAt!: Date | null;
}

@ObjectType({ description: 'A page of messages, newest first.' })
class RoomMessagePage {
  @Field(() => [RoomMessageType], { description: 'Messages on this page.' }) data!: RoomMessageType[];
  @Field(() => Boolean, { description: 'Whether more items follow this page.' }) hasMore!: boolean;
}

@ObjectType({ description: 'A page of turns, newest first.' })
class RoomTurnPage {
  @Field(() => [RoomTurnType], { description: 'Turns on this page.' }) data!: RoomTurnType[];
  @Field(() => Boolean, { description: 'Whether more items follow this page.' }) hasMore!: boolean;
}

const maxStopped = 21;

@ObjectType({ description: 'Turns that were stopped.' })
class StoppedTurns {
  @ListSize(maxStopped)
  @Field(() => [RoomTurnType], { description: 'The stopped turns.' })
  data!: RoomTurnType[];
}

const maxTurns = 10;

@ObjectType({ description: 'A message and the replies that it causes.' })
class PostedRoomMessage {
  @Field(() => RoomMessageType, { description: 'The message as stored.' }) message!: RoomMessageType;
  @ListSize(maxTurns)
  @Field(() => [RoomTurnType], {
    description: 'The replies that it causes, in order. They arrive as events and in the list of messages.',
  })
  turns!: RoomTurnType[];
}

const toMessage = (message: RoomMessageView): RoomMessageType => ({ ...message, citations: message.citations ?? null });
const toTurn = (turn: TurnView): RoomTurnType => ({ ...turn, finishedAt: turn.finishedAt ?? null });

@Resolver()
export class RoomMessageResolver {
  @Access('rooms:read')
  @Query(() => RoomMessagePage, { description: 'Lists the messages of a room that the caller may read, newest first.' })
  async roomMessages(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @LimitArg() limit?: number,
    @Arg('before', () => ID, { nullable: true, description: 'Only messages before the one with this ID.' })
    before?: string,
  ): Promise<RoomMessagePage> {
    const page = await listRoomMessages(ctx, roomId, { limit, before });
    ctx.budget.spend(...page.data.map(({ content }) => content));
    return { ...page, data: page.data.map(toMessage) };
  }

  @RateLimit('roomMessages')
  @Access('rooms:write')
  @Mutation(() => PostedRoomMessage, { description: 'Posts a message. Agents reply later.' })
  async postRoomMessage(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('input', () => RoomMessageInput) input: RoomMessageInput,
  ): Promise<PostedRoomMessage> {
    const { message, turns } = await postRoomMessage(ctx, roomId, input);
    return { message: toMessage(message), turns: turns.map(toTurn) };
  }

  @Access('rooms:write')
  @Mutation(() => Deletion, {
    description:
      'Erases the content of a message; its position is kept. For its author and for moderators of the room, if the author is a member.',
  })
  deleteRoomMessage(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('messageId', () => ID, { description: 'Message ID.' }) messageId: string,
  ): Promise<Deletion> {
    return deleteRoomMessage(ctx, roomId, messageId);
  }

  @Access('rooms:read')
  @Query(() => RoomTurnPage, {
    description: 'Lists the turns of a room, newest first. A refused turn is visible only to the person who caused it.',
  })
  async roomTurns(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @LimitArg() limit?: number,
    @Arg('before', () => ID, { nullable: true, description: 'Only turns before the one with this ID.' })
    before?: string,
  ): Promise<RoomTurnPage> {
    const page = await listTurns(ctx, roomId, { limit, before });
    return { ...page, data: page.data.map(toTurn) };
  }

  @RateLimit('roomMessages')
  @Access('rooms:write')
  @Mutation(() => RoomTurnType, {
    description: 'Makes an agent speak now, even a muted one. Counts against the caller’s messages.',
  })
  async requestTurn(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('input', () => TurnInput) input: TurnInput,
  ): Promise<RoomTurnType> {
    return toTurn(await requestTurn(ctx, roomId, input));
  }

  @Access('rooms:write')
  @Mutation(() => StoppedTurns, {
    description: 'Stops a turn. For the person who caused it and for moderators of the room.',
  })
  async stopTurn(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('turnId', () => ID, { description: 'Turn ID.' }) turnId: string,
  ): Promise<StoppedTurns> {
    return { data: (await stopTurns(ctx, roomId, turnId)).map(toTurn) };
  }

  @Access('rooms:write')
  @Mutation(() => StoppedTurns, {
    description:
      'Stops the running turn and clears the queue. A caller who does not moderate the room only stops their own turns.',
  })
  async stopTurns(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
  ): Promise<StoppedTurns> {
    return { data: (await stopTurns(ctx, roomId, null)).map(toTurn) };
  }

  @Access('rooms:write')
  @Mutation(() => RoomType, { description: 'Moves the caller’s read position forward. It never moves back.' })
  async markRoomRead(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('input', () => RoomReadInput) input: RoomReadInput,
  ): Promise<RoomType> {
    return toRoom(await markRoomRead(ctx, roomId, input));
  }
}
