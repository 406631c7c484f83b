import type { SqlValue } from '../core/database/sql.ts';

/** A search text as SQL. */
export interface Search {
  /** SQL condition that an agent `a` matches. For lists in whose order matching agents are frequent. */
  condition: string;
  /**
   * SQL query for the ids of matching agents. Uses one index for each kind of match, and returns only some ids if there
   * are very many.
   */
  ids: string;
  /** Part of the statement's name that distinguishes conditions of different form. */
  shape: string;
  /** SQL condition that name and description of an agent `a` contain all of the words. */
  hasWords: string;
  /** Parameter that holds the text in lower case. */
  text: string;
}

const searchText = `lower(a.name || ' ' || coalesce(a.description, ''))`;
/** Maximum number of matches that each kind of match contributes. Some of them may not be visible. */
const maxFound = 20_000;
const shortWord = 3;
const maxWords = 20;

/**
 * Builds the search for a text: all of its words in name and description, a similar name, a tag, or the listing's text.
 * Appends its values to `values`.
 */
export function matching(q: string, values: SqlValue[]): Search {
  const lower = q.toLowerCase();
  const words = lower.split(/\s+/).filter(Boolean).slice(0, maxWords);
  const [short, long] = [words.filter(isShort), words.filter((word) => !isShort(word))];
  const contains = (pattern: string): string => `${searchText} like $${values.push(pattern)}`;
  const inName = [
    ...short.map(escapeLike).map((word) => `(${contains(`${word}%`)} or ${contains(`% ${word}%`)})`),
    ...long.map(escapeLike).map((word) => contains(`%${word}%`)),
  ];
  const text = `$${values.push(lower)}`;
  const tags = `$${values.push(words)}`;
  const hasWords = inName.join(' and ');
  const isLike = `lower(a.name) % ${text}`;
  const others = `select f.agent_id from listings f
    where f.search @@ plainto_tsquery('simple', ${text}) or f.tags && ${tags}::text[]`;
  const ways = [
    `select a.id from agents a where a.is_public and ${hasWords}`,
    `select a.id from agents a where a.is_public and ${isLike}`,
    others,
  ];
  return {
    condition: `((${hasWords}) or ${isLike} or a.id in (${others}))`,
    ids: ways.map((way) => `(${way} limit ${maxFound})`).join(' union '),
    shape: `q${short.length}_${long.length}`,
    hasWords,
    text,
  };
}

/** Weight of a description that contains the words: about the `ts_rank` of a word that occurs once. */
const descriptionRank = 0.06;

/**
 * Returns the SQL expression of an agent's relevance, for `agents a`, `listings l` and `listing_stats s`: similarity of
 * name and tags, words in the description, text rank of the listing, and number of people. It is computed for each
 * match, so it uses the stored vector and parses no text.
 */
export const relevance = ({ hasWords, text }: Search): string => `(
  (2 * similarity(lower(a.name), ${text})
    + coalesce((select max(similarity(t, ${text})) from unnest(l.tags) t), 0)
    + case when ${hasWords} then ${descriptionRank} else 0 end
    + coalesce(ts_rank(l.search, (${anyWord(text)})), 0)
    + 0.01) * ln(2 + coalesce(s.people, 0)))::double precision`;

// For words joined by "and", ts_rank compares all positions of each pair of words: milliseconds for a long text. The
// subquery is computed once for the whole statement.
const anyWord = (text: string): string => `select replace(plainto_tsquery('simple', ${text})::text, '&', '|')::tsquery`;

const escapeLike = (word: string): string => word.replace(/[\\%_]/g, '\\$&');
const isShort = (word: string): boolean => [...word].length < shortWord && /[\p{L}\p{N}]/u.test(word);
