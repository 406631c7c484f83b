import { Field, ID, InputType, Int } from 'type-graphql';
import type { MemberState, RoomHistory, RoomPayer, RoomReplyMode, RoomRole } from '../src/rooms/room.input.ts';
import {
  addAgentInput,
  createInvitationInput,
  createRoomInput,
  inviteInput,
  joinByLinkInput,
  postMessageInput,
  readInput,
  requestTurnInput,
  transferInput,
  updateAgentInput,
  updateMemberInput,
  updateRoomInput,
} from '../src/rooms/room.input.ts';
import { Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';

export const RoomReplyModeEnum = enumType<RoomReplyMode>('RoomReplyMode', 'Which agents answer a person’s message.', {
  mention: 'The addressed agents. A person alone with one agent does not need to address it.',
  rotate: 'The addressed agents, or else the next one in the order of the room.',
  all: 'The addressed agents, then all others in the order of the room.',
  auto: 'The addressed agents, and up to two chosen by a model.',
});
export const RoomPayerEnum = enumType<RoomPayer>('RoomPayer', 'Whose messages a reply counts against.', {
  sender: 'The person who caused the reply.',
  owner: 'The owner of the room.',
});
export const RoomHistoryEnum = enumType<RoomHistory>('RoomHistory', 'Messages that new members can read.', {
  from_join: 'Only messages from after joining.',
  all: 'All messages.',
});
export const RoomRoleEnum = enumType<RoomRole>('RoomRole', 'Role in a room.', {
  owner: 'Has all permissions.',
  moderator: 'Invites people and manages members, messages, agents and turns.',
  member: 'Reads and writes.',
});
export const RoomMemberStateEnum = enumType<MemberState>('RoomMemberState', 'State of a membership.', {
  invited: 'Invited by name; not yet answered.',
  joined: 'Joined.',
  left: 'Left, or declined.',
  removed: 'Removed; can be invited again.',
  banned: 'Banned; invitations and links do not work.',
});

@InputType({ description: 'A new room.' })
@Rules(createRoomInput)
export class RoomInput {
  @Field(() => String, { description: '1 to 80 characters.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'Up to 300 characters.' }) description?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Scenario that every agent gets, at most 4,000 characters.',
  })
  scene?: string | null;
  @Field(() => RoomReplyModeEnum, { nullable: true, description: 'Defaults to `mention`.' })
  replyMode?: RoomReplyMode;
  @Field(() => Int, {
    nullable: true,
    description: 'Maximum length of a chain of replies between agents, 0 to 4. Defaults to 0.',
  })
  agentHops?: number;
  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of replies to one message, 1 to 10. Defaults to 3.',
  })
  repliesPerMessage?: number;
  @Field(() => RoomPayerEnum, { nullable: true, description: 'Defaults to `sender`.' }) payer?: RoomPayer;
  @Field(() => RoomHistoryEnum, { nullable: true, description: 'Defaults to `from_join`.' }) history?: RoomHistory;
}

@InputType({ description: 'Changes to a room. Only present fields change.' })
@Rules(updateRoomInput)
export class RoomPatch {
  @Field(() => String, { nullable: true, description: '1 to 80 characters.' }) name?: string;
  @Field(() => String, { nullable: true, description: 'Up to 300 characters; null removes it.' })
  description?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Scenario that every agent gets, at most 4,000 characters; null removes it.',
  })
  scene?: string | null;
  @Field(() => RoomReplyModeEnum, { nullable: true, description: 'Which agents answer.' }) replyMode?: RoomReplyMode;
  @Field(() => Int, { nullable: true, description: '0 to 4.' }) agentHops?: number;
  @Field(() => Int, { nullable: true, description: '1 to 10.' }) repliesPerMessage?: number;
  @Field(() => RoomPayerEnum, { nullable: true, description: 'Whose messages the replies count against.' })
  payer?: RoomPayer;
  @Field(() => RoomHistoryEnum, { nullable: true, description: 'Messages that new members can read.' })
  history?: RoomHistory;
}

@InputType({ description: 'A person to invite.' })
@Rules(inviteInput)
export class InviteInput {
  @Field(() => String, { description: 'Username of the person.' }) username!: string;
  @Field(() => RoomRoleEnum, {
    nullable: true,
    description: '`member` (default), or `moderator` if the owner invites.',
  })
  role?: RoomRole;
}

@InputType({ description: 'A new invitation link.' })
@Rules(createInvitationInput)
export class InvitationInput {
  @Field(() => RoomRoleEnum, {
    nullable: true,
    description: '`member` (default), or `moderator` if the owner creates the link.',
  })
  role?: RoomRole;
  @Field(() => Date, {
    nullable: true,
    description: 'Expiry time, at most 30 days from now. Defaults to seven days from now.',
  })
  expiresAt?: Date;
  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of people who can use it, 1 to 100. Defaults to 10.',
  })
  maxUses?: number;
}

@InputType({ description: 'The token of a link.' })
@Rules(joinByLinkInput)
export class RoomLinkInput {
  @Field(() => String, { description: 'The part of the link after `#token=`.' }) token!: string;
}

@InputType({ description: 'Changes to a member. Only present fields change.' })
@Rules(updateMemberInput)
export class RoomMemberPatch {
  @Field(() => RoomRoleEnum, { nullable: true, description: '`moderator` or `member`. For the owner.' })
  role?: RoomRole;
  @Field(() => RoomMemberStateEnum, {
    nullable: true,
    description: '`removed` or `banned`; `left` lifts a ban. For moderators of the member.',
  })
  state?: MemberState;
  @Field(() => Date, {
    nullable: true,
    description: 'End of a mute, until which the member cannot write; null ends it now. For moderators of the member.',
  })
  mutedUntil?: Date | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the member’s presence is shown to others. Only for oneself.',
  })
  showsPresence?: boolean;
}

@InputType({ description: 'The person to whom a room is offered.' })
@Rules(transferInput)
export class TransferInput {
  @Field(() => ID, { description: 'ID of a person in the room.' }) userId!: string;
}

@InputType({ description: 'An agent to add to a room.' })
@Rules(addAgentInput)
export class RoomAgentInput {
  @Field(() => ID, { description: 'ID of a public agent, or of one of your own.' }) agentId!: string;
}

@InputType({ description: 'Changes to an agent in a room. Only present fields change.' })
@Rules(updateAgentInput)
export class RoomAgentPatch {
  @Field(() => Boolean, { nullable: true, description: 'Whether the agent is silent unless a turn is requested.' })
  muted?: boolean;
  @Field(() => Int, {
    nullable: true,
    description: 'Position in the order of the room, 1 to 1,000; the others shift.',
  })
  position?: number;
}

@InputType({ description: 'A message in a room.' })
@Rules(postMessageInput)
export class RoomMessageInput {
  @Field(() => String, {
    description: '1 to 8,000 characters. `@name` addresses an agent or a person; only the first five count.',
  })
  content!: string;
  @Field(() => ID, { nullable: true, description: 'ID of the message that it refers to.' }) replyTo?: string | null;
}

@InputType({ description: 'The agent that should speak.' })
@Rules(requestTurnInput)
export class TurnInput {
  @Field(() => ID, { description: 'ID of an agent in the room.' }) agentId!: string;
}

@InputType({ description: 'Read position in a room.' })
@Rules(readInput)
export class RoomReadInput {
  @Field(() => Int, { description: 'Position of the newest message that was read.' }) position!: number;
}
