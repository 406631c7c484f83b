import { normalForm } from '../core/text/normal-form.ts';
import { hasUnspaced } from '../core/text/unspaced.ts';

/** SQL expression of the text in which public agents are searched, for `agents a`. An index has the same expression. */
export const agentSearchText = `normal_form(a.name || ' ' || coalesce(a.description, ''))`;

const maxWords = 20;
const shortWord = 3;

/** Returns the first 20 words of a search, in the normal form. */
export const wordsIn = (q: string): string[] => normalForm(q).split(/\s+/).filter(Boolean).slice(0, maxWords);

/** Escapes what has a special meaning in `like`. */
export const escapeLike = (word: string): string => word.replace(/[\\%_]/g, '\\$&');

/**
 * Returns whether a word has one or two characters, which match only at the start of a word. A script without spaces has
 * no start of a word.
 */
export const isShort = (word: string): boolean =>
  [...word].length < shortWord && /[\p{L}\p{N}]/u.test(word) && !hasUnspaced(word);
