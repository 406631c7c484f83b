import { z } from 'zod';

interface LengthRule {
  min?: number;
  max: number;
}

/**
 * Schema of a string that is no text for readers, such as a password, a token or a search text. Its length is measured
 * in Unicode characters. Rejects NUL and lone surrogates, which PostgreSQL and JSON cannot store.
 */
export const characters = ({ min = 0, max }: LengthRule) =>
  z.string().superRefine((value, ctx) => checkCharacters(value, min, max, ctx));

/**
 * Schema of a text for readers that is stored as sent, line breaks included. A text that must not be empty needs a
 * visible character.
 */
export const text = ({ min = 0, max }: LengthRule) =>
  z.string().superRefine((value, ctx) => checkText(value, min, max, ctx));

/** Schema of a `text` that is trimmed before it is measured and stored. */
export const trimmedText = ({ min = 0, max }: LengthRule) =>
  z
    .string()
    .trim()
    .superRefine((value, ctx) => checkText(value, min, max, ctx));

/**
 * Schema of a name or title, which is shown in one line beside other texts. It is stored in the form of `cleanName`.
 * Rejects characters that `cleanName` does not repair: control characters and those that reverse the direction of the
 * text around them. A name that must not be empty needs a visible character.
 */
export const name = ({ min = 1, max }: LengthRule) =>
  z
    .string()
    .transform((value) => cleanName(value))
    .superRefine((value, ctx) => {
      checkText(value, min, max, ctx);
      if (!value.includes('\0') && unfitForNames.test(value))
        addIssue(ctx, 'invalid_character', 'must not contain control characters or characters that reverse text');
    });

/**
 * Returns a name in the form in which it is stored: composed letters, one line, single spaces, and without invisible
 * characters that have no use in a name. Joiners remain, because Persian words and emoji need them. A name without a
 * visible character is empty.
 */
function cleanName(value: string): string {
  const clean = value
    .replace(useless, '')
    .replace(/[\s\u0085]+/gu, ' ')
    .trim()
    .normalize('NFC');
  return hasVisible(clean) ? clean : '';
}

/** Returns a name from outside as `name` accepts it, with at most `max` characters; empty when nothing visible remains. */
export function nameFrom(value: string, max: number): string {
  const clean = cleanName(value.toWellFormed().replace(new RegExp(unfitForNames, 'gu'), ' '));
  return cleanName([...clean].slice(0, max).join(''));
}

/** Returns whether a text has a character that a reader can see. */
export const hasVisible = (value: string): boolean => visible.test(value);

// Zero-width spaces, fillers and similar characters are not white space. A combining mark alone has nothing to sit on.
const visible = /[^\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
// Soft hyphens, zero-width spaces, word joiners, byte order marks, and embeddings and isolates of direction, which phones
// put around names.
const useless = /[\u00ad\u200b\u2060-\u2064\u2066-\u206f\u202a-\u202c\ufeff]/gu;
const unfitForNames = /[\p{Cc}\u202d\u202e\ufff9-\ufffb]/u;

function checkText(value: string, min: number, max: number, ctx: z.RefinementCtx): void {
  checkCharacters(value, min, max, ctx);
  if (min > 0 && value !== '' && !hasVisible(value)) addIssue(ctx, 'required', 'must not be empty');
}

function checkCharacters(value: string, min: number, max: number, ctx: z.RefinementCtx): void {
  if (value.includes('\0')) addIssue(ctx, 'invalid_character', 'must not contain NUL characters');
  else if (!value.isWellFormed()) addIssue(ctx, 'invalid_character', 'must be well-formed Unicode text');
  const length = lengthUpTo(value, max);
  if (length < min)
    addIssue(
      ctx,
      min === 1 ? 'required' : 'too_short',
      min === 1 ? 'must not be empty' : `must have at least ${count(min, 'character')}`,
    );
  if (length > max) addIssue(ctx, 'too_long', `must have at most ${count(max, 'character')}`);
}

const addIssue = (ctx: z.RefinementCtx, code: string, message: string): void =>
  ctx.addIssue({ code: 'custom', message, params: { code } });

/** Returns the number of Unicode characters, or `max` + 1 without counting when the text is certainly longer. */
function lengthUpTo(value: string, max: number): number {
  if (value.length > max * 2) return max + 1;
  let length = 0;
  for (const _ of value) length++;
  return length;
}

/** Formats a number of things, such as `1 item` or `2,048 characters`. */
export const count = (n: number, noun: string): string => `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;
