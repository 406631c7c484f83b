import { agentSearchText, escapeLike, isShort, wordsIn } from '../agents/agent-search.ts';
import type { SqlValue } from '../core/database/sql.ts';
import { normalForm } from '../core/text/normal-form.ts';

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
  /** Parameter that holds the text in the normal form. */
  text: string;
  /** Parameter that holds the text in lower case, for the listing's words. */
  listingText: string;
}

/** Maximum number of matches that each kind of match contributes. Some of them may not be visible. */
const maxFound = 20_000;

/**
 * Builds the search for a text: all of its words in name and description, a similar name, a tag, or the listing's text.
 * Appends its values to `values`.
 */
export function matching(q: string, values: SqlValue[]): Search {
  const words = wordsIn(q);
  const [short, long] = [words.filter(isShort), words.filter((word) => !isShort(word))];
  const contains = (pattern: string): string => `${agentSearchText} like $${values.push(pattern)}`;
  const inName = [
    ...short.map(escapeLike).map((word) => `(${contains(`${word}%`)} or ${contains(`% ${word}%`)})`),
    ...long.map(escapeLike).map((word) => contains(`%${word}%`)),
  ];
  const text = `$${values.push(normalForm(q))}`;
  const lower = q.toLowerCase();
  const listingText = `$${values.push(lower)}`;
  const tags = `$${values.push(lower.split(/\s+/).filter(Boolean))}`;
  const hasWords = inName.join(' and ');
  const isLike = `normal_form(a.name) % ${text}`;
  const others = `select f.agent_id from listings f
    where f.search @@ plainto_tsquery('simple', ${listingText}) or f.tags && ${tags}::text[]`;
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
    listingText,
  };
}

/** Weight of a description that contains the words: about the `ts_rank` of a word that occurs once. */
const descriptionRank = 0.06;

/**
 * Returns the SQL expression of an agent's relevance, for `agents a`, `listings l` and `listing_stats s`: similarity of
 * name and tags, words in the description, text rank of the listing, and number of people. It is computed for each
 * match, so it uses the stored vector and parses no text.
 */
export const relevance = ({ hasWords, text, listingText }: Search): string => `(
  (2 * similarity(normal_form(a.name), ${text})
    + coalesce((select max(similarity(t, ${listingText})) from unnest(l.tags) t), 0)
    + case when ${hasWords} then ${descriptionRank} else 0 end
    + coalesce(ts_rank(l.search, (${anyWord(listingText)})), 0)
    + 0.01) * ln(2 + coalesce(s.people, 0)))::double precision`;

// For words joined by "and", ts_rank compares all positions of each pair of words: milliseconds for a long text. The
// subquery is computed once for the whole statement.
const anyWord = (text: string): string => `select replace(plainto_tsquery('simple', ${text})::text, '&', '|')::tsquery`;
