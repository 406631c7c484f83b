import { Field, ID, InputType, Int } from 'type-graphql';
import {
  createEmbedInput,
  type EmbedChallenge,
  type EmbedIdentity,
  type EmbedPosition,
  type EmbedTheme,
  updateEmbedInput,
} from '../src/embeds/embed.input.ts';
import { Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';

export const IdentityEnum = enumType<EmbedIdentity>('EmbedIdentity', 'Whether visitors say who they are.', {
  anonymous: 'Visitors are anonymous.',
  optional: 'Visitors with an identity token are recognized on every device; others are anonymous.',
  required: 'Only visitors with an identity token are served.',
});

export const ChallengeEnum = enumType<EmbedChallenge>('EmbedChallenge', 'What a new visitor has to solve.', {
  none: 'Nothing.',
  turnstile: 'A Cloudflare Turnstile challenge.',
});

export const PositionEnum = enumType<EmbedPosition>('EmbedPosition', 'Corner of the page that the button is in.', {
  right: 'The lower right corner.',
  left: 'The lower left corner.',
});

export const ThemeEnum = enumType<EmbedTheme>('EmbedTheme', 'Colours of the chat.', {
  auto: 'Those of the visitor’s system.',
  light: 'Light.',
  dark: 'Dark.',
});

@InputType({ description: 'How many messages an embed accepts. Omitted limits keep their value.' })
class EmbedLimitsInput {
  @Field(() => Int, { nullable: true, description: 'Messages a UTC day. By default a third of the plan’s.' })
  perDay?: number;
  @Field(() => Int, { nullable: true, description: 'Messages of one visitor a UTC day. Defaults to 30.' })
  perVisitorDay?: number;
  @Field(() => Int, { nullable: true, description: 'Messages from one network address an hour. Defaults to 30.' })
  perAddressHour?: number;
}

@InputType({ description: 'How the chat looks. Omitted fields keep their value.' })
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
  @Field(() => ThemeEnum, { nullable: true, description: 'Colours.' }) dark?: EmbedTheme;
}

@InputType({ description: 'Settings of an embed.' })
class EmbedFields {
  @Field(() => Boolean, { nullable: true, description: 'Whether visitors are served.' }) active?: boolean;
  @Field(() => Boolean, { nullable: true, description: 'Whether `http://localhost` may be an allowed origin.' })
  test?: boolean;
  @Field(() => IdentityEnum, { nullable: true, description: 'Whether visitors say who they are.' })
  identity?: EmbedIdentity;
  @Field(() => EmbedLimitsInput, { nullable: true, description: 'How many messages it accepts.' })
  limits?: EmbedLimitsInput;
  @Field(() => ChallengeEnum, { nullable: true, description: 'What a new visitor has to solve.' })
  challenge?: EmbedChallenge;
  @Field(() => String, { nullable: true, description: 'Site key of the challenge; null for that of the service.' })
  challengeSiteKey?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Secret of the challenge. It is stored encrypted and never returned.',
  })
  challengeSecret?: string | null;
  @Field(() => EmbedAppearanceInput, { nullable: true, description: 'How the chat looks.' })
  appearance?: EmbedAppearanceInput;
  @Field(() => Int, { nullable: true, description: 'Days, 1 to 365, after which idle visitors are erased.' })
  retentionDays?: number;
  @Field(() => String, {
    nullable: true,
    description: 'Text before the first message, at most 1,000 characters; null for the default.',
  })
  notice?: string | null;
}

@InputType({ description: 'A new embed.' })
@Rules(createEmbedInput)
export class CreateEmbedInput extends EmbedFields {
  @Field(() => ID, { description: 'ID of one of the caller’s agents.' }) agentId!: string;
  @Field(() => String, { description: 'Name, 1 to 80 characters, for its owner.' }) name!: string;
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
