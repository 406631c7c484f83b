import { Arg, Ctx, Field, FieldResolver, InputType, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { updatePreferences } from '../src/accounts/preferences.ts';
import {
  type Density,
  type Preferences,
  preferencesInput,
  type SendKey,
  type Theme,
} from '../src/accounts/preferences.input.ts';
import { UserType } from './accounts.ts';
import type { GraphqlContext } from './context.ts';
import { Access, GraphqlOnly, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';

const ThemeEnum = enumType<Theme>('Theme', 'Colour theme of the console.', {
  system: 'Follows the operating system.',
  light: 'Always light.',
  dark: 'Always dark.',
});

const DensityEnum = enumType<Density>('Density', 'Display density of the console.', {
  comfortable: 'More space between items.',
  compact: 'More items on the screen.',
});

const SendKeyEnum = enumType<SendKey>('SendKey', 'The key that sends a message.', {
  enter: 'Enter sends; Shift+Enter starts a new line.',
  ctrl_enter: 'Ctrl+Enter (Cmd+Enter) sends; Enter starts a new line.',
});

const descriptions = {
  theme: 'Colour scheme.',
  density: 'Display density.',
  sendKey: 'The key that sends a message.',
  singleKeys: 'Whether single-key shortcuts are enabled.',
  readAloud: 'Whether replies are read aloud.',
  followReplies: 'Whether the view scrolls with a reply while it is written.',
  reduceMotion: 'Whether motion is reduced regardless of the operating system’s setting.',
  language: 'Language tag (BCP 47) of at most 35 characters, such as `en` or `de-CH`.',
};
const optional = (description: string) => ({ nullable: true, description });

@ObjectType('Preferences', { description: 'A user’s preferences for the console. null means the default.' })
class PreferencesType {
  @Field(() => ThemeEnum, optional(descriptions.theme)) theme?: Theme | null;
  @Field(() => DensityEnum, optional(descriptions.density)) density?: Density | null;
  @Field(() => SendKeyEnum, optional(descriptions.sendKey)) sendKey?: SendKey | null;
  @Field(() => Boolean, optional(descriptions.singleKeys)) singleKeys?: boolean | null;
  @Field(() => Boolean, optional(descriptions.readAloud)) readAloud?: boolean | null;
  @Field(() => Boolean, optional(descriptions.followReplies)) followReplies?: boolean | null;
  @Field(() => Boolean, optional(descriptions.reduceMotion)) reduceMotion?: boolean | null;
  @Field(() => String, optional(descriptions.language)) language?: string | null;
}

@InputType({ description: 'Changes to the preferences. Omitted fields keep their value; null resets one.' })
@Rules(preferencesInput)
class UpdatePreferencesInput {
  @Field(() => ThemeEnum, optional(descriptions.theme)) theme?: Theme | null;
  @Field(() => DensityEnum, optional(descriptions.density)) density?: Density | null;
  @Field(() => SendKeyEnum, optional(descriptions.sendKey)) sendKey?: SendKey | null;
  @Field(() => Boolean, optional(descriptions.singleKeys)) singleKeys?: boolean | null;
  @Field(() => Boolean, optional(descriptions.readAloud)) readAloud?: boolean | null;
  @Field(() => Boolean, optional(descriptions.followReplies)) followReplies?: boolean | null;
  @Field(() => Boolean, optional(descriptions.reduceMotion)) reduceMotion?: boolean | null;
  @Field(() => String, optional(descriptions.language)) language?: string | null;
}

@Resolver(() => UserType)
export class PreferencesResolver {
  @GraphqlOnly()
  @FieldResolver(() => PreferencesType, { description: 'Preferences for the console.' })
  preferences(@Root() user: UserType): Preferences {
    return user.preferences;
  }

  @Access('account:write')
  @Mutation(() => PreferencesType, { description: 'Updates the caller’s preferences and returns all of them.' })
  updatePreferences(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => UpdatePreferencesInput) input: UpdatePreferencesInput,
  ): Promise<Preferences> {
    return updatePreferences(ctx, input);
  }
}
