import type { EmbedFieldsFragment, UpdateEmbedInput } from '../api/generated/operations.ts';

/** Values of the embed form. Everything that is typed is text. */
export interface EmbedValues {
  name: string;
  origins: string;
  test: boolean;
  identity: EmbedFieldsFragment['identity'];
  challenge: EmbedFieldsFragment['challenge'];
  challengeSiteKey: string;
  /** A new secret of the challenge; empty keeps the stored one. */
  challengeSecret: string;
  perDay: string;
  perVisitorDay: string;
  perAddressHour: string;
  retentionDays: string;
  notice: string;
  title: string;
  color: string;
  position: EmbedFieldsFragment['appearance']['position'];
  avatar: boolean;
  starters: string;
  language: string;
  dark: EmbedFieldsFragment['appearance']['dark'];
}

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const valuesOf = ({ limits, appearance, ...embed }: EmbedFieldsFragment): EmbedValues => ({
  name: embed.name,
  origins: embed.allowedOrigins.join('\n'),
  test: embed.test,
  identity: embed.identity,
  challenge: embed.challenge,
  challengeSiteKey: embed.challengeSiteKey ?? '',
  challengeSecret: '',
  perDay: String(limits.perDay),
  perVisitorDay: String(limits.perVisitorDay),
  perAddressHour: String(limits.perAddressHour),
  retentionDays: String(embed.retentionDays),
  notice: embed.notice ?? '',
  title: appearance.title ?? '',
  color: appearance.color,
  position: appearance.position,
  avatar: appearance.avatar,
  starters: appearance.starters.join('\n'),
  language: appearance.language ?? '',
  dark: appearance.dark,
});

/** Returns 0, which the service rejects for its field, when the text is not a whole number. */
const wholeNumber = (text: string): number => (/^\d{1,7}$/.test(text.trim()) ? Number(text) : 0);

/** Without a challenge, the keys are kept. When both fields are empty, the service's keys are used. */
function challengeKeysOf({ challenge, ...values }: EmbedValues): UpdateEmbedInput {
  if (challenge === 'NONE') return {};
  const challengeSiteKey = values.challengeSiteKey.trim() || null;
  const challengeSecret = values.challengeSecret.trim() || null;
  return challengeSiteKey !== null && challengeSecret === null
    ? { challengeSiteKey }
    : { challengeSiteKey, challengeSecret };
}

export const inputOf = (values: EmbedValues): UpdateEmbedInput => ({
  name: values.name,
  allowedOrigins: linesOf(values.origins),
  test: values.test,
  identity: values.identity,
  challenge: values.challenge,
  ...challengeKeysOf(values),
  limits: {
    perDay: wholeNumber(values.perDay),
    perVisitorDay: wholeNumber(values.perVisitorDay),
    perAddressHour: wholeNumber(values.perAddressHour),
  },
  retentionDays: wholeNumber(values.retentionDays),
  notice: values.notice.trim() === '' ? null : values.notice,
  appearance: {
    title: values.title.trim() === '' ? null : values.title,
    color: values.color,
    position: values.position,
    avatar: values.avatar,
    starters: linesOf(values.starters),
    language: values.language === '' ? null : values.language,
    dark: values.dark,
  },
});
