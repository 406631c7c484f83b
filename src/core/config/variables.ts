import { z } from 'zod';

/** Formats of environment variables that several features share. */

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** Defines a URL with one of the protocols, which include the colon: `https:`. */
export const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    message: `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  });

/**
 * A key is sent in a header as it is, so the line break at the end of a file would fail each call instead of the start.
 */
export const key = z.string().regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces');

/**
 * Defines a variable that `parse` reads. An error of `parse` is reported as a fault of the variable. `parse` receives
 * undefined if the variable is not set.
 */
export const parsedBy = <Value>(parse: (text: string | undefined) => Value) =>
  z
    .string()
    .optional()
    .transform((text, ctx) => {
      try {
        return parse(text);
      } catch (error) {
        ctx.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    });
