const names = new Intl.DisplayNames(undefined, { type: 'language' });

/** Returns the name of a language in the reader's language. */
export const languageName = (code: string): string => names.of(code) ?? code;
