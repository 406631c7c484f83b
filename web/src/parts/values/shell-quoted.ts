/** Quotes text as one word for a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
