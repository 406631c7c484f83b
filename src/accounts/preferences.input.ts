import { z } from 'zod';

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'comfortable' | 'compact';
export type SendKey = 'enter' | 'ctrl_enter';

/** A language tag such as `en`, `de-CH` or `zh-Hant-TW`, stored in canonical form. */
const language = z
  .string()
  .refine(isLanguageTag, 'must be a language tag of at most 35 characters, such as en or de-CH')
  .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag);

/** Omitted fields do not change; `null` resets one to its default. */
export const preferencesInput = z.object({
  theme: z.enum(['system', 'light', 'dark']).nullish(),
  density: z.enum(['comfortable', 'compact']).nullish(),
  sendKey: z.enum(['enter', 'ctrl_enter']).nullish(),
  singleKeys: z.boolean().nullish(),
  readAloud: z.boolean().nullish(),
  followReplies: z.boolean().nullish(),
  reduceMotion: z.boolean().nullish(),
  language: language.nullish(),
});

/** Preferences of a user for the console, which defines the defaults of absent ones. */
export type Preferences = {
  [Name in keyof z.output<typeof preferencesInput>]?: z.output<typeof preferencesInput>[Name];
};

function isLanguageTag(tag: string): boolean {
  if (tag.length > 35) return false;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
