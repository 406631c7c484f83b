import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  DeleteEmbedVisitorDocument,
  EmbedVisitorsDocument,
  type EmbedVisitorsQuery,
} from '../api/generated/operations.ts';
import { keyOf, pagedQuery } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { Button } from '../parts/controls/button.tsx';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { texts } from './texts.ts';
import styles from './embeds.module.css';

type Row = EmbedVisitorsQuery['embedVisitors']['data'][number];

const nameOf = ({ name, externalId, id }: Row): string => name ?? externalId ?? texts.visitorNamed(id.slice(-6));

/** Visitors, last seen first, with links to their conversations and a way to erase them. */
export function EmbedVisitors({ embedId }: { embedId: string }) {
  const cache = useQueryClient();
  const [erased, setErased] = useState<Row | null>(null);
  const list = useInfiniteQuery(
    pagedQuery(EmbedVisitorsDocument, { id: embedId }, ({ embedVisitors: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
  );
  const visitors = list.data?.pages.flatMap((page) => page.embedVisitors.data) ?? [];
  const columns: Column<Row>[] = [
    {
      title: texts.visitor,
      render: (row) =>
        row.conversationId ? (
          <Link to="/chat/$conversationId" params={{ conversationId: row.conversationId }} search={{}} dir="auto">
            {nameOf(row)}
          </Link>
        ) : (
          <bdi>{nameOf(row)}</bdi>
        ),
    },
    { title: texts.firstSeen, width: '160px', isMinor: true, render: ({ createdAt }) => <TimeAgo date={createdAt} /> },
    { title: texts.lastSeen, width: '160px', render: ({ lastSeenAt }) => <TimeAgo date={lastSeenAt} /> },
    {
      title: texts.erase,
      width: '80px',
      align: 'end',
      render: (row) => (
        <span className={styles.above}>
          <IconButton size="small" label={texts.eraseNamed(nameOf(row))} onClick={() => setErased(row)}>
            <Trash2 size={16} />
          </IconButton>
        </span>
      ),
    },
  ];
  return (
    <section className={styles.section} aria-labelledby="visitors">
      <h2 id="visitors">{texts.visitors}</h2>
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && visitors.length === 0 && <p className={styles.hint}>{texts.noVisitorYet}</p>}
      {visitors.length > 0 && (
        <DataTable label={texts.visitors} columns={columns} rows={visitors} idOf={({ id }) => id} />
      )}
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {texts.showMore}
        </Button>
      )}
      <ConfirmDialog
        isOpen={erased !== null}
        title={texts.eraseQuestion}
        description={texts.eraseEffect}
        action={texts.erase}
        onClose={() => setErased(null)}
        onConfirm={async () => {
          if (erased) await requestRemoval(DeleteEmbedVisitorDocument, { id: embedId, visitorId: erased.id });
          setErased(null);
          await cache.invalidateQueries({ queryKey: keyOf(EmbedVisitorsDocument) });
        }}
      />
    </section>
  );
}
