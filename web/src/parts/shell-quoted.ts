/** Text as one word of a shell: nothing in it is read as a command. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
