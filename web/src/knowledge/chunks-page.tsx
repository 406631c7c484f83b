import { keepPreviousData, useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { KnowledgeDocumentDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { useTypedQuery } from '../parts/controls/use-typed-query.ts';
import { ChunkItem } from './chunk-item.tsx';
import { chunksQuery } from './chunks-query.ts';
import { texts } from './texts.ts';
import styles from './chunks.module.css';

/** The passages of a document as they are searched and cited. `chunk` opens it at a passage, `q` searches for a text. */
export function ChunksPage() {
  const { agentId, docId } = useParams({ from: '/frame/agents/$agentId/knowledge/$docId' });
  const { chunk, q, view } = useSearch({ from: '/frame/agents/$agentId/knowledge/$docId' });
  const { document } = useSuspenseQuery(query(KnowledgeDocumentDocument, { agentId, docId })).data;
  const list = useInfiniteQuery({
    ...chunksQuery({ agentId, docId, q }, q === undefined ? chunk : undefined),
    placeholderData: keepPreviousData,
  });
  const chunks = list.data?.pages.flatMap(({ documentChunks }) => documentChunks.data);
  const total = list.data?.pages[0]?.documentChunks.total ?? 0;
  return (
    <Page
      title={document.filename}
      lead={
        <>
          {texts.passageCount(document.chunkCount ?? 0)}
          {document.reading?.encoding && `, ${texts.readAs(document.reading.encoding)}`} ·{' '}
          <Link to="/agents/$agentId/knowledge" params={{ agentId }}>
            {texts.allDocuments}
          </Link>
        </>
      }
    >
      <ReadingNotes notes={document.reading?.notes ?? []} />
      <ChunkSearch />
      <ViewChoice />
      {q !== undefined && list.data && (
        <p className={styles.count} role="status">
          {texts.passagesContain(total)}
        </p>
      )}
      {document.status !== 'READY' && <p className={styles.count}>{texts.passagesShownOnceDocument}</p>}
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!chunks && !list.error && <Skeleton lines={['100%', '100%', '100%']} height={120} />}
      {list.hasPreviousPage && (
        <Button isBusy={list.isFetchingPreviousPage} onClick={() => void list.fetchPreviousPage()}>
          {texts.earlierPassages}
        </Button>
      )}
      <ol className={styles.list} aria-label={texts.passages} data-stale={list.isPlaceholderData || undefined}>
        {chunks?.map((each) => (
          <ChunkItem
            key={each.id}
            chunk={each}
            q={q}
            isFound={each.chunkIndex === chunk}
            isText={view === 'text' && q === undefined}
          />
        ))}
      </ol>
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {common.more}
        </Button>
      )}
      <ApiNote tag="knowledge" path={`/v1/knowledge/${agentId}/documents/${docId}/chunks`} />
    </Page>
  );
}

/** What could not be read, and where. */
function ReadingNotes({ notes }: { notes: readonly { code: string; message: string; places: string[] }[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className={styles.notes} aria-label={texts.notEverythingRead}>
      {notes.map(({ code, message, places }) => (
        <li key={code}>
          {message}
          {places.length > 0 && <span className={styles.count}> ({places.join(', ')})</span>}
        </li>
      ))}
    </ul>
  );
}

/** Chooses between the passages and the text without repetitions, with the pages or rows beside it. */
function ViewChoice() {
  const { view, q, chunk } = useSearch({ from: '/frame/agents/$agentId/knowledge/$docId' });
  const navigate = useNavigate({ from: '/agents/$agentId/knowledge/$docId' });
  if (q !== undefined) return null;
  const show = (next: 'text' | undefined) => () => void navigate({ search: { chunk, view: next }, replace: true });
  return (
    <div role="group" aria-label={texts.showAs} className={styles.views}>
      <Button size="small" aria-pressed={view === undefined} onClick={show(undefined)}>
        {texts.passages}
      </Button>
      <Button size="small" aria-pressed={view === 'text'} onClick={show('text')}>
        {texts.textAsRead}
      </Button>
    </div>
  );
}

function ChunkSearch() {
  const { q } = useSearch({ from: '/frame/agents/$agentId/knowledge/$docId' });
  const navigate = useNavigate({ from: '/agents/$agentId/knowledge/$docId' });
  const [typed, type] = useTypedQuery(q, (text) => void navigate({ search: text ? { q: text } : {}, replace: true }));
  return (
    <input
      type="search"
      className={styles.search}
      aria-label={texts.findDocument}
      placeholder={texts.findDocument}
      dir="auto"
      maxLength={200}
      value={typed}
      onChange={({ target }) => type(target.value)}
    />
  );
}
