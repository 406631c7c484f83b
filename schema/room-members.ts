import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import {
  createRoomInvitation,
  type InvitationView,
  listRoomInvitations,
  revokeRoomInvitation,
} from '../src/rooms/invitations/invitations.ts';
import { joinRoomByLink } from '../src/rooms/invitations/join-by-link.ts';
import { removeRoomMember, updateRoomMember } from '../src/rooms/members/change-member.ts';
import { inviteToRoom } from '../src/rooms/members/invite.ts';
import { declineRoom, joinRoom } from '../src/rooms/members/join.ts';
import { leaveRoom } from '../src/rooms/members/leave.ts';
import { listMembers, type MemberView } from '../src/rooms/members/member-view.ts';
import { acceptRoomTransfer, cancelRoomTransfer, transferRoom } from '../src/rooms/members/transfer.ts';
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
export class RoomMemberType {
  @Field(() => ID, { description: 'ID of the person.' }) userId!: string;
  @Field(() => String, { nullable: true, description: 'Username; null while the account is being deleted.' })
  username!: string | null;
  @Field(() => String, { nullable: true, description: 'Display name.' }) displayName!: string | null;
  @Field(() => String, { nullable: true, description: 'URL of the picture.' }) avatarUrl!: string | null;
  @Field(() => RoomRoleEnum, { description: 'Role.' }) role!: RoomRole;
  @Field(() => RoomMemberStateEnum, { description: 'State of the membership.' }) state!: MemberState;
  @Field(() => Date, { nullable: true, description: 'End of the mute; until then the person cannot write.' })
  mutedUntil!: Date | null;
  @Field(() => Date, { nullable: true, description: 'Time when the person joined.' }) joinedAt!: Date | null;
  @Field(() => Int, { description: 'Position of the newest message that the person has read.' })
  lastReadPosition!: number;
  @Field(() => Boolean, { description: 'Whether the person’s presence is shown to others.' }) showsPresence!: boolean;
}

@ObjectType({ description: 'A page of members, longest-standing first.' })
class RoomMemberList extends pageOf('members', RoomMemberType) {}

@ObjectType('RoomInvitation', { description: 'An invitation link to a room.' })
class RoomInvitationType {
  @Field(() => ID, { description: 'Invitation ID (`rin_…`).' }) id!: string;
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'The link. It is returned only at creation.' })
  url!: string | null;
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'The token in the link. It is returned only at creation.' })
  token!: string | null;
  @Field(() => RoomRoleEnum, { description: 'Role of people who join through it.' }) role!: RoomRole;
  @Field(() => Int, { description: 'Maximum number of people who can use it.' }) maxUses!: number;
  @Field(() => Int, { description: 'Number of people who have used it.' }) uses!: number;
  @Field(() => Date, { description: 'Expiry time.' }) expiresAt!: Date;
  @Field(() => Date, { nullable: true, description: 'Time of the revocation; null while it is valid.' })
  revokedAt!: Date | null;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
}

const maxInvitations = 200;

@ObjectType({ description: 'The newest invitation links of a room.' })
class RoomInvitationList {
  @ListSize(maxInvitations)
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
    description: 'Lists the people of a room who joined or are invited. Moderators of the room also see banned people.',
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
  @Mutation(() => RoomMemberType, { description: 'Invites a person by username.' })
  async inviteToRoom(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('input', () => InviteInput) input: InviteInput,
  ): Promise<RoomMemberType> {
    return toMember(await inviteToRoom(ctx, roomId, input));
  }

  @Access('rooms:write')
  @Mutation(() => RoomType, { description: 'Accepts a personal invitation.' })
  async joinRoom(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Room ID.' }) id: string,
  ): Promise<RoomType> {
    return toRoom(await joinRoom(ctx, id));
  }

  @Access('rooms:write')
  @Mutation(() => RoomType, { description: 'Joins a room through a link.' })
  async joinRoomByLink(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => RoomLinkInput) input: RoomLinkInput,
  ): Promise<RoomType> {
    return toRoom(await joinRoomByLink(ctx, input));
  }

  @Access('rooms:write')
  @Mutation(() => Deletion, { description: 'Declines a personal invitation.' })
  declineRoom(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Room ID.' }) id: string,
  ): Promise<Deletion> {
    return declineRoom(ctx, id);
  }

  @Access('rooms:write')
  @Mutation(() => Deletion, {
    description:
      'Leaves a room. If the owner leaves, the room is transferred to its longest-standing moderator, or else member, whose plan allows it.',
  })
  leaveRoom(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Room ID.' }) id: string,
  ): Promise<Deletion> {
    return leaveRoom(ctx, id);
  }

  @Access('rooms:write')
  @Mutation(() => RoomMemberType, { description: 'Changes a member’s role, or mutes, removes or bans them.' })
  async updateRoomMember(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('userId', () => ID, { description: 'ID of the person.' }) userId: string,
    @Arg('input', () => RoomMemberPatch) input: RoomMemberPatch,
  ): Promise<RoomMemberType> {
    return toMember(await updateRoomMember(ctx, roomId, userId, input));
  }

  @Access('rooms:write')
  @Mutation(() => Deletion, { description: 'Removes a person from a room; with the caller’s own ID, leaves the room.' })
  removeRoomMember(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('userId', () => ID, { description: 'ID of the person.' }) userId: string,
  ): Promise<Deletion> {
    return removeRoomMember(ctx, roomId, userId);
  }

  @Access('rooms:write')
  @Mutation(() => RoomType, {
    description: 'Offers the ownership of a room to another member, who becomes the owner by accepting. For the owner.',
  })
  async transferRoom(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Room ID.' }) id: string,
    @Arg('input', () => TransferInput) input: TransferInput,
  ): Promise<RoomType> {
    return toRoom(await transferRoom(ctx, id, input));
  }

  @Access('rooms:write')
  @Mutation(() => RoomType, { description: 'Accepts the offered ownership of a room.' })
  async acceptRoomTransfer(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Room ID.' }) id: string,
  ): Promise<RoomType> {
    return toRoom(await acceptRoomTransfer(ctx, id));
  }

  @Access('rooms:write')
  @Mutation(() => RoomType, { description: 'Declines the offered ownership of a room, or withdraws the offer.' })
  async cancelRoomTransfer(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Room ID.' }) id: string,
  ): Promise<RoomType> {
    return toRoom(await cancelRoomTransfer(ctx, id));
  }

  @Access('rooms:write')
  @Mutation(() => RoomInvitationType, {
    description: 'Creates an invitation link. Only this response contains the link.',
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
  @Query(() => RoomInvitationList, { description: 'Lists the invitation links of a room. For moderators of the room.' })
  async roomInvitations(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
  ): Promise<RoomInvitationList> {
    return { data: (await listRoomInvitations(ctx, roomId)).map((one) => toInvitation(one, hidden)) };
  }

  @Access('rooms:write')
  @Mutation(() => RoomInvitationType, { description: 'Revokes an invitation link.' })
  async revokeRoomInvitation(
    @Ctx() ctx: GraphqlContext,
    @Arg('roomId', () => ID, { description: 'Room ID.' }) roomId: string,
    @Arg('invitationId', () => ID, { description: 'Invitation ID.' }) invitationId: string,
  ): Promise<RoomInvitationType> {
    return toInvitation(await revokeRoomInvitation(ctx, roomId, invitationId), hidden);
  }
}
