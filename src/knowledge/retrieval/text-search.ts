import type { Ctx } from '../../core/ctx.ts';
import { type Question, searchedText } from './question.ts';
import { coverageQueryOf, fewChunks, type Frequency, type QueryWord, rarityOf } from './word-coverage.ts';

const maxTerms = 64;
const maxFigures = 16;

/**
 * Maximum number of matches in the sample. One chunk in 256 is sampled, so this stands for about 3,000 chunks, which
 * PostgreSQL ranks in a few milliseconds.
 */
const rankedInSample = 12;
const sampledOneIn = 256;
/** Counting stops at this number. */
const tooMany = rankedInSample + 1;
/** Words in fewer sampled chunks than this are counted exactly, up to the second number. */
const fewInSample = 2;
const maxCounted = 200;

// Reads the lexemes of the question in each language of the agent's documents, with their frequency in the sample. The
// rarest lexemes whose chunks are few in total are not `isFrequent`; `together` counts the sampled chunks that contain
// all of the others. The search is built from lexemes, never from the text, so no character of a query is parsed as an
// operator. Where PostgreSQL has no stemmer, a word is searched by its beginning too.
const readLexemes = {
  name: 'knowledge_query_words',
  text: `
    with words as materialized (
      select l.language::text as language, l.chunks, t.*, s.count as "inSample", row_number() over () as n
      from (
          select language, coalesce(sum(sum(chunks_total)) over (), 0)::integer as chunks
          from documents where agent_id = $1 and status = 'ready' group by language
        ) l,
        lateral (
          select array_agg(lexeme) as lexemes, array_agg(positions[1]) as positions
          from unnest(search_vector(l.language, $3)) offset 0
        ) own,
        lateral (select tsvector_to_array(search_vector(l.language, $6)) as lexemes offset 0) names,
        lateral (
          select quote_literal(w.lexeme) as exact,
            case when l.language = 'simple'::regconfig and w.lexeme ~ '^\\D{5,}$' and octet_length(w.lexeme) < 3 * length(w.lexeme)
              then quote_literal(left(w.lexeme, length(w.lexeme) - least(3, length(w.lexeme) / 2 - 1))) || ':*'
              else quote_literal(w.lexeme) end as term,
            w.lexeme = any (own.lexemes) as "isOwn", w.lexeme = any (names.lexemes) as "isDistinct",
            own.positions[array_position(own.lexemes, w.lexeme)] as position
          from unnest(search_vector(l.language, $2)) w
          union all
          select f.query, f.query, f.own, true, null from unnest($4::text[], $5::boolean[]) f (query, own)
          order by 3 desc nulls last, 4 desc, 1 limit ${maxTerms}
        ) t,
        lateral (
          select count(*) from (
            select from chunks c
            where c.agent_id = $1 and right(c.id, 2) = '00' and c.terms @@ t.term::tsquery limit ${tooMany}
          ) few
        ) s
    ), searched as materialized (
      select term, sum("inSample") over (order by "inSample", n) > ${rankedInSample} as "isFrequent"
      from (
        select term, min("inSample") as "inSample", min(n) as n from words group by term order by 3 limit ${maxTerms}
      ) w
    )
    select w.language, w.chunks, w.exact, w.term, w."isOwn" is true as "isOwn", w."isDistinct", w.position, w."inSample",
      s."isFrequent", t.count as together
    from words w left join searched s on s.term = w.term,
      (select string_agg('(' || term || ')', ' & ') as query from searched where "isFrequent") f,
      lateral (
        select count(*) from (
          select from chunks c
          where c.agent_id = $1 and right(c.id, 2) = '00' and c.terms @@ f.query::tsquery limit ${tooMany}
        ) few
      ) t
    order by w.n`,
};
const countChunks = {
  name: 'knowledge_query_counts',
  text: `
    select t.term, few.count, case when few.count <= ${fewChunks} then few.ids end as ids
    from unnest($2::text[]) as t (term), lateral (
      select count(*), (array_agg(id))[1:${fewChunks}] as ids from (
        select c.id from chunks c where c.agent_id = $1 and c.terms @@ t.term::tsquery limit ${maxCounted}
      ) chunks_with
    ) few`,
};
// `is true` prevents a join that would scan the agent's documents for each chunk: a generic plan estimates one
// document.
const ranked = `
  select c.id, ts_rank(c.terms, $3::tsquery, 1) as rank from chunks c
  where c.agent_id = $1 and c.terms @@ $2::tsquery
    and (c.document_id in (select d.id from documents d where d.agent_id = $1 and d.status = 'ready')) is true`;
const search = { name: 'knowledge_text_search', text: `${ranked} order by 2 desc, c.id limit $4` };
const searchSample = {
  name: 'knowledge_text_search_sample',
  text: `${ranked} and right(c.id, 2) = '00' order by 2 desc, c.id limit $4`,
};

/** The words of a question in each language of the agent's documents, and the text search query. */
interface QuestionWords {
  agentId: string;
  words: readonly Word[];
  /** Text search query that selects the chunks to rank; null when every selection would be too large. */
  candidates: string | null;
  anyWord: string;
}

/** How often the words of a question occur. */
export interface WordFrequencies {
  /** By the text search query for a form of a word. */
  frequencies: ReadonlyMap<string, Frequency>;
  /** Chunks that contain a word of the message, or two near each other, which few chunks contain. */
  withRareWord: string[];
}

interface Word extends QueryWord {
  /** Text search query for the word. */
  term: string;
  /** Number of sampled chunks with the word, up to `tooMany`. */
  inSample: number;
  /** Null for words beyond the maximum number of search terms. */
  isFrequent: boolean | null;
  /** Number of sampled chunks with all frequent words, up to `tooMany`. */
  together: number;
}

/**
 * Plans a search for any word of the question. Where words are too frequent to rank every chunk that contains one, only
 * chunks with one of the rarer words or with all of the frequent ones are ranked. Returns null when the question has no
 * word.
 */
export async function readWords(ctx: Ctx, agentId: string, question: Question): Promise<QuestionWords | null> {
  const message = searchedText(question.message);
  const whole = question.inContext === null ? message : searchedText(question.inContext);
  const own = new Set(message.figures.map(queryOf));
  const figures = [...new Set([...own, ...whole.figures.map(queryOf)])].slice(0, maxFigures);
  const asked = [agentId, whole.words, message.words, figures, figures.map((figure) => own.has(figure)), message.names];
  const rows = await ctx.sql<Omit<Word, 'text' | 'forms'> & { exact: string }>(readLexemes, asked);
  const words = rows.map(({ exact, ...word }): Word => ({
    ...word,
    text: unquoted(exact),
    forms: [...new Set([exact, word.term])],
  }));
  const searched = words.filter(({ isFrequent }) => isFrequent !== null);
  if (searched.length === 0) return null;
  const termsOf = (chosen: readonly Word[]): string[] => [...new Set(chosen.map(({ term }) => term))];
  const rare = termsOf(searched.filter(({ isFrequent }) => !isFrequent));
  const frequent = termsOf(searched.filter(({ isFrequent }) => isFrequent));
  const selections = [...rare];
  if (frequent.length > 0 && (searched[0]?.together ?? 0) <= rankedInSample) selections.push(and(frequent));
  return {
    agentId,
    words,
    candidates: selections.length > 0 ? or(selections) : null,
    anyWord: or(termsOf(searched)),
  };
}

/** Returns the frequencies of the words among the agent's chunks. */
export async function weighWords(ctx: Ctx, { agentId, words }: QuestionWords): Promise<WordFrequencies> {
  const isRare = (at: number): boolean => (words[at]?.inSample ?? 0) < fewInSample;
  const near = coverageQueryOf(words).pairs.filter(({ first, second }) => isRare(first) && isRare(second));
  const pairs = near.map(({ query }) => query);
  const few = [...words.filter((_, at) => isRare(at)).flatMap(({ forms }) => forms), ...pairs];
  const rows = await ctx.sql<{ term: string; count: number; ids: string[] | null }>(countChunks, [
    agentId,
    [...new Set(few)],
  ]);
  const counts = new Map(rows.map((row) => [row.term, row]));
  const frequencies = words.flatMap(({ forms, inSample, chunks }) =>
    forms.map((query): [string, Frequency] => {
      const counted = counts.get(query)?.count ?? maxCounted;
      const found = counted < maxCounted ? counted : Math.max(maxCounted, inSample * sampledOneIn);
      return [query, { found, rarity: rarityOf(found, chunks) }];
    }),
  );
  const own = words.filter(({ isOwn }) => isOwn).map(({ forms: [exact = ''] }) => exact);
  const rare = [...own, ...pairs].flatMap((query) => counts.get(query)?.ids ?? []);
  return { frequencies: new Map(frequencies), withRareWord: [...new Set(rare)] };
}

/** Reads and weighs the words of a question. */
export async function planTextSearch(ctx: Ctx, agentId: string, question: Question): Promise<TextQuery | null> {
  const words = await readWords(ctx, agentId, question);
  return words && { ...words, ...(await weighWords(ctx, words)) };
}

interface TextQuery extends QuestionWords, WordFrequencies {}

/** Returns the agent's chunks that contain a word of the question, best first by PostgreSQL's full-text rank. */
export async function searchText(ctx: Ctx, query: QuestionWords | null, limit: number): Promise<string[]> {
  if (query === null) return [];
  const { agentId, candidates, anyWord } = query;
  const rows = await ctx.sql<{ id: string }>(candidates ? search : searchSample, [
    agentId,
    candidates ?? anyWord,
    anyWord,
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** Returns the text search query for any of the forms of a figure. */
const queryOf = (forms: readonly string[]): string =>
  forms.map((form) => `'${form.replaceAll("'", "''")}'`).join(' | ');

/** Returns the first lexeme of a query as it is shown. */
const unquoted = (query: string): string => {
  const [literal = ''] = /^E?'(?:[^']|'')*'/.exec(query) ?? [];
  const text = literal.replace(/^E?'|'$/g, '').replaceAll("''", "'");
  return literal.startsWith('E') ? text.replaceAll('\\\\', '\\') : text;
};

const or = (terms: readonly string[]): string => terms.join(' | ');
const and = (terms: readonly string[]): string => `(${terms.map((term) => `(${term})`).join(' & ')})`;
