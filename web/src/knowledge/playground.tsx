import { Meter } from '@base-ui/react/meter';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type EmbeddingSource,
  QueryKnowledgeDocument,
  type QueryKnowledgeQuery,
  ServiceDocument,
} from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { askInChat } from '../chat/replies/asked.ts';
import { questions } from '../chat/drafts/drafts.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { fillIn } from '../parts/values/fill-in.tsx';
import { marked } from '../parts/values/marked.tsx';
import { QueryStates } from '../parts/lists/query-states.tsx';
import { wordsPattern } from '../parts/values/words-pattern.ts';
import { texts } from './texts.ts';
import styles from './knowledge.module.css';

const resultCounts = [3, 5, 8, 20];
const keptQuestions = 10;

/** Searches the documents without generating a reply. Shows the passages that a question finds, best first. */
export function Playground({ agentId }: { agentId: string }) {
  const { query: asked } = useSearch({ from: '/frame/agents/$agentId/knowledge' });
  const navigate = useNavigate({ from: '/agents/$agentId/knowledge' });
  const last = questions.get(agentId) ?? [];
  const [limit, setLimit] = useState(8);
  return (
    <section className={styles.playground} aria-labelledby="playground-title">
      <h2 id="playground-title">{texts.tryQuestion}</h2>
      <p className={styles.lead}>
        {texts.seePassagesAgentWould} {useSource()}
      </p>
      <form
        className={styles.ask}
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const { question } = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
          const text = question?.trim() ?? '';
          if (text) questions.set(agentId, [text, ...last.filter((one) => one !== text)].slice(0, keptQuestions));
          void navigate({ search: { query: text || undefined }, replace: true });
        }}
      >
        <input
          name="question"
          aria-label={texts.yourQuestion}
          dir="auto"
          maxLength={2000}
          defaultValue={asked}
          list="last-questions"
        />
        <datalist id="last-questions">
          {last.map((question) => (
            <option key={question}>{question}</option>
          ))}
        </datalist>
        <select
          aria-label={texts.numberOfPassages}
          value={limit}
          onChange={({ target }) => setLimit(Number(target.value))}
        >
          {resultCounts.map((number) => (
            <option key={number}>{number}</option>
          ))}
        </select>
        <Button type="submit">{common.search}</Button>
      </form>
      {asked && (
        <div>
          <Button
            size="small"
            onClick={() => {
              askInChat(agentId, asked);
              void navigate({ to: '/chat', search: { agent: agentId } });
            }}
          >
            {texts.askAgent}
          </Button>
        </div>
      )}
      {asked && <Results agentId={agentId} question={asked} limit={limit} />}
    </section>
  );
}

const sources: Record<EmbeddingSource, string> = {
  PROVIDER: texts.sourceProvider,
  LOCAL: texts.sourceLocal,
  SIMULATOR: texts.sourceSimulator,
};

/** Describes which embedding model this installation uses. */
function useSource(): string {
  const { data } = useQuery({ ...query(ServiceDocument, {}), staleTime: Infinity });
  return data ? sources[data.service.embeddings] : '';
}

type RetrievalReason = QueryKnowledgeQuery['queryKnowledge']['results'][number]['reason'];

/** Returns a text without case and accents, as words are indexed. */
const plain = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');

/** Returns the word of the question that a stem, such as `librari`, comes from. */
function wordOf(stem: string, question: string): string {
  const words = question.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const beginning = (start: string) => words.find((word) => plain(word).startsWith(start));
  return beginning(stem) ?? beginning(stem.slice(0, -1)) ?? stem;
}

/** Nearness from which a passage is clearly closer in meaning than unrelated ones. */
const near = 1;

function meaningOf(nearness: number | null): string {
  if (nearness === null) return texts.meaningUnknown;
  return nearness >= near ? texts.meaningNear : texts.meaningFar;
}

/** Explains in words why a passage was returned. */
function explanationOf({ words, nearness }: RetrievalReason, question: string) {
  const named = new Intl.ListFormat('en').format(words.map((word) => wordOf(word, question)));
  return (
    <>
      {words.length > 0 ? fillIn(texts.containsWords, { words: <bdi>{named}</bdi> }) : texts.containsNone}{' '}
      {meaningOf(nearness)}
    </>
  );
}

function Reason({ question, words, coverage, nearness, score }: RetrievalReason & { question: string }) {
  return (
    <dl className={styles.reason}>
      <div>
        <dt>{texts.words}</dt>
        <dd>
          {Math.round(coverage * 100)} %
          {words.length > 0 && <bdi> ({words.map((word) => wordOf(word, question)).join(', ')})</bdi>}
        </dd>
      </div>
      <div>
        <dt>{texts.meaning}</dt>
        <dd dir="ltr">{nearness === null ? texts.notCompared : nearness.toFixed(1)}</dd>
      </div>
      <div>
        <dt>{texts.score}</dt>
        <dd dir="ltr">{score.toFixed(2)}</dd>
      </div>
    </dl>
  );
}

/** Marks the words that were found. The service returns their stems, such as `librari` for libraries. */
const withFound = (text: string, stems: readonly string[]) =>
  stems.length === 0 ? text : marked(text, wordsPattern(stems.map((stem) => stem.replace(/(?<=..)i$/, ''))));

interface ResultsProps {
  agentId: string;
  question: string;
  limit: number;
}

function Results({ agentId, question, limit }: ResultsProps) {
  const search = useQuery(query(QueryKnowledgeDocument, { agentId, input: { query: question, limit } }));
  const states = <QueryStates query={search} lines={['100%', '100%']} height={60} />;
  if (!search.data) return states;
  const { results } = search.data.queryKnowledge;
  if (results.length === 0) return <p className={styles.lead}>{texts.noPassageFitsQuestion}</p>;
  return (
    <>
      {states}
      <ol className={styles.list}>
        {results.map(({ chunkId, documentId, filename, chunkIndex, content, similarity, reason }) => (
          <li key={chunkId} className={styles.result}>
            <header>
              <Link
                to="/agents/$agentId/knowledge/$docId"
                params={{ agentId, docId: documentId }}
                search={{ chunk: chunkIndex }}
              >
                {fillIn(texts.passage, { filename: <bdi>{filename}</bdi>, chunkIndex: chunkIndex + 1 })}
              </Link>
              <Meter.Root
                value={similarity}
                min={0}
                max={1}
                className={styles.similarity}
                aria-label={texts.similarity}
              >
                <Meter.Track className={styles.track}>
                  <Meter.Indicator className={styles.indicator} />
                </Meter.Track>
                <span dir="ltr">{similarity.toFixed(2)}</span>
              </Meter.Root>
            </header>
            <p dir="auto">{withFound(content, reason.words)}</p>
            <p className={styles.lead}>{explanationOf(reason, question)}</p>
            <Reason question={question} {...reason} />
          </li>
        ))}
      </ol>
    </>
  );
}
