import { Field, ID, InputType, Int } from 'type-graphql';
import {
  createEmbedInput,
  type EmbedChallenge,
  type EmbedIdentity,
  type EmbedPosition,
  type EmbedTheme,
  type IdentityFault,
  updateEmbedInput,
} from '../src/embeds/embed.input.ts';
import { Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';

export const IdentityFaultEnum = enumType<IdentityFault>('EmbedIdentityFault', 'A fault of a visitor’s identity.', {
  missing: 'The page passed no token, and the embed requires one.',
  malformed: 'It is not a JWT, or is too long.',
  algorithm: 'It is not signed with HS256.',
  signature: 'It is not signed with the identity secret of the embed.',
  audience: '`aud` is not the ID of the embed.',
  subject: '`sub` is missing, or is not a text of 1 to 255 characters.',
  expiry_missing: '`exp` is missing.',
  expiry_too_late: '`exp` is more than an hour from now.',
  expired: '`exp` has passed.',
});
export const IdentityEnum = enumType<EmbedIdentity>('EmbedIdentity', 'Whether visitors are identified.', {
  anonymous: 'All visitors are anonymous.',
  optional: 'Visitors with an identity token are recognized on every device; others are anonymous.',
  required: 'Only visitors with an identity token are accepted.',
});

export const ChallengeEnum = enumType<EmbedChallenge>('EmbedChallenge', 'Challenge for new visitors.', {
  none: 'No challenge.',
  turnstile: 'A Cloudflare Turnstile challenge.',
});

export const PositionEnum = enumType<EmbedPosition>('EmbedPosition', 'Corner of the page for the chat button.', {
  right: 'The lower right corner.',
  left: 'The lower left corner.',
});

export const ThemeEnum = enumType<EmbedTheme>('EmbedTheme', 'Colour scheme of the chat.', {
  auto: 'The visitor’s system setting.',
  light: 'Light.',
  dark: 'Dark.',
});

@InputType({ description: 'Message limits of an embed. Omitted limits keep their value.' })
class EmbedLimitsInput {
  @Field(() => Int, {
    nullable: true,
    description: 'Messages per UTC day. Defaults to a third of the plan’s messages, also after a change of plan.',
  })
  perDay?: number;
  @Field(() => Int, { nullable: true, description: 'Messages per visitor and UTC day. Defaults to 30.' })
  perVisitorDay?: number;
  @Field(() => Int, { nullable: true, description: 'Messages per network address and hour. Defaults to 30.' })
  perAddressHour?: number;
}

@InputType({ description: 'Appearance of the chat. Omitted fields keep their value.' })
class EmbedAppearanceInput {
  @Field(() => String, { nullable: true, description: 'Title, at most 80 characters; null for the agent’s name.' })
  title?: string | null;
  @Field(() => String, { nullable: true, description: 'Colour of the button, such as `#4a4fc8`.' }) color?: string;
  @Field(() => PositionEnum, { nullable: true, description: 'Corner of the page.' }) position?: EmbedPosition;
  @Field(() => Boolean, { nullable: true, description: 'Whether the agent’s picture is shown.' }) avatar?: boolean;
  @Field(() => [String], { nullable: true, description: 'At most 6 questions of at most 200 characters.' })
  starters?: string[];
  @Field(() => String, { nullable: true, description: 'Language tag; null for the language of the browser.' })
  language?: string | null;
  @Field(() => ThemeEnum, { nullable: true, description: 'Colour scheme.' }) dark?: EmbedTheme;
}

@InputType({ description: 'Settings of an embed.' })
class EmbedFields {
  @Field(() => Boolean, { nullable: true, description: 'Whether the embed accepts visitors.' }) active?: boolean;
  @Field(() => Boolean, { nullable: true, description: 'Whether `http://localhost` may be an allowed origin.' })
  test?: boolean;
  @Field(() => IdentityEnum, { nullable: true, description: 'Whether visitors are identified.' })
  identity?: EmbedIdentity;
  @Field(() => EmbedLimitsInput, { nullable: true, description: 'Message limits.' })
  limits?: EmbedLimitsInput;
  @Field(() => ChallengeEnum, { nullable: true, description: 'Challenge for new visitors.' })
  challenge?: EmbedChallenge;
  @Field(() => String, { nullable: true, description: 'Site key of the challenge; null to use the service’s key.' })
  challengeSiteKey?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Secret of the challenge. It is stored encrypted and never returned.',
  })
  challengeSecret?: string | null;
  @Field(() => EmbedAppearanceInput, { nullable: true, description: 'Appearance of the chat.' })
  appearance?: EmbedAppearanceInput;
  @Field(() => Int, { nullable: true, description: 'Days, 1 to 365, after which inactive visitors are erased.' })
  retentionDays?: number;
  @Field(() => String, {
    nullable: true,
    description: 'Notice shown before the first message, at most 1,000 characters; null for the default.',
  })
  notice?: string | null;
}

@InputType({ description: 'A new embed.' })
@Rules(createEmbedInput)
export class CreateEmbedInput extends EmbedFields {
  @Field(() => ID, { description: 'ID of one of the caller’s agents.' }) agentId!: string;
  @Field(() => String, { description: 'Name, 1 to 80 characters; visible only to the owner.' }) name!: string;
  @Field(() => [String], { description: '1 to 20 websites: `https://host`, `https://*.host`, with a port if needed.' })
  allowedOrigins!: string[];
}

@InputType({ description: 'Changes to an embed. Omitted fields keep their value.' })
@Rules(updateEmbedInput)
export class UpdateEmbedInput extends EmbedFields {
  @Field(() => String, { nullable: true, description: 'Name, 1 to 80 characters.' }) name?: string;
  @Field(() => [String], { nullable: true, description: '1 to 20 websites that may show it.' })
  allowedOrigins?: string[];
}
