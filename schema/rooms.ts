import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { addRoomAgent, removeRoomAgent, updateRoomAgent } from '../src/rooms/agents/room-agents.ts';
import { deleteRoom } from '../src/rooms/remove-room.ts';
import type { MemberState, RoomHistory, RoomPayer, RoomReplyMode, RoomRole } from '../src/rooms/room.input.ts';
import type { RoomView } from '../src/rooms/room-view.ts';
import { getRoom } from '../src/rooms/room-view.ts';
import { createRoom, listRooms, updateRoom } from '../src/rooms/rooms.ts';
import type { GraphqlContext } from './context.ts';
import { Access, ListSize } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';
import {
  RoomAgentInput,
  RoomAgentPatch,
  RoomHistoryEnum,
  RoomInput,
  RoomMemberStateEnum,
  RoomPatch,
  RoomPayerEnum,
  RoomReplyModeEnum,
  RoomRoleEnum,
} from './room-inputs.ts';

const maxAgents = 10;

@ObjectType('RoomAgent', { description: 'An agent in a room.' })
export class RoomAgentType {
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @Field(() => String, { description: 'Name of the agent.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'URL of its picture.' }) avatarUrl!: string | null;
  @Field(() => Boolean, { description: 'Whether the agent is silent unless a turn is requested.' }) muted!: boolean;
  @Field(() => Int, { description: 'Position in the order of the room: 1, 2, 3 …, without gaps.' }) position!: number;
  @Field(() => Boolean, {
    description:
      'false if the agent no longer replies to you: it was deleted, removed by moderators or made private, or its owner blocks you.',
  })
  available!: boolean;
}

@ObjectType('Room', { description: 'A group chat of people and agents.' })
export class RoomType {
  @Field(() => ID, { description: 'Room ID (`room_…`).' }) id!: string;
  @Field(() => String, { description: 'Name.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'Kind of the activity.' }) description!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Scenario that every agent gets; null while you are only invited.',
  })
  scene!: string | null;
  @Field(() => RoomReplyModeEnum, { description: 'Which agents answer a person’s message.' })
  replyMode!: RoomReplyMode;
  @Field(() => Int, { description: 'Maximum length of a chain of replies between agents.' })
  agentHops!: number;
  @Field(() => Int, { description: 'Maximum number of replies to one message.' }) repliesPerMessage!: number;
  @Field(() => RoomPayerEnum, { description: 'Whose messages the replies count against.' }) payer!: RoomPayer;
  @Field(() => RoomHistoryEnum, { description: 'Messages that new members can read.' }) history!: RoomHistory;
  @Field(() => ID, { description: 'User ID of the owner.' }) ownerId!: string;
  @Field(() => ID, {
    nullable: true,
    description: 'User ID of the person to whom the owner offers the room; null without an open offer.',
  })
  offeredTo!: string | null;
  @Field(() => Date, { nullable: true, description: 'Time when the offer expires.' }) offerExpiresAt!: Date | null;
  @Field(() => Int, { description: 'Number of people who joined.' }) people!: number;
  @ListSize(maxAgents)
  @Field(() => [RoomAgentType], { description: 'Agents of the room, in order.' })
  agents!: RoomAgentType[];
  @Field(() => RoomRoleEnum, { description: 'Your role; in an invitation, the offered role.' })
  myRole!: RoomRole;
  @Field(() => RoomMemberStateEnum, { description: 'Whether you have joined or are invited.' }) myState!: MemberState;
  @Field(() => Int, { description: 'Number of messages after your read position, including deleted ones.' })
  unreadCount!: number;
  @Field(() => Int, { description: 'Position of the newest message; 0 if there is none.' }) lastPosition!: number;
  @Field(() => Date, { nullable: true, description: 'Time of the newest message.' }) lastMessageAt!: Date | null;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => Date, { description: 'Time of the last change of the settings.' }) updatedAt!: Date;
}

@ObjectType({ description: 'A page of rooms, the last message first.' })
class RoomList extends pageOf('rooms', RoomType) {}

export const toRoom = (room: RoomView): RoomType => ({
  ...room,
  description: room.description ?? null,
  scene: room.scene ?? null,
  offeredTo: room.offeredTo ?? null,
  offerExpiresAt: room.offerExpiresAt ?? null,
  lastMessageAt: room.lastMessageAt ?? null,
});

@Resolver()
export class RoomResolver {
  @Access('rooms:write')
  @Mutation(() => RoomType, { description: 'Creates a room.' })
  async createRoom(@Ctx() ctx: GraphqlContext, @Arg('input', () => RoomInput) input: RoomInput): Promise<RoomType> {
    return toRoom(await createRoom(ctx, input));
  }

  @Access('rooms:read')
  @Query(() => RoomList, {
    description: 'Lists the rooms that the caller has joined or is invited to, by latest message.',
  })
  async rooms(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<RoomList> {
    const page = await listRooms(ctx, { ...paging, counted });
    return { ...page, data: page.data.map(toRoom) };
  }

  @Access('rooms:read')
  @Query(() => RoomType, { description: 'Returns a room that the caller has joined or is invited to.' })
  async room(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Room ID.' }) id: string,
  ): Promise<RoomType> {
    return toRoom(await getRoom(ctx, id));
  }

  @Access('rooms:write')
  @Mutation(() => RoomType, {
    description: 'Updates a room. Moderators can change name and description, the owner everything.',
  })
  async updateRoom(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Room ID.' }) id: string,
    @Arg('input', () => RoomPatch) input: RoomPatch,
  ): Promise<RoomType> {
    return toRoom(await updateRoom(ctx, id, input));
  }

  @Access('rooms:write')
  @Mutation(() => Deletion, { description: 'Deletes a room and its content. For the owner.' })
  deleteRoom(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Room ID.' }) id: string,
  ): Promise<Deletion> {
    return deleteRoom(ctx, id);
  }

  @Access('rooms:write')
  @Mutation(() => RoomType, { description: 'Adds an agent to a room: a public one, or one of the caller’s own.' })
  async addRoomAgent(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('input', () => RoomAgentInput) input: RoomAgentInput,
  ): Promise<RoomType> {
    return toRoom(await addRoomAgent(ctx, roomId, input));
  }

  @Access('rooms:write')
  @Mutation(() => RoomType, { description: 'Mutes an agent, or changes its position in the room.' })
  async updateRoomAgent(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('agentId', () => ID, { description: 'Agent ID.' }) agentId: string,
    @Arg('input', () => RoomAgentPatch) input: RoomAgentPatch,
  ): Promise<RoomType> {
    return toRoom(await updateRoomAgent(ctx, roomId, agentId, input));
  }

  @Access('rooms:write')
  @Mutation(() => RoomType, { description: 'Removes an agent from a room. Its messages are kept.' })
  async removeRoomAgent(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('agentId', () => ID, { description: 'Agent ID.' }) agentId: string,
  ): Promise<RoomType> {
    return toRoom(await removeRoomAgent(ctx, roomId, agentId));
  }
}
