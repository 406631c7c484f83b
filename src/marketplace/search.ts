import type { SqlValue } from '../core/database/sql.ts';

/** A search text in SQL. */
export interface Search {
  /** Over `agents a`. */
  condition: string;
  /** Part of the statement's name: it tells conditions of different form apart. */
  shape: string;
  /** The parameter that holds the text in lower case. */
  text: string;
}

const searchText = `lower(a.name || ' ' || coalesce(a.description, ''))`;
const shortWord = 3;
const maxWords = 20;

/**
 * The condition that finds a text: all of its words in name and description, a name like it, a tag, or what the listing says
 * about the agent. Each way has an index. Adds its values to `values`.
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
  const others = `select f.agent_id from listings f
    where f.search @@ plainto_tsquery('simple', ${text}) or f.tags && ${tags}::text[]`;
  return {
    condition: `((${inName.join(' and ')}) or lower(a.name) % ${text} or a.id in (${others}))`,
    shape: `q${short.length}_${long.length}`,
    text,
  };
}

/** How well an agent fits, over `agents a`, `listings l` and `listing_stats s`: names and tags by likeness, texts by words, and its people. */
export const relevance = ({ text }: Search): string => `(
  (2 * similarity(lower(a.name), ${text})
    + coalesce((select max(similarity(t, ${text})) from unnest(l.tags) t), 0)
    + ts_rank(to_tsvector('simple', coalesce(a.description, '') || ' ' || coalesce(l.about, '')), plainto_tsquery('simple', ${text}))
    + 0.01) * ln(2 + coalesce(s.people, 0)))::double precision`;

const escapeLike = (word: string): string => word.replace(/[\\%_]/g, '\\$&');
const isShort = (word: string): boolean => [...word].length < shortWord && /[\p{L}\p{N}]/u.test(word);
