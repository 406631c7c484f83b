import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import {
  createRoomInvitation,
  type InvitationView,
  listRoomInvitations,
  revokeRoomInvitation,
} from '../src/rooms/invitations/invitations.ts';
import { joinRoomByLink } from '../src/rooms/invitations/join-by-link.ts';
import { removeRoomMember, transferRoom, updateRoomMember } from '../src/rooms/members/change-member.ts';
import { inviteToRoom } from '../src/rooms/members/invite.ts';
import { declineRoom, joinRoom } from '../src/rooms/members/join.ts';
import { leaveRoom } from '../src/rooms/members/leave.ts';
import { listMembers, type MemberView } from '../src/rooms/members/member-view.ts';
import type { MemberState, RoomRole } from '../src/rooms/room.input.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, Access, ListSize } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';
import {
  InvitationInput,
  InviteInput,
  RoomLinkInput,
  RoomMemberPatch,
  RoomMemberStateEnum,
  RoomRoleEnum,
  TransferInput,
} from './room-inputs.ts';
import { RoomType, toRoom } from './rooms.ts';

@ObjectType('RoomMember', { description: 'A person in a room.' })
class RoomMemberType {
  @Field(() => ID, { description: 'ID of the person.' }) userId!: string;
  @Field(() => String, { nullable: true, description: 'Username; null while the account is being deleted.' })
  username!: string | null;
  @Field(() => String, { nullable: true, description: 'Name to show.' }) displayName!: string | null;
  @Field(() => String, { nullable: true, description: 'URL of the picture.' }) avatarUrl!: string | null;
  @Field(() => RoomRoleEnum, { description: 'Role.' }) role!: RoomRole;
  @Field(() => RoomMemberStateEnum, { description: 'State of the membership.' }) state!: MemberState;
  @Field(() => Date, { nullable: true, description: 'Until when they cannot write.' }) mutedUntil!: Date | null;
  @Field(() => Date, { nullable: true, description: 'When they joined.' }) joinedAt!: Date | null;
  @Field(() => Int, { description: 'Position of the newest message that they have read.' }) lastReadPosition!: number;
  @Field(() => Boolean, { description: 'Whether they let others see that they are there.' }) showsPresence!: boolean;
}

@ObjectType({ description: 'A page of members, the longest known first.' })
class RoomMemberList extends pageOf('members', RoomMemberType) {}

@ObjectType('RoomInvitation', { description: 'A link by which people join a room.' })
class RoomInvitationType {
  @Field(() => ID, { description: 'Invitation ID (`rin_…`).' }) id!: string;
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'The link. It is returned only at creation.' })
  url!: string | null;
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'The token in the link. It is returned only at creation.' })
  token!: string | null;
  @Field(() => RoomRoleEnum, { description: 'Role of those who join by it.' }) role!: RoomRole;
  @Field(() => Int, { description: 'How many people can use it.' }) maxUses!: number;
  @Field(() => Int, { description: 'How many people have used it.' }) uses!: number;
  @Field(() => Date, { description: 'When it expires.' }) expiresAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When it was revoked.' }) revokedAt!: Date | null;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
}

const mostInvitations = 200;

@ObjectType({ description: 'The newest links of a room.' })
class RoomInvitationList {
  @ListSize(mostInvitations)
  @Field(() => [RoomInvitationType], { description: 'Links, newest first.' })
  data!: RoomInvitationType[];
}

const toMember = (member: MemberView): RoomMemberType => member;

const toInvitation = (invitation: InvitationView, secret: Pick<RoomInvitationType, 'url' | 'token'>) => ({
  ...invitation,
  revokedAt: invitation.revokedAt ?? null,
  ...secret,
});

const hidden = { url: null, token: null };

@Resolver()
export class RoomMemberResolver {
  @Access('rooms:read')
  @Query(() => RoomMemberList, {
    description: 'Lists the people of a room who joined or are invited; those who moderate it see the banned too.',
  })
  async roomMembers(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<RoomMemberList> {
    const page = await listMembers(ctx, roomId, { ...paging, counted });
    return { ...page, data: page.data.map(toMember) };
  }

  @Access('rooms:write')
  @Mutation(() => RoomMemberType, { description: 'Invites a person by name.' })
  async inviteToRoom(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('input', () => InviteInput) input: InviteInput,
  ): Promise<RoomMemberType> {
    return toMember(await inviteToRoom(ctx, roomId, input));
  }

  @Access('rooms:write')
  @Mutation(() => RoomType, { description: 'Accepts an invitation by name.' })
  async joinRoom(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Room ID.' }) id: string,
  ): Promise<RoomType> {
    return toRoom(await joinRoom(ctx, id));
  }

  @Access('rooms:write')
  @Mutation(() => RoomType, { description: 'Joins a room by a link.' })
  async joinRoomByLink(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => RoomLinkInput) input: RoomLinkInput,
  ): Promise<RoomType> {
    return toRoom(await joinRoomByLink(ctx, input));
  }

  @Access('rooms:write')
  @Mutation(() => Deletion, { description: 'Declines an invitation by name.' })
  declineRoom(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Room ID.' }) id: string,
  ): Promise<Deletion> {
    return declineRoom(ctx, id);
  }

  @Access('rooms:write')
  @Mutation(() => Deletion, {
    description: 'Leaves a room. One that its owner leaves goes to its longest-standing moderator, else member.',
  })
  leaveRoom(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Room ID.' }) id: string,
  ): Promise<Deletion> {
    return leaveRoom(ctx, id);
  }

  @Access('rooms:write')
  @Mutation(() => RoomMemberType, { description: 'Changes the role of a member, mutes, removes or bans them.' })
  async updateRoomMember(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('userId', () => ID, { description: 'ID of the person.' }) userId: string,
    @Arg('input', () => RoomMemberPatch) input: RoomMemberPatch,
  ): Promise<RoomMemberType> {
    return toMember(await updateRoomMember(ctx, roomId, userId, input));
  }

  @Access('rooms:write')
  @Mutation(() => Deletion, { description: 'Removes a person from a room; with the caller’s own ID, leaves it.' })
  removeRoomMember(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('userId', () => ID, { description: 'ID of the person.' }) userId: string,
  ): Promise<Deletion> {
    return removeRoomMember(ctx, roomId, userId);
  }

  @Access('rooms:write')
  @Mutation(() => RoomType, { description: 'Hands a room over to one of its people, as its owner.' })
  async transferRoom(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Room ID.' }) id: string,
    @Arg('input', () => TransferInput) input: TransferInput,
  ): Promise<RoomType> {
    return toRoom(await transferRoom(ctx, id, input));
  }

  @Access('rooms:write')
  @Mutation(() => RoomInvitationType, {
    description: 'Creates a link by which people join. Only this response has the link.',
  })
  async createRoomInvitation(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('input', () => InvitationInput, { nullable: true }) input?: InvitationInput,
  ): Promise<RoomInvitationType> {
    const { invitation, token } = await createRoomInvitation(ctx, roomId, input ?? {});
    return toInvitation(invitation, { url: `${ctx.config.publicUrl}/rooms/join#token=${token}`, token });
  }

  @Access('rooms:read')
  @Query(() => RoomInvitationList, { description: 'Lists the links of a room, as someone who moderates it.' })
  async roomInvitations(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
  ): Promise<RoomInvitationList> {
    return { data: (await listRoomInvitations(ctx, roomId)).map((one) => toInvitation(one, hidden)) };
  }

  @Access('rooms:write')
  @Mutation(() => RoomInvitationType, { description: 'Revokes a link.' })
  async revokeRoomInvitation(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('invitationId', () => ID, { description: 'Invitation ID.' }) invitationId: string,
  ): Promise<RoomInvitationType> {
    return toInvitation(await revokeRoomInvitation(ctx, roomId, invitationId), hidden);
  }
}
