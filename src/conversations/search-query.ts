import { type Token, tokensOf } from './search-text.ts';

/** Words that follow each other; one alone when the user wrote one. */
interface Term {
  tokens: Token[];
  /** Exactly these words: they stood in quotes. */
  quoted: boolean;
}

/** What must be found together, and what must not be there. */
interface Alternative {
  wanted: Term[];
  unwanted: Term[];
}

export interface SearchQuery {
  alternatives: Alternative[];
}

/** The stem of an English word, or `null` for one so common that it tells nothing. */
export type Stems = ReadonlyMap<string, string | null>;

const maxTerms = 32;
const part = /(-?)(?:"([^"]*)"?|([^\s"]+))/g;
// What telephones make of a quote.
const curlyQuotes = /[\u201c-\u201f\uff02]/g;

/**
 * Reads text in the way of web search: all words must be there, `"words in quotes"` side by side, `-word` must not,
 * `or` between alternatives. Any text is a query; one that asks for nothing has no alternatives. Terms after the 32nd
 * are ignored.
 */
export function parseSearchQuery(q: string): SearchQuery {
  let current: Alternative = { wanted: [], unwanted: [] };
  const alternatives = [current];
  let terms = 0;
  for (const [, minus, quoted, bare] of q.replace(curlyQuotes, '"').matchAll(part)) {
    if (terms === maxTerms) break;
    if (!minus && bare?.toLowerCase() === 'or') {
      current = { wanted: [], unwanted: [] };
      alternatives.push(current);
      continue;
    }
    const tokens = [...tokensOf(quoted ?? bare ?? '')];
    if (tokens.length === 0) continue;
    (minus ? current.unwanted : current.wanted).push({ tokens, quoted: quoted !== undefined });
    terms++;
  }
  // One that only excludes would be answered with almost everything.
  return { alternatives: alternatives.filter(({ wanted }) => wanted.length > 0) };
}

/** The words of a query whose stems count. */
export const stemmedWords = ({ alternatives }: SearchQuery): string[] => [
  ...new Set(alternatives.flatMap(({ wanted, unwanted }) => [...wanted, ...unwanted].flatMap(stemmedWord))),
];

/** The terms that are looked for, without the common words beside them. */
export const wantedTerms = (alternative: Alternative, stems: Stems): Term[] => {
  const telling = alternative.wanted.filter((term) => stemmedWord(term).every((word) => stems.get(word) !== null));
  return telling.length > 0 ? telling : alternative.wanted;
};

/**
 * The tsquery of a query against the vectors that `search_words` makes for this user, as PostgreSQL reads it. It is put
 * together from words alone, none of which holds a character that means something to PostgreSQL.
 */
export function toTsquery(query: SearchQuery, stems: Stems, userId: string): string {
  const tag = userId.slice(-6);
  const lexeme = (word: string, prefix = false) => `'${tag}${word}'${prefix ? ':*' : ''}`;

  const one = (term: Term, prefix: boolean): string => {
    const [word] = stemmedWord(term);
    if (word === undefined)
      return chain(term, prefix)
        .map(({ word, prefix }) => lexeme(word, prefix))
        .join(' <-> ');
    const stem = stems.get(word) ?? word;
    const written = lexeme(word, prefix && isLong(word));
    return stem === word ? written : `${written} | ${lexeme(stem)}`;
  };

  return query.alternatives
    .map((alternative) =>
      [
        ...wantedTerms(alternative, stems).map((term) => `(${one(term, true)})`),
        ...alternative.unwanted.map((term) => `!(${one(term, false)})`),
      ].join(' & '),
    )
    .map((alternative) => `(${alternative})`)
    .join(' | ');
}

const stemmedWord = ({ tokens, quoted }: Term): string[] => {
  const [first, ...others] = tokens;
  return first && !quoted && !first.unspaced && others.length === 0 ? [shortened(first.word)] : [];
};

/** A prefix of one letter would be half of what the user has ever written. */
export const isLong = (word: string): boolean => word.length > 1;

/** As long as the index knows a word. */
export const shortened = (word: string): string => (word.length > 64 ? [...word].slice(0, 64).join('') : word);

/** Words and, of unspaced scripts, each character with the one after it. */
function chain({ tokens, quoted }: Term, prefix: boolean): { word: string; prefix: boolean }[] {
  return tokens.flatMap((token, i) => {
    const next = tokens[i + 1];
    const last = next === undefined;
    if (!token.unspaced)
      return { word: shortened(token.word), prefix: last && prefix && !quoted && isLong(token.word) };
    if (next?.unspaced && next.joined) return { word: token.word + next.word, prefix: false };
    const covered = last && token.joined && tokens[i - 1]?.unspaced;
    return covered ? [] : { word: token.word, prefix: last };
  });
}
